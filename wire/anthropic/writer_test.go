package anthropic_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
)

func text(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }

func call(name, arguments string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments}
}

// numbered gives ids that a test can name.
func numbered() stream.WriterOptions {
	n := 0
	return stream.WriterOptions{NewID: func() string { n++; return fmt.Sprint("new", n) }}
}

const (
	thinkingBlock = `{"type":"thinking","thinking":"","signature":""}`
	otherTool     = `{"type":"tool_use","id":"toolu_2","name":"write","input":{}}`
)

// twoCalls is a text, thinking and two calls.
func twoCalls() []string {
	return []string{
		msgStart,
		start(0, thinkingBlock), delta(0, `{"type":"thinking_delta","thinking":"hm"}`), delta(0, `{"type":"signature_delta","signature":"c2ln"}`), stop(0),
		start(1, textBlock), `{"type":"ping"}`, textDelta(1, "I will"), stop(1),
		start(2, toolBlock), jsonDelta(2, ""), jsonDelta(2, `{"command":`), jsonDelta(2, `"ls"}`), stop(2),
		start(3, otherTool), jsonDelta(3, `{}`), stop(3),
		toolTurn, msgStop,
	}
}

// read decodes what was written after checking that it is legal.
func read(t *testing.T, out []byte) *answer {
	t.Helper()
	if err := sluicetest.ValidateAnthropic(out); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a := feed(t, payloadsOf(t, out))
	if len(a.deviations) > 0 {
		t.Errorf("what was written deviates: %v\n%s", a.deviations, out)
	}
	return a
}

