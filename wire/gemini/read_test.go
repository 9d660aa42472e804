package gemini

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/sse"
)

// answer is what a decoder and the state made of payloads.
type answer struct {
	state *stream.State
	err   error
	notes []string
}

// read decodes payloads and ends.
func read(tb testing.TB, lines ...string) *answer {
	tb.Helper()
	d := NewDecoder()
	a := &answer{state: stream.NewState(stream.Limits{})}
	var c stream.Chunk
	for _, line := range lines {
		c.Raw, c.Name = []byte(line), ""
		if a.err = d.Decode(&c); a.err != nil {
			return a
		}
		if err := a.state.Apply(&c); err != nil {
			tb.Fatalf("the state refused %s: %v", line, err)
		}
	}
	a.err = d.End(&c)
	if err := a.state.Apply(&c); err != nil {
		tb.Fatalf("the state refused the end: %v", err)
	}
	if a.err != nil {
		a.state.Cut()
	}
	for _, n := range d.Deviations() {
		a.notes = append(a.notes, n.Code)
	}
	return a
}

// summary is the kinds of the blocks of all choices and their finishes.
func (a *answer) summary() string {
	var words []string
	for _, c := range a.state.Choices() {
		for _, b := range c.Blocks() {
			words = append(words, b.Kind().String())
		}
		if c.FinishReason() != "" {
			words = append(words, c.FinishReason())
		}
	}
	if e := a.state.Err(); e != nil {
		words = append(words, e.Type)
	}
	return strings.Join(words, " ")
}

// blocks is the blocks of a choice in short form.
func (a *answer) blocks(choice int) string {
	var b strings.Builder
	for _, block := range a.state.Choice(choice).Blocks() {
		v := block.Value()
		fmt.Fprintf(&b, "%s", v.Kind)
		for _, s := range []struct{ name, value string }{
			{"id", v.ID}, {"name", v.Name}, {"for", v.ToolUseID}, {"sig", v.Signature},
		} {
			if s.value != "" {
				fmt.Fprintf(&b, " %s=%s", s.name, s.value)
			}
		}
		if body := v.Text + v.Arguments; body != "" {
			fmt.Fprintf(&b, " %s", body)
		}
		if v.Status != llm.Complete {
			fmt.Fprintf(&b, " (%s)", v.Status)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// unframe returns the payloads of a stream.
func unframe(tb testing.TB, out []byte) []string {
	tb.Helper()
	var lines []string
	r := sse.NewReader(strings.NewReader(string(out)), sse.Options{})
	for {
		ev, err := r.Next()
		if err != nil {
			return lines
		}
		lines = append(lines, string(ev.Data))
	}
}

func decodeAll(tb testing.TB, lines []string) []*stream.Chunk {
	tb.Helper()
	d := NewDecoder()
	var chunks []*stream.Chunk
	for _, line := range lines {
		c := &stream.Chunk{Raw: []byte(line)}
		if err := d.Decode(c); err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		chunks = append(chunks, c.Clone())
	}
	c := &stream.Chunk{}
	if err := d.End(c); err != nil {
		return chunks
	}
	return append(chunks, c.Clone())
}
