package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// postfix reads the members, elements and calls after a value.
func (r *reader) postfix(v *value) {
	for r.i < r.limit && r.step() {
		t := &r.tokens[r.i]
		switch {
		case t.Kind == lexer.Line:
			if next := r.peek(1); (next.Is(".") || next.Is("&.")) && r.language == library.Ruby {
				r.i++
				continue
			}
			return
		case r.leads(t):
			r.i++
			next := r.peek(0)
			switch {
			case next.Kind == lexer.Name && strings.HasPrefix(next.Text, "$"):
				name := r.lookup(next.Text)
				r.i++
				if s, ok := name.known(); ok {
					*v = r.member(v, s)
				} else {
					*v = value{form: isSecretly, text: v.text}.madeOf(fromSources(v.sources()...))
				}
			case next.Kind == lexer.Name:
				r.i++
				*v = r.member(v, next.Text)
			}
		case t.Is("("):
			r.called(v)
		case t.Is("[") && !(t.Space && v.form == isRef && (r.language == library.Ruby || r.language == library.Perl && v.text != "" && !lexer.IsOneOf(v.text[0], "$@%("))):
			r.index(v)
		case t.Is("{") && r.language == library.Perl && (!t.Space || r.tokens[r.i-1].Is("->")) && r.i > 0 && r.keyed():
			r.index(v)
		case t.Is("{") && r.language == library.Ruby && v.form != isNum, t.Word("do") && r.language == library.Ruby && r.i > 0 && !r.tokens[r.i-1].Ends():
			if !r.rubyBlock(v) {
				return
			}
		case r.language == library.Lua && (t.Kind == lexer.Text || t.Is("{")) && v.form == isRef:
			c := r.begin()
			r.add(c, "", r.operand())
			*v = r.call(v, c)
			r.end(c)
		case r.open(v, t):
			c := r.begin()
			r.bare(c)
			*v = r.call(v, c)
			r.end(c)
		default:
			r.final(v)
			return
		}
	}
	r.final(v)
}

// final is the value of an expression: what Ruby and Perl name without brackets
// is called.
func (r *reader) final(v *value) {
	if v.form == isRef && (r.language == library.Ruby || r.language == library.Perl) && v.text != "" && !lexer.IsOneOf(v.text[0], "$@%(") {
		last := v.text[strings.LastIndexByte(v.text, '.')+1:]
		if bareCall(last) || v.text[0] == '.' {
			c := r.begin()
			if r.language == library.Perl && !strings.Contains(v.text, ".") {
				r.add(c, "", r.lookup("$_"))
			}
			*v = r.call(v, c)
			r.end(c)
		}
	}
}

// bareCall reports whether a function does something without arguments.
func bareCall(name string) bool {
	switch name {
	case "unlink", "fork", "read", "delete", "rmtree", "reverse", "home", "eval", "chr", "children", "shift", "rmdir", "to_h", "body", "to_s":
		return true
	}
	return false
}

// leads reports whether a token leads to a member.
func (r *reader) leads(t *lexer.Token) bool {
	if t.Kind != lexer.Operator {
		return false
	}
	switch t.Text {
	case ".":
		return r.language != library.PHP && r.language != library.Perl
	case "->", "?->":
		return r.language == library.PHP || r.language == library.Perl
	case "::", "&.":
		return true
	case ":":
		return r.language == library.Lua && r.peek(1).Kind == lexer.Name
	}
	return false
}

// keyed reports whether the braces at the current place hold a key.
func (r *reader) keyed() bool {
	before := &r.tokens[r.i-1]
	return before.Is("->") || before.Is("]") || before.Is("}") || before.Kind == lexer.Name && lexer.IsOneOf(before.Sign(), "$@%")
}

