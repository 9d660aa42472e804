package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// comprehension finds the "for" of a comprehension before the limit, 0 if there
// is none.
func (r *reader) comprehension() int {
	if r.language != library.Python {
		return 0
	}
	for at := r.i; at < r.limit && r.step(); at++ {
		if t := &r.tokens[at]; t.Match > 0 {
			at = int(t.Match)
		} else if t.Word("for") && at > r.i {
			return at
		} else if t.Is(",") && r.tokens[r.i].Kind != lexer.Operator {
			return 0
		}
	}
	return 0
}

// each reads a comprehension: its element for every item, if they are known.
func (r *reader) each(at int) value {
	start, end := r.i, r.limit
	r.i = at + 1
	names := r.targets()
	items := []value{{}}
	if r.peek(0).Word("in") {
		r.i++
		v := r.expr(1)
		switch {
		case v.form == isList && len(names) == 1 && len(v.items()) <= mostItems:
			items = v.items()
		case v.form == isString && len(names) == 1 && !strings.Contains(v.text, "*") && len(v.text) <= mostItems && isKnown(v.text):
			items = items[:0]
			for _, c := range v.text {
				items = append(items, text(string(c)))
			}
		default:
			items = nil
			r.spread(names, v)
		}
	}
	for r.i < end && r.step() { // further loops and conditions
		from := r.i
		if r.peek(0).Word("for") {
			r.i++
			more := r.targets()
			if r.peek(0).Word("in") {
				r.i++
				r.spread(more, r.expr(1))
			}
			names = append(names, more...)
			items = nil
		} else {
			condition := r.peek(0).Word("if")
			r.i++
			if condition {
				r.narrowsEach(names, end)
			}
			r.expr(1)
		}
		if r.i == from {
			r.i++
		}
	}
	if items == nil {
		r.i, r.limit = start, at
		v := r.expr(0)
		r.rest()
		r.limit = end
		if v.form != isString {
			out := value{}
			out.taint(&v)
			return out
		}
		if !strings.Contains(v.text, "*") { // several of it
			v = v.oneOf([]string{mark + "x" + mark})
		}
		return listOf(v)
	}
	var out []value
	for i := range items {
		if !r.step() {
			break
		}
		if len(names) == 1 {
			r.names[names[0]] = items[i]
		}
		r.i, r.limit = start, at
		out = append(out, r.expr(0))
		r.rest()
		r.limit = end
	}
	return listOf(out...)
}

// narrowsEach reads the condition of a comprehension, as far as it is about its
// own variables.
func (r *reader) narrowsEach(names []string, end int) {
	stop := r.conditionEnd(end)
	if stop < 0 {
		return
	}
	if name, v, not, ok := r.compared(r.i, stop); ok && !not && slices.Contains(names, name) {
		r.names[name] = v
	}
}

// rest reads what is left before the limit: the value of a map's key.
func (r *reader) rest() {
	for r.i < r.limit && r.step() {
		at := r.i
		r.expr(0)
		if r.i == at {
			r.i++
		}
	}
}
