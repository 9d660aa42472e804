package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Edits is a list of changes to one body, in any order. The zero value is empty and
// ready to use.
type Edits struct {
	list []change
}

type change struct {
	span  llm.Span
	value []byte
	what  what
}

// what is the kind of a change. For an insertion it says on which side its neighbour
// is, for the comma between them; the only element of its container has none.
type what uint8

const (
	replace what = iota
	remove
	before
	after
	alone
)

// Empty reports whether there are no changes.
func (e *Edits) Empty() bool { return len(e.list) == 0 }

// Reset removes all changes and keeps the memory.
func (e *Edits) Reset() { e.list = e.list[:0] }

// Replace replaces the span by raw JSON. raw is retained until Apply.
func (e *Edits) Replace(span llm.Span, raw []byte) {
	e.list = append(e.list, change{span: span, value: raw})
}

// ReplaceString replaces the span, which must be that of a whole value (quotes
// included), by text as a JSON string.
func (e *Edits) ReplaceString(span llm.Span, text string) {
	e.Replace(span, jsonscan.AppendString(nil, text))
}

// ReplaceInt replaces the span by a number.
func (e *Edits) ReplaceInt(span llm.Span, n int) {
	e.Replace(span, fmt.Appendf(nil, "%d", n))
}

// Remove removes an array element, or an object member (from the first byte of its key
// to the last of its value), with the comma that belongs to it. Neighbours can be
// removed in the same list.
func (e *Edits) Remove(span llm.Span) {
	e.list = append(e.list, change{span: span, what: remove})
}

// InsertBefore inserts raw, an element or a member, before the one at span. raw is
// retained until Apply.
func (e *Edits) InsertBefore(span llm.Span, raw []byte) {
	e.insert(span.Start, before, raw)
}

// InsertAfter inserts raw, an element or a member, after the one at span. raw is
// retained until Apply.
func (e *Edits) InsertAfter(span llm.Span, raw []byte) {
	e.insert(span.End, after, raw)
}

// InsertFirst inserts raw at the start of the object or array at span. raw is retained
// until Apply.
func (e *Edits) InsertFirst(body []byte, container llm.Span, raw []byte) {
	inside, ok := interior(body, container)
	if !ok {
		e.Replace(container, raw) // Apply will refuse it
		return
	}
	first := skipRight(body[:inside.End], inside.Start)
	if first == inside.End {
		e.insert(inside.Start, alone, raw)
		return
	}
	e.insert(first, before, raw)
}

// InsertLast inserts raw at the end of the object or array at span. raw is retained
// until Apply.
func (e *Edits) InsertLast(body []byte, container llm.Span, raw []byte) {
	inside, ok := interior(body, container)
	if !ok {
		e.Replace(container, raw) // Apply will refuse it
		return
	}
	last := inside.Start + len(bytes.TrimRight(inside.In(body), space))
	if last == inside.Start {
		e.insert(last, alone, raw)
		return
	}
	e.insert(last, after, raw)
}

// interior is the span between the brackets of a container.
func interior(body []byte, container llm.Span) (llm.Span, bool) {
	inside := llm.Span{Start: container.Start + 1, End: container.End - 1}
	return inside, container.Start >= 0 && container.End <= len(body) && inside.Start <= inside.End
}

func (e *Edits) insert(at int, side what, raw []byte) {
	e.list = append(e.list, change{span: llm.Span{Start: at, End: at}, value: raw, what: side})
}

// Apply appends the changed body to dst. Overlapping changes and spans outside this
// body are an error; dst is then returned unchanged. Insertions at one position keep
// the order in which they were made, and replace their neighbour if that is removed.
func (e *Edits) Apply(dst, body []byte) ([]byte, error) {
	slices.SortStableFunc(e.list, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End, b.span.End))
	})
	start, at, end := len(dst), 0, 0
	for i := 0; i < len(e.list); {
		group, n, err := e.group(body, i, end)
		if err != nil {
			return dst[:start], err
		}
		// A comma that one group removed cannot be removed by the next.
		from := max(group.span.Start, at)
		dst = append(dst, body[at:from]...)
		dst = append(dst, group.value...)
		at, end = group.span.End, e.list[i+n-1].span.End
		i += n
	}
	return append(dst, body[at:]...), nil
}

// group merges the change at i with the following ones that share its commas:
// insertions at one position, and adjacent removals with the insertions next to them.
// end is the end of the previous change.
func (e *Edits) group(body []byte, i, end int) (change, int, error) {
	c := e.list[i]
	if err := e.check(body, i, end); err != nil || c.what == replace {
		return c, 1, err
	}
	var inserted [][]byte
	side := c.what
	removed := false
	n := 0
	for ; i+n < len(e.list); n++ {
		next := e.list[i+n]
		if n > 0 && !e.joins(body, i+n, removed) {
			break
		}
		if n > 0 {
			if err := e.check(body, i+n, c.span.End); err != nil {
				return c, 1, err
			}
		}
		c.span.End = next.span.End
		if next.what == remove {
			if !removed && n > 0 {
				// An insertion before it replaces it.
				c.span.Start = next.span.Start
			}
			removed = true
			continue
		}
		inserted = append(inserted, next.value)
	}
	c.value = bytes.Join(inserted, []byte{','})
	switch {
	case removed && len(inserted) == 0:
		c.span = withComma(body, c.span)
	case removed:
	case side == before:
		c.value = append(c.value, ',')
	case side == after:
		c.value = append([]byte{','}, c.value...)
	}
	return c, n, nil
}

// joins reports whether the change at i belongs to the group of the previous one.
func (e *Edits) joins(body []byte, i int, removed bool) bool {
	last, next := e.list[i-1], e.list[i]
	switch {
	case next.what == replace || last.what == replace:
		return false
	case last.span.End == next.span.Start:
		// An insertion at the position of another, next to a removed neighbour, or a
		// removal after an insertion before it.
		return next.what != remove || last.what == before
	case next.what == after || last.what == before:
		return false
	}
	// Between two removed neighbours there is only a comma. An insertion before a
	// remaining neighbour is not part of the group.
	return removed && separated(body, last.span.End, next.span.Start) && (next.what == remove || e.removes(i))
}

// removes reports whether the neighbour after the insertion at i is removed.
func (e *Edits) removes(i int) bool {
	for at := e.list[i].span.Start; i < len(e.list) && e.list[i].span.Start == at; i++ {
		if e.list[i].what == remove {
			return true
		}
	}
	return false
}

func (e *Edits) check(body []byte, i, end int) error {
	span := e.list[i].span
	if span.Start < end || span.End < span.Start || span.End > len(body) {
		return fmt.Errorf("edit: change at bytes %d to %d overlaps another one or is outside the body of %d bytes",
			span.Start, span.End, len(body))
	}
	return nil
}

// withComma extends the span of a removal by the comma that goes with it.
func withComma(body []byte, span llm.Span) llm.Span {
	if left := len(bytes.TrimRight(body[:span.Start], space)); left > 0 && body[left-1] == ',' {
		span.Start = left - 1
	} else if right := skipRight(body, span.End); right < len(body) && body[right] == ',' {
		span.End = skipRight(body, right+1)
	}
	return span
}

// separated reports whether there is nothing but one comma between two offsets.
func separated(body []byte, from, to int) bool {
	return from <= to && to <= len(body) && string(bytes.Trim(body[from:to], space)) == ","
}

const space = " \t\r\n"

// skipRight returns the offset of the first byte from i on that is not white space.
func skipRight(body []byte, i int) int {
	return len(body) - len(bytes.TrimLeft(body[i:], space))
}
