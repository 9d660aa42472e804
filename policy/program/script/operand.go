package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// operand reads a literal, a name or a group.
func (r *reader) operand() value {
	if r.i >= r.limit {
		return value{}
	}
	t := &r.tokens[r.i]
	switch t.Kind {
	case lexer.Name:
		return r.word(t)
	case lexer.Operator:
		switch t.Text {
		case "(", "[", "{":
			return r.group(t.Text != "(")
		case ")", "]", "}", ",", ":", "=>", ";":
			return value{} // for whoever reads what is around
		case "->", "\\":
			if r.language == library.Ruby && t.Text == "->" || r.language == library.R && r.peek(1).Is("(") {
				r.i++
				return r.anonymous(r.params(), r.language == library.R)
			}
		}
	default:
	}
	r.i++
	switch t.Kind {
	case lexer.Text:
		v := r.literal(t)
		for (r.language == library.Python || r.language == library.Ruby) && r.peek(0).Kind == lexer.Text && r.Step() {
			v = r.Concat(v, r.literal(r.peek(0)))
			r.i++
		}
		return v
	case lexer.Command:
		return r.shell(r.literal(t))
	case lexer.Number:
		return value{Form: values.IsNumber, Text: t.Text}
	default: // an end, or what is no operand
		return value{}
	}
}

// literal is the value of a text with what is computed in it.
func (r *reader) literal(t *lexer.Token) value {
	if t.Parts == nil {
		return values.Text(t.Text)
	}
	out := values.Text("")
	for i := range *t.Parts {
		if !r.Step() {
			break
		}
		p := &(*t.Parts)[i]
		v := values.Text(p.Text)
		if p.Code {
			v = r.inside(p)
			if v.Form == values.IsList && r.language == library.Perl {
				v = r.Joined(values.Text(" "), v)
			}
		}
		out = r.Concat(out, v)
	}
	return out
}

// perText is what beginning to read a text costs, in steps.
const perText = 20

// inside reads an expression that stands in a text.
func (r *reader) inside(p *lexer.Part) value {
	if r.depth >= MaxDepth/2 {
		r.refuse("depth")
		return value{}
	}
	source := p.Text
	if r.language == library.Perl && source != "" && lexer.IsWordStart(source[0]) && !strings.ContainsAny(source, "( ") {
		source = "$" + source
	}
	odd := func(c rune) bool { return c < 0x80 && !lexer.IsWord(byte(c)) }
	if name := strings.TrimPrefix(source, "$"); name != "" && !strings.ContainsFunc(name, odd) { // most are names
		return r.lookup(source)
	}
	r.Steps -= perText
	if p.Tokens == nil {
		p.Tokens, _ = lexer.Tokenize(r.language, source)
	}
	saved, i, limit := r.tokens, r.i, r.limit
	r.tokens, r.i, r.limit = p.Tokens, 0, len(p.Tokens)-1
	r.depth += 8
	v := r.expr(0)
	for r.i < r.limit && r.Step() { // what else stands there happens too
		at := r.i
		if r.language != library.Python || !r.peek(0).Is(":") && !r.peek(0).Is("!") {
			r.expr(0)
		}
		r.i = max(r.i, at+1)
	}
	r.depth -= 8
	r.tokens, r.i, r.limit = saved, i, limit
	return v
}

// group reads what is in brackets: one value, or several as a list.
func (r *reader) group(list bool) (out value) {
	braces := r.tokens[r.i].Text == "{"
	r.bracketed(1, func() {
		if at := r.comprehension(); at > 0 {
			out = r.each(at)
			return
		}
		c := &call{}
		r.arguments(c, braces)
		if list || len(c.args) != 1 || c.comma {
			out = c.list()
		} else {
			out = c.args[0].value
		}
	})
	return out
}

// word reads a name: an assignment to it, a definition, or what it stands for.
func (r *reader) word(t *lexer.Token) value {
	name := t.Text
	switch name {
	case "lambda":
		if r.language == library.Python {
			from := r.i + 1
			for r.i < r.limit && !r.peek(0).Is(":") && r.Step() {
				r.i++
			}
			params := r.paramsTo(from, r.i)
			r.i++
			return r.anonymous(params, true)
		}
	case "sub", "function", "fn", "do", "eval", "begin":
		if v, ok := r.closure(name); ok {
			return v
		}
	case "True", "False", "TRUE", "FALSE", "true", "false", "None", "nil", "undef", "null":
		r.i++
		return value{Form: values.IsNumber, Text: name}
	}
	if r.assigns(1) || r.language == library.Ruby && r.peek(1).Is("<<") && (r.names[name].Form == values.IsText || r.names[name].Form == values.IsList) {
		return r.assign(name)
	}
	r.i++
	return r.lookup(name)
}

// assign reads an assignment to a name.
func (r *reader) assign(name string) value {
	op := r.peek(1).Text
	r.i += 2
	v := r.expr(0)
	if r.language == library.Perl && strings.HasPrefix(name, "@") && v.Form != values.IsList {
		v = values.List(v)
	}
	if op != "+=" && op != ".=" && op != "<<" {
		r.bind(name, v)
		return v
	}
	old := r.lookup(name)
	switch {
	case r.maybe() && r.language != library.Ruby: // as often as the loop around it runs
		out := values.Text(values.Mark + values.Plain(name) + values.Mark)
		out.Taint(&old)
		out.Taint(&v)
		v = out
	case old.Form == values.IsList && v.Form != values.IsList:
		v = values.List(v)
		fallthrough
	default:
		v = r.combine("+", &old, &v)
	}
	r.names[name] = v
	return v
}

// closure reads a function without a name, or a block that is a value.
func (r *reader) closure(name string) (value, bool) {
	next := r.peek(1)
	switch {
	case (name == "do" || name == "eval") && r.language != library.Perl, name == "begin" && r.language != library.Ruby:
		return value{}, false
	case next.Is("{") && (name == "sub" || name == "do" || name == "eval"):
		r.i++
	case (name == "function" || name == "fn") && next.Is("(") && (r.language == library.PHP || r.language == library.Lua || r.language == library.R):
		def := r.i
		r.i++
		params := r.params()
		if r.peek(0).Word("use") && r.peek(1).Is("(") {
			r.i = min(r.limit, int(r.tokens[r.i+1].Match)+1)
		}
		if r.language == library.Lua { // its body is read where it stands
			return values.Name("(block)").Calling(&function{tokens: r.tokens, params: params, from: r.i, to: int(r.tokens[def].Match)}), true
		}
		arrow := r.peek(0).Is("=>")
		if arrow {
			r.i++
		}
		return r.anonymous(params, arrow || r.language == library.R), true
	default:
		return value{}, false
	}
	return r.anonymous(nil, false), true
}

// lookup is what a name stands for.
func (r *reader) lookup(name string) value {
	if v, ok := r.names[name]; ok {
		if v.Form == values.IsUnknown {
			v.Form, v.Text = values.IsText, values.Mark+values.Plain(name)+values.Mark
		}
		if v.Form == values.IsList {
			v = v.Inside(name)
		}
		return v
	}
	if len(name) > 1 && name[0] == '$' && r.language == library.Perl {
		if v, ok := r.names["@"+name[1:]]; ok && (name != "$_" || r.peek(0).Is("[")) {
			return v
		}
	}
	if v, ok := r.constant(name); ok {
		return v
	}
	for _, module := range r.stars {
		if r.table.Has(module + "." + name) {
			return values.Name(module + "." + name)
		}
	}
	return values.Name(name)
}
