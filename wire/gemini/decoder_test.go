package gemini

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/sse"
)

// chunkOf is a payload of candidate 0 with the given parts and finish.
func chunkOf(parts, finish string) string {
	if finish != "" {
		finish = fmt.Sprintf(`,"finishReason":%q`, finish)
	}
	return fmt.Sprintf(`{"candidates":[{"content":{"parts":[%s],"role":"model"}%s,"index":0}],"modelVersion":"gemini-x","responseId":"r1"}`, parts, finish)
}

const stop = `{"candidates":[{"finishReason":"STOP","index":0}]}`

func TestDecoderReadsBlocks(t *testing.T) {
	for _, tc := range []struct {
		name   string
		lines  []string
		blocks string
		notes  string
		finish llm.FinishReason
	}{
		{
			"text parts of one kind are one block, also over payloads",
			[]string{chunkOf(`{"text":"a"},{"text":"b"}`, ""), chunkOf(`{"text":"c"}`, "STOP")},
			"content abc\n", "", llm.FinishStop,
		},
		{
			"thinking and text alternate, two kinds in one payload",
			[]string{chunkOf(`{"text":"t1","thought":true}`, ""), chunkOf(`{"text":"a1"},{"thought":true,"text":"t2"}`, ""), chunkOf(`{"text":"a2"}`, "MAX_TOKENS")},
			"thinking t1\ncontent a1\nthinking t2\ncontent a2\n", "", llm.FinishLength,
		},
		{
			"row 78: STOP with calls means that results are awaited; a trailing empty text is nothing",
			[]string{chunkOf(`{"functionCall":{"name":"add","args":{"b": 3,"a":2.50},"id":"x"},"thoughtSignature":"s1"}`, ""), chunkOf(`{"text":""}`, "STOP")},
			"tool_call id=x name=add sig=s1 {\"b\": 3,\"a\":2.50}\n", "", llm.FinishToolCalls,
		},
		{
			"row 79: no call ids, the same name twice",
			[]string{chunkOf(`{"functionCall":{"name":"f","args":{"a":1}}},{"functionCall":{"name":"f","args":{"a":2}}}`, "STOP")},
			"tool_call name=f {\"a\":1}\ntool_call name=f {\"a\":2}\n", "", llm.FinishToolCalls,
		},
		{
			"a call without arguments has none",
			[]string{chunkOf(`{"functionCall":{"name":"f"}},{"functionCall":{"name":"g","args":null}}`, "STOP")},
			"tool_call name=f\ntool_call name=g\n", "", llm.FinishToolCalls,
		},
		{
			"row 80: a signature on an empty text belongs to the text before it",
			[]string{chunkOf(`{"text":"hi"}`, ""), chunkOf(`{"text":"","thoughtSignature":"sig"}`, "STOP")},
			"content sig=sig hi\n", "", llm.FinishStop,
		},
		{
			"a signature on an empty text after a call belongs to nothing",
			[]string{chunkOf(`{"functionCall":{"name":"f"}},{"text":"","thoughtSignature":"sig"}`, "STOP")},
			"tool_call name=f\n", "", llm.FinishToolCalls,
		},
		{
			"a signature on a text, repeated",
			[]string{chunkOf(`{"text":"a","thoughtSignature":"s"}`, ""), chunkOf(`{"text":"b","thoughtSignature":"s"}`, "STOP")},
			"content sig=s ab\n", "", llm.FinishStop,
		},
		{
			"of two signatures on one text the last counts",
			[]string{chunkOf(`{"text":"a","thoughtSignature":"s1"}`, ""), chunkOf(`{"text":"b","thoughtSignature":"s2"}`, "STOP")},
			"content sig=s2 ab\n", "signature-repeated", llm.FinishStop,
		},
		{
			"row 81: a candidate without content stops",
			[]string{chunkOf(`{"text":"Once "}`, ""), `{"candidates":[{"index":0,"finishReason":"SAFETY"}]}`},
			"content Once \n", "", llm.FinishFiltered,
		},
		{
			"content null, empty, and without parts",
			[]string{`{"candidates":[{"content":null}]}`, `{"candidates":[{"content":{}}]}`, `{"candidates":[{"content":{"parts":null,"role":"model"}}]}`, stop},
			"", "", llm.FinishStop,
		},
		{
			"row 82: streamed arguments, ended by an empty call",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true},"thoughtSignature":"sg"}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"Bos","willContinue":true}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"ton"}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1.50},{"jsonPath":"$.ok","boolValue":true},{"jsonPath":"$.no","nullValue":null}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{}}`, "STOP"),
			},
			"tool_call name=w sig=sg {\"city\":\"Boston\",\"n\":1.50,\"ok\":true,\"no\":null}\n", "", llm.FinishToolCalls,
		},
		{
			"row 82: streamed arguments, ended by a part without willContinue",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a.b[0].c","stringValue":"x"},{"jsonPath":"$['q.r'][0]","numberValue":1},{"jsonPath":"$['q.r'][1]","numberValue":2},{"jsonPath":"$[\"s.t\"]","numberValue":3}]}}`, "STOP"),
			},
			"tool_call name=w {\"a\":{\"b\":[{\"c\":\"x\"}]},\"q.r\":[1,2],\"s.t\":3}\n", "", llm.FinishToolCalls,
		},
		{
			"row 82: a piece with a member that is not known",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true,"partialArgs":[{"jsonPath":"$.a","stringValue":"x","aside":{"b":1}}]}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1,"aside":2}]}}`, "STOP"),
			},
			"tool_call name=w {\"a\":\"x\",\"n\":1}\n", "", llm.FinishToolCalls,
		},
		{
			"a streamed call without arguments",
			[]string{chunkOf(`{"functionCall":{"name":"w","willContinue":true}}`, ""), chunkOf(`{"functionCall":{}}`, "STOP")},
			"tool_call name=w\n", "", llm.FinishToolCalls,
		},
		{
			"strings of two paths interleave",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"1","willContinue":true},{"jsonPath":"$.b","stringValue":"x","willContinue":true}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"2"},{"jsonPath":"$.b","stringValue":"y"}]}}`, "STOP"),
			},
			"tool_call name=w {\"a\":\"12\",\"b\":\"xy\"}\n", "", llm.FinishToolCalls,
		},
		{
			"an array ends with a path of its own",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"1"},{"jsonPath":"$.a[1]","stringValue":"2"}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a[]"},{"jsonPath":"$.none[]"}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{}}`, "STOP"),
			},
			"tool_call name=w {\"a\":[\"1\",\"2\"]}\n", "", llm.FinishToolCalls,
		},
		{
			"a call begins while another is streamed",
			[]string{
				chunkOf(`{"functionCall":{"name":"w","willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"1"}],"willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"name":"v","args":{}}}`, "STOP"),
			},
			"tool_call name=w {\"a\":\"1\"}\ntool_call name=v {}\n", "call-not-closed", llm.FinishToolCalls,
		},
		{
			"a candidate finishes in the middle of a streamed call",
			[]string{
				chunkOf(`{"functionCall":{"name":"rm","willContinue":true}}`, ""),
				chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.path","stringValue":"/tm","willContinue":true}],"willContinue":true}}`, "MAX_TOKENS"),
			},
			"tool_call name=rm {\"path\":\"/tm\"} (incomplete)\n", "call-cut", llm.FinishLength,
		},
		{
			"an empty call that ends nothing",
			[]string{chunkOf(`{"functionCall":{}}`, "STOP")},
			"", "call-end-repeated", llm.FinishStop,
		},
		{
			"a call without a name cannot be run",
			[]string{chunkOf(`{"functionCall":{"args":{"a":1}}}`, "STOP")},
			"tool_call {\"a\":1} (malformed)\n", "call-name-missing", llm.FinishToolCalls,
		},
		{
			"the provider's own tools and their results",
			[]string{
				chunkOf(`{"executableCode":{"language":"PYTHON","code":"1+1","id":"e1"},"thoughtSignature":"s"},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2\n","id":"e1"}}`, ""),
				chunkOf(`{"toolCall":{"toolType":"GOOGLE_SEARCH","args":{"q":"x"},"id":"t1"}},{"toolResponse":{"toolType":"GOOGLE_SEARCH","response":{"r":1},"id":"t1"}}`, ""),
				chunkOf(`{"functionResponse":{"name":"f","id":"c","response":{"a":"b"}}}`, "STOP"),
			},
			"server_tool id=e1 name=codeExecution sig=s {\"language\":\"PYTHON\",\"code\":\"1+1\",\"id\":\"e1\"}\n" +
				"tool_result name=codeExecution for=e1 2\n\n" +
				"server_tool id=t1 name=GOOGLE_SEARCH {\"q\":\"x\"}\n" +
				"tool_result name=GOOGLE_SEARCH for=t1 {\"r\":1}\n" +
				"tool_result name=f for=c {\"a\":\"b\"}\n", "", llm.FinishStop,
		},
		{
			"data and what has no name here is opaque, and ends a text",
			[]string{chunkOf(`{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"text":"b"},{"hologram":{"x":1}},{"fileData":{"fileUri":"u"}}`, "STOP")},
			"content a\nopaque\ncontent b\nopaque\nopaque\n", "", llm.FinishStop,
		},
		{
			"the other spelling means the same",
			[]string{`{"candidates":[{"content":{"parts":[{"function_call":{"name":"f","args":{}},"thought_signature":"s"}]},"finish_reason":"STOP"}]}`},
			"tool_call name=f sig=s {}\n", "snake-case-names", llm.FinishToolCalls,
		},
		{
			"the other spelling, and always that one, of a call in pieces",
			[]string{
				chunkOf(`{"function_call":{"name":"w","will_continue":true}}`, ""),
				chunkOf(`{"function_call":{"partial_args":[{"json_path":"$['c']","string_value":"a","will_continue":true}],"will_continue":true}}`, ""),
				chunkOf(`{"function_call":{"partial_args":[{"json_path":"$['c']","string_value":"b"},{"json_path":"$.n","number_value":1}]}}`, "STOP"),
			},
			"tool_call name=w {\"c\":\"ab\",\"n\":1}\n", "snake-case-names", llm.FinishToolCalls,
		},
		{
			"an escaped member name means the same",
			[]string{`{"candidates":[{"content":{"parts":[{"f\u0075nctionCall":{"n\u0061me":"f"}}]},"finishReason":"STOP"}]}`},
			"tool_call name=f\n", "", llm.FinishToolCalls,
		},
		{
			"finish said again, and content afterwards",
			[]string{chunkOf(`{"text":"a"}`, "STOP"), stop, chunkOf(`{"text":"b"}`, "STOP")},
			"content a\ncontent b\n", "finish-repeated content-after-finish", llm.FinishStop,
		},
		{
			"content after the finish ends with the bytes",
			[]string{chunkOf(`{"text":"a"}`, "STOP"), chunkOf(`{"text":"b"}`, "")},
			"content a\ncontent b\n", "content-after-finish", llm.FinishStop,
		},
		{
			"a finish that says nothing is none",
			[]string{chunkOf(`{"text":"a"}`, "FINISH_REASON_UNSPECIFIED"), chunkOf(`{"text":"b"}`, "STOP")},
			"content ab\n", "finish-unspecified", llm.FinishStop,
		},
		{
			"a surrogate pair that is cut in two",
			[]string{chunkOf(`{"text":"\ud83d"}`, ""), chunkOf(`{"text":"\ude00"}`, "STOP")},
			"content 😀\n", "", llm.FinishStop,
		},
		{
			"an array of payloads",
			[]string{"[" + chunkOf(`{"text":"a"}`, "") + ", " + chunkOf(`{"text":"b"}`, "STOP") + "]"},
			"content ab\n", "", llm.FinishStop,
		},
		{
			"two candidates with one index are one",
			[]string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`},
			"content ab\n", "candidate-index-repeated", llm.FinishStop,
		},
		{
			"a marker of another dialect",
			[]string{chunkOf(`{"text":"a"}`, "STOP"), "[DONE]"},
			"content a\n", "done-marker", llm.FinishStop,
		},
		{
			"an unknown finish",
			[]string{chunkOf(`{"text":"a"}`, "NEW_WORD")},
			"content a\n", "", llm.FinishOther,
		},
		{
			"a bad call",
			[]string{`{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(x)"}]}`},
			"", "", llm.FinishBadCall,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := read(t, tc.lines...)
			if a.err != nil {
				t.Fatal(a.err)
			}
			if got := a.blocks(0); got != tc.blocks {
				t.Errorf("got blocks\n%swant\n%s", got, tc.blocks)
			}
			if got := strings.Join(a.notes, " "); got != tc.notes {
				t.Errorf("got notes %q, want %q", got, tc.notes)
			}
			if got := a.state.Choice(0).Finish(); got != tc.finish {
				t.Errorf("got finish %v, want %v", got, tc.finish)
			}
			if !a.state.Complete() {
				t.Error("the answer is not complete")
			}
		})
	}
}

