package script

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// index reads what is in the brackets after a value and takes that of it.
func (r *reader) index(v *value) {
	limit, end := r.limit, int(r.tokens[r.i].Match)
	r.i++
	r.limit = min(limit, max(end, r.i))
	*v = r.indexed(*v)
	r.rest()
	r.i, r.limit = min(end+1, limit), limit
}

func (r *reader) indexed(v value) value {
	out := value{}
	out.taint(&v)
	from := ""
	if !r.peek(0).Is(":") && !r.peek(0).Is("::") {
		var key value
		if t := r.peek(0); t.Kind == lexer.Name && r.i+1 == r.limit && r.language == library.Perl && t.Sign() != '$' { // $h{name}
			r.i++
			key = text(t.Text)
		} else {
			key = r.expr(0)
		}
		if !r.peek(0).Is(":") && !r.peek(0).Is("::") {
			return r.item(v, key, out)
		}
		from = key.text
	}
	s, ok := v.known()
	if !ok || v.form != isString {
		if v.form == isList && r.peek(0).Is(":") {
			if n, err := strconv.Atoi(from); err == nil && 0 < n && n <= len(v.items()) && v.keys() == nil {
				return v.with(v.items()[n:], nil)
			}
			return v
		}
		return out
	}
	var written strings.Builder
	for r.i < r.limit && r.step() {
		written.WriteString(r.peek(0).Text)
		r.i++
		if written.Len() > 32 {
			return out
		}
	}
	slice := written.String()
	first, _ := strconv.Atoi(from)
	bounds := strings.SplitN(strings.ReplaceAll(slice, "::", ":0:"), ":", 3)
	if strings.HasPrefix(slice, "::") {
		bounds = []string{"", "", slice[2:]}
	}
	last := len(s)
	if len(bounds) > 1 && bounds[1] != "" && bounds[1] != "0" {
		n, err := strconv.Atoi(bounds[1])
		if err != nil {
			return out
		}
		last = n
	}
	return r.slice(s, first, last, bounds, out)
}

func (r *reader) slice(s string, first, last int, bounds []string, out value) value {
	if first < 0 {
		first = max(0, len(s)+first)
	}
	if last < 0 {
		last = max(0, len(s)+last)
	}
	first, last = min(first, len(s)), min(last, len(s))
	if first > last {
		return text("")
	}
	if !r.looks(last - first) {
		return out
	}
	s = s[first:last]
	step := 1
	if len(bounds) > 2 && bounds[2] != "" {
		n, err := strconv.Atoi(bounds[2])
		if err != nil || n == 0 {
			return out
		}
		step = n
	}
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
	switch v.form {
	case isRef:
		return r.itemOf(v, key)
	case isList:
		if s, ok := key.known(); ok {
			for i := range v.keys() {
				if v.keys()[i] == s && i < len(v.items()) {
					return v.items()[i]
				}
			}
			if key.form != isNum {
				break
			}
			if n, err := strconv.Atoi(s); err == nil {
				if n < 0 {
					n += len(v.items())
				}
				if 0 <= n && n < len(v.items()) {
					return v.items()[n]
				}
			}
		}
	case isString:
		if key.form != isNum || !isKnown(v.text) || len(v.or()) > 0 || r.language == library.Perl {
			break
		}
		if n, err := strconv.Atoi(key.text); err == nil {
			if n < 0 {
				n += len(v.text)
			}
			if 0 <= n && n < len(v.text) {
				otherwise.form, otherwise.text = isString, v.text[n:n+1]
			}
		}
	default: // nothing is known of its elements
	}
	return otherwise
}
