package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
)

// tooLong stands for a text that was not made.
const tooLong = mark + "long" + mark

// perItem is what looking at an item of a list costs, in bytes of a text.
const perItem = 32

// looks counts the bytes of texts, or perItem for each item of lists, that one
// expression looks at, and reports whether it may. Without it a short program
// could have a long text decoded again and again.
func (r *reader) looks(size int) bool {
	if r.work -= size; r.work < 0 {
		r.refuse("bytes")
	}
	return r.work >= 0
}

// makes counts the bytes of a new text and reports whether it may be made.
func (r *reader) makes(size int) bool {
	r.bytes -= size
	if r.bytes < 0 || size > mostText {
		r.refuse("bytes")
		return false
	}
	return true
}

// made is a new text. Beyond what may be made it is not known.
func (r *reader) made(s string) string {
	if !r.makes(len(s)) {
		return tooLong
	}
	return s
}

// glue is one text after the other.
func (r *reader) glue(a, b string) string {
	if !r.makes(len(a) + len(b)) {
		return tooLong
	}
	return a + b
}

// refuse notes a limit that was reached.
func (r *reader) refuse(limit string) {
	if !slices.Contains(r.unread, limit) {
		r.unread = append(r.unread, limit)
		r.uses = append(r.uses, library.Use{What: library.Unread, Text: limit})
	}
}

// step counts work and reports whether more may be done.
func (r *reader) step() bool {
	if r.steps--; r.steps < 0 {
		r.refuse("steps")
		r.i = r.limit
	}
	return r.steps >= 0
}
