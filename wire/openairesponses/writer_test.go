package openairesponses_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// counter makes ids 1, 2, 3...
func counter() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("new%d", n) }
}

func newWriter(force bool) *openairesponses.Writer {
	return openairesponses.NewWriter(stream.WriterOptions{Force: force, NewID: counter()})
}

// numbered gives payloads sequence numbers from 0 on.
func numbered(payloads []string) []string {
	out := make([]string, len(payloads))
	for i, p := range payloads {
		var o map[string]json.RawMessage
		if json.Unmarshal([]byte(p), &o) != nil {
			out[i] = p
			continue
		}
		if _, ok := o["sequence_number"]; ok {
			p = strings.Replace(p, `"sequence_number":`+string(o["sequence_number"])+",", "", 1)
		}
		out[i] = strings.Replace(p, `{"type":`, fmt.Sprintf(`{"sequence_number":%d,"type":`, i), 1)
	}
	return out
}

// filled is an answer with sequence numbers whose end has all its items.
func filled(t *testing.T, text string) []string {
	t.Helper()
	payloads := lines(text)
	items := make([]string, 0, len(payloads))
	for _, p := range payloads {
		var o struct {
			Type  string          `json:"type"`
			Index int             `json:"output_index"`
			Item  json.RawMessage `json:"item"`
		}
		if json.Unmarshal([]byte(p), &o) == nil && o.Type == "response.output_item.done" {
			for len(items) <= o.Index {
				items = append(items, "")
			}
			items[o.Index] = string(o.Item)
		}
	}
	end := strings.Replace(completed, `"output":[]`, `"output":[`+strings.Join(items, ",")+`]`, 1)
	return numbered(append(append([]string{created}, payloads...), end))
}

// write writes an answer after edit has been asked.
func write(t *testing.T, w *openairesponses.Writer, payloads []string, edit func(w *openairesponses.Writer)) []byte {
	t.Helper()
	a := must(t, payloads...)
	if edit != nil {
		edit(w)
	}
	var out []byte
	for _, c := range a.chunks {
		var err error
		if out, err = w.Write(out, c); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func legal(t *testing.T, out []byte) {
	t.Helper()
	if err := (sluicetest.Options{RequireOutput: true}).Validate(sluicetest.OpenAIResponses, out); err != nil {
		t.Errorf("not legal: %v\n%s", err, out)
	}
}

func TestWriterPassesWhatNobodyEdits(t *testing.T) {
	payloads := answered(reasoning(3, "rs_1", "hm", "x") + message(5, "msg_1", "Hello") + call(9, "", "", "f", "{}"))
	payloads = append(payloads, "[DONE]")
	out := write(t, newWriter(false), payloads, nil)
	var want []byte
	for _, c := range must(t, payloads...).chunks {
		if c.Name != "" {
			want = fmt.Appendf(want, "event: %s\n", c.Name)
		}
		want = fmt.Appendf(want, "data: %s\n\n", c.Raw)
	}
	if !bytes.Equal(out, want) {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	whole := `{ "id":"resp_1","object":"response","status":"completed","output":[ ] }`
	if out := write(t, newWriter(false), []string{whole}, nil); string(out) != whole {
		t.Errorf("a whole response changed: %s", out)
	}
}

func TestForcePassesWhatIsUsual(t *testing.T) {
	payloads := filled(t, reasoning(0, "rs_1", "hm", "x")+message(1, "msg_1", "Hello")+call(2, "fc_1", "call_1", "f", "{}"))
	out := write(t, newWriter(true), payloads, nil)
	got := payloadsOf(out)
	if len(got) != len(payloads) {
		t.Fatalf("%d payloads, want %d\n%s", len(got), len(payloads), out)
	}
	for i := range got {
		if string(got[i]) != payloads[i] {
			t.Errorf("payload %d\n%s\nwant\n%s", i, got[i], payloads[i])
		}
	}
	legal(t, out)
}

func TestForceMakesUsual(t *testing.T) {
	for _, tc := range []struct{ name, payloads, want string }{
		{"ids that vary, gaps in output_index, an empty final output", `
{"type":"response.output_item.added","output_index":3,"item":{"type":"message","id":"a","role":"assistant","content":[]}}
{"type":"response.output_text.delta","item_id":"b","output_index":3,"content_index":0,"delta":"Hey"}
{"type":"response.output_item.done","output_index":3,"item":{"type":"message","id":"d","role":"assistant","content":[{"type":"output_text","text":"Hey"}]}}`, `
content message id=a "Hey"`},
		{"empty ids", call(0, "", "", "f", `{}`), `
tool_call function_call id=call_new2 name=f "{}"`},
		{"two calls with one call_id", call(0, "fc_1", "call_0", "f", `{}`) + call(1, "fc_1", "call_0", "f", `{ }`), `
tool_call function_call id=call_0 name=f "{}"
tool_call function_call id=call_new2 name=f "{ }"`},
		{"all calls at index 0", call(0, "fc_1", "call_0", "f", `{}`) + call(0, "fc_2", "call_1", "g", `{}`), `
tool_call function_call id=call_0 name=f "{}"
tool_call function_call id=call_1 name=g "{}"`},
		{"no output_index", strings.ReplaceAll(call(0, "fc_1", "call_0", "f", `{}`), `"output_index":0,`, ""), `
tool_call function_call id=call_0 name=f "{}"`},
		{"a message without output_index", strings.ReplaceAll(message(0, "msg_1", "Hey"), `"output_index":0,`, ""), `
content message id=msg_1 "Hey"`},
		{"items known only by their end", `
{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}]}}
{"type":"response.output_item.done","output_index":1,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"b"}]}}
{"type":"response.output_item.done","output_index":2,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"c","name":"f","input":"x"}}`, `
thinking reasoning id=rs_1 "ab"
content message id=msg_1 "a"
refusal message id=msg_1 "b"
tool_call custom_tool_call id=c name=f "x"`},
		{"deltas without their done, parts without their beginning", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}
{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"hm"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}]}}
{"type":"response.output_item.added","output_index":1,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"c","name":"f","input":""}}
{"type":"response.custom_tool_call_input.delta","item_id":"ctc_1","output_index":1,"delta":"x"}
{"type":"response.output_item.done","output_index":1,"item":{"type":"custom_tool_call","id":"ctc_1","call_id":"c","name":"f","input":"x"}}`, `
thinking reasoning id=rs_1 "hm"
tool_call custom_tool_call id=c name=f "x"`},
		{"a final text that goes on from its deltas", `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}
{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Got"}
{"type":"response.output_text.done","item_id":"msg_1","output_index":0,"content_index":0,"text":"Got it"}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"Got it"}]}}`, `
content message id=msg_1 "Got it"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := write(t, newWriter(true), answered(tc.payloads), nil)
			legal(t, out)
			expect(t, read(t, out).say(), tc.want+"\nfinish completed stop")
		})
	}
}

func TestForceWritesItemsThatOnlyTheEndTells(t *testing.T) {
	end := strings.Replace(completed, `"output":[]`, `"output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"x"}]},{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"}]`, 1)
	out := write(t, newWriter(true), []string{created, end}, nil)
	legal(t, out)
	expect(t, read(t, out).say(), `
content message id=m "x"
tool_call function_call id=c name=f "{}"
finish completed stop`)
}

func TestReplace(t *testing.T) {
	three := reasoning(0, "rs_1", "hm", "x") + message(1, "msg_1", "Hello") + call(2, "fc_1", "call_1", "f", `{"a":1}`) + call(3, "fc_2", "call_2", "g", `{"b":1}`)
	text := func(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }
	for _, tc := range []struct {
		name  string
		block int
		with  []llm.Block
		want  string
	}{
		{"a call removed", 2, nil, `
thinking reasoning id=rs_1 sig=x "hm"
content message id=msg_1 "Hello"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"a call becomes a text in its place", 2, []llm.Block{text("no")}, `
thinking reasoning id=rs_1 sig=x "hm"
content message id=msg_1 "Hello"
content message id=msg_new1 "no"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"a call becomes another call under its ids", 2, []llm.Block{{Kind: llm.ToolCall, Name: "h", Arguments: `{"c":2}`}}, `
thinking reasoning id=rs_1 sig=x "hm"
content message id=msg_1 "Hello"
tool_call function_call id=call_1 name=h "{\"c\":2}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"a text becomes a text in its item", 1, []llm.Block{text("Bye")}, `
thinking reasoning id=rs_1 sig=x "hm"
content message id=msg_1 "Bye"
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"a text removed", 1, nil, `
thinking reasoning id=rs_1 sig=x "hm"
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"a text becomes a refusal and a call", 1, []llm.Block{{Kind: llm.Refusal, Text: "no"}, {Kind: llm.ToolCall, Name: "h", ID: "mine"}}, `
thinking reasoning id=rs_1 sig=x "hm"
refusal message id=msg_1 "no"
tool_call function_call id=mine name=h ""
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"thinking removed with its proof", 0, nil, `
content message id=msg_1 "Hello"
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
		{"thinking becomes a text", 0, []llm.Block{text("(hidden)")}, `
content message id=msg_new1 "(hidden)"
content message id=msg_1 "Hello"
tool_call function_call id=call_1 name=f "{\"a\":1}"
tool_call function_call id=call_2 name=g "{\"b\":1}"`},
	} {
		payloads := filled(t, three)
		edit := func(w *openairesponses.Writer) {
			if err := w.Replace(stream.At{Block: tc.block}, tc.with...); err != nil {
				t.Fatal(err)
			}
		}
		want := tc.want + "\nfinish completed stop"
		t.Run(tc.name, func(t *testing.T) {
			out := write(t, newWriter(false), payloads, edit)
			legal(t, out)
			expect(t, read(t, out).say(), want)
			if tc.block == 2 && bytes.Contains(out, []byte(`{\"a\":1}`)) {
				t.Error("something of the replaced call is left")
			}
		})
		t.Run(tc.name+", whole", func(t *testing.T) {
			body := must(t, payloads...).chunks[len(payloads)-1].Raw
			whole, _, _ := cutResponse(body)
			out := write(t, newWriter(false), []string{whole}, edit)
			if err := sluicetest.ValidateBody(sluicetest.OpenAIResponses, out); err != nil {
				t.Errorf("not legal: %v\n%s", err, out)
			}
			expect(t, decode(string(out)).say(), want)
		})
	}
}

// cutResponse takes the response object out of a terminal payload.
func cutResponse(payload []byte) (response, before, after string) {
	text := string(payload)
	at := strings.Index(text, `"response":`) + len(`"response":`)
	return text[at : len(text)-1], text[:at], "}"
}

func TestReplaceKeepsWhatABlockDoesNotKnow(t *testing.T) {
	out := write(t, newWriter(false), filled(t, call(0, "fc_1", "call_1", "f", `{"a":1}`)), func(w *openairesponses.Writer) {
		if err := w.Replace(stream.At{Block: 0}, llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{}`}); err != nil {
			t.Fatal(err)
		}
	})
	legal(t, out)
	if n := bytes.Count(out, []byte(`"namespace":"ns"`)); n != 3 {
		t.Errorf("the call has its namespace %d times, want 3\n%s", n, out)
	}
}

func TestReplaceBuiltInCalls(t *testing.T) {
	shell := `{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","id":"sh_1","call_id":"call_1","action":{"commands":["rm"]},"environment":null}}`
	out := write(t, newWriter(false), filled(t, shell), func(w *openairesponses.Writer) {
		if err := w.Replace(stream.At{Block: 0}, llm.Block{Kind: llm.ToolCall, Type: "shell_call", Arguments: `{"commands":["ls"]}`}); err != nil {
			t.Fatal(err)
		}
		if err := w.Replace(stream.At{Block: 1}, llm.Block{Kind: llm.ToolCall, Type: "shell_call", Arguments: `not json`}); !errors.Is(err, stream.ErrNotWritable) {
			t.Errorf("an action that is not JSON: %v", err)
		}
	})
	legal(t, out)
	expect(t, read(t, out).say(), `
tool_call shell_call id=call_1 "{\"commands\":[\"ls\"]}"
finish completed stop`)
}

// mixedMessage is a message of two blocks.
const mixedMessage = `
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[],"phase":"x"}}
{"type":"response.content_part.added","output_index":0,"item_id":"msg_1","content_index":0,"part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","output_index":0,"item_id":"msg_1","content_index":0,"delta":"secret"}
{"type":"response.output_text.done","output_index":0,"item_id":"msg_1","content_index":0,"text":"secret"}
{"type":"response.content_part.done","output_index":0,"item_id":"msg_1","content_index":0,"part":{"type":"output_text","text":"secret"}}
{"type":"response.content_part.added","output_index":0,"item_id":"msg_1","content_index":1,"part":{"type":"refusal","refusal":""}}
{"type":"response.refusal.delta","output_index":0,"item_id":"msg_1","content_index":1,"delta":"I can't"}
{"type":"response.refusal.done","output_index":0,"item_id":"msg_1","content_index":1,"refusal":"I can't"}
{"type":"response.content_part.done","output_index":0,"item_id":"msg_1","content_index":1,"part":{"type":"refusal","refusal":"I can't"}}
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"secret"},{"type":"refusal","refusal":"I can't"}],"phase":"x"}}`

func TestReplaceOneBlockOfAMixedMessage(t *testing.T) {
	for block, want := range map[int]string{
		0: `content message id=msg_1 "***"` + "\n" + `refusal message id=msg_1 "I can't"`,
		1: `content message id=msg_1 "secret***"`,
	} {
		out := write(t, newWriter(false), filled(t, mixedMessage), func(w *openairesponses.Writer) {
			if err := w.Replace(stream.At{Block: block}, llm.Block{Kind: llm.Content, Text: "***"}); err != nil {
				t.Fatal(err)
			}
		})
		legal(t, out)
		expect(t, read(t, out).say(), want+"\nfinish completed stop")
		if block == 0 && bytes.Contains(out, []byte("secret")) || !bytes.Contains(out, []byte(`"phase":"x"`)) {
			t.Errorf("block %d:\n%s", block, out)
		}
	}
}

// A message begins before its first block does. If its beginning has left when
// the block is decided about, the message stays, with other parts.
func TestReplaceAfterTheMessageBegan(t *testing.T) {
	a := must(t, filled(t, message(0, "msg_1", "Hello"))...)
	for _, with := range [][]llm.Block{{{Kind: llm.Content, Text: "Bye"}}, nil} {
		w := newWriter(false)
		var out []byte
		for i, c := range a.chunks {
			if i == 2 {
				if err := w.Replace(stream.At{Block: 0}, with...); err != nil {
					t.Fatal(err)
				}
			}
			out, _ = w.Write(out, c)
		}
		legal(t, out)
		want := `content message id=msg_1 ""`
		if with != nil {
			want = `content message id=msg_1 "Bye"`
		}
		expect(t, read(t, out).say(), want+"\nfinish completed stop")
		if bytes.Contains(out, []byte("Hel")) {
			t.Errorf("something of the text is left\n%s", out)
		}
	}
}

func TestReplaceIsRefused(t *testing.T) {
	a := must(t, filled(t, call(0, "fc_1", "call_1", "f", `{}`))...)
	w := newWriter(false)
	var out []byte
	for _, c := range a.chunks[:2] {
		out, _ = w.Write(out, c)
	}
	for name, tc := range map[string]struct {
		err, want error
	}{
		"a block of which a part has left": {w.Replace(stream.At{Block: 0}), stream.ErrAlreadySent},
		"thinking":                         {w.Replace(stream.At{Block: 1}, llm.Block{Kind: llm.Thinking, Text: "x"}), stream.ErrNotWritable},
		"a server tool":                    {w.Replace(stream.At{Block: 1}, llm.Block{Kind: llm.ServerTool}), stream.ErrNotWritable},
		"another choice":                   {w.Replace(stream.At{Choice: 1, Block: 0}), stream.ErrNotWritable},
		"a negative block":                 {w.Replace(stream.At{Block: -1}), stream.ErrNotWritable},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", name, tc.err, tc.want)
		}
	}
	for _, c := range a.chunks[2:] {
		out, _ = w.Write(out, c)
	}
	if err := w.Replace(stream.At{Block: 5}); !errors.Is(err, stream.ErrTooLate) {
		t.Errorf("after the end: %v", err)
	}
	legal(t, out)
}

func TestInsert(t *testing.T) {
	a := must(t, filled(t, message(0, "msg_1", "Hello")+call(1, "fc_1", "call_1", "f", `{}`))...)
	for at, want := range map[int]string{
		0: "IMC", 1: "IMC", 4: "MIC", 8: "MIC", 10: "MCI", 13: "MCI",
	} {
		w := newWriter(false)
		var out []byte
		for i, c := range a.chunks {
			if i == at {
				var err error
				if out, err = w.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "Note"}); err != nil {
					t.Fatal(err)
				}
			}
			out, _ = w.Write(out, c)
		}
		legal(t, out)
		got := ""
		for _, b := range read(t, out).state.Blocks() {
			switch {
			case b.Text() == "Note":
				got += "I"
			case b.Text() == "Hello":
				got += "M"
			case b.Kind() == llm.ToolCall:
				got += "C"
			}
		}
		if got != want {
			t.Errorf("inserted at %d: %s, want %s\n%s", at, got, want, out)
		}
	}
}

func TestInsertReadsBack(t *testing.T) {
	w := newWriter(false)
	out, err := w.Insert(nil, 0,
		llm.Block{Kind: llm.Thinking, Text: "hm", Signature: "sig"},
		llm.Block{Kind: llm.Thinking, Signature: "only"},
		llm.Block{Kind: llm.Content, Text: "a"}, llm.Block{Kind: llm.Content, Text: ""}, llm.Block{Kind: llm.Content, Text: "b"},
		llm.Block{Kind: llm.Refusal, Text: "no"},
		llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: "f", Arguments: `{"a":"\"b\""}`},
		llm.Block{Kind: llm.ToolCall, ID: "call_2", Name: "exec", Type: "custom_tool_call", Arguments: "free \n form"},
		llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: "dup"},
		llm.Block{Kind: llm.ToolCall, ID: "call_3", Type: "local_shell_call", Arguments: `{"type":"exec"}`},
	)
	if err != nil {
		t.Fatal(err)
	}
	if out, err = w.Terminate(out); err != nil {
		t.Fatal(err)
	}
	legal(t, out)
	expect(t, read(t, out).say(), `
thinking reasoning id=rs_new2 sig=sig "hm"
thinking reasoning id=rs_new3 sig=only ""
content message id=msg_new4 "a"
content message id=msg_new5 "b"
refusal message id=msg_new6 "no"
tool_call function_call id=call_1 name=f "{\"a\":\"\\\"b\\\"\"}"
tool_call custom_tool_call id=call_2 name=exec "free \n form"
tool_call function_call id=call_new10 name=dup ""
tool_call local_shell_call id=call_3 "{\"type\":\"exec\"}"
finish completed stop`)
	for _, b := range []llm.Block{{Kind: llm.Opaque}, {Kind: llm.ToolResult}, {Kind: llm.ToolCall}} {
		if out, err := newWriter(false).Insert(nil, 0, b); !errors.Is(err, stream.ErrNotWritable) || len(out) > 0 {
			t.Errorf("insert %s: %v %q", b.Kind, err, out)
		}
	}
}

func TestContinue(t *testing.T) {
	first := must(t, filled(t, message(0, "msg_1", "One")+call(1, "fc_1", "call_0", "f", `{}`))...)
	second := must(t, filled(t, message(0, "msg_1", "Two")+call(1, "fc_1", "call_0", "g", `{}`))...)
	w := newWriter(false)
	var out []byte
	var err error
	if err := w.Replace(stream.At{Block: 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range first.chunks[:len(first.chunks)-1] {
		out, _ = w.Write(out, c)
	}
	if out, err = w.Continue(out); err != nil {
		t.Fatal(err)
	}
	for _, c := range second.chunks {
		if out, err = w.Write(out, c); err != nil {
			t.Fatal(err)
		}
	}
	legal(t, out)
	expect(t, read(t, out).say(), `
content message id=msg_1 "One"
content message id=msg_new1 "Two"
tool_call function_call id=call_new3 name=g "{}"
finish completed stop`)
	if u, ok := read(t, out).state.Usage(); !ok || u.Input != 10 {
		t.Errorf("usage %+v", u)
	}

	w = newWriter(false)
	out = nil
	for _, c := range first.chunks[:4] {
		out, _ = w.Write(out, c)
	}
	if out, err = w.Continue(out); !errors.Is(err, stream.ErrGap) {
		t.Errorf("continue inside an item: %v", err)
	}
	legal(t, out)
}

func TestTerminate(t *testing.T) {
	a := must(t, filled(t, message(0, "msg_1", "Hello")+call(1, "fc_1", "call_1", "f", `{}`))...)
	for n := range len(a.chunks) + 1 {
		w := newWriter(false)
		var out []byte
		for _, c := range a.chunks[:n] {
			out, _ = w.Write(out, c)
		}
		out, err := w.Terminate(out)
		if err != nil {
			t.Fatal(err)
		}
		legal(t, out)
		b := read(t, out)
		between := n <= 1 || n == 8 || n >= 13
		if good := b.state.Complete(); good != between {
			t.Errorf("ended after %d payloads: complete %v, want %v", n, good, between)
		}
		for name, err := range map[string]error{
			"Write":     func() error { _, err := w.Write(nil, a.chunks[0]); return err }(),
			"Terminate": func() error { _, err := w.Terminate(nil); return err }(),
			"Fail":      func() error { _, err := w.Fail(nil, nil); return err }(),
			"Insert":    func() error { _, err := w.Insert(nil, 0); return err }(),
			"Continue":  func() error { _, err := w.Continue(nil); return err }(),
			"Replace":   w.Replace(stream.At{Block: 0}),
		} {
			if !errors.Is(err, stream.ErrTerminated) {
				t.Errorf("%s after the end: %v", name, err)
			}
		}
		if out := w.Keepalive(nil); out != nil {
			t.Errorf("keepalive after the end: %q", out)
		}
	}
}

func TestFail(t *testing.T) {
	provider := &stream.ProviderError{Type: "t", Code: "overloaded", Message: "busy", Raw: []byte(`{"type":"t","code":"overloaded","message":"busy"}`)}
	for name, tc := range map[string]struct {
		cause error
		want  string
	}{
		"a cause of ours":      {errors.New("judge is gone"), "error  server_error judge is gone"},
		"the provider's error": {provider, "error t overloaded busy"},
		"no cause":             {nil, "error  server_error the answer failed"},
	} {
		w := newWriter(false)
		out, _ := w.Write(nil, must(t, created).chunks[0])
		out, err := w.Fail(out, tc.cause)
		if err != nil {
			t.Fatal(err)
		}
		legal(t, out)
		got := read(t, out)
		expect(t, got.say(), tc.want)
		if got.state.Complete() {
			t.Errorf("%s: complete", name)
		}
	}
	w := newWriter(false)
	if out := w.Keepalive(nil); string(out) != ": keepalive\n\n" {
		t.Errorf("keepalive %q", out)
	}
}

func TestNothingFollowsAnErrorOfTheUpstream(t *testing.T) {
	a := must(t, append([]string{created}, lines(message(0, "msg_1", "Hello"))[0], `{"type":"error","code":"c","message":"m","param":null}`)...)
	for _, force := range []bool{false, true} {
		w := newWriter(force)
		var out []byte
		for _, c := range a.chunks {
			out, _ = w.Write(out, c)
		}
		n := len(out)
		if got, err := w.Insert(out, 0, llm.Block{Kind: llm.Content, Text: "x"}); !errors.Is(err, stream.ErrTooLate) || len(got) != n {
			t.Errorf("insert: %v", err)
		}
		if got, err := w.Terminate(out); err != nil || len(got) != n {
			t.Errorf("terminate: %v %q", err, got[n:])
		}
		expect(t, read(t, out).say(), "error  c m")
	}
}

func TestChunksLeftOut(t *testing.T) {
	payloads := filled(t, message(0, "msg_1", "Hello")+call(1, "fc_1", "call_1", "f", `{"a":1}`))
	a := must(t, payloads...)
	for out := range a.chunks {
		t.Run(fmt.Sprint(out), func(t *testing.T) {
			w := newWriter(false)
			var written []byte
			var err error
			for i, c := range a.chunks {
				if i == out {
					continue
				}
				if written, err = w.Write(written, c); err != nil {
					break
				}
			}
			if end, err := w.Terminate(written); err == nil {
				written = end
			}
			legal(t, written)
			got := read(t, written)
			for _, b := range got.state.Blocks() {
				if b.Kind() == llm.ToolCall && b.Status() == llm.Complete && b.Arguments() != `{"a":1}` {
					t.Errorf("another call: %s", b.Arguments())
				}
			}
			if (out == 9 || out == 10 || out == 12) != errors.Is(err, stream.ErrGap) {
				t.Errorf("left out %s: %v", payloads[out], err)
			}
			if out == 3 && bytes.Contains(written, []byte("Hello")) {
				t.Error("a copy has the text that was left out")
			}
		})
	}
}

func TestWholeAfterAnInsertBecomesTheEndOfTheStream(t *testing.T) {
	w := newWriter(false)
	out, _ := w.Insert(nil, 0, llm.Block{Kind: llm.Content, Text: "first"})
	whole, _, _ := cutResponse([]byte(filled(t, message(0, "msg_1", "Hello"))[8]))
	out, err := w.Write(out, must(t, whole).chunks[0])
	if err != nil {
		t.Fatal(err)
	}
	legal(t, out)
	expect(t, read(t, out).say(), `
content message id=msg_new2 "first"
content message id=msg_1 "Hello"
finish completed stop`)
}

// Official clients put items in a list as they are added and give a delta to what
// is at its output_index there. They must get what was judged.
func TestWriterSettlesPlaces(t *testing.T) {
	renumbered := func(from, to string, text string) string {
		return strings.ReplaceAll(text, `"output_index":`+from, to)
	}
	safe, evil := call(0, "fc_1", "call_1", "safe", `{"c":"ls"}`), call(1, "fc_2", "call_2", "run", `{"c":"rm"}`)
	swapped := func() string {
		a, b := lines(call(1, "fc_1", "call_1", "safe", `{"c":"ls"}`)), lines(call(0, "fc_2", "call_2", "run", `{"c":"rm"}`))
		return strings.Join(append([]string{a[0], b[0]}, append(a[1:], b[1:]...)...), "\n")
	}
	for _, tc := range []struct{ name, begin, payloads string }{
		{"indices that are not places", created, swapped()},
		{"an index that is used again", created, safe + renumbered("1", `"output_index":0`, evil)},
		{"indices that begin with 1", created, renumbered("0", `"output_index":1`, safe) + strings.ReplaceAll(evil, `"output_index":1`, `"output_index":2`)},
		{"a gap after a message", created, message(0, "msg_1", "Hello") + renumbered("0", `"output_index":2`, safe) + strings.ReplaceAll(evil, `"output_index":1`, `"output_index":3`)},
		{"a message that skips a place after a call", created, safe + message(2, "msg_1", "Hello") + renumbered("1", `"output_index":3`, evil)},
		{"no output_index", created, renumbered("0,", "", safe) + renumbered("1,", "", evil)},
		{"no output_index at the second", created, safe + renumbered("1,", "", evil)},
		{"an item that is only done", created, lines(safe)[4] + "\n" + evil},
		{"an item that is added twice", created, lines(safe)[0] + "\n" + safe + evil},
		{"a response that begins with an item", strings.Replace(created, `"output":[]`, `"output":[{"type":"function_call","id":"fc_0","call_id":"call_0","name":"f","arguments":""}]`, 1), safe + evil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := must(t, append(append([]string{tc.begin}, lines(tc.payloads)...), completed)...)
			w := openairesponses.NewWriter(stream.WriterOptions{Settle: true})
			var out []byte
			ambiguous := false
			for _, c := range a.chunks {
				var err error
				ambiguous = ambiguous || c.Ambiguous
				c.Ambiguous = ambiguous
				if out, err = w.Write(out, c); err != nil {
					t.Fatal(err)
				}
			}
			var want []string
			for _, b := range a.state.Blocks() {
				if b.Kind() == llm.ToolCall {
					want = append(want, b.Name()+b.Text())
				}
			}
			if got := listed(t, out); !ambiguous || !slices.Equal(got, want) {
				t.Errorf("ambiguous %v, a client gets %q, want %q\n%s", ambiguous, got, want, out)
			}
		})
	}
	for name, payloads := range map[string][]string{
		"a usual answer": answered(message(0, "msg_1", "Hello") + call(1, "fc_1", "call_1", "f", `{}`)),
		"a resumed one":  append(lines(call(3, "fc_1", "call_1", "f", `{}`)), completed),
	} {
		for _, c := range must(t, payloads...).chunks {
			if c.Ambiguous {
				t.Errorf("%s is ambiguous at %s", name, c.Raw)
			}
		}
	}
}

// listed returns the calls that a client has which goes by the places of items.
func listed(t *testing.T, out []byte) []string {
	t.Helper()
	type entry struct {
		Type      string `json:"type"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	var list []*entry
	for _, raw := range payloadsOf(out) {
		var p struct {
			Type     string `json:"type"`
			Index    *int   `json:"output_index"`
			Item     entry  `json:"item"`
			Delta    string `json:"delta"`
			Response struct {
				Output []*entry `json:"output"`
			} `json:"response"`
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		switch p.Type {
		case "response.created":
			list = p.Response.Output
		case "response.output_item.added":
			list = append(list, &p.Item)
		case "response.function_call_arguments.delta":
			if p.Index == nil || *p.Index >= len(list) {
				t.Fatalf("a client has no item for %s\n%s", raw, out)
			}
			list[*p.Index].Arguments += p.Delta
		}
	}
	var calls []string
	for _, e := range list {
		if e.Type == "function_call" {
			calls = append(calls, e.Name+e.Arguments)
		}
	}
	return calls
}