func TestWriterEdits(t *testing.T) {
	tests := []struct {
		name     string
		payloads []string
		edit     func(w *anthropic.Writer) error
		want     string
		finish   string
	}{
		{
			name: "a removed call", payloads: twoCalls(),
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 2}) },
			want:   "thinking [hm] signed c2ln, content [I will], tool_call write#toolu_2 [{}]",
			finish: "tool_use",
		},
		{
			name: "all calls removed: the turn ends", payloads: twoCalls(),
			edit: func(w *anthropic.Writer) error {
				return errors.Join(w.Replace(stream.At{Block: 2}), w.Replace(stream.At{Block: 3}))
			},
			want:   "thinking [hm] signed c2ln, content [I will]",
			finish: "end_turn",
		},
		{
			name: "a call replaced by text: the text goes before the first call", payloads: twoCalls(),
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 2}, text("blocked")) },
			want:   "thinking [hm] signed c2ln, content [I will], content [blocked], tool_call write#toolu_2 [{}]",
			finish: "tool_use",
		},
		{
			name: "the text of a later call goes before the first one too", payloads: twoCalls(),
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 3}, text("blocked")) },
			want:   `thinking [hm] signed c2ln, content [I will], content [blocked], tool_call bash#toolu_1 [{"command":"ls"}]`,
			finish: "tool_use",
		},
		{
			name:     "a text behind a call keeps its place",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, "{}"), stop(0), start(1, textBlock), textDelta(1, "a"), stop(1), toolTurn, msgStop},
			edit:     func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 1}, text("redacted")) },
			want:     `tool_call bash#toolu_1 [{}], content [redacted]`,
			finish:   "tool_use",
		},
		{
			name: "a call replaced by a call keeps place and id", payloads: twoCalls(),
			edit: func(w *anthropic.Writer) error {
				return w.Replace(stream.At{Block: 2}, call("bash", `{"command":"pwd"}`))
			},
			want:   `thinking [hm] signed c2ln, content [I will], tool_call bash#toolu_1 [{"command":"pwd"}], tool_call write#toolu_2 [{}]`,
			finish: "tool_use",
		},
		{
			name: "a call replaced by a text and two calls", payloads: twoCalls(),
			edit: func(w *anthropic.Writer) error {
				return w.Replace(stream.At{Block: 2}, call("a", ""), text("why"), call("b", `{"x":1}`))
			},
			want:   `thinking [hm] signed c2ln, content [I will], content [why], tool_call a#toolu_1 [{}], tool_call b#toolu_new1 [{"x":1}], tool_call write#toolu_2 [{}]`,
			finish: "tool_use",
		},
		{
			name: "text replaced by text keeps its place", payloads: twoCalls(),
			edit: func(w *anthropic.Writer) error {
				return w.Replace(stream.At{Block: 1}, text("redacted"), text(""), text("twice"))
			},
			want:   `thinking [hm] signed c2ln, content [redacted], content [twice], tool_call bash#toolu_1 [{"command":"ls"}], tool_call write#toolu_2 [{}]`,
			finish: "tool_use",
		},
		{
			name: "thinking goes whole", payloads: twoCalls(),
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}) },
			want:   `content [I will], tool_call bash#toolu_1 [{"command":"ls"}], tool_call write#toolu_2 [{}]`,
			finish: "tool_use",
		},
		{
			name: "thinking replaced by content", payloads: twoCalls(),
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}, text("gone")) },
			want:   `content [gone], content [I will], tool_call bash#toolu_1 [{"command":"ls"}], tool_call write#toolu_2 [{}]`,
			finish: "tool_use",
		},
		{
			name:     "text replaced by a call: the call goes last and the turn waits for it",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), stop(0), start(1, textBlock), textDelta(1, "b"), stop(1), endTurn, msgStop},
			edit:     func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}, call("f", `{}`)) },
			want:     `content [b], tool_call f#toolu_new1 [{}]`,
			finish:   "tool_use",
		},
		{
			name:     "everything removed: a message must not be empty",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), stop(0), endTurn, msgStop},
			edit:     func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}) },
			want:     `content [[content removed]]`,
			finish:   "end_turn",
		},
		{
			name: "a limit stays a limit",
			payloads: []string{msgStart, start(0, toolBlock), jsonDelta(0, `{"a`), stop(0),
				`{"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":5}}`, msgStop},
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}, text("cut")) },
			want:   `content [cut]`,
			finish: "max_tokens",
		},
		{
			name: "server tools and results can go",
			payloads: []string{msgStart, start(0, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`), jsonDelta(0, `{}`), stop(0),
				start(1, `{"type":"web_search_tool_result","tool_use_id":"s","content":[]}`), stop(1),
				start(2, `{"type":"hologram","x":1}`), stop(2), start(3, textBlock), textDelta(3, "a"), stop(3), endTurn, msgStop},
			edit: func(w *anthropic.Writer) error {
				return errors.Join(w.Replace(stream.At{Block: 0}), w.Replace(stream.At{Block: 1}, text("hidden")))
			},
			want:   `content [hidden], opaque:hologram [], content [a]`,
			finish: "end_turn",
		},
		{
			name: "blocks that overlap are put in order, and a replaced text waits",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), start(1, toolBlock), jsonDelta(1, `{"x":`), textDelta(0, "b"),
				start(2, otherTool), jsonDelta(2, `{}`), stop(2), stop(0), jsonDelta(1, `1}`), stop(1), toolTurn, msgStop},
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 2}, text("blocked")) },
			want:   `content [ab], content [blocked], tool_call bash#toolu_1 [{"x":1}]`,
			finish: "tool_use",
		},
		{
			name: "62: content inside message_start",
			payloads: []string{`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"so"}, {"type":"tool_use","id":"t","name":"f","input":{"a":1}} , {"type":"tool_use","id":"t","name":"g","input":{}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}}`,
				msgStop},
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 1}, text("blocked")) },
			want:   `content [so], content [blocked], tool_call g#t [{}]`,
			finish: "tool_use",
		},
		{
			name: "62: no call is left in message_start",
			payloads: []string{`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}}`,
				msgStop},
			edit:   func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 0}) },
			want:   `content [[content removed]]`,
			finish: "end_turn",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := anthropic.NewWriter(numbered())
			if err := tt.edit(w); err != nil {
				t.Fatal(err)
			}
			out, err := write(w, feed(t, raws(tt.payloads)).chunks)
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, out)
			if s := describe(got.state); s != tt.want {
				t.Errorf("written\n%s\nwant\n%s", s, tt.want)
			}
			if got.state.FinishReason() != tt.finish {
				t.Errorf("finish %q, want %q", got.state.FinishReason(), tt.finish)
			}
		})
	}
}