func TestCandidatesAreChoices(t *testing.T) {
	a := read(t,
		`{"candidates":[{"content":{"parts":[{"text":"zero"}]}},{"content":{"parts":[{"text":"one"}]},"index":1}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"!"}]},"finishReason":"STOP","index":1},{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`)
	if a.blocks(0) != "content zero\ntool_call name=f\n" || a.blocks(1) != "content one!\n" || a.err != nil || a.notes != nil {
		t.Errorf("got %s and %s, %v, %v", a.blocks(0), a.blocks(1), a.err, a.notes)
	}
}

func TestPromptIsBlocked(t *testing.T) {
	d := NewDecoder()
	c := stream.Chunk{Raw: []byte(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":8},"modelVersion":"m"}`)}
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Events, func(ev stream.Event) bool { return ev.Type == stream.EventUnknown })
	if i < 0 || c.Events[i].Name != "promptFeedback" || string(c.Events[i].Raw) != `{"blockReason":"PROHIBITED_CONTENT"}` {
		t.Fatalf("got %+v", c.Events)
	}
	// A blocked prompt is an answer that was refused, not one that says nothing.
	if err := d.End(&c); err != nil || len(c.Events) != 2 || c.Events[0].Type != stream.EventFinish ||
		c.Events[0].Reason != llm.FinishFiltered || !c.Events[0].Inferred || c.Events[1].Type != stream.EventDone {
		t.Errorf("got %v, %+v", err, c.Events)
	}
	if notes := d.Deviations(); len(notes) != 1 || notes[0].Code != "prompt-blocked" {
		t.Errorf("people are not told of the blocked prompt: %v", notes)
	}
}

func TestAnswerIsCut(t *testing.T) {
	for _, tc := range []struct {
		name   string
		lines  []string
		blocks string
	}{
		{"nothing came", nil, ""},
		{"no candidates and no reason", []string{`{"usageMetadata":{"promptTokenCount":1}}`}, ""},
		{"a text without a finish", []string{chunkOf(`{"text":"a"}`, "")}, "content a (incomplete)\n"},
		{"a whole call without a finish", []string{chunkOf(`{"functionCall":{"name":"f"}}`, "")}, "tool_call name=f\n"},
		{
			"a streamed call", []string{chunkOf(`{"functionCall":{"name":"f","willContinue":true,"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}]}}`, "")},
			"tool_call name=f {\"a\":\"x\"} (incomplete)\n",
		},
		{
			"one of two candidates", []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"index":1,"finishReason":"STOP"}]}`},
			"content a (incomplete)\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := read(t, tc.lines...)
			if !errors.Is(a.err, stream.ErrIncomplete) || a.state.Complete() {
				t.Errorf("got %v", a.err)
			}
			if got := a.blocks(0); got != tc.blocks {
				t.Errorf("got %q, want %q", got, tc.blocks)
			}
		})
	}
}

func TestProviderErrors(t *testing.T) {
	const failure = `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE","details":[]}}`
	for _, tc := range []struct {
		name    string
		lines   []string
		blocks  string
		message string
	}{
		{"alone", []string{failure}, "", "overloaded"},
		{"in an array", []string{"[" + failure + "]"}, "", "overloaded"},
		{"after content", []string{chunkOf(`{"text":"Par"}`, ""), failure}, "content Par (incomplete)\n", "overloaded"},
		{
			"next to candidates, whatever the order",
			[]string{`{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"},"candidates":[{"content":{"parts":[{"text":"Par"}]}}]}`},
			"content Par (incomplete)\n", "overloaded",
		},
		{
			"in the middle of a streamed call",
			[]string{chunkOf(`{"functionCall":{"name":"f","willContinue":true,"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}]}}`, ""), failure},
			"tool_call name=f {\"a\":\"x\"} (incomplete)\n", "overloaded",
		},
		{"after the finish", []string{chunkOf(`{"text":"a"}`, "STOP"), failure}, "content a\n", "overloaded"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := read(t, tc.lines...)
			if a.err != nil {
				t.Fatal(a.err)
			}
			e := a.state.Err()
			if e == nil || e.Type != "UNAVAILABLE" || e.Code != "503" || e.Message != tc.message || a.state.Complete() {
				t.Errorf("got %+v", e)
			}
			if got := a.blocks(0); got != tc.blocks {
				t.Errorf("got %q, want %q", got, tc.blocks)
			}
		})
	}
	t.Run("content afterwards is refused", func(t *testing.T) {
		a := read(t, failure, chunkOf(`{"text":"a"}`, "STOP"))
		if _, ok := errors.AsType[*stream.ProtocolError](a.err); !ok {
			t.Errorf("got %v", a.err)
		}
	})
}

