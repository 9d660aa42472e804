package script

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// defines reads the definition of a function. Its body is read when it is
// called, or in the end.
func (r *reader) defines() bool {
	if r.peek(1).Kind != lexer.Name || r.language == library.R {
		return false
	}
	def, name := r.i, r.peek(1).Text
	r.i += 2
	if r.language == library.Ruby || r.language == library.Lua {
		for r.peek(0).Is(".") || r.peek(0).Is(":") {
			r.i += 2
		}
		if r.peek(0).Is("(") {
			r.i = min(r.limit, int(r.tokens[r.i].Match)+1)
		}
		return true
	}
	f := &function{tokens: r.tokens, params: make([]string, 0, 4)}
	if r.peek(0).Is("(") {
		end := min(r.limit, int(r.tokens[r.i].Match))
		for r.i++; r.i < end && r.step(); r.i++ {
			t := r.peek(0)
			if t.Kind == lexer.Name && (r.language == library.Python || t.Sign() == '$') && !(len(f.params) == 0 && (t.Text == "self" || t.Text == "cls")) {
				f.params = append(f.params, t.Text)
			}
			r.skipTo(end, ",")
		}
		r.i = min(r.limit, end+1)
	}
	f.from, f.to = r.bodyOf(def)
	r.functions[name] = f
	r.i = f.to
	return true
}

// skipTo goes to the next of some signs before an end, over what is in brackets.
func (r *reader) skipTo(end int, signs ...string) {
	for ; r.i < end && r.step(); r.i++ {
		t := &r.tokens[r.i]
		if t.Kind == lexer.Operator && slices.Contains(signs, t.Text) {
			return
		}
		if t.Match > 0 && signs[0] == "," {
			r.i = int(t.Match)
		}
	}
}

// bodyOf finds the tokens of the function that began at def.
func (r *reader) bodyOf(def int) (from, to int) {
	if r.language != library.Python {
		if r.skipTo(r.limit, "{", ";"); !r.peek(0).Is("{") {
			return r.i, r.i
		}
		return r.i + 1, min(r.limit, int(r.tokens[r.i].Match))
	}
	r.skipTo(r.limit, ":")
	r.i = min(r.i+1, r.limit)
	column := r.tokens[def].Column
	if !r.tokens[def].First {
		column = r.column
	}
	for at := r.i; at < r.limit && r.step(); at++ {
		if t := &r.tokens[at]; t.First && t.Column <= column && t.Kind != lexer.Line {
			return r.i, at
		}
	}
	return r.i, r.limit
}
