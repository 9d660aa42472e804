package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// comprehension finds the "for" of a comprehension before the limit, 0 if there
// is none.
func (r *reader) comprehension() int {
	if r.language != library.Python {
		return 0
	}
	for at := r.i; at < r.limit && r.Step(); at++ {
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
	r.i = at
	var names []string
	var items []value
	for first := true; r.i < end && r.Step(); first = false { // loops and conditions
		from, word := r.i, r.peek(0)
		r.i++
		switch {
		case word.Word("for"):
			more := r.targets()
			names, items = append(names, more...), nil
			if !r.peek(0).Word("in") {
				if first { // once, with what nobody knows
					items = []value{{}}
				}
				break
			}
			r.i++
			v := r.expr(1)
			if first && len(more) == 1 {
				items = r.known(&v)
			}
			if items == nil {
				r.spread(more, v)
			}
		case word.Word("if"): // as far as it is about its own variables
			if stop := r.conditionEnd(end); stop >= 0 {
				if name, v, not, ok := r.compared(r.i, stop); ok && !not && slices.Contains(names, name) {
					r.names[name] = v
				}
			}
			r.expr(1)
		default:
			r.expr(1)
		}
		r.i = max(r.i, from+1)
	}
	result := func() value {
		r.i, r.limit = start, at
		v := r.expr(0)
		r.rest()
		r.limit = end
		return v
	}
	if items == nil {
		v := result()
		if v.Form != values.IsText {
			return values.MadeBy(&v)
		}
		if !strings.Contains(v.Text, "*") { // several of it
			v = v.OneOf([]string{values.Mark + "x" + values.Mark})
		}
		return values.List(v)
	}
	var out []value
	for i := range items {
		if !r.Step() {
			break
		}
		if len(names) == 1 {
			r.names[names[0]] = items[i]
		}
		out = append(out, result())
	}
	return values.List(out...)
}

// rest reads what is left before the limit: the value of a map's key.
func (r *reader) rest() {
	for r.i < r.limit && r.Step() {
		at := r.i
		r.expr(0)
		if r.i == at {
			r.i++
		}
	}
}

// known are the items of a list, or the letters of a text, nil if they are not known.
func (r *reader) known(v *value) []value {
	switch {
	case v.Form == values.IsList && len(v.Items()) <= values.MostItems:
		return append([]value{}, v.Items()...)
	case v.Form == values.IsText && !strings.Contains(v.Text, "*") && len(v.Text) <= values.MostItems && values.IsKnown(v.Text):
		return append([]value{}, values.Texts(strings.Split(v.Text, "")).Items()...)
	}
	return nil
}
