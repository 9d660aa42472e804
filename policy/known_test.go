package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/sluicetest/contradict"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// A payload whose decoder knows all of it, or that is like the one before, is not
// searched for stray calls, so it must not hold any.
func TestWhatADecoderKnowsHoldsNoStrayCall(t *testing.T) {
	for _, format := range sluicetest.Formats() {
		t.Run(format, func(t *testing.T) {
			known := 0
			for seed := range uint64(3000) {
				a := contradict.New(format, seed)
				d := wire.Format(format).NewDecoder()
				for _, ev := range a.Events {
					c := stream.Chunk{Name: ev.Name, Raw: []byte(ev.Payload)}
					if d.Decode(&c) != nil {
						break
					}
					if !c.Known && !c.Repeats {
						continue
					}
					known++
					if policy.HoldsStrayCall(wire.Format(format), &c) {
						t.Fatalf("seed %d: the decoder knows all of a payload with a stray call:\n%s", seed, ev.Payload)
					}
				}
			}
			if isChecked := format == "openai-chat" || format == "anthropic"; isChecked && known == 0 {
				t.Error("the decoder knows no payload, so nothing was checked")
			}
		})
	}
}

// The same of ordinary payloads into which something was put, at every member of every
// object: under the names that calls have, and of every kind.
func TestWhatIsPutIntoAPayloadIsNotKnown(t *testing.T) {
	for format, payloads := range ordinary {
		for _, p := range payloads {
			put(p.data, func(changed string) {
				d := format.NewDecoder()
				for _, before := range p.before {
					decode(t, d, before)
				}
				c := stream.Chunk{Name: p.name, Raw: []byte(changed)}
				if d.Decode(&c) == nil && (c.Known || c.Repeats) && policy.HoldsStrayCall(format, &c) {
					t.Errorf("%s: the decoder knows all of a payload with a stray call:\n%s", format, changed)
				}
			})
			d := format.NewDecoder()
			for _, before := range p.before {
				decode(t, d, before)
			}
			if c := decode(t, d, p); !c.Known && !c.Repeats {
				t.Errorf("%s: an ordinary payload is not known, and searched each time: %s", format, p.data)
			}
		}
	}
}

type ordinaryPayload struct {
	name, data string
	before     []ordinaryPayload
}

var (
	chatText   = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"role":"assistant","content":"a","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}`
	chatCall   = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"x","arguments":""}}]},"finish_reason":null}]}`
	chatPiece  = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":null}]}`
	chatFinish = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}`

	begin     = ordinaryPayload{name: "message_start", data: `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}`}
	wordStart = ordinaryPayload{name: "content_block_start", data: `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`}
	useStart  = ordinaryPayload{name: "content_block_start", data: `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"x","input":{}}}`}

	ordinary = map[wire.Format][]ordinaryPayload{
		wire.OpenAIChat: {
			{data: chatText}, {data: chatCall},
			{data: chatPiece, before: []ordinaryPayload{{data: chatCall}}},
			{data: chatFinish, before: []ordinaryPayload{{data: chatText}}},
		},
		wire.Anthropic: {
			{name: wordStart.name, data: wordStart.data, before: []ordinaryPayload{begin}},
			{name: useStart.name, data: useStart.data, before: []ordinaryPayload{begin}},
			{name: "content_block_delta", data: `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`, before: []ordinaryPayload{begin, wordStart}},
			{name: "content_block_delta", data: `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}`, before: []ordinaryPayload{begin, useStart}},
			{name: "content_block_stop", data: `{"type":"content_block_stop","index":0}`, before: []ordinaryPayload{begin, wordStart}},
			{name: "ping", data: `{"type":"ping"}`, before: []ordinaryPayload{begin}},
			{name: "message_stop", data: `{"type":"message_stop"}`, before: []ordinaryPayload{begin}},
		},
	}
)

func decode(t *testing.T, d stream.Decoder, p ordinaryPayload) *stream.Chunk {
	t.Helper()
	c := &stream.Chunk{Name: p.name, Raw: []byte(p.data)}
	if err := d.Decode(c); err != nil {
		t.Fatalf("%s: %v", p.data, err)
	}
	return c
}

// put makes payloads of one: with one or two further members in each of its objects,
// and with other values for each of its members.
func put(payload string, try func(string)) {
	calls := []string{
		`{"name":"x","arguments":"{}"}`, `[{"name":"x","input":{}}]`, `{"type":"tool_use","id":"a","name":"x","input":{}}`,
		`{"type":"function","function":{"name":"x","arguments":"{}"}}`, `{"functionCall":{"name":"x","args":{}}}`,
		`"{}"`, `{}`, `"function_call"`, `"tool_use"`, `1`, `[{"tool_calls":[{"function":{"name":"x","arguments":"{}"}}]}]`,
	}
	names := []string{
		"tool_calls", "function_call", "functionCall", "toolCalls", "tool_use", "name", "tool", "arguments", "input", "args", "parameters",
		"action", "command", "type", "item", "content_block", "delta", "message", "content", "function", "custom", "usage", "error",
		"logprobs", "created", "service_tier", "role", "stop_sequence", "citations", "more",
	}
	for at := range len(payload) {
		switch payload[at] {
		case '{':
			comma := ","
			if payload[at+1] == '}' {
				comma = ""
			}
			for _, name := range names {
				for _, value := range calls {
					one := fmt.Sprintf("%q:%s", name, value)
					try(payload[:at+1] + one + comma + payload[at+1:])
					for _, beside := range []string{"name", "arguments"} {
						if beside != name {
							try(payload[:at+1] + one + `,"` + beside + `":"x"` + comma + payload[at+1:])
						}
					}
				}
			}
		case ':':
			from, end := at+1, valueEnd(payload, at+1)
			if end < 0 {
				continue
			}
			for _, value := range calls {
				try(payload[:from] + value + payload[end:])
			}
		}
	}
}

// valueEnd is where the scalar or empty value at from ends, negative for others.
func valueEnd(payload string, from int) int {
	for _, empty := range []string{"{}", "[]"} {
		if strings.HasPrefix(payload[from:], empty) {
			return from + len(empty)
		}
	}
	if strings.ContainsRune("{[", rune(payload[from])) {
		return -1
	}
	return from + strings.IndexAny(payload[from:], ",}]")
}
