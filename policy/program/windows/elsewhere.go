package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/values"
)

// named is what a cmdlet names: by the first parameter that is a name, or by the
// first word.
func (c *call) named() value {
	for i := range c.params {
		p := &c.params[i]
		switch {
		case strings.HasPrefix(p.name, "resourcegroup"): // where it is
		case strings.HasSuffix(p.name, "name"), strings.HasSuffix(p.name, "id"), strings.HasSuffix(p.name, "identifier"), begins("identity", p.name), p.name == "filter", p.name == "database":
			return p.value
		}
	}
	return c.param(0, "resourcegroupname")
}

// removes is an operation that takes away what somebody keeps elsewhere.
func removes(f func(c *call, o *operands, what string, many bool) effect.Effect) operation {
	return func(c *call, o *operands) value {
		what := strings.TrimSpace(strings.TrimPrefix(c.name, "remove-") + " " + joined(c.named()))
		_, each := c.r.vars["_"]
		many := shown(c.in) != "" || list(c.in) != nil || strings.Contains(what, "*") || each && strings.Contains(what, "$")
		c.r.add(f(c, o, what, many))
		return values.Unknown(c.name)
	}
}

// query gives a text of SQL to those who know it.
func (r *reader) query(v value) {
	for _, text := range paths(v) {
		r.other([]value{values.Text("sqlcmd"), values.Text("-Q"), values.Text(text)}, value{})
	}
}
