package agent_test

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// eventsModel answers each request with the next list of events.
func eventsModel(rounds ...[]stream.Event) model.Model {
	n := 0
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		n++
		events := rounds[min(n, len(rounds))-1]
		return func(yield func(stream.Event, error) bool) {
			for _, ev := range events {
				if !yield(ev, nil) {
					return
				}
			}
		}
	})
}

// textEvents are an answer of one text.
func textEvents(text string, more ...stream.Event) []stream.Event {
	events := []stream.Event{
		{Type: stream.EventStart, Kind: llm.Content, Index: -1},
		{Type: stream.EventDelta, Kind: llm.Content, Data: []byte(text)},
		{Type: stream.EventEnd, Kind: llm.Content},
	}
	events = append(events, more...)
	return append(events, stream.Event{Type: stream.EventFinish, Reason: llm.FinishStop, Data: []byte("stop")}, stream.Event{Type: stream.EventDone})
}

// Rate limits are headers of the exchange and not part of an answer; what an answer says about itself once (its id, model
// and usage) survives all that follows, and stays empty if it says nothing.
func TestDifferent133WhatIsToldOnceSurvives(t *testing.T) {
	t.Parallel()
	usage := &llm.Usage{Input: 3, CacheRead: 2, Raw: json.RawMessage(`{"prompt":3}`)}
	told := append([]stream.Event{{Type: stream.EventMeta, ID: "id-1", Name: "large"}, {Type: stream.EventUsage, Usage: usage}}, textEvents("Fine.", stream.Event{Type: stream.EventPing})...)
	for _, tc := range []struct {
		name   string
		events []stream.Event
		id     string
		input  int64
		raw    string
	}{
		{"told first", told, "id-1", 3, `{"prompt":3}`},
		{"never told", textEvents("Fine."), "", 0, ""},
	} {
		client, err := agent.New(agent.Config{Model: eventsModel(tc.events)})
		if err != nil {
			t.Fatal(err)
		}
		result, err := client.Call(t.Context(), &agent.Request{Text: "How is it?"})
		if err != nil {
			t.Fatal(err)
		}
		a := result.Answer
		if a.ID != tc.id || (a.Model == "large") != (tc.id != "") || a.Usage.Input != tc.input || string(a.Usage.Raw) != tc.raw || a.Text() != "Fine." || a.Word != "stop" {
			t.Errorf("%s: the answer is %+v", tc.name, a)
		}
	}
}

// chatModel answers each request with the next list of payloads of an OpenAI chat stream, read by the real decoder.
func chatModel(rounds ...[]string) model.Model {
	n := 0
	return model.Func(func(context.Context, *llm.Request) iter.Seq2[stream.Event, error] {
		n++
		payloads := rounds[n-1]
		return func(yield func(stream.Event, error) bool) {
			decoder := wire.OpenAIChat.NewDecoder()
			pass := func(chunk *stream.Chunk, err error) bool {
				for _, ev := range chunk.Events {
					if !yield(ev, nil) {
						return false
					}
				}
				if err != nil {
					yield(stream.Event{}, err)
				}
				return err == nil
			}
			var chunk stream.Chunk
			for _, payload := range payloads {
				chunk.Raw = []byte(payload)
				if !pass(&chunk, decoder.Decode(&chunk)) {
					return
				}
			}
			pass(&chunk, decoder.End(&chunk))
		}
	})
}

// chatDelta is a payload with a delta, chatEnd one with a finish reason and the end.
func chatDelta(delta string) string {
	return `{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}`
}

func chatEnd(reason string) []string {
	return []string{`{"id":"c1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`, "[DONE]"}
}

func chatCalls(calls string) string { return chatDelta(`{"tool_calls":[` + calls + `]}`) }