func TestEditsAreSurgical(t *testing.T) {
	payloads := twoCalls()
	payloads[9] = `{"type":"content_block_start", "index" : 2,"content_block":{"type":"tool_use","id":"toolu_1","name":"bash","input":{},"caller":{"type":"direct"}},"vendor":1 }`
	w := anthropic.NewWriter(stream.WriterOptions{})
	if err := w.Replace(stream.At{Block: 1}); err != nil {
		t.Fatal(err)
	}
	out, err := write(w, feed(t, raws(payloads)).chunks)
	if err != nil {
		t.Fatal(err)
	}
	got := payloadsOf(t, out)
	if want := strings.Replace(payloads[9], `"index" : 2`, `"index" : 1`, 1); string(got[6]) != want {
		t.Errorf("written %s\nwant    %s", got[6], want)
	}
	for _, i := range []int{0, 1, 2, 3, 4} {
		if string(got[i]) != payloads[i] {
			t.Errorf("payload %d changed to %s", i, got[i])
		}
	}
}

func TestForceRepairs(t *testing.T) {
	tests := []struct {
		name     string
		payloads []string
		want     string
		finish   string
	}{
		{
			name: "missing stops, types, indices and ids, two messages begun",
			payloads: []string{msgStart, msgStart, `{"type":"content_block_start","content_block":{"type":"text","text":""}}`,
				`{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`, `{"type":"content_block_start","index":null,"content_block":{"type":"tool_use","name":"f","input":{}}}`,
				toolTurn, msgStop, "[DONE]"},
			want: "content [a], tool_call f#toolu_new1 [{}]", finish: "tool_use",
		},
		{
			name: "ids that stand twice; results follow their calls",
			payloads: []string{msgStart, start(0, `{"type":"server_tool_use","id":"x","name":"s","input":{}}`), stop(0),
				start(1, `{"type":"server_tool_use","id":"x","name":"s","input":{}}`), stop(1),
				start(2, `{"type":"web_search_tool_result","tool_use_id":"x","content":[]}`), stop(2),
				start(3, toolBlock), stop(3), start(4, toolBlock), stop(4), toolTurn, msgStop},
			want: "server_tool:server_tool_use s#x [{}], server_tool:server_tool_use s#srvtoolu_new1 [{}], tool_result:web_search_tool_result of #srvtoolu_new1 [[]], " +
				"tool_call bash#toolu_1 [{}], tool_call bash#toolu_new2 [{}]",
			finish: "tool_use",
		},
		{
			name:     "an empty text goes",
			payloads: []string{msgStart, start(0, textBlock), `{"type":"ping"}`, stop(0), start(1, toolBlock), jsonDelta(1, ""), stop(1), toolTurn, msgStop},
			want:     "tool_call bash#toolu_1 [{}]", finish: "tool_use",
		},
		{
			name:     "no message_start, no stop reason",
			payloads: []string{start(4, toolBlock), jsonDelta(4, "{}"), stop(4), msgStop},
			want:     "tool_call bash#toolu_1 [{}]", finish: "tool_use",
		},
		{
			name: "several message_delta become one",
			payloads: []string{msgStart, start(0, textBlock), textDelta(0, "a"), `{"type":"message_delta","delta":{},"usage":{"output_tokens":1}}`, stop(0), endTurn,
				`{"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":9,"extra":true}}`, msgStop},
			want: "content [a]", finish: "max_tokens",
		},
		{
			name:     "a refusal without blocks stays one",
			payloads: []string{msgStart, `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null},"usage":{"output_tokens":5}}`, msgStop},
			want:     "", finish: "refusal",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := numbered()
			opts.Force = true
			out, err := write(anthropic.NewWriter(opts), feed(t, raws(tt.payloads)).chunks)
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, out)
			if s := describe(got.state); s != tt.want || got.state.FinishReason() != tt.finish {
				t.Errorf("written\n%s %s\nwant\n%s %s", s, got.state.FinishReason(), tt.want, tt.finish)
			}
		})
	}
}

