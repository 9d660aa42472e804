package openaichat_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
)

func text(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }

func call(id, name, args string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: id, Name: name, Arguments: args}
}

// twoCalls is a legal stream: text, two calls, usage.
var twoCalls = []string{
	role,
	chunk(`{"content":"Let me "}`, ""),
	chunk(`{"content":"look."}`, ""),
	chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}`), ""),
	chunk(calls(`{"index":0,"function":{"arguments":"{\"x\":"}}`), ""),
	chunk(calls(`{"index":0,"function":{"arguments":"1}"}}`), ""),
	chunk(calls(`{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}`), ""),
	chunk(calls(`{"index":1,"function":{"arguments":"{}"}}`), ""),
	chunk(`{}`, "tool_calls"),
	`{"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}`,
	done,
}

// writing is a writer with what it wrote.
type writing struct {
	t   *testing.T
	w   stream.Writer
	out []byte
}

func write(t *testing.T) *writing {
	t.Helper()
	return &writing{t: t, w: newWriter(false)}
}

func (w *writing) do(out []byte, err error) {
	w.t.Helper()
	w.out = out
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *writing) chunks(list ...*stream.Chunk) {
	w.t.Helper()
	for _, c := range list {
		w.do(w.w.Write(w.out, c))
	}
}

// says demands a legal stream with these blocks.
func (w *writing) says(want string) {
	w.t.Helper()
	if err := sluicetest.ValidateOpenAIChat(w.out); err != nil {
		w.t.Errorf("illegal: %v\n%s", err, w.out)
	}
	if err := validate(w.out); err != nil {
		w.t.Errorf("illegal: %v\n%s", err, w.out)
	}
	got := feed(w.t, unframe(w.t, w.out))
	if text := describe(got.state); text != want || got.err != nil {
		w.t.Errorf("error %v, blocks:\n%swant:\n%s%s", got.err, text, want, w.out)
	}
}

func TestReplace(t *testing.T) {
	thinking := []string{
		chunk(`{"role":"assistant","reasoning":"hm","reasoning_content":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","index":0}]}`, ""),
		chunk(`{"reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}]}`, ""),
		chunk(`{"content":"x"}`, ""), chunk(`{}`, "stop"), done,
	}
	oneChunk := []string{
		chunk(`{"role":"assistant","content":"x","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}`, "tool_calls"), done,
	}
	legacy := []string{
		role, chunk(`{"function_call":{"name":"f","arguments":""}}`, ""), chunk(`{"function_call":{"arguments":"{}"}}`, ""), chunk(`{}`, "function_call"), done,
	}
	for _, tc := range []struct {
		name  string
		in    []string
		block int
		with  []llm.Block
		want  string
	}{
		{"a call is removed and the rest renumbered", twoCalls, 1, nil, "content \"Let me look.\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"the last call is removed", twoCalls, 2, nil, "content \"Let me look.\"\ntool_call a f \"{\\\"x\\\":1}\"\nfinish tool_calls tool_calls\n"},
		{"text stands for a call", twoCalls, 1, []llm.Block{text(" Blocked.")}, "content \"Let me look. Blocked.\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"a call stands for a call and keeps its id", twoCalls, 1, []llm.Block{call("", "h", `{"y":2}`)}, "content \"Let me look.\"\ntool_call a h \"{\\\"y\\\":2}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"text stands for text", twoCalls, 0, []llm.Block{text("Hidden.")}, "content \"Hidden.\"\ntool_call a f \"{\\\"x\\\":1}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"text is removed", twoCalls, 0, nil, "tool_call a f \"{\\\"x\\\":1}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"empty text stands for text", twoCalls, 0, []llm.Block{text("")}, "tool_call a f \"{\\\"x\\\":1}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"thinking is removed with all its copies", thinking, 0, nil, "content \"x\"\nfinish stop stop\n"},
		{"content stands for thinking", thinking, 0, []llm.Block{text("(hidden) ")}, "content \"(hidden) x\"\nfinish stop stop\n"},
		{"a call is added to an answer without calls", thinking, 1, []llm.Block{text("x"), call("n", "f", "{}")}, "thinking \"hm\" signed s\ncontent \"x\"\ntool_call n f \"{}\"\nfinish tool_calls tool_calls\n"},
		{"one payload: the first call", oneChunk, 1, []llm.Block{text(" no")}, "content \"x no\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"one payload: the second call", oneChunk, 2, []llm.Block{text(" no")}, "content \"x\"\ntool_call a f \"{}\"\ncontent \" no\"\nfinish tool_calls tool_calls\n"},
		{"one payload: the text", oneChunk, 0, nil, "tool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"a legacy call becomes text", legacy, 0, []llm.Block{text("no")}, "content \"no\"\nfinish stop stop\n"},
		{"a legacy call becomes another", legacy, 0, []llm.Block{call("", "g", "{}")}, "tool_call  g \"{}\"\nfinish function_call tool_calls\n"},
		{"custom calls can be written", oneChunk, 1, []llm.Block{{Kind: llm.ToolCall, Type: "custom", Name: "sql", Arguments: "SELECT"}}, "content \"x\"\ntool_call a sql \"SELECT\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := write(t)
			if err := w.w.Replace(stream.At{Block: tc.block}, tc.with...); err != nil {
				t.Fatal(err)
			}
			w.chunks(feed(t, payloads(tc.in...)).chunks...)
			w.says(tc.want)
		})
	}
}

