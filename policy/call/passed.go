package call

import (
	"slices"

	"github.com/sluice-project/sluice/policy/program/javascript"
)

// Passed is a call that another one passes on, as a dispatcher does, and a program that
// calls tools. It is judged like a call of its own.
type Passed struct {
	// Name is the tool as it was written, empty if that is not known.
	Name string
	// Server is the MCP server, if it is named beside the tool; MCP says that the tool is
	// a server's, even if that is not known.
	Server string
	MCP    bool
	// Arguments are those of the tool: JSON, or a text if Freeform is set.
	Arguments string
	Freeform  bool
	// Partial are the members of the arguments that are not known as a whole; "..." stands
	// for any.
	Partial []string
	// From and To are where the arguments are in those of the call, as an object, as a
	// text with one in it or as null. Both are 0 if that is not sure.
	From, To int
	// InProgram says that a program makes the call.
	InProgram bool
}

// at is the place of a text in the arguments of the call, plus one; 0 if it is not known.
type at int

const begins at = 1

// plus is the place of something in a text.
func (a at) plus(offset int) at {
	if a == 0 {
		return 0
	}
	return a + at(offset)
}

// Known reports whether a member of the arguments is known.
func (p *Passed) Known(member string) bool {
	return !slices.Contains(p.Partial, member) && !slices.Contains(p.Partial, "...")
}

// mostPassed is how many calls that one passes on are judged by themselves.
const mostPassed = 64

// passes notes a call that this one passes on.
func (c *Call) passes(p *Passed) {
	if len(c.Passed) == mostPassed { // nothing is known of the others
		p = &Passed{Partial: []string{"..."}}
	}
	if len(c.Passed) <= mostPassed {
		c.Passed = append(c.Passed, *p)
	}
}

// passesOf notes what a program calls. hides says that it may call more than can be seen.
func (c *Call) passesOf(calls []javascript.ToolCall, hides bool) {
	for i := range calls {
		called := &calls[i]
		partial := called.Partial
		if !called.Known && len(partial) == 0 && called.Tool != "" {
			partial = []string{"..."}
		}
		c.passes(&Passed{InProgram: true, Name: called.Tool, Arguments: called.Arguments, Freeform: called.Freeform, Partial: partial})
	}
	if hides {
		c.passes(&Passed{InProgram: true, Partial: []string{"..."}})
	}
}

// FillPassed is Fill for a call that another one passes on.
func (c *Call) FillPassed(p *Passed, in Setting) {
	c.fill(p.Name, said{name: p.Name, server: p.Server, mcp: p.MCP, text: p.Arguments, freeform: p.Freeform}, in)
	c.settle()
}
