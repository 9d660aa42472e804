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
	for _, name := range []string{"url", "uri"} {
		if v := e.member(options, name); v.kind != undefined {
			if base := e.member(options, "baseURL"); base.kind != undefined {
				v = e.plus(e.toText(base), e.toText(v))
			}
			return v
		}
	}
	v := textValue("http://")
	if strings.HasPrefix(c.path, "https.") || strings.HasPrefix(c.path, "http2.") {
		v = textValue("https://")
	}
	for _, names := range [][]string{{"hostname", "host"}, {"port"}, {"path"}} {
		for _, name := range names {
			part := e.member(options, name)
			if part.kind == undefined {
				continue
			}
			if name == "port" {
				v = e.plus(v, textValue(":"))
			}
			v = e.plus(v, e.toText(part))
			break
		}
	}
	return v
}

// content is what is written or sent, as far as it is known.
func (e *evaluator) content(v value) string {
	if v.kind == undefined || v.kind == null {
		return ""
	}
	if v.kind == record {
		if _, ok := v.members().by["\x00bytes"]; !ok {
			e.tellsEnvironment(v, 0)
			v = e.stringify(v)
		}
	}
	t := e.toText(v)
	if t.kind != text {
		return Unknown
	}
	return t.text
}

// mostTold is how deep in a value that is sent variables are looked for.
const mostTold = 3

// tellsEnvironment notes all variables where they are put into what is written or
// sent.
func (e *evaluator) tellsEnvironment(v value, depth int) {
	switch {
	case v.kind == native && v.text == "process.env":
		e.use(library.Use{What: library.Env, Text: library.Environment, Known: true})
	case v.kind == record && depth < mostTold:
		for _, member := range v.members().by {
			if member.kind == native || member.kind == record {
				e.tellsEnvironment(member, depth+1)
			}
		}
	}
}