func TestForceNamesTheType(t *testing.T) {
	d := anthropic.NewDecoder()
	w := anthropic.NewWriter(stream.WriterOptions{Force: true})
	var out []byte
	for _, p := range []string{msgStart, start(0, thinkingBlock), delta(0, `{"type":"thinking_delta","thinking":""}`), textDelta(0, ""), delta(0, `{"type":"signature_delta","signature":"s"}`), stop(0), `{"type":"ping"}`, endTurn, msgStop} {
		kind, rest, _ := strings.Cut(strings.TrimPrefix(p, `{"type":"`), `"`)
		c := &stream.Chunk{Name: kind, Raw: []byte("{" + strings.TrimPrefix(rest, ","))}
		err := d.Decode(c)
		if err == nil {
			out, err = w.Write(out, c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, out); describe(got.state) != "thinking [] signed s" {
		t.Errorf("written %s", describe(got.state))
	}
}

func TestForcePassesWhatIsRight(t *testing.T) {
	payloads := raws(twoCalls())
	out, err := write(anthropic.NewWriter(stream.WriterOptions{Force: true}), feed(t, payloads).chunks)
	if err != nil {
		t.Fatal(err)
	}
	// A ping does not wait for the text around it.
	payloads[5], payloads[6] = payloads[6], payloads[5]
	got := payloadsOf(t, out)
	for i := range got {
		if !bytes.Equal(got[i], payloads[i]) {
			t.Errorf("payload %d changed to %s", i, got[i])
		}
	}
}

func TestUsageIsPassedOnInFull(t *testing.T) {
	w := anthropic.NewWriter(stream.WriterOptions{})
	out, err := w.Insert(nil, 0, text("hello"))
	if err != nil {
		t.Fatal(err)
	}
	rest, err := write(w, feed(t, raws([]string{msgStart, start(0, textBlock), textDelta(0, "a"), stop(0), endTurn, msgStop})).chunks)
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, append(out, rest...))
	if u, _ := got.state.Usage(); u.Input != 10 || u.Output != 5 {
		t.Errorf("usage %+v", u)
	}
	if s := describe(got.state); s != "content [hello], content [a]" {
		t.Errorf("written %s", s)
	}
}

func TestInsertTakesTheFirstLegalPlace(t *testing.T) {
	payloads := twoCalls()
	for at := range payloads {
		t.Run(fmt.Sprint("before ", payloads[at]), func(t *testing.T) {
			w := anthropic.NewWriter(stream.WriterOptions{})
			chunks := feed(t, raws(payloads)).chunks
			out, err := write(w, chunks[:at])
			if err != nil {
				t.Fatal(err)
			}
			before := len(out)
			out, inserted := w.Insert(out, 0, text("inserted"))
			if at > 9 { // a tool_use was sent
				if !errors.Is(inserted, stream.ErrTooLate) || len(out) != before {
					t.Fatalf("error %v, %d bytes", inserted, len(out)-before)
				}
			} else if inserted != nil {
				t.Fatal(inserted)
			}
			rest, err := write(w, chunks[at:])
			if err != nil {
				t.Fatal(err)
			}
			s := describe(read(t, append(out, rest...)).state)
			if before, _, _ := strings.Cut(s, "tool_call"); at <= 9 && !strings.Contains(before, "inserted") {
				t.Errorf("the text is not before the first call: %s", s)
			}
			if !strings.Contains(s, "thinking [hm] signed c2ln") || !strings.Contains(s, "content [I will]") {
				t.Errorf("other blocks changed: %s", s)
			}
		})
	}
}

func TestInsertedBlocksReadBack(t *testing.T) {
	blocks := []llm.Block{
		{Kind: llm.Thinking, Text: "hm", Signature: "c2ln"},
		{Kind: llm.Thinking, Signature: "only"},
		text("line\nbreak \"quoted\" \u2028 😀"),
		{Kind: llm.Content, Text: ""},
		{Kind: llm.ToolCall, ID: "toolu_a", Name: "f", Arguments: `{"a":"\u00e9"}`},
		{Kind: llm.ToolCall, ID: "toolu_a", Name: "g"},
	}
	w := anthropic.NewWriter(numbered())
	out, err := w.Insert(nil, 0, blocks...)
	if err != nil {
		t.Fatal(err)
	}
	if out, err = w.Terminate(out); err != nil {
		t.Fatal(err)
	}
	got := read(t, out)
	want := `thinking [hm] signed c2ln, thinking [] signed only, content [` + blocks[2].Text + `], tool_call f#toolu_a [{"a":"\u00e9"}], tool_call g#toolu_new1 [{}]`
	if s := describe(got.state); s != want {
		t.Errorf("read back\n%s\nwant\n%s", s, want)
	}
	if got.state.FinishReason() != "tool_use" || !got.state.Complete() {
		t.Errorf("finish %q", got.state.FinishReason())
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	w := anthropic.NewWriter(stream.WriterOptions{})
	for _, b := range []llm.Block{
		{Kind: llm.Refusal, Text: "no"}, {Kind: llm.ServerTool, Name: "s"}, {Kind: llm.ToolResult, Text: "r"},
		{Kind: llm.Opaque}, {Kind: llm.ToolCall}, {Kind: llm.ToolCall, Name: "f", Type: "custom"}, {},
	} {
		if out, err := w.Insert(nil, 0, text("x"), b); !errors.Is(err, stream.ErrNotWritable) || len(out) > 0 {
			t.Errorf("inserting %s: %v", b.Kind, err)
		}
		if err := w.Replace(stream.At{Block: 0}, b); !errors.Is(err, stream.ErrNotWritable) {
			t.Errorf("replacing by %s: %v", b.Kind, err)
		}
	}
	if err := w.Replace(stream.At{Block: 0}, llm.Block{Kind: llm.Thinking, Text: "x"}); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("replacing by thinking: %v", err)
	}
	if err := w.Replace(stream.At{Choice: 1, Block: 0}); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("replacing in another choice: %v", err)
	}
	if err := w.Replace(stream.At{Block: -1}); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("replacing nothing: %v", err)
	}
	if _, err := w.Insert(nil, 1, text("x")); !errors.Is(err, stream.ErrNotWritable) {
		t.Errorf("inserting into another choice: %v", err)
	}
}