func TestDecoderRefusesWhatCanBeReadInTwoWays(t *testing.T) {
	open := chunkOf(`{"functionCall":{"name":"f","willContinue":true}}`, "")
	piece := func(p string) string {
		return chunkOf(`{"functionCall":{"partialArgs":[`+p+`],"willContinue":true}}`, "")
	}
	begun := piece(`{"jsonPath":"$.c","stringValue":"E","willContinue":true}`)
	// snake is a further piece with one member in the other spelling.
	snake := func(camel, snake string) string {
		return strings.Replace(piece(`{"jsonPath":"$.c","stringValue":"X","willContinue":true}`), camel, snake, 1)
	}
	for _, tc := range []struct {
		name  string
		lines []string
	}{
		{"pieces under two spellings of the call", []string{open, begun, snake("functionCall", "function_call")}},
		{"pieces under two spellings of the list", []string{open, begun, snake("partialArgs", "partial_args")}},
		{"pieces with two spellings of the path", []string{open, begun, snake("jsonPath", "json_path")}},
		{"pieces with two spellings of the value", []string{open, begun, snake("stringValue", "string_value")}},
		{"pieces with two spellings of whether a string goes on", []string{open, begun, snake("willContinue", "will_continue")}},
		{"pieces with two spellings of whether the call goes on", []string{open, begun, snake(`}],"willContinue"`, `}],"will_continue"`)}},
		{"values of two types in two spellings", []string{open, begun, piece(`{"jsonPath":"$.n","number_value":1}`)}},
		{"pieces with two paths to one place", []string{open, begun, piece(`{"jsonPath":"$['c']","stringValue":"X","willContinue":true}`)}},
		{"pieces with two paths through one place", []string{open, piece(`{"jsonPath":"$['a'].b","stringValue":"X"},{"jsonPath":"$[\"a\"].c","stringValue":"X"}`)}},
		{"not JSON", []string{`hello`}},
		{"cut JSON", []string{`{"candidates":[`}},
		{"two values", []string{`{} {}`}},
		{"no object", []string{`"x"`}},
		{"an array of something else", []string{`[1]`}},
		{"empty", []string{``}},
		{"candidates that are no array", []string{`{"candidates":{}}`}},
		{"a candidate that is no object", []string{`{"candidates":[1]}`}},
		{"an index that is none", []string{`{"candidates":[{"index":"0"}]}`}},
		{"a negative index", []string{`{"candidates":[{"index":-1}]}`}},
		{"content that is no object", []string{`{"candidates":[{"content":"x"}]}`}},
		{"parts that are no array", []string{`{"candidates":[{"content":{"parts":{}}}]}`}},
		{"a part that is no object", []string{chunkOf(`"x"`, "")}},
		{"a text that is no string", []string{chunkOf(`{"text":1}`, "")}},
		{"a thought that is no boolean", []string{chunkOf(`{"text":"a","thought":"true"}`, "")}},
		{"a finish that is no string", []string{`{"candidates":[{"finishReason":1}]}`}},
		{"a call that is no object", []string{chunkOf(`{"functionCall":"f"}`, "")}},
		{"arguments that are no object", []string{chunkOf(`{"functionCall":{"name":"f","args":"{}"}}`, "")}},
		{"a name that is no string", []string{chunkOf(`{"functionCall":{"name":7}}`, "")}},
		{"candidates twice", []string{`{"candidates":[],"candidates":[]}`}},
		{"content twice", []string{`{"candidates":[{"content":{},"content":{}}]}`}},
		{"parts twice", []string{`{"candidates":[{"content":{"parts":[],"parts":[]}}]}`}},
		{"text twice", []string{chunkOf(`{"text":"a","text":"b"}`, "")}},
		{"a call twice", []string{chunkOf(`{"functionCall":null,"functionCall":{"name":"f"}}`, "")}},
		{"a call in both spellings", []string{chunkOf(`{"functionCall":{"name":"f"},"function_call":{"name":"g"}}`, "")}},
		{"arguments twice", []string{chunkOf(`{"functionCall":{"name":"f","args":{},"args":{"a":1}}}`, "")}},
		{"an index twice", []string{`{"candidates":[{"index":0,"index":1}]}`}},
		{"a finish twice", []string{`{"candidates":[{"finishReason":"STOP","finishReason":"SAFETY"}]}`}},
		{"usage twice", []string{`{"usageMetadata":{},"usageMetadata":{}}`}},
		{"a count twice", []string{`{"usageMetadata":{"promptTokenCount":1,"promptTokenCount":2}}`}},
		{"a part that is text and call", []string{chunkOf(`{"text":"a","functionCall":{"name":"f"}}`, "")}},
		{"a part that is call and data", []string{chunkOf(`{"inlineData":{},"functionCall":{"name":"f"}}`, "")}},
		{"pieces and whole arguments", []string{open, chunkOf(`{"functionCall":{"args":{"a":1}}}`, "")}},
		{"a streamed call that changes its id", []string{chunkOf(`{"functionCall":{"name":"f","id":"a","willContinue":true}}`, ""), chunkOf(`{"functionCall":{"id":"b","willContinue":true}}`, "")}},
		{"a path without a root", []string{open, piece(`{"jsonPath":"a","stringValue":"x"}`)}},
		{"a path to the root", []string{open, piece(`{"jsonPath":"$","stringValue":"x"}`)}},
		{"a path with a wildcard", []string{open, piece(`{"jsonPath":"$.*","stringValue":"x"}`)}},
		{"a path with a wildcard index", []string{open, piece(`{"jsonPath":"$.a[*]","stringValue":"x"}`)}},
		{"a path that descends", []string{open, piece(`{"jsonPath":"$..a","stringValue":"x"}`)}},
		{"a path that does not close", []string{open, piece(`{"jsonPath":"$['a","stringValue":"x"}`)}},
		{"a path that skips elements", []string{open, piece(`{"jsonPath":"$.a[1]","stringValue":"x"}`)}},
		{"a path with an index of many digits", []string{open, piece(`{"jsonPath":"$.a[99999999999999999999]","stringValue":"x"}`)}},
		{"a path that goes too deep", []string{open, piece(`{"jsonPath":"$` + strings.Repeat(".a", 65) + `","stringValue":"x"}`)}},
		{"a path through a string", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.a.b","stringValue":"y"}`)}},
		{"an array that becomes an object", []string{open, piece(`{"jsonPath":"$.a[0]","stringValue":"x"},{"jsonPath":"$.a.b","stringValue":"y"}`)}},
		{"a value set twice", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.b","stringValue":"y"},{"jsonPath":"$.a","stringValue":"z"}`)}},
		{"a number set twice", []string{open, piece(`{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.a","numberValue":2}`)}},
		{"a string that becomes a number", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.a","numberValue":2}`)}},
		{"a piece with two values", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x","numberValue":2}`)}},
		{"a piece of an unknown type", []string{open, piece(`{"jsonPath":"$.a","structValue":{"a":1}}`)}},
		{"a piece with an unknown value besides", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x","struct_value":{"a":1}}`)}},
		{"a piece with another path", []string{open, piece(`{"jsonPath":"$.a","path":"$.b","stringValue":"x"}`)}},
		{"a piece with a value in other letters", []string{open, piece(`{"jsonPath":"$.a","StringValue":"x"}`)}},
		{"a piece that goes on in other letters", []string{open, piece(`{"jsonPath":"$.a","stringValue":"x","WillContinue":true}`)}},
		{"a piece without a path", []string{open, piece(`{"stringValue":"x"}`)}},
		{"a piece that is no object", []string{open, piece(`1`)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := read(t, tc.lines...)
			if _, ok := errors.AsType[*stream.ProtocolError](a.err); !ok {
				t.Fatalf("got %v and %s", a.err, a.blocks(0))
			}
		})
	}
}

func TestNothingFollowsTheEnd(t *testing.T) {
	d := NewDecoder()
	c := stream.Chunk{Raw: []byte(chunkOf(`{"text":"a"}`, "STOP"))}
	if err := errors.Join(d.Decode(&c), d.End(&c)); err != nil {
		t.Fatal(err)
	}
	c.Raw = []byte(stop)
	if err := d.Decode(&c); err == nil {
		t.Error("a payload after the end was read")
	}
}

func TestWholeResponse(t *testing.T) {
	d := NewDecoder()
	c := stream.Chunk{Raw: []byte(chunkOf(`{"text":"a"},{"functionCall":{"name":"f","args":{"x":1}}}`, "STOP"))}
	if err := d.DecodeWhole(&c); err != nil {
		t.Fatal(err)
	}
	s := stream.NewState(stream.Limits{})
	if err := s.Apply(&c); err != nil || !c.Whole || !s.Complete() || len(s.Completed()) != 2 {
		t.Errorf("got %v, %v, %+v", err, c.Whole, c.Events)
	}
	if err := d.End(&c); err != nil || len(c.Events) != 0 {
		t.Errorf("the end says more: %v %+v", err, c.Events)
	}
	d = NewDecoder()
	c = stream.Chunk{Raw: []byte(chunkOf(`{"text":"a"}`, ""))}
	if err := d.DecodeWhole(&c); err != nil {
		t.Fatal(err)
	}
	if err := d.End(&c); !errors.Is(err, stream.ErrIncomplete) {
		t.Errorf("got %v", err)
	}
}

func TestUsageIsTheLastOne(t *testing.T) {
	a := read(t,
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1}}`,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"toolUsePromptTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":6,"cachedContentTokenCount":2,"totalTokenCount":23}}`,
		`{"usageMetadata":{"trafficType":"ON_DEMAND"}}`)
	u, ok := a.state.Usage()
	if !ok || u.Input != 13 || u.Output != 10 || u.Reasoning != 6 || u.CacheRead != 2 || !strings.Contains(string(u.Raw), "23") {
		t.Errorf("got %+v", u)
	}
	a = read(t, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":9223372036854775807,"candidatesTokenCount":-4,"thoughtsTokenCount":"x"}}`)
	if u, _ := a.state.Usage(); u.Input != 1<<63-1 || u.Output != 0 {
		t.Errorf("got %+v", u)
	}
}

func TestMetaIsToldOnce(t *testing.T) {
	d := NewDecoder()
	var got []string
	for _, line := range []string{
		`{"modelVersion":"m"}`, `{"modelVersion":"m","responseId":"r"}`, `{"modelVersion":"m2","responseId":"r2"}`,
	} {
		c := stream.Chunk{Raw: []byte(line)}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		for _, ev := range c.Events {
			got = append(got, ev.Type.String()+" "+ev.ID+" "+ev.Name)
		}
	}
	if want := []string{"meta  m", "meta r m"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := d.Deviations(); len(n) != 1 || n[0].Code != "response-id-varies" {
		t.Errorf("got %v", n)
	}
}

func TestUnknownMembersAreReported(t *testing.T) {
	d := NewDecoder()
	c := stream.Chunk{Raw: []byte(`{"candidates":[{"content":{"parts":[{"text":"a","aside":1}],"tone":"x"},"hint":[2]}],"note":{"a":1}}`)}
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ev := range c.Events {
		if ev.Type == stream.EventUnknown {
			got = append(got, fmt.Sprintf("%s %d %s", ev.Name, ev.Block, ev.Raw))
		}
	}
	want := []string{`aside 0 {"text":"a","aside":1}`, `tone -1 "x"`, `hint -1 [2]`, `note -1 {"a":1}`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnknownMembersOfPiecesAreReported(t *testing.T) {
	d := NewDecoder()
	first := `{"functionCall":{"name":"w","willContinue":true,"partialArgs":[{"jsonPath":"$.a","stringValue":"x","aside":1}]}}`
	next := `{"functionCall":{"willContinue":true,"partialArgs":[{"jsonPath":"$.b","aside":2,"stringValue":"y"}]}}`
	for _, part := range []string{first, next} {
		c := stream.Chunk{Raw: []byte(chunkOf(part, ""))}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(c.Events, func(ev stream.Event) bool { return ev.Block == 0 && string(ev.Raw) == part }) {
			t.Errorf("nothing tells of %s: %+v", part, c.Events)
		}
	}
}

// Every event of a block says its kind and where it stands, deltas their offset.
func TestEventsSayWhereTheyStand(t *testing.T) {
	d := NewDecoder()
	offset := 0
	for _, line := range []string{chunkOf(`{"text":"héé"},{"text":"b"}`, ""), chunkOf(`{"text":"c"},{"functionCall":{"name":"f","args":{"a":1}}}`, "STOP")} {
		c := stream.Chunk{Raw: []byte(line)}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		for _, ev := range c.Events {
			if ev.Block >= 0 && (ev.Kind == 0 || ev.Index != -1) {
				t.Errorf("got %+v", ev)
			}
			if ev.Type == stream.EventDelta && ev.Kind == llm.Content {
				if ev.Offset != offset {
					t.Errorf("got offset %d, want %d", ev.Offset, offset)
				}
				offset += len(ev.Data)
			}
			if ev.Type == stream.EventStart && (ev.Span.In(c.Raw)[0] != '{' || ev.ProviderType == "") {
				t.Errorf("got %+v", ev)
			}
		}
	}
}

// Row 51: the API ends its lines with CRLF, and a read can end anywhere.
func TestCRLFInUnkindPieces(t *testing.T) {
	var wire strings.Builder
	lines := []string{chunkOf(`{"text":"h\u00e9 ü "}`, ""), chunkOf(`{"functionCall":{"name":"f"}}`, "STOP")}
	for _, line := range lines {
		wire.WriteString("data: " + line + "\r\n\r\n")
	}
	r := sse.NewReader(iotest.OneByteReader(strings.NewReader(wire.String())), sse.Options{})
	var got []string
	for {
		ev, err := r.Next()
		if err != nil {
			break
		}
		got = append(got, string(ev.Data))
	}
	if a := read(t, got...); a.err != nil || a.blocks(0) != "content hé ü \ntool_call name=f\n" {
		t.Errorf("got %v, %s", a.err, a.blocks(0))
	}
}
