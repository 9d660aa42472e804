package witness_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
	"github.com/sluice-project/sluice/wire/witness"
)

// good is the call that was allowed: good with {"a":1,"b":"x"}.
func witnessOf(format wire.Format, whole bool) *witness.Witness {
	w := witness.New(format, whole)
	w.Allow(&llm.Block{Kind: llm.ToolCall, Name: "good", Arguments: `{"a":1,"b":"x"}`})
	return w
}

func eventsOf(payloads ...string) []byte {
	var out []byte
	for _, p := range payloads {
		out = sse.AppendEvent(out, "", []byte(p))
	}
	return out
}

// Null says nothing: a call is what its other members say.
func TestNullIsNoBody(t *testing.T) {
	for body, want := range map[string]bool{
		`"arguments":"{\"a\":1,\"b\":\"x\"}","input":null`: true, `"input":null,"arguments":"{\"a\":1,\"b\":\"x\"}","args":null`: true,
		`"arguments":null`: false, `"arguments":"{\"a\":2}","input":null`: false,
	} {
		whole := `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"good",` + body + `}}]},"finish_reason":"tool_calls"}]}`
		if err := witnessOf(wire.OpenAIChat, true).Read([]byte(whole)); (err == nil) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A function that is named and given nothing is a call among calls alone.
func TestAFunctionWithNothing(t *testing.T) {
	for payload, want := range map[string]bool{
		`{"tool_choice":{"type":"function","function":{"name":"bad"}}}`: true, `{"x":[{"type":"function","function":{"name":"bad"}}]}`: true,
		`{"tool_calls":[{"type":"function","function":{"name":"bad"}}]}`: false, `{"x":{"toolCalls":[{"function":{"name":"bad"}}]}}`: false,
		`{"x":{"function_call":{"name":"bad"}}}`: false, `{"x":{"function":{"name":"bad","arguments":"{}"}}}`: false,
	} {
		if err := witnessOf(wire.OpenAIChat, true).Read([]byte(payload)); (err == nil) != want {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

func TestCallsInStreams(t *testing.T) {
	chat := func(delta string) string {
		return `{"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}`
	}
	const chatEnd = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	start := func(index, name string) string {
		return `{"type":"content_block_start","index":` + index + `,"content_block":{"type":"tool_use","id":"t","name":"` + name + `","input":{}}}`
	}
	input := func(index, text string) string {
		return `{"type":"content_block_delta","index":` + index + `,"delta":{"type":"input_json_delta","partial_json":"` + text + `"}}`
	}
	added := func(index, name string) string {
		return `{"type":"response.output_item.added","output_index":` + index + `,"item":{"id":"i` + index + `","type":"function_call","name":"` + name + `","arguments":""}}`
	}
	arguments := func(where, text string) string {
		return `{"type":"response.function_call_arguments.delta",` + where + `"delta":"` + text + `"}`
	}
	done := func(index, name, text string) string {
		return `{"type":"response.output_item.done","output_index":` + index + `,"item":{"id":"i` + index + `","type":"function_call","name":"` + name + `","arguments":"` + text + `"}}`
	}
	const right, wrong = `{\"a\":1,\"b\":\"x\"}`, `{\"a\":2}`
	for _, tc := range []struct {
		name     string
		format   wire.Format
		payloads []string
		want     bool // it passes
	}{
		{"chat, the call", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":""}}]}`), chat(`{"tool_calls":[{"index":0,"function":{"arguments":"` + right + `"}}]}`), chatEnd}, true},
		{"chat, the same JSON in other words", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":"{\"b\":\"x\", \"a\":1}"}}]}`), chatEnd}, true},
		{"chat, other arguments", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":"` + wrong + `"}}]}`)}, false},
		{"chat, half of it at the end", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":"{\"a\":1"}}]}`), chatEnd}, false},
		{"chat, another name", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"bad","arguments":""}}]}`)}, false},
		{"chat, two names", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":""}}]}`), chat(`{"tool_calls":[{"index":0,"function":{"name":"bad"}}]}`)}, false},
		{"chat, a name that goes on", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":""}}]}`), chat(`{"tool_calls":[{"index":0,"function":{"name":"er"}}]}`)}, false},
		{"chat, a name that is repeated", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":""}}]}`), chat(`{"tool_calls":[{"index":0,"function":{"name":"good","arguments":"` + right + `"}}]}`)}, true},
		{"chat, two calls under one index", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"good","arguments":"` + right + `"}}]}`), chat(`{"tool_calls":[{"index":0,"id":"d","function":{"name":"good","arguments":"` + right + `"}}]}`)}, false},
		{"chat, legacy", wire.OpenAIChat, []string{chat(`{"function_call":{"name":"bad","arguments":"{}"}}`)}, false},
		{"chat, custom", wire.OpenAIChat, []string{chat(`{"tool_calls":[{"index":0,"custom":{"name":"bad","input":"rm"}}]}`)}, false},
		{"chat, a message in a chunk", wire.OpenAIChat, []string{`{"choices":[{"index":0,"delta":{},"message":{"tool_calls":[{"function":{"name":"bad","arguments":"{}"}}]}}]}`}, false},
		{"chat, cased keys", wire.OpenAIChat, []string{`{"Choices":[{"index":0,"Delta":{"Tool_Calls":[{"index":0,"Function":{"Name":"bad","arguments":"{}"}}]}}]}`}, false},
		{"chat, keys in escapes", wire.OpenAIChat, []string{`{"choices":[{"index":0,"delta":{"to\u006fl_calls":[{"index":0,"functi\u006fn":{"name":"bad"}}]}}]}`}, false},
		{"chat, text about calls", wire.OpenAIChat, []string{chat(`{"content":"{\"tool_calls\":[{\"function\":{\"name\":\"bad\"}}]}"}`)}, true},

		{"anthropic, the call", wire.Anthropic, []string{start("0", "good"), input("0", `{\"a\":1,`), input("0", `\"b\":\"x\"}`), `{"type":"content_block_stop","index":0}`}, true},
		{"anthropic, other arguments", wire.Anthropic, []string{start("0", "good"), input("0", wrong)}, false},
		{"anthropic, half of it", wire.Anthropic, []string{start("0", "good"), input("0", `{\"a\":1`), `{"type":"content_block_stop","index":0}`}, false},
		{"anthropic, counted from one", wire.Anthropic, []string{`{"type":"message_start","message":{}}`, start("1", "good"), start("2", "good"), input("1", right), input("2", right)}, false},
		{"anthropic, from the middle on", wire.Anthropic, []string{start("1", "good"), input("1", `{\"a\":1,`), `{"type":"content_block_stop","index":0}`, input("1", `\"b\":\"x\"}`), `{"type":"content_block_stop","index":1}`}, true},
		{"anthropic, input at the start", wire.Anthropic, []string{`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"good","input":{"a":2}}}`}, false},
		{"anthropic, in message_start", wire.Anthropic, []string{`{"type":"message_start","message":{"content":[{"type":"tool_use","name":"bad","input":{}}]}}`}, false},
		{"anthropic, what the provider runs", wire.Anthropic, []string{`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","name":"web_search","input":{"q":1}}}`}, true},
		{"anthropic, an unknown kind of tool_use", wire.Anthropic, []string{`{"type":"content_block_start","index":0,"content_block":{"type":"fast_tool_use","name":"bad","input":{}}}`}, false},

		{"responses, the call", wire.OpenAIResponses, []string{added("0", "good"), arguments(`"output_index":0,`, right), done("0", "good", right)}, true},
		{"responses, began under another name", wire.OpenAIResponses, []string{added("0", "bad"), done("0", "good", right)}, false},
		{"responses, ends as another call", wire.OpenAIResponses, []string{added("0", "good"), done("0", "good", wrong)}, false},
		{"responses, deltas by id", wire.OpenAIResponses, []string{added("0", "good"), added("1", "good"), arguments(`"item_id":"i0","output_index":1,`, right), arguments(`"item_id":"i1","output_index":1,`, right)}, false},
		{"responses, deltas by order", wire.OpenAIResponses, []string{added("0", "good"), arguments(``, wrong)}, false},
		{"responses, in completed", wire.OpenAIResponses, []string{`{"type":"response.completed","response":{"output":[{"type":"function_call","name":"bad","arguments":"{}"}]}}`}, false},
		{"responses, a message with the members of a call", wire.OpenAIResponses, []string{`{"type":"response.output_item.done","item":{"type":"message","content":[],"name":"bad","arguments":"{}"}}`}, false},
		{"responses, two types", wire.OpenAIResponses, []string{`{"type":"response.output_item.done","item":{"type":"message","content":[],"type":"local_shell_call","action":{"command":["x"]}}}`}, false},
		{"responses, a shell of the provider", wire.OpenAIResponses, []string{`{"type":"response.output_item.done","item":{"type":"shell_call","action":{"commands":["x"]},"environment":{"type":"container_reference"}}}`}, true},
		{"responses, a shell of the client", wire.OpenAIResponses, []string{`{"type":"response.output_item.done","item":{"type":"shell_call","action":{"commands":["x"]},"environment":{"type":"local"}}}`}, false},
		{"responses, declared tools", wire.OpenAIResponses, []string{`{"type":"response.created","response":{"tools":[{"type":"function","name":"bad","parameters":{},"input":{}}]}}`}, true},

		{"gemini, the call", wire.Gemini, []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","args":{"a":1,"b":"x"}}}]}}]}`}, true},
		{"gemini, other arguments", wire.Gemini, []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","args":{"a":1}}}]}}]}`}, false},
		{"gemini, in snake case, beside a text", wire.Gemini, []string{`{"candidates":[{"content":{"parts":[{"text":"hi","function_call":{"name":"bad","args":{}}}]}}]}`}, false},
		{"gemini, in pieces", wire.Gemini, []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","stringValue":"x"}]}}]}}]}`}, true},
		{"gemini, other values in pieces", wire.Gemini, []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.b","stringValue":"y"}]}}]}}]}`}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stream := eventsOf(tc.payloads...)
			if err := witnessOf(tc.format, false).Read(stream); (err == nil) != tc.want {
				t.Errorf("all at once: got %v", err)
			}
			// The same, however it is cut.
			w, got := witnessOf(tc.format, false), error(nil)
			for i := range stream {
				if err := w.Read(stream[i : i+1]); err != nil && got == nil {
					got = err
				}
			}
			if (got == nil) != tc.want {
				t.Errorf("byte by byte: got %v", got)
			}
			if unjudged := new(witness.UnjudgedError); got != nil && !errors.As(got, &unjudged) {
				t.Errorf("got %T", got)
			}
		})
	}
}

func TestCallsInBodies(t *testing.T) {
	for _, tc := range []struct {
		format wire.Format
		body   string
		want   bool
	}{
		{wire.OpenAIChat, `{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"good","arguments":"{\"a\":1,\"b\":\"x\"}"}}]},"finish_reason":"tool_calls"}]}`, true},
		{wire.OpenAIChat, `{"choices":[{"message":{"function_call":{"name":"good","arguments":"{}"}}}]}`, false},
		{wire.Anthropic, `{"type":"message","content":[{"type":"tool_use","name":"good","input":{"a":1,"b":"x"}}]}`, true},
		{wire.Anthropic, `{"type":"message","content":[{"type":"text","text":"x","name":"bad","input":{}}]}`, false},
		{wire.OpenAIResponses, `{"output":[{"type":"function_call","name":"good","arguments":"{\"a\":1,\"b\":\"x\"}"}]}`, true},
		{wire.OpenAIResponses, `{"output":[{"type":"message","content":[{"type":"function_call","name":"bad","arguments":""}]}]}`, false},
		{wire.Gemini, `[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","args":{"b":"x","a":1}}}]}}]}]`, true},
		{wire.Gemini, `{"candidates":[{"content":{"parts":[{"x":{"functionCall":{"name":"bad"}}}]}}]}`, false},
	} {
		if err := witnessOf(tc.format, true).Read([]byte(tc.body)); (err == nil) != tc.want {
			t.Errorf("%s %s: got %v", tc.format, tc.body, err)
		}
	}
}

func TestTheErrorDoesNotQuoteTheCall(t *testing.T) {
	err := witnessOf(wire.Gemini, true).Read([]byte(`{"functionCall":{"name":"` + strings.Repeat("n", 500) + `","args":{"a":"secret"}}}`))
	if err == nil || strings.Contains(err.Error(), "secret") || len(err.Error()) > 400 {
		t.Errorf("got %v", err)
	}
}

// Types, names of events and ids come from the answer: they are not printed as they came.
func TestTheErrorQuotesWhatComesFromTheAnswer(t *testing.T) {
	long := `\n\u001b[31m` + strings.Repeat("x", 1000)
	const call = `"item":{"type":"tool_use","name":"bad","input":{}}`
	for name, read := range map[string]func() error{
		"a type, responses": func() error {
			return witnessOf(wire.OpenAIResponses, false).Read(eventsOf(`{"type":"` + long + `",` + call + `}`))
		},
		"a type, anthropic": func() error {
			return witnessOf(wire.Anthropic, false).Read(eventsOf(`{"type":"` + long + `",` + call + `}`))
		},
		"an event": func() error {
			return witnessOf(wire.Anthropic, false).Read([]byte("event: \x1b" + long + "\ndata: {" + call + "}\n\n"))
		},
		"an id": func() error {
			return witnessOf(wire.OpenAIChat, false).Read(eventsOf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"` + long + `","function":{"name":"bad"}}]}}]}`))
		},
	} {
		unjudged := new(witness.UnjudgedError)
		if err := read(); !errors.As(err, &unjudged) || len(unjudged.Place) > 200 || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Whatever is read, nothing panics, and an answer that does not mention calls
// passes.
func FuzzWitness(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"good","arguments":"{}"}}]}}]}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","name":"good","input":{}}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"function_call","name":"good","arguments":""}}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"good","partialArgs":[{"jsonPath":"$.a[0]['b']","stringValue":"x"}]}}]}}]}`,
	} {
		f.Add(seed, uint8(0))
		f.Add(seed, uint8(5))
	}
	formats := []wire.Format{wire.OpenAIChat, wire.OpenAIResponses, wire.Anthropic, wire.Gemini}
	f.Fuzz(func(t *testing.T, payload string, how uint8) {
		whole := how&4 != 0
		read := func(w *witness.Witness) error {
			if whole {
				return w.Read([]byte(payload))
			}
			return w.Read(sse.AppendEvent(nil, "", []byte(payload)))
		}
		format := formats[how&3]
		err := read(witnessOf(format, whole))
		if err != nil && !strings.ContainsAny(payload, "{") {
			t.Errorf("a call was read in %q", payload)
		}
		if again := read(witnessOf(format, whole)); (again == nil) != (err == nil) {
			t.Errorf("the same bytes were read in two ways: %v, %v", err, again)
		}
	})
}

// A message_delta without a stop reason counts tokens, also while a call grows; with one,
// the call has ended.
func TestTokensAreCountedWhileACallGrows(t *testing.T) {
	const start = `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"good","input":{}}}` + "\n\n"
	for stop, fails := range map[string]bool{`"stop_reason":null`: false, ``: false, `"stop_reason":"tool_use"`: true} {
		w := witness.New(wire.Anthropic, false)
		w.Allow(&llm.Block{Kind: llm.ToolCall, Name: "good", Arguments: `{"a":1}`})
		err := w.Read([]byte(start + `data: {"type":"message_delta","delta":{` + stop + `},"usage":{"output_tokens":5}}` + "\n\n"))
		if (err != nil) != fails {
			t.Errorf("%s: %v", stop, err)
		}
	}
}
