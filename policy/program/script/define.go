package script

import "github.com/sluice-project/sluice/policy/program/library"

// defines reads the definition of a function. Its body is read when it is
// called, or in the end.
func (r *reader) defines() bool {
	if r.peek(1).kind != isName || r.language == library.R {
		return false
	}
	if r.language == library.Ruby || r.language == library.Lua {
		r.i += 2
		for r.peek(0).is(".") || r.peek(0).is(":") {
			r.i += 2
		}
		if r.peek(0).is("(") {
			r.i = min(r.limit, int(r.tokens[r.i].match)+1)
		}
		return true
	}
	def := r.i
	name := r.peek(1).text
	r.i += 2
	f := &function{tokens: r.tokens, params: make([]string, 0, 4)}
	if r.peek(0).is("(") {
		end := min(r.limit, int(r.tokens[r.i].match))
		for r.i++; r.i < end && r.step(); {
			if t := r.peek(0); t.kind == isName && (r.language == library.Python || t.sign() == '$') {
				f.params = append(f.params, t.text)
			}
			for r.i < end && !r.peek(0).is(",") && r.step() {
				if m := r.tokens[r.i].match; m > 0 {
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
		for r.i < r.limit && !r.peek(0).is("{") && !r.peek(0).is(";") && r.step() {
			r.i++
		}
		if !r.peek(0).is("{") {
			return r.i, r.i
		}
		return r.i + 1, min(r.limit, int(r.tokens[r.i].match))
	}
	for r.i < r.limit && !r.peek(0).is(":") && r.step() {
		r.i++
	}
	r.i = min(r.i+1, r.limit)
	column := r.tokens[def].column
	if !r.tokens[def].first {
		column = r.column
	}
	for at := r.i; at < r.limit && r.step(); at++ {
		if t := &r.tokens[at]; t.first && t.column <= column && t.kind != isLine {
			return r.i, at
		}
	}
	return r.i, r.limit
}