func TestAllCallsRemovedEndsTheTurn(t *testing.T) {
	w := write(t)
	in := feed(t, payloads(twoCalls...)).chunks
	w.chunks(in[:3]...)
	for _, b := range []int{1, 2} {
		if err := w.w.Replace(stream.At{Block: b}); err != nil {
			t.Fatal(err)
		}
	}
	w.chunks(in[3:]...)
	w.says("content \"Let me look.\"\nfinish stop stop\n")
	if !strings.Contains(string(w.out), `"usage":{"prompt_tokens":3,"completion_tokens":4}`) {
		t.Error("the usage is gone")
	}
	if n := strings.Count(string(w.out), "data:"); n != 6 {
		t.Errorf("%d payloads, want 6: chunks with nothing left must not be sent\n%s", n, w.out)
	}
}

func TestOnlyWhatAnEditTouchesChanges(t *testing.T) {
	w := write(t)
	in := feed(t, payloads(twoCalls...)).chunks
	if err := w.w.Replace(stream.At{Block: 1}); err != nil {
		t.Fatal(err)
	}
	w.chunks(in...)
	for _, i := range []int{0, 1, 2, 8, 9, 10} {
		if !strings.Contains(string(w.out), "data: "+twoCalls[i]+"\n") {
			t.Errorf("payload %d did not leave as it came:\n%s", i, w.out)
		}
	}
}

func TestFinishWordsOfLimitsAndFiltersAreKept(t *testing.T) {
	for _, word := range []string{"length", "content_filter", "odd_word"} {
		w := write(t)
		if err := w.w.Replace(stream.At{Block: 0}); err != nil {
			t.Fatal(err)
		}
		w.chunks(feed(t, payloads(role, chunk(calls(`{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`), word), done)).chunks...)
		if !strings.Contains(string(w.out), `"finish_reason":"`+word+`"`) {
			t.Errorf("%s is gone:\n%s", word, w.out)
		}
	}
}

func TestReplaceRefusals(t *testing.T) {
	w := write(t)
	in := feed(t, payloads(chunk(`{"role":"assistant","reasoning":"r"}`, ""), chunk(`{"content":"x"}`, ""), chunk(`{}`, "stop"))).chunks
	if err := w.w.Replace(stream.At{Block: 0}, llm.Block{Kind: llm.ToolResult}); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("a result: %v", err)
	}
	if err := w.w.Replace(stream.At{Block: 0}, call("", "", "{}")); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("a call without a name: %v", err)
	}
	w.chunks(in[0])
	if err := w.w.Replace(stream.At{Block: 0}); !errors.Is(err, stream.ErrAlreadySent) {
		t.Errorf("a block that has left: %v", err)
	}
	if err := w.w.Replace(stream.At{Block: 0}, llm.Block{Kind: llm.Thinking, Text: "t"}); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("thinking for thinking: %v", err)
	}
	w.chunks(in[1], in[2])
	if err := w.w.Replace(stream.At{Block: 7}); !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("after the finish: %v", err)
	}
	if _, err := w.w.Insert(nil, 0, text("x")); !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("insertion after the finish: %v", err)
	}
}

