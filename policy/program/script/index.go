package script

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
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
	out := madeBy(&v)
	var bounds [3]string
	part := 0
	for r.i < r.limit && r.step() {
		t := r.peek(0)
		if t.Is(":") || t.Is("::") {
			part += len(t.Text)
			r.i++
			continue
		}
		var key value
		if at := r.i; t.Kind == lexer.Name && r.i+1 == r.limit && r.language == library.Perl && t.Sign() != '$' { // $h{name}
			r.i++
			key = text(t.Text)
		} else if key = r.expr(0); r.i == at {
			r.i++
		}
		if part == 0 && !r.peek(0).Is(":") && !r.peek(0).Is("::") {
			return r.item(v, key, out)
		}
		if part < len(bounds) {
			bounds[part] = key.text
		}
	}
	s, ok := v.known()
	first, err := bound(bounds[0], 0, len(s))
	last, err2 := bound(bounds[1], len(s), len(s))
	step, err3 := bound(bounds[2], 1, 0)
	switch {
	case v.form == isList:
		if n, err := strconv.Atoi(bounds[0]); err == nil && 0 < n && n <= len(v.items()) && v.keys() == nil {
			return v.with(v.items()[n:], nil)
		}
		return v
	case !ok || v.form != isString || err != nil || err2 != nil || err3 != nil || step == 0 || !r.looks(max(0, last-first)):
		return out
	}
	s = s[min(first, last):last]
	if step != 1 {
		s = stepped(s, step)
	}
	out.form, out.text = isString, r.made(s)
	return out
}

// stepped takes every n-th letter, from the end if n is negative.
func stepped(s string, n int) string {
	letters := []rune(s)
	var b strings.Builder
	if n < 0 {
		for i := len(letters) - 1; i >= 0; i += n {
			b.WriteRune(letters[i])
		}
		return b.String()
	}
	for i := 0; i < len(letters); i += n {
		b.WriteRune(letters[i])
	}
	return b.String()
}

// item is an element of a list or map, or a variable of the environment.
func (r *reader) item(v, key, otherwise value) value {
	s, ok := key.known()
	n, err := strconv.Atoi(s)
	numbered := ok && err == nil && key.form == isNum
	switch v.form {
	case isRef:
		return r.itemOf(v, key)
	case isList:
		for i := range v.keys() {
			if ok && v.keys()[i] == s && i < len(v.items()) {
				return v.items()[i]
			}
		}
		if n < 0 {
			n += len(v.items())
		}
		if numbered && 0 <= n && n < len(v.items()) {
			return v.items()[n]
		}
	case isString:
		if n < 0 {
			n += len(v.text)
		}
		if numbered && isKnown(v.text) && len(v.or()) == 0 && r.language != library.Perl && 0 <= n && n < len(v.text) {
			otherwise.form, otherwise.text = isString, v.text[n:n+1]
		}
	default: // nothing is known of its elements
	}
	return otherwise
}

// bound is a place in a text as it is written, from the end if it is negative.
func bound(written string, without, size int) (int, error) {
	if written == "" {
		return without, nil
	}
	n, err := strconv.Atoi(written)
	if size > 0 {
		if n < 0 {
			n = max(0, size+n)
		}
		n = min(n, size)
	}
	return n, err
}
