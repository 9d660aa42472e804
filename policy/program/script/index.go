package script

import (
	"strconv"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// index reads the subscript after a value and replaces the value by the element that it
// selects.
func (r *reader) index(v *value) {
	r.bracketed(1, func() {
		*v = r.indexed(*v)
		r.rest()
	})
}

// indexed is an element of a value, or a part of it: v[key], v[from:to:step].
func (r *reader) indexed(v value) value {
	out := values.MadeBy(&v)
	var bounds [3]string
	part := 0
	for r.i < r.limit && r.Step() {
		t := r.peek(0)
		if t.Is(":") || t.Is("::") {
			part += len(t.Text)
			r.i++
			continue
		}
		var key value
		if at := r.i; t.Kind == lexer.Name && r.i+1 == r.limit && r.language == library.Perl && t.Sign() != '$' { // $h{name}
			r.i++
			key = values.Text(t.Text)
		} else if key = r.expr(0); r.i == at {
			r.i++
		}
		if part == 0 && !r.peek(0).Is(":") && !r.peek(0).Is("::") {
			return r.item(v, key, out)
		}
		if part < len(bounds) {
			bounds[part] = key.Text
		}
	}
	s, ok := v.Known()
	first, err := bound(bounds[0], 0, len(s))
	last, err2 := bound(bounds[1], len(s), len(s))
	step, err3 := bound(bounds[2], 1, unbounded)
	switch {
	case v.Form == values.IsList:
		if n, err := strconv.Atoi(bounds[0]); err == nil && 0 < n && n <= len(v.Items()) && v.Keys() == nil {
			return v.With(v.Items()[n:], nil)
		}
		return v
	case !ok || v.Form != values.IsText || err != nil || err2 != nil || err3 != nil || step == 0 || !r.Looks(max(0, last-first)):
		return out
	}
	s = s[min(first, last):last]
	if step != 1 {
		s = values.Stepped(s, step)
	}
	out.Form, out.Text = values.IsText, r.Made(s)
	return out
}

// item is an element of a list or map, or a variable of the environment.
func (r *reader) item(v, key, otherwise value) value {
	s, ok := key.Known()
	n, err := strconv.Atoi(s)
	numbered := ok && err == nil && key.Form == values.IsNumber
	switch v.Form {
	case values.IsName:
		return r.itemOf(v, key)
	case values.IsList:
		for i := range v.Keys() {
			if ok && v.Keys()[i] == s && i < len(v.Items()) {
				return v.Items()[i]
			}
		}
		if item, is := v.At(n); is && numbered {
			return item
		}
	case values.IsText:
		if letter, is := v.At(n); is && numbered && r.language != library.Perl {
			return letter.MadeOf(otherwise.Origin())
		}
	default: // nothing is known of its elements
	}
	return otherwise
}

// unbounded is the size of what has none.
const unbounded = -1

// bound is a place in a text as it is written, from the end if it is negative.
func bound(written string, without, size int) (int, error) {
	if written == "" {
		return without, nil
	}
	n, err := strconv.Atoi(written)
	if size != unbounded {
		if n < 0 {
			n = max(0, size+n)
		}
		n = min(n, size)
	}
	return n, err
}
