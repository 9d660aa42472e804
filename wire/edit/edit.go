package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Edits is a list of changes to one body, in any order. The zero value is
// empty and ready.
type Edits struct {
	list []change
}

type change struct {
	span  llm.Span
	value []byte
	what  what
}

// what a change is. An insertion says on which side its neighbour stands, for
// the comma between them; one that is alone in its container has none.
type what uint8

const (
	replace what = iota
	remove
	before
	after
	alone
)

// Empty reports whether there is nothing to change.
func (e *Edits) Empty() bool { return len(e.list) == 0 }

// Reset forgets all changes and keeps the memory.
func (e *Edits) Reset() { e.list = e.list[:0] }

// Replace puts raw JSON in the place of the span. raw is kept until Apply.
func (e *Edits) Replace(span llm.Span, raw []byte) {
	e.list = append(e.list, change{span: span, value: raw})
}

// ReplaceString puts text as a JSON string in the place of the span, which must
// be that of a whole value (quotes included).
func (e *Edits) ReplaceString(span llm.Span, text string) {
	e.Replace(span, jsonscan.AppendString(nil, text))
}

// ReplaceInt puts a number in the place of the span.
func (e *Edits) ReplaceInt(span llm.Span, n int) {
	e.Replace(span, fmt.Appendf(nil, "%d", n))
}

// Remove takes an array element, or an object member (from the first byte of
// its key to the last of its value), out together with the comma it no longer
// needs. Neighbours can be removed in the same list.
func (e *Edits) Remove(span llm.Span) {
	e.list = append(e.list, change{span: span, what: remove})
}

// InsertBefore puts raw, an element or a member, before the one at span. raw is
// kept until Apply.
func (e *Edits) InsertBefore(span llm.Span, raw []byte) {
	e.insert(span.Start, before, raw)
}

// InsertAfter puts raw, an element or a member, after the one at span. raw is
// kept until Apply.
func (e *Edits) InsertAfter(span llm.Span, raw []byte) {
	e.insert(span.End, after, raw)
}

// InsertFirst puts raw in the first place of the object or array at span. raw is
// kept until Apply.
func (e *Edits) InsertFirst(body []byte, container llm.Span, raw []byte) {
	inside, ok := interior(body, container)
	if !ok {
		e.Replace(container, raw) // for Apply to refuse
		return
	}
	first := skipRight(body[:inside.End], inside.Start)
	if first == inside.End {
		e.insert(inside.Start, alone, raw)
		return
	}
	e.insert(first, before, raw)
}

// InsertLast puts raw in the last place of the object or array at span. raw is
// kept until Apply.
func (e *Edits) InsertLast(body []byte, container llm.Span, raw []byte) {
	inside, ok := interior(body, container)
	if !ok {
		e.Replace(container, raw) // for Apply to refuse
		return
	}
	last := inside.Start + len(bytes.TrimRight(inside.In(body), space))
	if last == inside.Start {
		e.insert(last, alone, raw)
		return
	}
	e.insert(last, after, raw)
}

// interior is what stands between the brackets of a container.
func interior(body []byte, container llm.Span) (llm.Span, bool) {
	inside := llm.Span{Start: container.Start + 1, End: container.End - 1}
	return inside, container.Start >= 0 && container.End <= len(body) && inside.Start <= inside.End
}

func (e *Edits) insert(at int, side what, raw []byte) {
	e.list = append(e.list, change{span: llm.Span{Start: at, End: at}, value: raw, what: side})
}

// Apply appends the changed body to dst. Changes that overlap, or spans that are
// not of this body, are an error; then dst comes back as it was. Insertions at
// one place keep the order in which they were asked for, and take the place of
// their neighbour if that is removed.
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
		// A comma that one group took away cannot be taken by the next.
		from := max(group.span.Start, at)
		dst = append(dst, body[at:from]...)
		dst = append(dst, group.value...)
		at, end = group.span.End, e.list[i+n-1].span.End
		i += n
	}
	return append(dst, body[at:]...), nil
}

// group returns the change at i joined with those after it that share its commas:
// insertions at one place, and removals side by side with the insertions that
// stand next to them. end is where the change before ended.
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
				// What was inserted before it takes its place.
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

// joins reports whether the change at i belongs to the group of the one before it.
func (e *Edits) joins(body []byte, i int, removed bool) bool {
	last, next := e.list[i-1], e.list[i]
	switch {
	case next.what == replace || last.what == replace:
		return false
	case last.span.End == next.span.Start:
		// An insertion at the place of another, next to a removed neighbour, or a
		// removal that follows what is inserted before it.
		return next.what != remove || last.what == before
	case next.what == after || last.what == before:
		return false
	}
	// From one removed neighbour to the next there is only a comma. An insertion
	// before a neighbour that stays is not part of the group.
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

// withComma widens the span of what is removed by the comma that goes with it.
func withComma(body []byte, span llm.Span) llm.Span {
	if left := len(bytes.TrimRight(body[:span.Start], space)); left > 0 && body[left-1] == ',' {
		span.Start = left - 1
	} else if right := skipRight(body, span.End); right < len(body) && body[right] == ',' {
		span.End = skipRight(body, right+1)
	}
	return span
}

// separated reports whether nothing but one comma stands between two places.
func separated(body []byte, from, to int) bool {
	return from <= to && to <= len(body) && string(bytes.Trim(body[from:to], space)) == ","
}

const space = " \t\r\n"

// skipRight returns the place of the first byte from i on that is not space.
func skipRight(body []byte, i int) int {
	return len(body) - len(bytes.TrimLeft(body[i:], space))
}
