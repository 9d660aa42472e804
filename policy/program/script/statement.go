package script

import (
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// statements reads what lies before the limit.
func (r *reader) statements() {
	base := len(r.narrow)
	for r.i < r.limit && r.Step() {
		start, t := r.i, &r.tokens[r.i]
		if len(r.narrow) > base {
			r.widen(base, t)
		}
		if t.First {
			r.column = t.Column
		}
		switch {
		case t.Ends():
			r.i++
		case t.Is("{") && r.language != library.Python:
			r.blocks++
			r.i++
		case t.Is("}"):
			r.blocks--
			r.i++
		case t.Kind == lexer.Name && !r.assigns(1) && r.keyword(t):
		case r.several():
		default:
			r.behind()
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

// nested reads the statements in brackets.
func (r *reader) nested(from int) {
	r.bracketed(from, func() {
		if r.depth++; r.depth < MaxDepth {
			r.statements()
		} else {
			r.refuse("depth")
		}
		r.depth--
	})
}

// assigns reports whether the token n places on gives what is before it a value.
func (r *reader) assigns(n int) bool {
	return r.peek(n).Assigns
}

// keyword reads a word that begins a statement. It reports false for others.
func (r *reader) keyword(t *lexer.Token) bool {
	start := r.i
	switch t.Text {
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
		if !r.peek(0).Ends() {
			r.result = values.Join(r.result, r.expr(0))
		}
	case "as":
		r.i += 2
	case "class", "module":
		r.i++
		if r.peek(0).Kind == lexer.Name {
			r.i++
		}
	case "if", "elif", "elsif", "elseif", "unless", "else", "try", "except", "finally", "catch", "pass", "break", "continue", "next", "last", "global", "nonlocal", "del", "assert", "raise", "throw",
		"async", "my", "our", "local", "var", "state", "case", "when", "then", "begin", "rescue", "ensure", "end", "do", "and", "or", "not", "echo", "static", "public", "private", "protected", "const", "in", "is", "BEGIN", "END":
		if t.Text == "assert" && r.language == library.PHP || r.peek(1).Is(".") || r.peek(1).Is("->") || t.Text == "do" && r.language == library.Perl {
			return false
		}
		if (t.Text == "my" || t.Text == "our" || t.Text == "local") && (r.peek(1).Is("(") || r.language == library.Python) {
			return false
		}
		r.i++
		switch t.Text {
		case "echo":
			if v := r.expr(0); r.given.Prints {
				r.shows([]value{v})
			}
		case "if", "elif", "elsif", "elseif":
			if t.First || start == 0 || r.tokens[start-1].Ends() || r.tokens[start-1].Is("{") || r.tokens[start-1].Is("}") || t.Text != "if" {
				r.narrows(t.Text == "if")
			}
		}
	default:
		return false
	}
	return true
}

// over reads the head of a loop over something and binds its variables.
func (r *reader) over() {
	for t := r.peek(0); t.Word("my") || t.Word("our") || t.Word("local") || t.Word("var"); t = r.peek(0) {
		r.i++
	}
	switch {
	case r.language == library.Perl:
		name := "$_"
		if r.peek(0).Kind == lexer.Name {
			name = r.peek(0).Text
			r.i++
		}
		if r.peek(0).Is("(") {
			r.names[name] = r.Element(r.operand())
		}
	case r.language == library.PHP && r.peek(0).Is("("):
		r.i++
		v := r.expr(0)
		if !r.peek(0).Word("as") {
			return
		}
		for r.i++; r.i < r.limit && !r.peek(0).Is(")") && r.Step(); r.i++ {
			if r.peek(0).Kind == lexer.Name {
				r.names[r.peek(0).Text] = r.Element(v)
			}
		}
	default:
		if r.language == library.R && r.peek(0).Is("(") {
			r.i++
		}
		if names := r.targets(); r.peek(0).Word("in") {
			r.i++
			r.spread(names, r.expr(0))
		}
	}
}

// targets reads names with commas, up to a word that is no name.
func (r *reader) targets() []string {
	names := make([]string, 0, 4)
	for r.i < r.limit && !r.peek(0).Word("in") && r.Step() {
		switch t := r.peek(0); {
		case t.Kind == lexer.Name:
			names = append(names, t.Text)
		case t.Is(","), t.Is("("), t.Is(")"), t.Is("*"):
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
		r.names[names[0]] = r.Element(v)
		return
	}
	for n, name := range names {
		item := value{}
		for _, row := range v.Items() {
			if v.Form == values.IsList && row.Form == values.IsList && n < len(row.Items()) {
				item = values.Join(item, row.Items()[n])
			}
		}
		item.Taint(&v)
		r.names[name] = item
	}
}

// with reads Python's with statement.
func (r *reader) with() {
	if t := r.peek(0); t.Is("(") && r.peek(1).Kind == lexer.Name && !r.peek(int(t.Match)-r.i+1).Is(".") {
		r.i++
	}
	for r.i < r.limit && r.Step() {
		v := r.expr(0)
		if r.peek(0).Word("as") && r.peek(1).Kind == lexer.Name {
			r.names[r.peek(1).Text] = v
			r.i += 2
		}
		if !r.peek(0).Is(",") {
			return
		}
		r.i++
	}
}

// several reads a, b = 1, 2 and its relatives.
func (r *reader) several() bool {
	at := 0
	for t := r.peek(0); t.Word("my") || t.Word("our") || t.Word("local") || t.Word("list"); t = r.peek(at) {
		at++
	}
	if at == 0 && r.peek(0).Kind == lexer.Name && !r.peek(1).Is(",") {
		return false // most begin like this
	}
	bracket := r.peek(at).Is("(") || r.peek(at).Is("[")
	if bracket {
		at++
	}
	var room [8]string
	names := room[:0]
	for len(names) < len(room) && r.peek(at).Kind == lexer.Name {
		names = append(names, r.peek(at).Text)
		if at++; !r.peek(at).Is(",") {
			break
		}
		at++
	}
	if bracket {
		if !r.peek(at).Closing() {
			return false
		}
		at++
	}
	if !r.peek(at).Is("=") || len(names) == 0 || len(names) == 1 && !bracket {
		return false
	}
	r.i += at + 1
	v := r.expr(0)
	if items := []value{v}; r.peek(0).Is(",") {
		for r.peek(0).Is(",") && len(items) < values.MostItems && r.Step() {
			r.i++
			items = append(items, r.expr(0))
		}
		v = values.List(items...)
	}
	for n, name := range names {
		item := value{}
		if v.Form == values.IsList && n < len(v.Items()) {
			item = v.Items()[n]
		}
		if item.Form == values.IsUnknown {
			item.Taint(&v)
		}
		r.bind(name, item)
	}
	return true
}

// bracketed reads what stands between the bracket at hand and the one that ends it, from
// some tokens after it on, and goes on behind them.
func (r *reader) bracketed(from int, read func()) {
	limit, end := r.limit, int(r.tokens[r.i].Match)
	r.i += from
	r.limit = min(limit, max(end, r.i))
	read()
	r.i, r.limit = min(end+1, limit), limit
}