// open reports whether the arguments of a call without brackets begin here.
func (r *reader) open(v *value, t *lexer.Token) bool {
	if v.form == isRef && r.language == library.Perl && t.Is("{") && (v.text == "exec" || v.text == "system") { // exec {"rm"} "rm", "-rf"
		return true
	}
	if v.form != isRef || !t.Space && t.Kind != lexer.Text && !(r.language == library.Perl && t.Kind == lexer.Name && t.Sign() == '$') || t.First && r.language != library.Perl {
		return false
	}
	switch r.language {
	case library.PHP:
		switch v.text {
		case "print", "include", "include_once", "require", "require_once", "exit", "die":
		default:
			return false
		}
	case library.Ruby, library.Perl:
	default:
		return false
	}
	if v.text == "" || lexer.IsOneOf(v.text[0], "$@%(") {
		return false
	}
	switch t.Kind {
	case lexer.Text, lexer.Number, lexer.Command:
		return true
	case lexer.Name:
		return !notArgument(t.Text)
	case lexer.Operator:
		return (t.Text == "[" || t.Text == "*" && r.language == library.Ruby && r.i+1 < r.limit && !r.tokens[r.i+1].Space) || t.Text == "\\" && r.language == library.Perl || t.Text == "{" && r.language == library.Perl && (v.text == "print" || v.text == "printf")
	default:
		return false
	}
}

// notArgument reports whether a word cannot begin an argument.
func notArgument(word string) bool {
	switch word {
	case "if", "unless", "while", "until", "for", "foreach", "and", "or", "eq", "ne", "lt", "gt", "le", "ge", "x", "cmp", "do", "then", "end", "in", "is", "rescue", "else", "elsif", "xor", "as", "instanceof":
		return true
	}
	return false
}

// bare reads arguments without brackets.
func (r *reader) bare(c *call) {
	for r.i < r.limit && r.step() {
		name := r.label(false)
		start := r.i
		v := r.expr(2)
		if r.peek(0).Is("=>") {
			name, _ = v.known()
			r.i++
			v = r.expr(2)
		}
		r.add(c, name, v)
		t := r.peek(0)
		switch {
		case t.Is(","):
			r.i++
			for r.peek(0).Kind == lexer.Line && r.i < r.limit {
				r.i++
			}
		case r.i > start && r.language == library.Perl && len(c.args) == 1 && t.Value() && (t.Space || t.Kind == lexer.Text && r.tokens[r.i-1].Closing()) && (t.Kind != lexer.Name || !notArgument(t.Text)): // print HANDLE text
		default:
			return
		}
	}
}

// called reads the arguments in brackets and calls the value.
func (r *reader) called(v *value) {
	limit, end := r.limit, int(r.tokens[r.i].Match)
	r.i++
	r.limit = min(limit, max(end, r.i))
	c := r.begin()
	if at := r.comprehension(); at > 0 {
		r.add(c, "", r.each(at))
	} else {
		r.arguments(c, false)
	}
	r.i, r.limit = min(end+1, limit), limit
	*v = r.call(v, c)
	r.end(c)
}

// rubyBlock reads the block after a call, with its variable bound to the
// elements of what it is called on.
func (r *reader) rubyBlock(v *value) bool {
	braces := r.peek(0).Is("{")
	at := 1
	var names []string
	if r.peek(1).Is("|") {
		for at = 2; at < 12 && !r.peek(at).Is("|"); at++ {
			if r.peek(at).Kind == lexer.Name {
				names = append(names, r.peek(at).Text)
			}
		}
		at++
	} else if !braces {
		return false
	}
	over := *v
	if v.form == isRef && len(v.items()) == 1 {
		over = v.items()[0]
	}
	if over.form == isFile {
		if len(names) > 0 {
			r.names[names[0]] = over
		}
	} else {
		r.spread(names, over)
		if len(names) == 0 {
			it := r.element(over)
			r.names["it"], r.names["_1"] = it, it
		}
	}
	if v.form == isRef && strings.HasSuffix(v.text, "loop") {
		r.loops = true
	}
	if !braces {
		r.i += at
		return true
	}
	r.nested(at)
	return true
}