func TestReplaceAfterAPartWasSent(t *testing.T) {
	w := anthropic.NewWriter(stream.WriterOptions{})
	chunks := feed(t, raws(twoCalls())).chunks
	out, err := write(w, chunks[:10])
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Replace(stream.At{Block: 2}, text("x")); !errors.Is(err, stream.ErrAlreadySent) {
		t.Errorf("replacing what was sent: %v", err)
	}
	// A text for the second call has no place once the first was sent: the
	// call is gone, and the caller knows that the text is not there.
	if err := w.Replace(stream.At{Block: 3}, text("blocked")); err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, c := range chunks[10:] {
		if out, err = w.Write(out, c); errors.Is(err, stream.ErrTooLate) {
			late++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if late != 1 {
		t.Errorf("%d chunks said that it is too late", late)
	}
	if s := describe(read(t, out).state); strings.Contains(s, "write#") || strings.Contains(s, "blocked") {
		t.Errorf("written %s", s)
	}
}

func TestContinueGoesOnInTheSameMessage(t *testing.T) {
	w := anthropic.NewWriter(numbered())
	if err := errors.Join(w.Replace(stream.At{Block: 2}), w.Replace(stream.At{Block: 3})); err != nil {
		t.Fatal(err)
	}
	first := feed(t, raws(twoCalls())).chunks
	out, err := write(w, first[:len(first)-3]) // without finish and end
	if err != nil {
		t.Fatal(err)
	}
	if out, err = w.Continue(out); err != nil {
		t.Fatal(err)
	}
	second := []string{
		strings.NewReplacer("msg_1", "msg_2", `"input_tokens":10`, `"input_tokens":77`).Replace(msgStart),
		start(0, textBlock), textDelta(0, "then"), stop(0), start(1, toolBlock), jsonDelta(1, `{}`), stop(1), toolTurn, msgStop,
	}
	rest, err := write(w, feed(t, raws(second)).chunks)
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, append(out, rest...))
	want := "thinking [hm] signed c2ln, content [I will], content [then], tool_call bash#toolu_1 [{}]"
	if s := describe(got.state); s != want {
		t.Errorf("written\n%s\nwant\n%s", s, want)
	}
	if got.state.ID() != "msg_1" {
		t.Errorf("id %s", got.state.ID())
	}
	if u, _ := got.state.Usage(); u.Input != 77 {
		t.Errorf("usage %+v", u)
	}
}

func TestContinueWithAWholeAnswer(t *testing.T) {
	for _, body := range []string{
		`{"type":"message_start","message":{"id":"m2","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"so"},{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":""},{"type":"hologram"},{"type":"tool_use","id":"toolu_9","name":"f","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}}`,
		`{"id":"m2","type":"message","role":"assistant","model":"x","content":[{"type":"text","text":"so"},{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":""},{"type":"hologram"},{"type":"tool_use","id":"toolu_9","name":"f","input":{"a":1}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}`,
	} {
		w := anthropic.NewWriter(stream.WriterOptions{})
		out, err := w.Insert(nil, 0, text("first"))
		if err != nil {
			t.Fatal(err)
		}
		if out, err = w.Continue(out); err != nil {
			t.Fatal(err)
		}
		payloads := []string{body}
		if strings.HasPrefix(body, `{"type":"message_start"`) {
			payloads = append(payloads, msgStop)
		}
		rest, err := write(w, feed(t, raws(payloads)).chunks)
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, append(out, rest...))
		want := `content [first], content [so], thinking [t] signed s, opaque:hologram [], tool_call f#toolu_9 [{"a":1}]`
		if s := describe(got.state); s != want || got.state.FinishReason() != "tool_use" {
			t.Errorf("written\n%s %s\nwant\n%s", s, got.state.FinishReason(), want)
		}
	}
}