// chatRun asks an agent whose model sends these payloads, and says what ran and what came of it.
func chatRun(t *testing.T, payloads ...string) (ran string, result *agent.Result) {
	t.Helper()
	var l ledger
	m := chatModel(append(payloads, chatEnd("tool_calls")...), append([]string{chatDelta(`{"content":"Fine."}`)}, chatEnd("stop")...))
	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{l.tool("look", "sunny"), l.tool("find", "found")}, Loop: agent.LoopConfig{Parallel: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if result, err = client.Call(t.Context(), &agent.Request{Text: "How is it?"}); err != nil {
		t.Fatal(err)
	}
	if result.Text() != "Fine." {
		t.Errorf("answered %q", result.Text())
	}
	return l.ran(), result
}

// Pieces of calls become whole calls: by their index, with or without an id in the later pieces, several in parallel, and
// without arguments as {}.
func TestBehaviour134PiecesOfCallsArePutTogether(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		payloads []string
		ran      string
		ids      []string
	}{
		{"a later piece has no id", []string{
			chatCalls(`{"index":0,"id":"1","type":"function","function":{"name":"look","arguments":"{\"a\""}}`),
			chatCalls(`{"index":0,"function":{"arguments":":1}"}}`),
		}, `look{"a":1}`, []string{"1"}},
		{"a later piece has an empty id", []string{
			chatCalls(`{"index":0,"id":"1","type":"function","function":{"name":"look","arguments":""}}`),
			chatCalls(`{"index":0,"id":"","function":{"name":"","arguments":"{\"a\":1}"}}`),
		}, `look{"a":1}`, []string{"1"}},
		{"pieces of two calls in turn", []string{
			chatCalls(`{"index":0,"id":"1","type":"function","function":{"name":"look","arguments":"{\"a\""}}`),
			chatCalls(`{"index":1,"id":"2","type":"function","function":{"name":"find","arguments":"{\"b\""}}`),
			chatCalls(`{"index":0,"function":{"arguments":":1}"}}`),
			chatCalls(`{"index":1,"function":{"arguments":":2}"}}`),
		}, `look{"a":1} find{"b":2}`, []string{"1", "2"}},
		{"two calls in one payload", []string{
			chatCalls(`{"index":0,"id":"1","type":"function","function":{"name":"look","arguments":"{}"}},{"index":1,"id":"2","type":"function","function":{"name":"find","arguments":"{\"b\":2}"}}`),
		}, `look{} find{"b":2}`, []string{"1", "2"}},
		{"no arguments", []string{chatCalls(`{"index":0,"id":"1","type":"function","function":{"name":"look"}}`)}, `look{}`, []string{"1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ran, result := chatRun(t, tc.payloads...)
			if ran != tc.ran {
				t.Errorf("ran %q, want %q", ran, tc.ran)
			}
			if got := takenCallIDs(result.Messages); !equalStrings(got, tc.ids...) {
				t.Errorf("the ids are %q, want %q", got, tc.ids)
			}
		})
	}
}

// A call without an id gets one and is run; one without a name or a function is not, and the model is told so; the answer
// as a whole is not an error.
func TestDifferent134ACallThatLacksSomethingIsNoError(t *testing.T) {
	t.Parallel()
	ran, result := chatRun(t, chatCalls(`{"index":0,"type":"function","function":{"name":"look","arguments":"{}"}}`))
	if ids := takenCallIDs(result.Messages); ran != "look{}" || len(ids) != 1 || ids[0] == "" {
		t.Errorf("without an id: ran %q with the ids %q", ran, ids)
	}
	for name, call := range map[string]string{
		"without a name":     `{"index":0,"id":"1","type":"function","function":{"arguments":"{}"}}`,
		"without a function": `{"index":0,"id":"1","type":"function"}`,
	} {
		ran, result := chatRun(t, chatCalls(call))
		texts := resultTexts(result.Messages)
		if ran != "" || len(texts) != 1 || !strings.Contains(texts[0], "names no tool") {
			t.Errorf("%s: ran %q, the model was told %q", name, ran, texts)
		}
	}
}
