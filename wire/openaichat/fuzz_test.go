package openaichat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/edit"
	"github.com/sluice-project/sluice/wire/openaichat"
)

// FuzzDecoder feeds arbitrary payload lines: nothing panics, the state takes
// what the decoder says, the same bytes give the same, and a forced writer
// either fails or writes JSON that the decoder reads.
func FuzzDecoder(f *testing.F) {
	for _, tc := range decoderCases {
		f.Add([]byte(strings.Join(tc.in, "\n")))
	}
	f.Add([]byte(`{"choices":[{"message":{"content":[{"type":"text","text":"a"}],"tool_calls":[{"function":{"arguments":{}}}]},"finish_reason":"stop"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var events []event
		for line := range bytes.Lines(data) {
			events = append(events, event{data: string(bytes.TrimRight(line, "\r\n"))})
		}
		a, b := feed(t, events), feed(t, events)
		if describe(a.state) != describe(b.state) || fmt.Sprint(a.deviations, a.err) != fmt.Sprint(b.deviations, b.err) {
			t.Fatalf("the same bytes gave\n%s%v\nand\n%s%v", describe(a.state), a.err, describe(b.state), b.err)
		}
		if a.err != nil {
			return
		}
		checkPassThrough(t, a)
		w := newWriter(true)
		var out []byte
		for _, c := range a.chunks {
			var err error
			if out, err = w.Write(out, c); err != nil {
				return
			}
		}
		if a.chunks[0].Whole {
			if !json.Valid(out) {
				t.Fatalf("not JSON: %s", out)
			}
			return
		}
		for _, ev := range unframe(t, out) {
			if ev.data != done && !json.Valid([]byte(ev.data)) {
				t.Fatalf("not JSON: %s\nof %s", ev.data, data)
			}
		}
	})
}

// TestResplit: how deltas are cut does not change the blocks.
func TestResplit(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		blocks := [][]llm.Block{sluicetest.RandomBlocks(r, sluicetest.OpenAIChat)}
		want := ""
		for i := range uint64(4) {
			opt := sluicetest.BuildOptions{Rand: rand.New(rand.NewPCG(seed, i)), MaxPiece: 1 + int(i)*5}
			got := feed(t, payloads(sluicetest.Build(sluicetest.OpenAIChat, blocks, opt)...))
			if got.err != nil {
				t.Fatal(got.err)
			}
			checkForce(t, got)
			if text := describe(got.state); want == "" {
				want = text
			} else if text != want {
				t.Fatalf("seed %d: blocks\n%swant\n%s", seed, text, want)
			}
		}
	}
}

// FuzzWriter plays a random script on a legal stream: whatever the caller does,
// what was written ends as a legal stream.
func FuzzWriter(f *testing.F) {
	for seed := range uint64(64) {
		r := rand.New(rand.NewPCG(seed, 2))
		script := make([]byte, 60)
		for i := range script {
			script[i] = byte(r.Uint32())
		}
		f.Add(seed, script)
	}
	f.Fuzz(func(t *testing.T, seed uint64, script []byte) { play(t, seed, script) })
}

func TestWriterUnderRandomScripts(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		script := make([]byte, r.IntN(120))
		for i := range script {
			script[i] = byte(r.Uint32())
		}
		play(t, seed, script)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestWholeAnswersUnderRandomEdits: an edited body stays a legal body.
func TestWholeAnswersUnderRandomEdits(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		blocks := sluicetest.RandomBlocks(r, sluicetest.OpenAIChat)
		body := sluicetest.BuildBody(sluicetest.OpenAIChat, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r})
		w := newWriter(seed%2 == 0)
		for i := range blocks {
			if r.IntN(3) > 0 {
				continue
			}
			with := [][]llm.Block{nil, {text("own")}, {call("", "own", "{}")}, {text("a"), call("", "b", "")}, {{Kind: llm.Refusal, Text: "no"}}}[r.IntN(5)]
			if err := w.Replace(stream.At{Block: i}, with...); err != nil {
				t.Fatal(err)
			}
		}
		a := feed(t, payloads(body))
		out, err := w.Write(nil, a.chunks[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateBody(sluicetest.OpenAIChat, out); err != nil {
			t.Fatalf("seed %d: %v\n%s\nof\n%s", seed, err, out, body)
		}
	}
}

// someAnswer returns the chunks of a legal stream.
func someAnswer(tb testing.TB, r *rand.Rand, id string) []*stream.Chunk {
	tb.Helper()
	choices := make([][]llm.Block, 1+r.IntN(5)/4)
	for i := range choices {
		choices[i] = sluicetest.RandomBlocks(r, sluicetest.OpenAIChat)
	}
	opt := sluicetest.BuildOptions{Rand: r, Usage: r.IntN(2) == 0, Quirks: sluicetest.Quirks(r.Uint32()), ID: id}
	if r.IntN(12) == 0 {
		opt.Error = "broken"
	}
	a := feed(tb, payloads(sluicetest.Build(sluicetest.OpenAIChat, choices, opt)...))
	if a.err != nil {
		tb.Fatal(a.err)
	}
	return a.chunks
}

func play(tb testing.TB, seed uint64, script []byte) {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 4))
	next := func(n int) int {
		if len(script) == 0 {
			return 0
		}
		b := script[0]
		script = script[1:]
		return int(b) % n
	}
	todo := someAnswer(tb, r, "one")
	w := newWriter(next(4) == 1)
	var out []byte
	var log []string
	var err error
	ours := []llm.Block{
		text("own"), call("", "own", "{}"), {Kind: llm.Refusal, Text: "no"}, {Kind: llm.Thinking, Text: "t", Signature: "s"},
		text(""), {Kind: llm.ToolCall, Type: "custom", Name: "c", Arguments: "x"},
	}
	note := func(what string, args ...any) { log = append(log, fmt.Sprintf(what, args...)) }
	for len(todo) > 0 {
		switch next(24) {
		case 1:
			note("leave out %d", todo[0].Seq)
			todo = todo[1:]
			continue
		case 2:
			if len(todo) > 1 {
				note("swap")
				todo[0], todo[1] = todo[1], todo[0]
			}
		case 3:
			note("repeat")
			todo = append([]*stream.Chunk{todo[0]}, todo...)
		case 4, 5:
			b := ours[next(len(ours))]
			out, err = w.Insert(out, 0, b)
			note("insert %s: %v", b.Kind, err)
		case 6, 7, 8:
			var with []llm.Block
			for range next(3) {
				with = append(with, ours[next(len(ours))])
			}
			block := next(8)
			note("replace %d by %v: %v", block, with, w.Replace(stream.At{Block: block}, with...))
		case 9:
			out = w.Keepalive(out)
		case 10:
			if next(3) == 1 {
				out, err = w.Continue(out)
				note("continue: %v", err)
				if err == nil {
					todo = someAnswer(tb, r, "two")
				}
			}
		case 11:
			if next(8) == 1 {
				out, err = w.Terminate(out)
				note("terminate: %v", err)
			}
		}
		note("write %d %s", todo[0].Seq, todo[0].Raw)
		out, err = w.Write(out, todo[0])
		if err != nil {
			note("%v", err)
		}
		if err != nil && !errors.Is(err, stream.ErrTerminated) && !errors.Is(err, stream.ErrGap) {
			tb.Errorf("unexpected error: %v", err)
		}
		todo = todo[1:]
	}
	before := len(out)
	if next(3) == 1 {
		out, err = w.Fail(out, errors.New("failed"))
	} else {
		out, err = w.Terminate(out)
	}
	if err != nil && len(out) != before {
		tb.Error("bytes after the end")
	}
	report := func(err error) {
		tb.Errorf("illegal: %v\n%s\nwrote\n%s", err, strings.Join(log, "\n"), out)
	}
	if err := sluicetest.ValidateOpenAIChat(out); err != nil {
		report(err)
	}
}

// FuzzReadRequest: nothing panics, spans are what they say, and an edit at a
// span changes nothing else.
func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(requestBody), "x\"y")
	f.Add([]byte(`{"messages":[{"role":"tool","content":[{"type":"text","text":"a"}]},{"content":null}],"tools":[{"type":"x","tools":[{}]}]}`), "")
	f.Fuzz(func(t *testing.T, body []byte, with string) {
		r, err := openaichat.ReadRequest(body)
		if err != nil {
			if bad := new(llm.RequestError); !errors.As(err, &bad) {
				t.Fatalf("%T", err)
			}
			return
		}
		for i := range r.Messages {
			for j := range r.Messages[i].Blocks {
				checkEdit(t, body, i, j, &r.Messages[i].Blocks[j], with)
			}
			if i > 4 {
				break
			}
		}
	})
}

func checkEdit(t *testing.T, body []byte, i, j int, b *llm.Block, with string) {
	t.Helper()
	if string(b.Span.In(body)) != string(b.Raw) {
		t.Fatalf("raw %s, span %s", b.Raw, b.Span.In(body))
	}
	if b.BodySpan.IsZero() {
		return
	}
	var e edit.Edits
	e.ReplaceString(b.BodySpan, with)
	out, err := e.Apply(nil, body)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out, body[:b.BodySpan.Start]) || !bytes.HasSuffix(out, body[b.BodySpan.End:]) || !json.Valid(out) {
		t.Fatalf("an edit of block %d/%d changed more:\n%s\n%s", i, j, body, out)
	}
	if _, err := openaichat.ReadRequest(out); err != nil {
		t.Fatalf("after an edit: %v", err)
	}
}
