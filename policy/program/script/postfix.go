package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// postfix reads the members, elements and calls after a value.
func (r *reader) postfix(v *value) {
	ruby, perl := r.language == library.Ruby, r.language == library.Perl
	for r.i < r.limit && r.Step() {
		t := &r.tokens[r.i]
		switch {
		case t.Kind == lexer.Line:
			if next := r.peek(1); !ruby || !next.Is(".") && !next.Is("&.") {
				return
			}
			r.i++
		case r.leads(t):
			r.i++
			next := r.peek(0)
			if next.Kind != lexer.Name {
				continue
			}
			r.i++
			name, ok := next.Text, true
			if next.Sign() == '$' {
				name, ok = r.lookup(name).Known()
			}
			if ok {
				*v = r.member(v, name)
			} else {
				*v = value{Form: values.IsHidden, Text: v.Text}.MadeOf(values.FromSources(v.Sources()...))
			}
		case t.Is("("):
			r.called(v)
		case t.Is("[") && !(t.Space && v.Form == values.IsName && (ruby || perl && r.isName(v))),
			t.Is("{") && perl && (!t.Space || r.tokens[r.i-1].Is("->")) && r.i > 0 && r.keyed():
			r.index(v)
		case t.Is("{") && ruby && v.Form != values.IsNumber, t.Word("do") && ruby && r.i > 0 && !r.tokens[r.i-1].Ends():
			if !r.rubyBlock(v) {
				return
			}
		case r.language == library.Lua && (t.Kind == lexer.Text || t.Is("{")) && v.Form == values.IsName:
			c := &call{}
			c.add("", r.operand())
			*v = r.call(v, c)
		case r.open(v, t):
			c := &call{}
			r.bare(c)
			*v = r.call(v, c)
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
	if !r.isName(v) || r.language != library.Ruby && r.language != library.Perl {
		return
	}
	own := r.functions[v.Text] != nil
	if last := v.Text[strings.LastIndexByte(v.Text, '.')+1:]; own || slices.Contains(bareCalls, last) || v.Text[0] == '.' {
		c := &call{}
		if r.language == library.Perl && !own && !strings.Contains(v.Text, ".") {
			c.add("", r.lookup("$_"))
		}
		*v = r.call(v, c)
	}
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
	perl, ruby := r.language == library.Perl, r.language == library.Ruby
	switch {
	case !r.isName(v):
		return false
	case perl && t.Is("{") && (v.Text == "exec" || v.Text == "system"): // exec {"rm"} "rm", "-rf"
		return true
	case !t.Space && t.Kind != lexer.Text && !(perl && t.Kind == lexer.Name && t.Sign() == '$') || t.First && !perl:
		return false
	case r.language == library.PHP && !slices.Contains(phpBare, v.Text), !perl && !ruby && r.language != library.PHP:
		return false
	}
	switch t.Kind {
	case lexer.Text, lexer.Number, lexer.Command:
		return true
	case lexer.Name:
		return !slices.Contains(notArguments, t.Text) || t.Text == "x" && !perl
	case lexer.Operator:
		return t.Text == "[" || t.Text == "*" && ruby && r.i+1 < r.limit && !r.tokens[r.i+1].Space || t.Text == "\\" && perl || t.Text == "{" && perl && (v.Text == "print" || v.Text == "printf")
	default:
		return false
	}
}

// bare reads arguments without brackets.
func (r *reader) bare(c *call) {
	for r.i < r.limit && r.Step() {
		name := r.label(false)
		start := r.i
		v := r.expr(2)
		if r.peek(0).Is("=>") {
			name, _ = v.Known()
			r.i++
			v = r.expr(2)
		}
		c.add(name, v)
		t := r.peek(0)
		switch {
		case t.Is(","):
			for r.i++; r.peek(0).Kind == lexer.Line && r.i < r.limit; {
				r.i++
			}
		case r.i > start && r.language == library.Perl && len(c.args) == 1 && t.Value() && (t.Space || t.Kind == lexer.Text && r.tokens[r.i-1].Closing()) && (t.Kind != lexer.Name || !slices.Contains(notArguments, t.Text)): // print HANDLE text
		default:
			return
		}
	}
}

// called reads the arguments in brackets and calls the value.
func (r *reader) called(v *value) {
	c := &call{}
	r.bracketed(1, func() {
		if at := r.comprehension(); at > 0 {
			c.add("", r.each(at))
		} else {
			r.arguments(c, false)
		}
	})
	*v = r.call(v, c)
}

// rubyBlock reads the block after a call, with its variable bound to the
// elements of what it is called on.
func (r *reader) rubyBlock(v *value) bool {
	braces, at := r.peek(0).Is("{"), 1
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
	if v.Form == values.IsName && len(v.Items()) == 1 {
		over = v.Items()[0]
	}
	switch {
	case over.Form == values.IsFile && len(names) > 0:
		r.names[names[0]] = over
	case over.Form == values.IsFile:
	case len(names) == 0:
		it := r.Element(over)
		r.names["it"], r.names["_1"] = it, it
	default:
		r.spread(names, over)
	}
	r.loops = r.loops || v.Form == values.IsName && strings.HasSuffix(v.Text, "loop")
	if !braces {
		r.i += at
		return true
	}
	if f := (&function{tokens: r.tokens, from: r.i + at, to: min(r.limit, int(r.tokens[r.i].Match))}); v.Form == values.IsName && slices.Contains(makesFunction, v.Text) {
		for _, name := range names {
			f.params = append(f.params, param{name: name})
		}
		*v = values.Name("(block)").Calling(f)
	}
	r.nested(at)
	return true
}

// bareCalls are the functions that do something without arguments.
var bareCalls = []string{"unlink", "fork", "read", "delete", "rmtree", "reverse", "home", "eval", "chr", "children", "shift", "rmdir", "to_h", "body", "to_s"}

// isName reports whether a value is something that has a name, and no variable.
func (r *reader) isName(v *value) bool {
	return v.Form == values.IsName && v.Text != "" && !lexer.IsOneOf(v.Text[0], "$@%(")
}

// notArguments are words that cannot begin an argument, makesFunction those of Ruby whose
// block is a function, phpBare those of PHP that have arguments without brackets.
var (
	notArguments  = []string{"if", "unless", "while", "until", "for", "foreach", "and", "or", "eq", "ne", "lt", "gt", "le", "ge", "x", "cmp", "do", "then", "end", "in", "is", "rescue", "else", "elsif", "xor", "as", "instanceof"}
	makesFunction = []string{"proc", "lambda", "Proc.new"}
	phpBare       = []string{"print", "include", "include_once", "require", "require_once", "exit", "die"}
)
