package gemini

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
	"github.com/sluice-project/sluice/wire/sse"
)

// writable checks that blocks of Sluice's own have a form in this dialect. In
// the place of another block no thinking can stand: nobody signed it for there.
func writable(blocks []llm.Block, instead bool) error {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case llm.Content:
		case llm.Thinking:
			if instead {
				return stream.ErrNotWritable
			}
		case llm.ToolCall:
			if b.Name == "" || b.Arguments != "" && jsonscan.Classify([]byte(b.Arguments)) != jsonscan.ShapeObject {
				return stream.ErrNotWritable
			}
		case llm.Refusal, llm.ServerTool, llm.ToolResult, llm.Opaque:
			return stream.ErrNotWritable
		default:
			return stream.ErrNotWritable
		}
	}
	return nil
}

// hollow reports whether a block has nothing to write.
func hollow(b *llm.Block) bool { return b.Kind != llm.ToolCall && b.Text == "" }

// appendPart appends the part that says a block.
func appendPart(dst []byte, b *llm.Block) []byte {
	if b.Kind == llm.ToolCall {
		dst = append(dst, `{"functionCall":{`...)
		if b.ID != "" {
			dst = append(dst, `"id":`...)
			dst = append(jsonscan.AppendString(dst, b.ID), ',')
		}
		dst = append(dst, `"name":`...)
		dst = jsonscan.AppendString(dst, b.Name)
		if args := bytes.TrimSpace([]byte(b.Arguments)); len(args) > 0 {
			dst = append(dst, `,"args":`...)
			dst = appendLine(dst, args)
		}
		dst = append(dst, '}')
	} else {
		dst = append(dst, `{"text":`...)
		dst = jsonscan.AppendString(dst, b.Text)
		if b.Kind == llm.Thinking {
			dst = append(dst, `,"thought":true`...)
		}
	}
	if b.Signature != "" {
		dst = append(dst, `,"thoughtSignature":`...)
		dst = jsonscan.AppendString(dst, b.Signature)
	}
	return append(dst, '}')
}

// appendLine appends valid JSON so that it stays on one line: an event of this
// dialect has exactly one.
func appendLine(dst, raw []byte) []byte {
	if bytes.ContainsAny(raw, "\r\n") {
		if compact, err := jsonscan.Compact(dst, raw); err == nil {
			return compact
		}
	}
	return append(dst, raw...)
}

// appendParts appends the parts of blocks, with commas between.
func appendParts(dst []byte, blocks []llm.Block) []byte {
	first := true
	for i := range blocks {
		if hollow(&blocks[i]) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendPart(dst, &blocks[i])
	}
	return dst
}

// appendChunk appends a chunk of Sluice's own with the answer's envelope.
// candidates is the list of its candidates without brackets.
func (w *Writer) appendChunk(dst, candidates []byte) []byte {
	p := append([]byte(`{"candidates":[`), candidates...)
	p = append(p, ']')
	if w.model != "" {
		p = append(p, `,"modelVersion":`...)
		p = jsonscan.AppendString(p, w.model)
	}
	if w.id != "" {
		p = append(p, `,"responseId":`...)
		p = jsonscan.AppendString(p, w.id)
	}
	w.framed = true
	return sse.AppendEvent(dst, "", append(p, '}'))
}

func appendContent(dst []byte, number int, parts []byte) []byte {
	dst = append(dst, `{"content":{"role":"model","parts":[`...)
	dst = append(dst, parts...)
	dst = append(dst, `]},"index":`...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	return append(dst, '}')
}

func appendStop(dst []byte, number int) []byte {
	dst = append(dst, `{"finishReason":"STOP","index":`...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	return append(dst, '}')
}

// appendFailure appends the payload that reports an error: the provider's own
// object if it is one.
func appendFailure(dst []byte, cause error) []byte {
	dst = append(dst, `{"error":`...)
	code, status := 502, "UNAVAILABLE"
	if provider, ok := errors.AsType[*stream.ProviderError](cause); ok {
		if len(provider.Raw) > 0 && provider.Raw[0] == '{' && jsonscan.Valid(provider.Raw) == nil {
			return append(appendLine(dst, provider.Raw), '}')
		}
		if provider.Type != "" {
			status = provider.Type
		}
		if n, err := strconv.Atoi(provider.Code); err == nil && n >= 400 && n < 600 {
			code = n
		}
	}
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, int64(code), 10)
	dst = append(dst, `,"message":`...)
	dst = jsonscan.AppendString(dst, plan.Told(cause))
	dst = append(dst, `,"status":`...)
	dst = jsonscan.AppendString(dst, status)
	return append(dst, "}}"...)
}