func TestInsertAndTerminate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		blocks []llm.Block
		want   string
	}{
		{"nothing", nil, "finish stop stop\n"},
		{"text", []llm.Block{text("a\n\"b\"")}, "content \"a\\n\\\"b\\\"\"\nfinish stop stop\n"},
		{"empty text", []llm.Block{text("")}, "finish stop stop\n"},
		{
			"every kind", []llm.Block{
				{Kind: llm.Thinking, Text: "t", Signature: "s"}, text("c"), {Kind: llm.Refusal, Text: "r"},
				call("", "f", `{"x":1}`), {Kind: llm.ToolCall, ID: "i", Name: "g", Type: "custom", Arguments: "free", Signature: "z"},
			},
			"thinking \"t\" signed s\ncontent \"c\"\nrefusal \"r\"\ntool_call call_new2 f \"{\\\"x\\\":1}\"\ntool_call i g \"free\" signed z\nfinish tool_calls tool_calls\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := write(t)
			w.do(w.w.Insert(w.out, 0, tc.blocks...))
			w.do(w.w.Terminate(w.out))
			w.says(tc.want)
			if _, err := w.w.Insert(nil, 0, text("x")); !errors.Is(err, stream.ErrTerminated) {
				t.Errorf("after the end: %v", err)
			}
			if out := w.w.Keepalive(nil); out != nil {
				t.Errorf("a keepalive after the end: %s", out)
			}
		})
	}
}

func TestInsertBeforeTheUpstreamBegins(t *testing.T) {
	w := write(t)
	w.do(w.w.Insert(w.out, 0, text("Note. ")))
	w.chunks(feed(t, payloads(twoCalls...)).chunks...)
	w.says("content \"Note. Let me look.\"\ntool_call a f \"{\\\"x\\\":1}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n")
	if strings.Count(string(w.out), `"role"`) != 1 || strings.Contains(string(w.out), `"c1"`) {
		t.Errorf("a second beginning:\n%s", w.out)
	}
}

func TestInsertInTheMiddle(t *testing.T) {
	w := write(t)
	in := feed(t, payloads(twoCalls...)).chunks
	w.chunks(in[:5]...)
	w.do(w.w.Insert(w.out, 0, text(" Note."), call("b", "own", "{}")))
	w.chunks(in[5:]...)
	w.says("content \"Let me look.\"\ntool_call a f \"{\\\"x\\\":1}\"\ncontent \" Note.\"\ntool_call b own \"{}\"\ntool_call call_new1 g \"{}\"\nfinish tool_calls tool_calls\n")
}

