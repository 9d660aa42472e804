package script

import (
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// defines reads the definition of a function. Its body is read when it is
// called, or in the end.
func (r *reader) defines() bool {
	if r.peek(1).Kind != lexer.Name || r.language == library.R {
		return false
	}
	if r.language == library.Ruby || r.language == library.Lua {
		r.i += 2
		for r.peek(0).Is(".") || r.peek(0).Is(":") {
			r.i += 2
		}
		if r.peek(0).Is("(") {
			r.i = min(r.limit, int(r.tokens[r.i].Match)+1)
		}
		return true
	}
	def := r.i
	name := r.peek(1).Text
	r.i += 2
	f := &function{tokens: r.tokens, params: make([]string, 0, 4)}
	if r.peek(0).Is("(") {
		end := min(r.limit, int(r.tokens[r.i].Match))
		for r.i++; r.i < end && r.step(); {
			if t := r.peek(0); t.Kind == lexer.Name && (r.language == library.Python || t.Sign() == '$') {
				f.params = append(f.params, t.Text)
			}
			for r.i < end && !r.peek(0).Is(",") && r.step() {
				if m := r.tokens[r.i].Match; m > 0 {
					r.i = int(m)
				}
				r.i++
			}
			r.i++
		}
		r.i = min(r.limit, end+1)
	}
	f.from, f.to = r.body(def)
	if len(f.params) > 0 && f.params[0] == "self" || len(f.params) > 0 && f.params[0] == "cls" {
		f.params = f.params[1:]
	}
	r.functions[name] = f
	r.i = f.to
	return true
}

// body finds the tokens of the function that began at def.
func (r *reader) body(def int) (from, to int) {
	if r.language != library.Python {
		for r.i < r.limit && !r.peek(0).Is("{") && !r.peek(0).Is(";") && r.step() {
			r.i++
		}
		if !r.peek(0).Is("{") {
			return r.i, r.i
		}
		return r.i + 1, min(r.limit, int(r.tokens[r.i].Match))
	}
	for r.i < r.limit && !r.peek(0).Is(":") && r.step() {
		r.i++
	}
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
