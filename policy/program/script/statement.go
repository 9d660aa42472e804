package script

import "github.com/sluice-project/sluice/policy/program/library"

// statements reads what lies before the limit.
func (r *reader) statements() {
	base := len(r.narrow)
	for r.i < r.limit && r.step() {
		start, t := r.i, &r.tokens[r.i]
		if len(r.narrow) > base {
			r.widen(base, t)
		}
		if t.first {
			r.column = t.column
		}
		switch {
		case t.ends():
			r.i++
		case t.is("{") && r.language != library.Python:
			r.blocks++
			r.i++
		case t.is("}"):
			r.blocks--
			r.i++
		case t.kind == isName && !r.assigns(1) && r.keyword(t):
		case r.several():
		default:
			r.modified()
			r.afterthought()
			r.expr(0)
		}
		if r.i == start {
			r.i++
		}
	}
	for len(r.narrow) > base {
		r.pop()
	}
}

// block reads the statements in the braces at the current place.
func (r *reader) block() {
	limit, end := r.limit, int(r.tokens[r.i].match)
	r.i++
	r.limit = min(limit, end)
	r.depth++
	if r.depth < MaxDepth {
		r.statements()
	} else {
		r.refuse("depth")
	}
	r.depth--
	r.i, r.limit = min(end+1, limit), limit
}

// assigns reports whether the token n places on gives what is before it a value.
func (r *reader) assigns(n int) bool {
	return r.peek(n).assigns
}

// keyword reads a word that begins a statement. It reports false for others.
func (r *reader) keyword(t *token) bool {
	start := r.i
	switch t.text {
	case "import", "from":
		if r.language != library.Python {
			return false
		}
		r.imports()
	case "use", "no", "package", "require", "require_once", "include", "include_once":
		return r.loads()
	case "def", "function", "sub":
		return r.defines()
	case "for", "foreach":
		r.i++
		r.over()
	case "with":
		if r.language != library.Python {
			return false
		}
		r.i++
		r.with()
	case "while", "until", "loop", "repeat":
		r.loops = true
		r.i++
	case "return", "yield":
		r.i++
		if !r.peek(0).ends() {
			r.result = join(r.result, r.expr(0))
		}
	case "as":
		r.i += 2
	case "class", "module":
		r.i++
		if r.peek(0).kind == isName {
			r.i++
		}
	case "if", "elif", "elsif", "elseif", "unless", "else", "try", "except", "finally", "catch", "pass", "break", "continue", "next", "last", "global", "nonlocal", "del", "assert", "raise", "throw",
		"async", "my", "our", "local", "var", "state", "case", "when", "then", "begin", "rescue", "ensure", "end", "do", "and", "or", "not", "echo", "static", "public", "private", "protected", "const", "in", "is", "BEGIN", "END":
		if t.text == "assert" && r.language == library.PHP || r.peek(1).is(".") || r.peek(1).is("->") || t.text == "do" && r.language == library.Perl {
			return false
		}
		if (t.text == "my" || t.text == "our" || t.text == "local") && (r.peek(1).is("(") || r.language == library.Python) {
			return false
		}
		r.i++
		switch t.text {
		case "if", "elif", "elsif", "elseif":
			if t.first || start == 0 || r.tokens[start-1].ends() || r.tokens[start-1].is("{") || r.tokens[start-1].is("}") || t.text != "if" {
				r.narrows(t.text == "if")
			}
		}
	default:
		return false
	}
	return true
}

// over reads the head of a loop over something and binds its variables.
func (r *reader) over() {
	for _, w := range []string{"my", "our", "local", "var"} {
		if r.peek(0).word(w) {
			r.i++
		}
	}
	switch {
	case r.language == library.Perl:
		name := "$_"
		if r.peek(0).kind == isName {
			name = r.peek(0).text
			r.i++
		}
		if r.peek(0).is("(") {
			v := r.operand()
			r.names[name] = r.element(v)
		}
	case r.language == library.PHP && r.peek(0).is("("):
		r.i++
		v := r.expr(0)
		if !r.peek(0).word("as") {
			return
		}
		for r.i++; r.i < r.limit && !r.peek(0).is(")") && r.step(); r.i++ {
			if r.peek(0).kind == isName {
				r.names[r.peek(0).text] = r.element(v)
			}
		}
	default:
		if r.language == library.R && r.peek(0).is("(") {
			r.i++
		}
		names := r.targets()
		if r.peek(0).word("in") {
			r.i++
			v := r.expr(0)
			r.spread(names, v)
		}
	}
}

