package script

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// function is a part of the program that can be called: it is read with what its
// parameters are, each time.
type function struct {
	params   []param
	from, to int
	tokens   []lexer.Token
	// expression: it is one, and what that gives comes out.
	expression bool
	// called: somebody calls it, or its body was read where it stands.
	called, active bool
}

// IsFunction makes it what a value can call.
func (*function) IsFunction() {}

// functionOf is what calling a value reads, nil if that is not known.
func functionOf(v *value) *function {
	f, _ := v.Calls().(*function)
	return f
}

// mostParams is how many parameters of a function are kept.
const mostParams = 64

// param is a parameter, with the tokens of what it is if nothing is given.
type param struct {
	name     string
	from, to int
}

// defines reads the definition of a function. Its body is read when it is
// called, or in the end.
func (r *reader) defines() bool {
	if r.peek(1).Kind != lexer.Name || r.language == library.R {
		return false
	}
	def, name := r.i, r.peek(1).Text
	r.i += 2
	words := r.language == library.Ruby || r.language == library.Lua
	for words && (r.peek(0).Is(".") || r.peek(0).Is(":")) {
		name = r.peek(1).Text
		r.i += 2
	}
	f := &function{tokens: r.tokens, params: r.params()}
	r.functions[name] = f
	if f.from, f.to = r.i, max(r.i, int(r.tokens[def].Match)); !words {
		f.from, f.to = r.bodyOf(def)
	}
	r.i = f.to
	return true
}

// params reads the parameters in the brackets at hand, if there are any. Those of
// Ruby may stand without.
func (r *reader) params() []param {
	at := r.i
	switch {
	case r.peek(0).Is("("):
		list := r.paramsTo(r.i+1, min(r.limit, int(r.tokens[r.i].Match)))
		r.i = min(r.limit, int(r.tokens[at].Match)+1)
		return list
	case r.language == library.Ruby && r.peek(0).Kind == lexer.Name && !r.peek(0).First:
		for !r.peek(0).Ends() && r.Step() {
			r.i++
		}
		return r.paramsTo(at, r.i)
	}
	return nil
}

// paramsTo reads the parameters between two places and goes to the second.
func (r *reader) paramsTo(from, end int) []param {
	list := make([]param, 0, 4)
	signs := r.language == library.PHP || r.language == library.Perl
	for r.i = from; r.i < end && r.Step(); r.i++ {
		p, at := param{}, r.i
		for r.skipTo(end, ","); at < r.i && p.to == 0; at++ {
			switch t := &r.tokens[at]; {
			case p.name == "" && t.Kind == lexer.Name && (!signs || t.Sign() == '$'):
				p.name = t.Text
			case p.name != "" && t.Is("="):
				p.from, p.to = at+1, r.i
			}
		}
		if p.name != "" && len(list) < mostParams && (len(list) > 0 || p.name != "self" && p.name != "cls") {
			list = append(list, p)
		}
	}
	r.i = min(end, r.limit)
	return list
}

// invoke reads the body of a function with what its parameters are. Outside of it their
// names are what they were.
func (r *reader) invoke(f *function, c *call) value {
	if f.active || !r.Looks(values.PerItem*len(f.params)) {
		return value{}
	}
	if r.depth >= MaxDepth {
		r.refuse("depth")
		return value{}
	}
	f.active, f.called = true, true
	r.depth++
	outer := make(map[string]value, len(f.params))
	bind := func(name string, v value) {
		if old, bound := r.names[name]; bound {
			outer[name] = old
		}
		r.names[name] = v
	}
	for n, p := range f.params {
		bind(p.name, r.parameter(f, n, c))
	}
	if r.language == library.Perl && c != nil {
		bind("@_", values.List(c.values()...))
	}
	result := r.result
	r.result = value{}
	v := r.within(f.tokens, f.from, f.to, f.expression)
	out := values.Join(r.result, v)
	r.result = result
	for _, p := range f.params {
		delete(r.names, p.name)
	}
	if r.language == library.Perl {
		delete(r.names, "@_")
	}
	maps.Copy(r.names, outer)
	r.depth--
	f.active = false
	return out
}

// parameter is what a parameter is in a call, nil if nobody is seen to call the function.
func (r *reader) parameter(f *function, n int, c *call) value {
	p, v := &f.params[n], value{}
	if c != nil {
		var is bool
		if v, is = c.argument(n, []string{strings.TrimLeft(p.name, "$*")}); !is && p.to > p.from {
			v = r.within(f.tokens, p.from, p.to, true)
		}
	}
	if v.Form == values.IsUnknown {
		unknown := v
		v = values.Text(values.Mark + values.Plain(p.name) + values.Mark)
		v.Taint(&unknown)
	}
	return v
}

// within reads some tokens by themselves: an expression, or statements.
func (r *reader) within(all []lexer.Token, from, to int, expression bool) (v value) {
	tokens, i, limit, blocks := r.tokens, r.i, r.limit, r.blocks
	r.tokens, r.i, r.limit = all, from, to
	if expression {
		v = r.expr(0)
	} else {
		r.statements()
	}
	r.tokens, r.i, r.limit, r.blocks = tokens, i, limit, blocks
	return v
}

// anonymous reads the body of a function without a name where it stands, and is the
// function. Behind some words it is an expression, if it is not in braces.
func (r *reader) anonymous(params []param, expression bool) value {
	f := &function{tokens: r.tokens, params: params, from: r.i, called: true}
	out := values.Name("(block)")
	switch {
	case r.peek(0).Is("{") && r.language != library.Python:
		f.from, f.to = r.i+1, min(r.limit, int(r.tokens[r.i].Match))
		r.nested(1)
	case expression:
		f.expression = true
		out = r.expr(0)
		f.to = r.i
	default:
		return out
	}
	return out.Calling(f)
}

// skipTo goes to the next of some signs before an end, over what is in brackets.
func (r *reader) skipTo(end int, signs ...string) {
	for ; r.i < end && r.Step(); r.i++ {
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
	for at := r.i; at < r.limit && r.Step(); at++ {
		if t := &r.tokens[at]; t.First && t.Column <= column && t.Kind != lexer.Line {
			return r.i, at
		}
	}
	return r.i, r.limit
}
