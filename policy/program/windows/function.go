package windows

import (
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// function is a function or a block of the script that can be called: its body is read
// where it stands, and again with what its parameters are.
type function struct {
	params []parameter
	body   string
	// declared: it is known whether the body says what its parameters are.
	declared, active bool
}

// parameter has the text of what it is if nothing is given.
type parameter struct{ name, without string }

// IsFunction makes it what a value can call.
func (*function) IsFunction() {}

// functionOf is what a block does when it is called, nil if that is not known.
func functionOf(v value) *function {
	f, _ := v.Calls().(*function)
	return f
}

// mostParams is how many bytes the parameters of a function may have.
const mostParams = 4096

// mostFunctions is how many functions of a script are kept.
const mostFunctions = 1000

// defines reads the definition of a function, behind its keyword.
func (p *parser) defines() {
	p.blanks(false)
	name := p.peekWord()
	if p.pos += len(name); p.at(0) == ':' { // global:name
		p.pos++
		name = p.peekWord()
		p.pos += len(name)
	}
	p.blanks(true)
	f := &function{}
	if p.at(0) == '(' {
		list := within(p.src[p.pos:])
		f.params = parametersOf(list)
		p.pos += len(list) + len("()")
		p.clamp()
		p.blanks(true)
	}
	if p.at(0) != '{' {
		return
	}
	f.body = p.body(func() { p.block(p.r.vars["_"]) })
	if len(p.r.functions) < mostFunctions {
		p.r.functions[strings.ToLower(name)] = f
	}
}

// body is the text in the braces that are read.
func (p *parser) body(read func()) string {
	start := p.pos + 1
	read()
	return p.src[min(start, len(p.src)):max(start, min(p.pos, len(p.src))-1)]
}

// closure reads a block where it stands, and is a block that can be called.
func (p *parser) closure() (v value) {
	body := p.body(func() { v = p.block(p.r.vars["_"]) })
	return v.As("block").Calling(&function{body: body})
}

// invoke reads the body of a function with what its parameters are. Outside of it their
// names are what they were.
func (r *reader) invoke(f *function, words []value, in value) (out value) {
	if f.active {
		return values.Unknown("output")
	}
	if f.params == nil && !f.declared {
		f.declared = true
		if m := declares.FindString(f.body[:min(len(f.body), mostParams)]); m != "" {
			f.params = parametersOf(within(f.body[len(m)-1:]))
		}
	}
	r.Steps -= len(f.params)
	c := r.cmdlet("", words, in)
	given, place := map[string]value{"_": in, "args": values.List(c.words...)}, 0
	for i := range f.params {
		p := &f.params[i]
		v, named := c.get(p.name)
		switch {
		case named:
		case place < len(c.words):
			v = c.words[place]
			place++
		case p.without != "":
			v = (&parser{r: r, src: p.without}).expression()
		default:
			continue
		}
		given[p.name] = v
	}
	outer := map[string]value{}
	for name, v := range given {
		if old, bound := r.vars[name]; bound {
			outer[name] = old
		}
		r.vars[name] = v
	}
	f.active = true
	out = r.nested(f.body)
	f.active = false
	for name := range given {
		delete(r.vars, name)
		if old, bound := outer[name]; bound {
			r.vars[name] = old
		}
	}
	return out
}

// declares is how a body begins that says what its parameters are.
var declares = regexp.MustCompile(`(?i)^\s*(?:\[[^\]]*\]\s*)*param\s*\(`)

// within is what stands in the brackets with which a text begins.
func within(text string) string {
	text = text[:min(len(text), mostParams)]
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return text[1:i]
			}
		}
	}
	return text[1:]
}

// parametersOf reads what stands in the brackets: [string]$a, $b = 'x'.
func parametersOf(list string) []parameter {
	found := parameters.FindAllStringSubmatch(list, -1)
	params := make([]parameter, 0, len(found))
	for _, m := range found {
		params = append(params, parameter{strings.ToLower(m[1]), strings.TrimSpace(m[2])})
	}
	return params
}

// parameters are variables before a comma or the end, perhaps with what they are if nothing
// is given.
var parameters = regexp.MustCompile(`\$(\w+)\s*(?:=\s*((?:'[^']*'|"[^"]*"|[^,'"])*))?(?:,|$)`)

// isOwn reports whether a command is a function of the script and nothing else.
func (r *reader) isOwn(name string) bool {
	return !library.Of(library.PowerShell).Has(name) && !library.Of(library.Cmd).Has(name)
}
