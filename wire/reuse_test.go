package wire_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// reusable are the formats whose decoders and writers go from answer to answer,
// each with an answer that has text and a call in it.
var reusable = map[wire.Format][][]byte{
	wire.OpenAIChat: {
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Let"}}]}`),
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":" me"}}]}`),
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"Bash","arguments":""}}]}}]}`),
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"command\":"}}]}}]}`),
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"ls\"}"}}]}}]}`),
		[]byte(`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`),
		[]byte(`[DONE]`),
	},
	wire.Anthropic: {
		[]byte(`{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`),
		[]byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		[]byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let"}}`),
		[]byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" me"}}`),
		[]byte(`{"type":"content_block_stop","index":0}`),
		[]byte(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}}`),
		[]byte(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":\"ls\"}"}}`),
		[]byte(`{"type":"content_block_stop","index":1}`),
		[]byte(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}`),
		[]byte(`{"type":"message_stop"}`),
	},
}

// asNew is what a decoder and a writer are like that have seen nothing.
func asNew(format wire.Format, opts stream.WriterOptions) (stream.Decoder, stream.Writer) {
	if format == wire.OpenAIChat {
		return openaichat.NewDecoder(), openaichat.NewWriter(opts)
	}
	return anthropic.NewDecoder(), anthropic.NewWriter(opts)
}

func reset(d stream.Decoder, w stream.Writer, opts stream.WriterOptions) {
	switch d := d.(type) {
	case *openaichat.Decoder:
		d.Reset()
	case *anthropic.Decoder:
		d.Reset()
	}
	switch w := w.(type) {
	case *openaichat.Writer:
		w.Reset(opts)
	case *anthropic.Writer:
		w.Reset(opts)
	}
}

// write reads an answer and writes it, as far as that goes. Edits are drawn.
func write(d stream.Decoder, w stream.Writer, payloads [][]byte, rnd *rand.Rand) (written []byte, _ error) {
	var c stream.Chunk
	text := llm.Block{Kind: llm.Content, Text: "blocked"}
	for _, p := range payloads {
		c.Raw, c.Name = p, ""
		if err := d.Decode(&c); err != nil {
			written, _ = w.Fail(written, err)
			return written, err
		}
		switch rnd.IntN(24) {
		case 0:
			_ = w.Replace(stream.At{Block: rnd.IntN(4), Kind: llm.ToolCall}, text)
		case 1:
			_ = w.Replace(stream.At{Block: rnd.IntN(4)})
		case 2:
			written, _ = w.Insert(written, 0, text)
		case 3:
			continue // it is left out
		}
		var err error
		if written, err = w.Write(written, &c); err != nil {
			return written, err
		}
	}
	c.Raw, c.Name = nil, ""
	err := d.End(&c)
	written, _ = w.Write(written, &c)
	return written, err
}

// Of what goes from answer to answer, nothing is left behind by any: it is equal
// to what is new, in every field, and it reads and writes the next as that does.
func TestResetLeavesNothingBehind(t *testing.T) {
	answers := map[wire.Format][][][]byte{}
	for format, payloads := range reusable {
		answers[format] = append(answers[format], payloads)
	}
	if os.Getenv("SLUICE_CORPUS") != "" {
		for _, s := range corpus(t) {
			if reusable[s.format] != nil {
				answers[s.format] = append(answers[s.format], readLines(t, s.path))
			}
		}
	}
	id := func() string { return "id" }
	for format, all := range answers {
		rnd := rand.New(rand.NewPCG(1, 2))
		decoder, writer := asNew(format, stream.WriterOptions{NewID: id})
		for range max(200, 3*len(all)) {
			payloads := all[rnd.IntN(len(all))]
			switch rnd.IntN(4) {
			case 0:
				payloads = payloads[:rnd.IntN(len(payloads))]
			case 1:
				i := rnd.IntN(len(payloads))
				payloads = append(payloads[:i:i], payloads[i][:rnd.IntN(len(payloads[i]))])
			}
			opts := stream.WriterOptions{Settle: rnd.IntN(2) == 0, Force: rnd.IntN(4) == 0, NewID: id}
			reset(decoder, writer, opts)
			fresh, freshWriter := asNew(format, opts)
			seed := rnd.Uint64()
			got, err := write(decoder, writer, payloads, rand.New(rand.NewPCG(seed, 0)))
			want, wantErr := write(fresh, freshWriter, payloads, rand.New(rand.NewPCG(seed, 0)))
			if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %v, %s\nwant %v, %s", format, err, got, wantErr, want)
			}
			if !reflect.DeepEqual(decoder.Deviations(), fresh.Deviations()) {
				t.Fatalf("%s: deviations %v, want %v", format, decoder.Deviations(), fresh.Deviations())
			}
			reset(decoder, writer, stream.WriterOptions{})
			if d, w := asNew(format, stream.WriterOptions{}); !reflect.DeepEqual(decoder, d) || !reflect.DeepEqual(writer, w) {
				t.Fatalf("%s: something is left behind", format)
			}
		}
	}
}

// What is given back is given out again as new.
func TestReleasedIsAsNew(t *testing.T) {
	for format, payloads := range reusable {
		for range 100 {
			d, w := format.NewDecoder(), format.NewWriter(stream.WriterOptions{})
			fresh, freshWriter := asNew(format, stream.WriterOptions{})
			if !reflect.DeepEqual(d, fresh) || !reflect.DeepEqual(w, freshWriter) {
				t.Fatalf("%s: not as new", format)
			}
			if _, err := write(d, w, payloads[:len(payloads)-2], rand.New(rand.NewPCG(0, 0))); err == nil {
				t.Fatalf("%s: a cut answer is whole", format)
			}
			wire.ReleaseDecoder(d)
			wire.ReleaseWriter(w)
		}
	}
}