// targets reads names with commas, up to a word that is no name.
func (r *reader) targets() []string {
	names := make([]string, 0, 4)
	for r.i < r.limit && !r.peek(0).word("in") && r.step() {
		switch t := r.peek(0); {
		case t.kind == isName:
			names = append(names, t.text)
		case t.is(","), t.is("("), t.is(")"), t.is("*"):
		default:
			return names
		}
		r.i++
	}
	return names
}

// spread binds the variables of a loop to any element of a value.
func (r *reader) spread(names []string, v value) {
	if len(names) == 1 {
		r.names[names[0]] = r.element(v)
		return
	}
	for n, name := range names {
		item := value{}
		if v.form == isList && len(v.items()) == 1 && v.items()[0].form == isList && n < len(v.items()[0].items()) {
			item = v.items()[0].items()[n]
		} else if v.form == isList {
			for i := range v.items() {
				if v.items()[i].form == isList && n < len(v.items()[i].items()) {
					item = join(item, v.items()[i].items()[n])
				}
			}
		}
		item.taint(&v)
		r.names[name] = item
	}
}

// with reads Python's with statement.
func (r *reader) with() {
	if r.peek(0).is("(") && r.peek(1).kind == isName && !r.peek(r.closes()+1).is(".") {
		r.i++
	}
	for r.i < r.limit && r.step() {
		v := r.expr(0)
		if r.peek(0).word("as") && r.peek(1).kind == isName {
			r.names[r.peek(1).text] = v
			r.i += 2
		}
		if !r.peek(0).is(",") {
			return
		}
		r.i++
	}
}

// closes is where the bracket closes that stands here, as far as it is not far.
func (r *reader) closes() int {
	depth := 0
	for at := range 64 {
		switch t := r.peek(at); {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return 0
}

// several reads a, b = 1, 2 and its relatives.
func (r *reader) several() bool {
	at := 0
	for declares(r.peek(at)) {
		at++
	}
	if at == 0 && r.peek(0).kind == isName && !r.peek(1).is(",") {
		return false // most begin like this
	}
	bracket := r.peek(at).is("(") || r.peek(at).is("[")
	if bracket {
		at++
	}
	var room [8]string
	names := room[:0]
	for len(names) < len(room) && r.peek(at).kind == isName {
		names = append(names, r.peek(at).text)
		at++
		if !r.peek(at).is(",") {
			break
		}
		at++
	}
	if bracket {
		if !r.peek(at).closing() {
			return false
		}
		at++
	}
	if !r.peek(at).is("=") || len(names) == 0 || len(names) == 1 && !bracket {
		return false
	}
	r.i += at + 1
	v := r.expr(0)
	if r.peek(0).is(",") {
		items := []value{v}
		for r.peek(0).is(",") && len(items) < mostItems && r.step() {
			r.i++
			items = append(items, r.expr(0))
		}
		v = listOf(items...)
	}
	for n, name := range names {
		item := value{}
		if v.form == isList && n < len(v.items()) {
			item = v.items()[n]
		}
		if item.form == isUnknown {
			item.taint(&v)
		}
		r.bind(name, item)
	}
	return true
}

// declares reports whether a word stands before the names that get values.
func declares(t *token) bool {
	return t.word("my") || t.word("our") || t.word("local") || t.word("list")
}

// modified looks for the loop that Perl puts behind a statement, and binds its
// variable before the statement is read.
func (r *reader) modified() {
	if r.language != library.Perl {
		return
	}
	for at := r.i; at < r.limit && r.step(); at++ {
		t := &r.tokens[at]
		switch {
		case t.is(";"), t.is("}"):
			return
		case t.match > 0:
			at = int(t.match)
		case at > r.i && (t.word("for") || t.word("foreach")):
			start := r.i
			r.i = at + 1
			v := r.expr(0)
			r.names["$_"] = r.element(v)
			r.i = start
			return
		case t.word("while"):
			r.loops = true
		}
	}
}
