package openaichat

import (
	"bytes"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// rebuild changes members of one object. Other members keep their bytes and their
// order; an object without changes is returned as it is.
type rebuild struct {
	raw     []byte
	members []member
	// same is the original object, nil if there was none.
	same    []byte
	values  map[string][]byte // nil value: removed
	added   [][]byte          // whole members
	changed bool
}

// set sets a member unless it already has an equal value.
func (r *rebuild) set(name string, value []byte) {
	m := find(r.members, name)
	if m == nil {
		r.added = append(r.added, append(append(jsonscan.AppendString(nil, name), ':'), value...))
		return
	}
	if old := m.value.In(r.raw); bytes.Equal(old, value) || sameString(old, value) {
		return
	}
	r.change(name, value)
}

// put sets a member, even if it was removed before.
func (r *rebuild) put(name string, value []byte) {
	if find(r.members, name) == nil {
		r.set(name, value)
		return
	}
	r.change(name, value)
}

// remove takes a member out.
func (r *rebuild) remove(name string) {
	if find(r.members, name) != nil {
		r.change(name, nil)
	}
}

func (r *rebuild) change(name string, value []byte) {
	if r.values == nil {
		r.values = make(map[string][]byte)
	}
	r.values[name] = value
	r.changed = true
}

// bytes returns the object.
func (r *rebuild) bytes() []byte {
	if r.same != nil && !r.changed && len(r.added) == 0 {
		return r.same
	}
	out := []byte{'{'}
	comma := func() {
		if len(out) > 1 {
			out = append(out, ',')
		}
	}
	for i := range r.members {
		m := &r.members[i]
		value, changed := r.values[m.name]
		switch {
		case !changed:
			comma()
			out = append(out, m.span.In(r.raw)...)
		case value != nil:
			comma()
			out = append(out, r.raw[m.span.Start:m.value.Start]...)
			out = append(out, value...)
		}
	}
	for _, m := range r.added {
		comma()
		out = append(out, m...)
	}
	return append(out, '}')
}

// sameString reports whether two JSON strings are equal after unescaping.
func sameString(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 || a[0] != '"' || b[0] != '"' {
		return false
	}
	x, okX := jsonscan.Unquote(nil, a)
	y, okY := jsonscan.Unquote(nil, b)
	return okX && okY && bytes.Equal(x, y)
}

// array writes the elements of a list.
func array(elements [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(elements, []byte{','})...), ']')
}

func number(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }
