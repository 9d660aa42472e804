package main

import (
	"bytes"
	"errors"
	"io"
	"unsafe"

	"github.com/tidwall/gjson"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// The gjson contenders are what a programmer writes who needs only the fields
// and no rules: no identity of calls, no check of the JSON, no state but
// buffers. They split lines with Sluice's own reader, so that both sides pay
// the same for it, and read the payload without a copy.

// extract takes the fields of one payload into an answer.
type extract interface {
	payload(json string)
	found() int
}

func prepareForEach(format wire.Format) func([]byte) int {
	return prepareExtract(func() extract {
		switch format {
		case wire.Anthropic:
			return newAnthropicPass()
		case wire.OpenAIResponses:
			return newResponsesPass()
		case wire.OpenAIChat, wire.Gemini:
		}
		return newChatPass()
	})
}

func prepareGet(format wire.Format) func([]byte) int {
	return prepareExtract(func() extract {
		switch format {
		case wire.Anthropic:
			return &anthropicGet{}
		case wire.OpenAIResponses:
			return &responsesGet{}
		case wire.OpenAIChat, wire.Gemini:
		}
		return &chatGet{}
	})
}

func prepareWalk(format wire.Format) func([]byte) int {
	return prepareExtract(func() extract { return newWalk(format) })
}

func prepareExtract(newExtract func() extract) func([]byte) int {
	var src bytes.Reader
	reader := sse.NewReader(&src, sse.Options{})
	return func(body []byte) int {
		src.Reset(body)
		reader.Reset(&src)
		answer := newExtract()
		for {
			ev, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return answer.found()
			}
			must(err)
			if ev.Data[0] == '{' { // not [DONE]
				//nolint:gosec // the view ends with the payload, and nothing keeps it
				answer.payload(unsafe.String(unsafe.SliceData(ev.Data), len(ev.Data)))
			}
		}
	}
}

// slot is a block as far as it is known.
type slot struct {
	id, name, kind string
	body           []byte
	signature      []byte
}

// slots are blocks by their number. A number is trusted up to a bound.
type slots []slot

func (s *slots) at(n int64) *slot {
	const most = 1 << 14
	n = min(max(n, 0), most)
	for int64(len(*s)) <= n {
		*s = append(*s, slot{})
	}
	return &(*s)[n]
}

func (s *slots) found() int {
	n := 0
	for i := range *s {
		n += len((*s)[i].body)
	}
	return n
}

// keep copies a short string that must outlive the payload, once.
func keep(dst *string, v string) {
	if *dst == "" && v != "" {
		*dst = string(append([]byte(nil), v...))
	}
}

// common is what every answer has besides its blocks.
type common struct {
	id, model, finish string
	usage             []byte
}

func (c *common) setUsage(v gjson.Result) {
	if v.IsObject() {
		c.usage = append(c.usage[:0], v.Raw...)
	}
}
