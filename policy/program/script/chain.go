package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// chain is how something was made that nobody knows: by which calls, one on what the
// other gave. It is only followed in programs that talk to a cloud.
type chain struct {
	links []library.Link
	// here: it is known to talk to something on the same machine.
	here bool
}

// mostLinks is how many calls of a chain are kept.
const mostLinks = 16

// chainOf is the chain that leads to a value.
func chainOf(v *value, depth int) chain {
	switch {
	case v.extra != nil && v.chain != nil:
		return *v.chain
	case v.form == isRef && len(v.items()) == 1 && depth < mostLinks:
		c := chainOf(&v.items()[0], depth+1)
		return c.and(strings.TrimPrefix(v.text, "."), "")
	case v.form == isRef:
		return chain{}.and(v.text, "")
	case v.form == isString && strings.HasPrefix(v.text, mark):
		return chain{}.and(strings.Trim(v.text, mark), "")
	default:
		return chain{}
	}
}

// and is a chain with what a name with dots adds to it.
func (c chain) and(name, text string) chain {
	links := slices.Concat(c.links, library.Links(name))
	links[len(links)-1].Text = text
	c.links = links[max(0, len(links)-mostLinks):]
	return c
}

// unknown is a call of something that is not described. In a cloud it may take
// something away.
func (r *reader) unknown(v *value, c *call) value {
	out := r.other(v, c)
	if !r.clouds || v.form != isRef {
		return out
	}
	made, told := chainOf(v, 0), ""
	if len(made.links) == 0 {
		return out
	}
	args := make([]library.Argument, len(c.args))
	for i := range c.args {
		arg := &c.args[i]
		s, known := arg.value.known()
		args[i] = library.Argument{Name: arg.name, Text: s, Known: known, True: !isFalse(s)}
		for _, v := range append([]value{arg.value}, arg.value.items()[:min(len(arg.value.items()), mostLinks)]...) {
			if s, known := v.known(); known && told == "" { // the first text
				told = s
			}
		}
	}
	made.links[len(made.links)-1].Text = told
	use, does, here := library.Clouds().Call(made.links, args, made.here)
	if made.here = here; does && len(made.links) > 1 {
		use.Text = shown(use.Text)
		r.use(use)
	}
	e := out.extras()
	e.chain = &made
	out.extra = &e
	return out
}