func TestContinue(t *testing.T) {
	w := write(t)
	first := feed(t, payloads(twoCalls...)).chunks
	for _, b := range []int{1, 2} {
		if err := w.w.Replace(stream.At{Block: b}); err != nil {
			t.Fatal(err)
		}
	}
	w.chunks(first[:8]...)
	w.do(w.w.Continue(w.out))
	second := feed(t, payloads(
		`{"id":"c2","object":"chat.completion.chunk","created":9,"model":"m2","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
		`{"id":"c2","object":"chat.completion.chunk","created":9,"model":"m2","choices":[{"index":0,"delta":{"content":" Else."},"finish_reason":null}]}`,
		`{"id":"c2","object":"chat.completion.chunk","created":9,"model":"m2","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"h","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
		done)).chunks
	w.chunks(second...)
	w.says("content \"Let me look. Else.\"\ntool_call a h \"{}\"\nfinish tool_calls tool_calls\n")
	if strings.Contains(string(w.out), "c2") || strings.Contains(string(w.out), "m2") {
		t.Errorf("the second answer's own id or model:\n%s", w.out)
	}
}

func TestContinueInsideACallFails(t *testing.T) {
	w := write(t)
	w.chunks(feed(t, payloads(twoCalls...)).chunks[:5]...)
	out, err := w.w.Continue(w.out)
	if !errors.Is(err, stream.ErrGap) || !strings.Contains(string(out), `{"error":`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestTerminateInsideACallIsAFailure(t *testing.T) {
	w := write(t)
	w.chunks(feed(t, payloads(twoCalls...)).chunks[:5]...)
	w.do(w.w.Terminate(w.out))
	if s := string(w.out); !strings.Contains(s, `{"error":`) || strings.Contains(s, done) {
		t.Errorf("half a call ended well:\n%s", s)
	}
}

func TestFail(t *testing.T) {
	w := write(t)
	w.do(w.w.Fail(w.out, &stream.ProviderError{Message: "no", Raw: []byte(`{"message":"no","odd":1}`)}))
	if string(w.out) != "data: {\"error\":{\"message\":\"no\",\"odd\":1}}\n\n" {
		t.Errorf("%s", w.out)
	}
	w = write(t)
	w.do(w.w.Fail(w.out, errors.New("judge \"x\" failed")))
	if string(w.out) != "data: {\"error\":{\"message\":\"judge \\\"x\\\" failed\",\"type\":\"server_error\",\"param\":null,\"code\":null}}\n\n" {
		t.Errorf("%s", w.out)
	}
}

func TestNothingFollowsAProviderError(t *testing.T) {
	for _, force := range []bool{false, true} {
		w := &writing{t: t, w: newWriter(force)}
		w.chunks(feed(t, payloads(role, chunk(`{"content":"x"}`, ""), `{"error":{"message":"no"}}`)).chunks...)
		if _, err := w.w.Insert(nil, 0, text("x")); !errors.Is(err, stream.ErrTooLate) {
			t.Errorf("insertion: %v", err)
		}
		before := len(w.out)
		w.do(w.w.Terminate(w.out))
		if len(w.out) != before {
			t.Errorf("a good end after an error: %s", w.out[before:])
		}
	}
}

func TestMissingPartsOfACallFail(t *testing.T) {
	in := feed(t, payloads(twoCalls...)).chunks
	for name, left := range map[string][]int{
		"a delta in the middle":        {4},
		"the last delta of a call":     {5},
		"the finish":                   {8},
		"the last delta of both calls": {5, 7},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(false)
			var out []byte
			var err error
			for i, c := range in {
				skip := false
				for _, n := range left {
					skip = skip || n == i
				}
				if skip {
					continue
				}
				if out, err = w.Write(out, c); err != nil {
					break
				}
			}
			if !errors.Is(err, stream.ErrGap) {
				t.Errorf("error %v, want ErrGap\n%s", err, out)
			}
			if err := sluicetest.ValidateOpenAIChat(out); err != nil {
				t.Errorf("illegal: %v\n%s", err, out)
			}
		})
	}
	t.Run("a whole call left out is just gone", func(t *testing.T) {
		w := write(t)
		w.chunks(in[:3]...)
		w.chunks(in[6:]...)
		w.says("content \"Let me look.\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n")
	})
	t.Run("all calls left out end the turn", func(t *testing.T) {
		w := write(t)
		w.chunks(in[:3]...)
		w.chunks(in[8:]...)
		w.says("content \"Let me look.\"\nfinish stop stop\n")
	})
}

func TestWholeEdits(t *testing.T) {
	body := `{"id":"c1", "object":"chat.completion","created":7,"model":"m","choices":[ {"index":0,"message":{"role":"assistant","content":"hi","reasoning":"r","tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}],"odd":{"x":1}},"logprobs":null,"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3}}`
	for _, tc := range []struct {
		name string
		with map[int][]llm.Block
		want string
	}{
		{"nothing", nil, "thinking \"r\"\ncontent \"hi\"\ntool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"a call removed", map[int][]llm.Block{2: nil}, "thinking \"r\"\ncontent \"hi\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"text for both calls", map[int][]llm.Block{2: {text(" no")}, 3: {text(" never")}}, "thinking \"r\"\ncontent \"hi no never\"\nfinish stop stop\n"},
		{"a call for a call", map[int][]llm.Block{3: {call("", "h", "{}")}}, "thinking \"r\"\ncontent \"hi\"\ntool_call a f \"{}\"\ntool_call b h \"{}\"\nfinish tool_calls tool_calls\n"},
		{"other text", map[int][]llm.Block{1: {text("hello")}}, "thinking \"r\"\ncontent \"hello\"\ntool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"no text, no thinking", map[int][]llm.Block{0: nil, 1: nil}, "tool_call a f \"{}\"\ntool_call b g \"{}\"\nfinish tool_calls tool_calls\n"},
		{"a refusal for the text", map[int][]llm.Block{1: {{Kind: llm.Refusal, Text: "no"}}, 2: nil, 3: nil}, "thinking \"r\"\nrefusal \"no\"\nfinish stop stop\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := write(t)
			for b, with := range tc.with {
				if err := w.w.Replace(stream.At{Block: b}, with...); err != nil {
					t.Fatal(err)
				}
			}
			w.chunks(feed(t, payloads(body)).chunks...)
			if err := sluicetest.ValidateBody(sluicetest.OpenAIChat, w.out); err != nil {
				t.Errorf("illegal: %v\n%s", err, w.out)
			}
			if got := feed(t, payloads(string(w.out))); describe(got.state) != tc.want {
				t.Errorf("blocks:\n%swant:\n%s%s", describe(got.state), tc.want, w.out)
			}
			for _, kept := range []string{`"odd":{"x":1}`, `"usage":{"prompt_tokens":3}`, `"id":"c1"`} {
				if !strings.Contains(string(w.out), kept) {
					t.Errorf("%s is gone: %s", kept, w.out)
				}
			}
			if tc.with == nil && string(w.out) != body {
				t.Errorf("unedited, but changed: %s", w.out)
			}
		})
	}
}

