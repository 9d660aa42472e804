package openaichat_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openaichat"
	"github.com/sluice-project/sluice/wire/sse"
)

// answer is what came of a stream.
type answer struct {
	state      *stream.State
	deviations []string
	chunks     []*stream.Chunk
	err        error
}

// event is a payload with its event name.
type event struct{ name, data string }

func payloads(lines ...string) []event {
	list := make([]event, len(lines))
	for i, l := range lines {
		list[i].data = l
	}
	return list
}

// feed decodes payloads to their end. An error of the decoder ends it; an error
// of the state is a fault of the decoder.
func feed(tb testing.TB, events []event) *answer {
	tb.Helper()
	d := openaichat.NewDecoder()
	a := &answer{state: stream.NewState(stream.Limits{})}
	var c stream.Chunk
	for _, e := range events {
		c.Raw, c.Name = []byte(e.data), e.name
		if a.err = d.Decode(&c); a.err != nil {
			a.state.Cut()
			break
		}
		if !a.apply(tb, &c) {
			break
		}
	}
	if a.err == nil {
		c.Raw, c.Name = nil, ""
		if a.err = d.End(&c); a.err != nil {
			a.state.Cut()
		} else {
			a.apply(tb, &c)
		}
	}
	for _, n := range d.Deviations() {
		a.deviations = append(a.deviations, n.Code)
	}
	slices.Sort(a.deviations)
	return a
}

func (a *answer) apply(tb testing.TB, c *stream.Chunk) bool {
	tb.Helper()
	if err := a.state.Apply(c); err != nil {
		if limit := new(stream.LimitError); !errors.As(err, &limit) {
			tb.Fatalf("the state refuses what the decoder says: %v", err)
		}
		a.err = err
		return false
	}
	a.chunks = append(a.chunks, c.Clone())
	return true
}

// describe writes the blocks of an answer, one per line, with the finish of
// each choice: what tables compare.
func describe(s *stream.State) string {
	var b strings.Builder
	for _, c := range s.Choices() {
		if c.Index() != 0 {
			fmt.Fprintf(&b, "choice %d\n", c.Index())
		}
		for _, block := range c.Blocks() {
			b.WriteString(describeBlock(block))
		}
		if c.Finished() {
			fmt.Fprintf(&b, "finish %s %s", c.FinishReason(), c.Finish())
			if c.Inferred() {
				b.WriteString(" inferred")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func describeBlock(block *stream.Block) string {
	var b strings.Builder
	b.WriteString(block.Kind().String())
	if block.Kind() == llm.ToolCall {
		fmt.Fprintf(&b, " %s %s", block.ID(), block.Name())
	}
	fmt.Fprintf(&b, " %q", block.Text())
	if block.Signature() != "" {
		fmt.Fprintf(&b, " signed %s", block.Signature())
	}
	if block.Status() != llm.Complete {
		fmt.Fprintf(&b, " %s", block.Status())
	}
	b.WriteString("\n")
	return b.String()
}

// unframe reads what a writer wrote.
func unframe(tb testing.TB, out []byte) []event {
	tb.Helper()
	r := sse.NewReader(bytes.NewReader(out), sse.Options{})
	var list []event
	for {
		ev, err := r.Next()
		if err != nil {
			if err.Error() != "EOF" {
				tb.Fatalf("what was written cannot be read: %v\n%s", err, out)
			}
			return list
		}
		if ev.Comment != nil {
			continue
		}
		list = append(list, event{string(ev.Name), string(ev.Data)})
	}
}