func TestContinueInTheMiddleOfABlockFails(t *testing.T) {
	w := anthropic.NewWriter(stream.WriterOptions{})
	out, err := write(w, feed(t, raws(twoCalls())).chunks[:8])
	if err != nil {
		t.Fatal(err)
	}
	if out, err = w.Continue(out); !errors.Is(err, stream.ErrGap) {
		t.Fatalf("error %v", err)
	}
	if got := read(t, out); got.state.Err() == nil {
		t.Error("the client is not told")
	}
}

func TestTerminateAnywhere(t *testing.T) {
	payloads := twoCalls()
	chunks := feed(t, raws(payloads)).chunks
	for n := range len(payloads) + 1 {
		w := anthropic.NewWriter(stream.WriterOptions{})
		out, err := write(w, chunks[:n])
		if err != nil {
			t.Fatal(err)
		}
		out, err = w.Terminate(out)
		if n == len(payloads) {
			if !errors.Is(err, stream.ErrTerminated) {
				t.Errorf("after the end: %v", err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		got := read(t, out)
		open := n > 0 && n < len(payloads) && strings.Contains(payloads[n], `"type":"content_block_`) && !strings.Contains(payloads[n], `"type":"content_block_start"`) || n == 6
		if failed := got.state.Err() != nil; failed != open {
			t.Errorf("after %d payloads: failed %v, a block is open %v\n%s", n, failed, open, out)
		}
		for what, err := range map[string]error{
			"write":    second(w.Write(nil, chunks[1])),
			"insert":   second(w.Insert(nil, 0, text("x"))),
			"continue": second(w.Continue(nil)),
			"fail":     second(w.Fail(nil, nil)),
			"replace":  w.Replace(stream.At{Block: 9}),
		} {
			if !errors.Is(err, stream.ErrTerminated) {
				t.Errorf("after the end %s says %v", what, err)
			}
		}
		if len(w.Keepalive(nil)) > 0 {
			t.Error("alive after the end")
		}
	}
}

func second(out []byte, err error) error {
	if len(out) > 0 {
		return fmt.Errorf("wrote %s", out)
	}
	return err
}

func TestFail(t *testing.T) {
	secret := &stream.ProtocolError{Reason: "no type", Payload: `{"secret":1}`}
	tests := []struct {
		cause error
		want  string
	}{
		{errors.New("a \"cause\""), `{"type":"error","error":{"type":"api_error","message":"a \"cause\""}}`},
		{nil, `{"type":"error","error":{"type":"api_error","message":"the answer failed"}}`},
		{
			fmt.Errorf("wrapped: %w", &stream.ProviderError{Type: "overloaded_error", Message: "m", Raw: []byte(`{"details":null,"type":"overloaded_error","message":"m"}`)}),
			`{"type":"error","error":{"details":null,"type":"overloaded_error","message":"m"}}`,
		},
		{
			&stream.ProviderError{Type: "RESOURCE_EXHAUSTED", Message: "m", Raw: []byte(`{"status":"RESOURCE_EXHAUSTED","message":"m"}`)},
			`{"type":"error","error":{"type":"api_error","message":"m"}}`,
		},
		{fmt.Errorf("wrapped: %w", secret), `{"type":"error","error":{"type":"api_error","message":"the provider's answer cannot be read: no type"}}`},
	}
	for _, tt := range tests {
		w := anthropic.NewWriter(stream.WriterOptions{})
		out, err := w.Fail(nil, tt.cause)
		if err != nil {
			t.Fatal(err)
		}
		if want := "event: error\ndata: " + tt.want + "\n\n"; string(out) != want {
			t.Errorf("written %s\nwant %s", out, want)
		}
	}
}

func TestAProviderErrorPassesAndEndsTheAnswer(t *testing.T) {
	failure := `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
	for _, force := range []bool{false, true} {
		w := anthropic.NewWriter(stream.WriterOptions{Force: force})
		out, err := write(w, feed(t, raws([]string{msgStart, start(0, toolBlock), jsonDelta(0, "{"), failure, msgStop})).chunks)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(out, []byte("data: "+failure+"\n")) {
			t.Errorf("the error is not there:\n%s", out)
		}
		if _, err := w.Terminate(nil); !errors.Is(err, stream.ErrTerminated) {
			t.Errorf("a good end after an error: %v", err)
		}
	}
}

func TestGapsInCallsAndThinkingFail(t *testing.T) {
	payloads := twoCalls()
	chunks := feed(t, raws(payloads)).chunks
	for _, leftOut := range [][]int{{11}, {12}, {12, 13}, {11, 12}, {2}, {3}} {
		w := anthropic.NewWriter(stream.WriterOptions{})
		var out []byte
		var err error
		for i, c := range chunks {
			skip := false
			for _, n := range leftOut {
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
			t.Errorf("without %v: %v\n%s", leftOut, err, out)
		}
		if got := read(t, out); got.state.Err() == nil {
			t.Errorf("without %v the client is not told", leftOut)
		}
	}
}

func TestRepeatedChunksChangeNothing(t *testing.T) {
	payloads := slices.Insert(twoCalls(), 7, delta(1, `{"type":"citations_delta","citation":{"cited_text":"x"}}`))
	chunks := feed(t, raws(payloads)).chunks
	var twice []*stream.Chunk
	for _, c := range chunks[:len(chunks)-2] {
		if c.Name != "ping" {
			twice = append(twice, c)
		}
		twice = append(twice, c)
	}
	out, err := write(anthropic.NewWriter(stream.WriterOptions{}), append(twice, chunks[len(chunks)-2:]...))
	if err != nil {
		t.Fatal(err)
	}
	if got := payloadsOf(t, out); len(got) != len(payloads) {
		t.Errorf("%d payloads of %d were written:\n%s", len(got), len(payloads), out)
	}
	if got := read(t, out); describe(got.state) != describe(feed(t, raws(payloads)).state) {
		t.Errorf("written %s", describe(got.state))
	}
}

func TestLeftOutCallsChangeTheFinish(t *testing.T) {
	chunks := feed(t, raws(twoCalls())).chunks
	w := anthropic.NewWriter(stream.WriterOptions{})
	out, err := write(w, append(chunks[:9:9], chunks[17:]...))
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, out); got.state.FinishReason() != "end_turn" {
		t.Errorf("finish %s", got.state.FinishReason())
	}
}

func TestWholeAnswersAreEditedInPlace(t *testing.T) {
	body := `{
  "id": "msg_1", "type": "message", "role": "assistant", "model": "x",
  "content": [
    {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
    {"type": "text", "text": "I will", "vendor": 1},
    {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}},
    {"type": "tool_use", "id": "toolu_2", "name": "write", "input": {}}
  ],
  "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 2}, "vendor": {}
}`
	tests := []struct {
		name string
		edit func(w *anthropic.Writer) error
		want func(string) string
	}{
		{"nothing", func(*anthropic.Writer) error { return nil }, func(s string) string { return s }},
		{
			"a call removed", func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 3}) },
			func(s string) string {
				return strings.Replace(s, `,
    {"type": "tool_use", "id": "toolu_2", "name": "write", "input": {}}`, "", 1)
			},
		},
		{
			"a call replaced by text", func(w *anthropic.Writer) error { return w.Replace(stream.At{Block: 3}, text("no")) },
			func(s string) string {
				s = strings.Replace(s, `{"type": "tool_use", "id": "toolu_1"`, `{"type":"text","text":"no"},{"type": "tool_use", "id": "toolu_1"`, 1)
				return strings.Replace(s, `,
    {"type": "tool_use", "id": "toolu_2", "name": "write", "input": {}}`, "", 1)
			},
		},
		{
			"both calls replaced", func(w *anthropic.Writer) error {
				return errors.Join(w.Replace(stream.At{Block: 2}, text("no")), w.Replace(stream.At{Block: 3}, text("nor this")))
			},
			func(s string) string {
				s = strings.Replace(s, `{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}},
    {"type": "tool_use", "id": "toolu_2", "name": "write", "input": {}}`, `{"type":"text","text":"no"},{"type":"text","text":"nor this"}`, 1)
				return strings.Replace(s, `"stop_reason": "tool_use"`, `"stop_reason": "end_turn"`, 1)
			},
		},
		{
			"a call rewritten", func(w *anthropic.Writer) error {
				return w.Replace(stream.At{Block: 2}, call("bash", `{"command":"pwd"}`))
			},
			func(s string) string {
				return strings.Replace(s, `{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}}`,
					`{"type":"tool_use","id":"toolu_1","name":"bash","input":{"command":"pwd"}}`, 1)
			},
		},
		{
			"everything removed", func(w *anthropic.Writer) error {
				return errors.Join(w.Replace(stream.At{Block: 0}), w.Replace(stream.At{Block: 1}), w.Replace(stream.At{Block: 2}), w.Replace(stream.At{Block: 3}))
			},
			func(s string) string {
				head, rest, _ := strings.Cut(s, `{"type": "thinking"`)
				_, tail, _ := strings.Cut(rest, `"name": "write", "input": {}}`)
				s = head + `{"type":"text","text":"[content removed]"}` + tail
				return strings.Replace(s, `"stop_reason": "tool_use"`, `"stop_reason": "end_turn"`, 1)
			},
		},
	}
	for _, tt := range tests {
		for _, force := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, " force ", force), func(t *testing.T) {
				w := anthropic.NewWriter(stream.WriterOptions{Force: force})
				if err := tt.edit(w); err != nil {
					t.Fatal(err)
				}
				out, err := write(w, feed(t, [][]byte{[]byte(body)}).chunks)
				if err != nil {
					t.Fatal(err)
				}
				if err := sluicetest.ValidateBody(sluicetest.Anthropic, out); err != nil {
					t.Error(err)
				}
				got := strings.Join(strings.Fields(string(out)), " ")
				if want := strings.Join(strings.Fields(tt.want(body)), " "); strings.ReplaceAll(got, "[ ", "[") != strings.ReplaceAll(want, "[ ", "[") {
					t.Errorf("written\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

func TestKeepaliveIsAPing(t *testing.T) {
	w := anthropic.NewWriter(stream.WriterOptions{})
	if got := string(w.Keepalive(nil)); got != "event: ping\ndata: {\"type\":\"ping\"}\n\n" {
		t.Errorf("keepalive %q", got)
	}
}
