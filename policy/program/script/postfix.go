package script

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// postfix reads the members, elements and calls after a value.
func (r *reader) postfix(v *value) {
	for r.i < r.limit && r.step() {
		t := &r.tokens[r.i]
		switch {
		case t.kind == isLine:
			if next := r.peek(1); (next.is(".") || next.is("&.")) && r.language == library.Ruby {
				r.i++
				continue
			}
			return
		case r.leads(t):
			r.i++
			next := r.peek(0)
			switch {
			case next.kind == isName && strings.HasPrefix(next.text, "$"):
				name := r.lookup(next.text)
				r.i++
				if s, ok := name.known(); ok {
					*v = r.member(v, s)
				} else {
					*v = value{form: isSecretly, text: v.text}.madeOf(fromSources(v.sources()...))
				}
			case next.kind == isName:
				r.i++
				*v = r.member(v, next.text)
			}
		case t.is("("):
			r.called(v)
		case t.is("[") && !(t.space && v.form == isRef && r.language == library.Ruby):
			r.index(v)
		case t.is("{") && r.language == library.Perl && (!t.space || r.tokens[r.i-1].is("->")) && r.i > 0 && r.keyed():
			r.index(v)
		case t.is("{") && r.language == library.Ruby && v.form != isNum, t.word("do") && r.language == library.Ruby && r.i > 0 && !r.tokens[r.i-1].ends():
			if !r.rubyBlock(v) {
				return
			}
		case r.language == library.Lua && (t.kind == isText || t.is("{")) && v.form == isRef:
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
	if v.form == isRef && (r.language == library.Ruby || r.language == library.Perl) && v.text != "" && !isOneOf(v.text[0], "$@%(") {
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
func (r *reader) leads(t *token) bool {
	if t.kind != isOp {
		return false
	}
	switch t.text {
	case ".":
		return r.language != library.PHP && r.language != library.Perl
	case "->", "?->":
		return r.language == library.PHP || r.language == library.Perl
	case "::", "&.":
		return true
	case ":":
		return r.language == library.Lua && r.peek(1).kind == isName
	}
	return false
}

// keyed reports whether the braces at the current place hold a key.
func (r *reader) keyed() bool {
	before := &r.tokens[r.i-1]
	return before.is("->") || before.is("]") || before.is("}") || before.kind == isName && isOneOf(before.sign(), "$@%")
}

// open reports whether the arguments of a call without brackets begin here.
func (r *reader) open(v *value, t *token) bool {
	if v.form == isRef && r.language == library.Perl && t.is("{") && (v.text == "exec" || v.text == "system") { // exec {"rm"} "rm", "-rf"
		return true
	}
	if v.form != isRef || !t.space && t.kind != isText && !(r.language == library.Perl && t.kind == isName && t.sign() == '$') || t.first && r.language != library.Perl {
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
	if v.text == "" || isOneOf(v.text[0], "$@%(") {
		return false
	}
	switch t.kind {
	case isText, isNumber, isCommand:
		return true
	case isName:
		return !notArgument(t.text)
	case isOp:
		return (t.text == "[" || t.text == "*" && r.language == library.Ruby && r.i+1 < r.limit && !r.tokens[r.i+1].space) || t.text == "\\" && r.language == library.Perl || t.text == "{" && r.language == library.Perl && (v.text == "print" || v.text == "printf")
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
		if r.peek(0).is("=>") {
			name, _ = v.known()
			r.i++
			v = r.expr(2)
		}
		r.add(c, name, v)
		t := r.peek(0)
		switch {
		case t.is(","):
			r.i++
			for r.peek(0).kind == isLine && r.i < r.limit {
				r.i++
			}
		case r.i > start && r.language == library.Perl && len(c.args) == 1 && t.value() && (t.space || t.kind == isText && r.tokens[r.i-1].closing()) && (t.kind != isName || !notArgument(t.text)): // print HANDLE text
		default:
			return
		}
	}
}

// called reads the arguments in brackets and calls the value.
func (r *reader) called(v *value) {
	limit, end := r.limit, int(r.tokens[r.i].match)
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
	braces := r.peek(0).is("{")
	at := 1
	var names []string
	if r.peek(1).is("|") {
		for at = 2; at < 12 && !r.peek(at).is("|"); at++ {
			if r.peek(at).kind == isName {
				names = append(names, r.peek(at).text)
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
	limit, end := r.limit, int(r.tokens[r.i].match)
	r.i += at
	r.limit = min(limit, max(end, r.i))
	r.depth++
	if r.depth < MaxDepth {
		r.statements()
	} else {
		r.refuse("depth")
	}
	r.depth--
	r.i, r.limit = min(end+1, limit), limit
	return true
}
