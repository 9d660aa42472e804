package output

import (
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// describedPrints reports whether the command prints what it reads and the words it is given, as
// far as the catalogue says so.
func describedPrints(a *invocation.Act) (contents, words bool) {
	add := func(p *command.Program) {
		if p != nil {
			more, said := p.Prints(Invocation(a, a.Args), &invocation.DescribedAct{Act: a})
			contents, words = contents || more, words || said
		}
	}
	own := a.Own
	if own == nil {
		own = a.R.Set.Programs.Own(a.Name)
	}
	add(own)
	if a.Facts().Described && (own == nil || !own.Replaces) {
		add(command.Builtin().Program(a.Name))
	}
	return contents, words
}

// Invocation is the command with some arguments, for those who read descriptions.
func Invocation(a *invocation.Act, args []string) *command.Invocation {
	in := &a.Invoked // which most commands need no other than
	switch {
	case !same(args, a.Args) || a.InvokedOf != nil && (a.InvokedOf != a.Command || in.Name != a.Name || !same(args, in.Args)):
		in = new(command.Invocation)
	case a.InvokedOf != nil: // its readings may be in use
		return in
	default:
		a.InvokedOf = a.Command
	}
	in.Name, in.Args, in.More, in.In = a.Name, args, a.More, a
	return in
}

// same reports whether two lists are in the same place.
func same(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Reading is a command line by the description of a program, nil if it does not say
// what the command line is.
func Reading(a *invocation.Act, program string, args []string) *command.Reading {
	return command.Builtin().Program(program).Read(Invocation(a, args))
}

// says reports whether the catalogue says that something can be read in what a command
// prints.
func says(a *invocation.Act, what string) bool {
	if !a.Facts().Prints {
		return false
	}
	list := command.Builtin().Outputs(a.Name)
	for i := range list {
		if o := &list[i]; o.Prints == what && follow.Asked(a, o.If) && (o.Unless == nil || !follow.Asked(a, o.Unless)) {
			return true
		}
	}
	return false
}