func TestForceHoldsACallBackUntilItsNameIsWhole(t *testing.T) {
	w := &writing{t: t, w: newWriter(true)}
	in := feed(t, payloads(
		role, chunk(calls(`{"index":0,"id":"a","function":{"name":"get_"},"extra_content":{"google":{"thought_signature":"z"}}}`), ""),
		chunk(calls(`{"index":0,"function":{"name":"time"}}`), ""), chunk(calls(`{"index":0,"function":{"arguments":"{}"}}`), ""),
		chunk(calls(`{"index":1,"function":{"name":"none"}}`), ""), chunk(`{}`, "tool_calls"), done)).chunks
	w.chunks(in[:3]...)
	if strings.Contains(string(w.out), "tool_calls") {
		t.Errorf("half a name has left:\n%s", w.out)
	}
	w.chunks(in[3:]...)
	w.says("tool_call a get_time \"{}\" signed z\ntool_call call_new1 none \"\"\nfinish tool_calls tool_calls\n")
}

func TestForceWritesTheInferredFinish(t *testing.T) {
	w := &writing{t: t, w: newWriter(true)}
	w.chunks(feed(t, payloads(chunk(`{"content":"x"}`, ""), done)).chunks...)
	w.says("content \"x\"\nfinish stop stop\n")
}

func TestForceKeepsAnOrdinaryPayloadAsItIs(t *testing.T) {
	w := &writing{t: t, w: newWriter(true)}
	in := []string{role, chunk(`{"content":"x"}`, ""), chunk(`{}`, "stop"), done}
	w.chunks(feed(t, payloads(in...)).chunks...)
	if string(w.out) != "data: "+strings.Join(in, "\n\ndata: ")+"\n\n" {
		t.Errorf("changed:\n%s", w.out)
	}
}

func TestAPayloadIsOneDataLine(t *testing.T) {
	in := strings.ReplaceAll(chunk(`{"content":"a\nb"}`, "stop"), ",", ",\r\n")
	for _, force := range []bool{false, true} {
		w := &writing{t: t, w: newWriter(force)}
		w.chunks(feed(t, payloads(in, done)).chunks...)
		if n := strings.Count(string(w.out), "data: "); n != 2 || strings.Contains(string(w.out), "\r") {
			t.Errorf("force %v: %d data lines\n%s", force, n, w.out)
		}
		if got := describe(feed(t, unframe(t, w.out)).state); got != "content \"a\\nb\"\nfinish stop stop\n" {
			t.Errorf("force %v: a client reads %s", force, got)
		}
	}
}

func TestKeepaliveIsAComment(t *testing.T) {
	if out := newWriter(false).Keepalive(nil); string(out) != ": keepalive\n\n" {
		t.Errorf("%q", out)
	}
}
