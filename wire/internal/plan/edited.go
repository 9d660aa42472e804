package plan

import (
	"cmp"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Editable reports whether all edited events of a chunk may be edited: only the bodies
// of content and refusals. Calls and thinking are replaced as a whole or not at all.
func Editable(c *stream.Chunk) bool {
	for i := range c.Events {
		ev := &c.Events[i]
		if !ev.Edited {
			continue
		}
		switch ev.Type {
		case stream.EventStart, stream.EventDelta, stream.EventWhole:
		default:
			return false
		}
		if ev.Field != stream.Body || ev.Block < 0 || ev.Kind != llm.Content && ev.Kind != llm.Refusal {
			return false
		}
	}
	return true
}

// Change replaces a JSON value of a payload by another one.
type Change struct {
	At    llm.Span
	Value []byte
}

// Text returns the change that replaces a value by a text.
func Text(at llm.Span, text []byte) Change {
	return Change{At: at, Value: jsonscan.AppendStringBytes(nil, text)}
}

// Amend returns the chunk as it would be if the upstream had sent the changed values:
// another payload, and events with the spans of their values in it. It reports false if
// a change matches no value of the payload or two match one; the order of the changes
// does not matter. c itself stays unchanged.
func Amend(c *stream.Chunk, changes []Change) (*stream.Chunk, bool) {
	if len(changes) == 0 {
		return c, true
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.At.Start, b.At.Start) })
	raw := make([]byte, 0, len(c.Raw)+64)
	grown := make([]int, len(changes)+1) // growth before each change
	at := 0
	for i, change := range changes {
		if change.At.Start < at || change.At.End <= change.At.Start || change.At.End > len(c.Raw) {
			return nil, false
		}
		raw = append(append(raw, c.Raw[at:change.At.Start]...), change.Value...)
		at = change.At.End
		grown[i+1] = len(raw) - at
	}
	raw = append(raw, c.Raw[at:]...)
	d := *c
	d.Raw = raw
	d.Events = slices.Clone(c.Events)
	move := func(place int) int {
		n, _ := slices.BinarySearchFunc(changes, place, func(change Change, place int) int {
			return cmp.Compare(change.At.End, place+1)
		})
		return place + grown[n]
	}
	for i := range d.Events {
		span := &d.Events[i].Span
		*span = llm.Span{Start: move(span.Start), End: move(span.End)}
	}
	return &d, true
}
