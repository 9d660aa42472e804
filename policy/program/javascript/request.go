package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// asks notes a request: address, method, and what is given along.
func asks(c *called, o *operands) value {
	verb := "GET"
	if o.Has(1) {
		verb = strings.ToUpper(c.e.about(0, o.At(1)).Text)
	}
	if verb != "GET" && verb != "HEAD" || missing(o) < len(o.Given)-2 {
		return c.sends(o, 2)
	}
	c.e.use(c.address(library.Fetch, o.At(0)))
	return value{}
}

// sends notes that something is given to an address: the last operand that was
// given from a place on.
func (c *called) sends(o *operands, from int) value {
	u := c.address(library.Send, o.At(0))
	for i := from; i < len(o.Values); i++ {
		if o.Given[i] {
			u.Content = c.e.content(o.Values[i])
		}
	}
	c.e.use(u)
	return value{}
}

// address is a use of an address, which options may tell in parts.
func (c *called) address(what library.What, v value) library.Use {
	if v.kind == record && c.e.member(v, "href").kind == undefined {
		v = c.fromParts(v)
	}
	u := c.e.about(what, v)
	u.Dir = ""
	return u
}

// fromParts is the address that options of a request say.
func (c *called) fromParts(options value) value {
	e := c.e
	if v, ok := e.part(options, "url", "uri"); ok {
		base, _ := e.part(options, "baseURL")
		return e.plus(base, v)
	}
	scheme := "http://"
	if strings.HasPrefix(c.path, "https.") || strings.HasPrefix(c.path, "http2.") {
		scheme = "https://"
	}
	host, _ := e.part(options, "hostname", "host")
	v := e.plus(textValue(scheme), host)
	if port, ok := e.part(options, "port"); ok {
		v = e.plus(e.plus(v, textValue(":")), port)
	}
	path, _ := e.part(options, "path")
	return e.plus(v, path)
}

// part is the first of some options that is given.
func (e *evaluator) part(options value, names ...string) (value, bool) {
	for _, name := range names {
		if v := e.member(options, name); v.kind != undefined {
			return e.toText(v), true
		}
	}
	return textValue(""), false
}

// content is what is written or sent, as far as it is known.
func (e *evaluator) content(v value) string {
	if v.kind == undefined || v.kind == null {
		return ""
	}
	if v.kind == record && !isBytes(v) {
		e.tellsEnvironment(v, 0)
		v = e.stringify(v)
	}
	if t := e.toText(v); t.kind == text {
		return t.text
	}
	return Unknown
}

// tellsEnvironment notes all variables where they are put into what is written or
// sent, not too deep in it.
func (e *evaluator) tellsEnvironment(v value, depth int) {
	e.showsEnvironment(v)
	if v.kind == record && depth < 3 {
		for _, name := range v.members().names {
			e.tellsEnvironment(v.members().get(name), depth+1)
		}
	}
}
