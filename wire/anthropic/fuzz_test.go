package anthropic_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/anthropic"
	"github.com/sluice-project/sluice/wire/edit"
)

// FuzzDecoder: any lines are read or refused, the state takes what the decoder
// says, the same bytes give the same events, and deltas that are cut in two
// give the same blocks.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte(strings.Join(twoCalls(), "\n")))
	f.Add([]byte(strings.Join([]string{msgStart, start(0, textBlock), textDelta(0, "a"), start(0, toolBlock), jsonDelta(0, `{"a":1}`), toolTurn, msgStop, "[DONE]"}, "\n")))
	f.Add([]byte(`{"type":"message","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"a","name":"b","input":{}}],"usage":{"input_tokens":1}}`))
	f.Add([]byte(`{"type":"error","error":{"type":"a","message":"b"}}`))
	f.Add([]byte(`{"type":"content_block_start","content_block":{"type":"hologram"}}` + "\n" + `{"type":"content_block_delta","delta":{"signature":"x"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		payloads := bytes.Split(data, []byte("\n"))
		first, second := feed(t, payloads), feed(t, payloads)
		if describe(first.state) != describe(second.state) || !slices.Equal(first.deviations, second.deviations) {
			t.Fatal("the same bytes were read in two ways")
		}
		if first.err != nil && !isExpected(first.err) {
			t.Fatalf("error %v", first.err)
		}
		for _, b := range first.state.Blocks() {
			if b.Status() == llm.Open {
				t.Fatal("a block is open after the end")
			}
		}
		cut := feed(t, cutDeltas(payloads))
		if describe(cut.state) != describe(first.state) {
			t.Fatalf("cut deltas give\n%s\nwant\n%s", describe(cut.state), describe(first.state))
		}
		if first.err == nil {
			checkWritten(t, first)
		}
	})
}

func isExpected(err error) bool {
	protocol, limit := new(stream.ProtocolError), new(stream.LimitError)
	return errors.As(err, &protocol) || errors.As(err, &limit) || errors.Is(err, stream.ErrIncomplete)
}

// cutDeltas cuts the text of every plain text delta in two.
func cutDeltas(payloads [][]byte) [][]byte {
	var out [][]byte
	for _, p := range payloads {
		value, span, ok := jsonscan.Get(p, "delta", "text")
		kind, _, _ := jsonscan.Get(p, "type")
		if !ok || len(value) < 5 || value[0] != '"' || bytes.ContainsAny(value, "\\\xed") || string(kind) != `"content_block_delta"` || jsonscan.Valid(p) != nil {
			out = append(out, p)
			continue
		}
		half := span[0] + len(value)/2
		out = append(out, slices.Concat(p[:half], []byte(`"`), p[span[1]:]), slices.Concat(p[:span[0]], []byte(`"`), p[half:]))
	}
	return out
}

// checkWritten checks that writers take what the decoder says.
func checkWritten(t *testing.T, a *answer) {
	t.Helper()
	for _, force := range []bool{false, true} {
		w := anthropic.NewWriter(stream.WriterOptions{Force: force})
		if _, err := write(w, a.chunks); err != nil {
			t.Fatalf("force %v: %v", force, err)
		}
	}
}

// FuzzReadRequest: any bytes are read or refused; every text can be replaced at
// its place, and nothing else changes.
func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(request))
	f.Add([]byte(`{"system":"s","messages":[{"role":"user","content":"hi"}]}`))
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"},{"type":"image"}]}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := anthropic.ReadRequest(body)
		if err != nil {
			if refused := new(llm.RequestError); !errors.As(err, &refused) {
				t.Fatalf("error %v", err)
			}
			return
		}
		var edits edit.Edits
		n := 0
		each(r, func(b *llm.Block) {
			if !jsonscanValid(b.Span, body) || !bytes.Equal(b.Raw, b.Span.In(body)) {
				t.Fatalf("the span of a block is not its JSON: %q", b.Span.In(body))
			}
			if b.BodySpan.IsZero() {
				return
			}
			text, ok := jsonscan.Unquote(nil, b.BodySpan.In(body))
			if !ok || string(text) != b.Text {
				t.Fatalf("the body span of a block is not its text: %q", b.BodySpan.In(body))
			}
			edits.ReplaceString(b.BodySpan, "redacted")
			n++
		})
		changed, err := edits.Apply(nil, body)
		if err != nil {
			t.Fatal(err)
		}
		again, err := anthropic.ReadRequest(changed)
		if err != nil {
			t.Fatalf("an edited request cannot be read: %v\n%s", err, changed)
		}
		redacted := 0
		each(again, func(b *llm.Block) {
			if !b.BodySpan.IsZero() && b.Text == "redacted" {
				redacted++
			}
		})
		if redacted != n {
			t.Fatalf("%d of %d texts were replaced", redacted, n)
		}
	})
}

func jsonscanValid(span llm.Span, body []byte) bool { return jsonscan.Valid(span.In(body)) == nil }

func each(r *llm.Request, f func(b *llm.Block)) {
	for i := range r.System {
		f(&r.System[i])
	}
	for i := range r.Messages {
		for j := range r.Messages[i].Blocks {
			f(&r.Messages[i].Blocks[j])
		}
	}
}
