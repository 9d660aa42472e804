package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// mostLinks is how many calls of a chain are kept.
const mostLinks = 16

// chainOf is the chain that leads to a value.
func chainOf(v *value, depth int) values.Chain {
	switch {
	case v.Chain() != nil:
		return *v.Chain()
	case v.Form == values.IsName && len(v.Items()) == 1 && depth < mostLinks:
		c := chainOf(&v.Items()[0], depth+1)
		return link(c, strings.TrimPrefix(v.Text, "."), "")
	case v.Form == values.IsName:
		return link(values.Chain{}, v.Text, "")
	case v.Form == values.IsText && strings.HasPrefix(v.Text, values.Mark):
		return link(values.Chain{}, strings.Trim(v.Text, values.Mark), "")
	default:
		return values.Chain{}
	}
}

// link is a chain with what a name with dots adds to it.
func link(c values.Chain, name, text string) values.Chain {
	links := slices.Concat(c.Links, library.Links(name))
	links[len(links)-1].Text = text
	c.Links = links[max(0, len(links)-mostLinks):]
	return c
}

// unknown is a call of something that is not described. In a cloud it may take
// something away.
func (r *reader) unknown(v *value, c *call) value {
	out := r.other(v, c)
	if !r.clouds || v.Form != values.IsName {
		return out
	}
	made, told := chainOf(v, 0), ""
	if len(made.Links) == 0 {
		return out
	}
	args := make([]library.Argument, len(c.args))
	for i := range c.args {
		arg := &c.args[i]
		s, known := arg.value.Known()
		args[i] = library.Argument{Name: arg.name, Text: s, Known: known, True: !isFalse(s)}
		for _, v := range append([]value{arg.value}, arg.value.Items()[:min(len(arg.value.Items()), mostLinks)]...) {
			if s, known := v.Known(); known && told == "" { // the first text
				told = s
			}
		}
	}
	made.Links[len(made.Links)-1].Text = told
	use, does, here := library.Clouds().Call(made.Links, args, made.Here)
	if made.Here = here; does && len(made.Links) > 1 {
		use.Text = values.Shown(use.Text)
		r.use(use)
	}
	return out.Chained(&made)
}
