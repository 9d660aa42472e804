package command

import "slices"

// Invocation is a program about to run.
type Invocation struct {
	Name string
	// Args are its arguments; what the shell puts in when it runs stands as written.
	Args []string
	// More: arguments that are not known follow, as from xargs.
	More bool
	// In is where it runs; nil if nothing is known of that.
	In Surroundings

	// nested is in how many texts it stands that others read as command lines.
	nested int
	// apart is what the last description made of it.
	apart *takenApart
}

// Surroundings are what a program's arguments and its environment come from.
type Surroundings interface {
	// IsListed reports whether an argument stands for any number of words: a wildcard,
	// or the output of another command.
	IsListed(i int) bool
	// Variable looks up a variable of the environment.
	Variable(name string) (value string, set bool)
}

// variable looks up a variable of the environment.
func (in *Invocation) variable(name string) (value string, set bool) {
	if in.In == nil {
		return "", false
	}
	return in.In.Variable(name)
}

// moved are the surroundings of arguments that stood elsewhere in a command line; at
// says where, -1 if they did not.
type moved struct {
	Surroundings
	at []int
}

func (m moved) IsListed(i int) bool {
	return i < len(m.at) && m.at[i] >= 0 && m.Surroundings.IsListed(m.at[i])
}

// part is the invocation with some of its arguments.
func (in *Invocation) part(from, to int) *Invocation {
	if from == 0 && to == len(in.Args) {
		return in
	}
	one := *in
	one.Args, one.apart = slices.Clone(in.Args[from:to]), nil
	if in.In != nil {
		at := make([]int, to-from)
		for i := range at {
			at[i] = from + i
		}
		one.In = moved{in.In, at}
	}
	return &one
}

// without is the invocation without the words of a command, and where its arguments stood.
func (in *Invocation) without(l *line, used []bool) (rest *Invocation, at []int) {
	var args []string
	next := 0
	for i, word := range in.Args {
		for next < len(used) && (!used[next] || l.operands[next].at < i) {
			next++
		}
		if next < len(used) && l.operands[next].at == i {
			continue
		}
		args, at = append(args, word), append(at, i)
	}
	without := *in
	without.Args, without.apart = args, nil
	if in.In != nil {
		without.In = moved{in.In, slices.Clone(at)}
	}
	return &without, at
}

// with is the invocation with more arguments, which come first.
func (in *Invocation) with(args []string) *Invocation {
	more := *in
	more.Args, more.apart = slices.Concat(args, in.Args), nil
	if in.In != nil {
		at := make([]int, len(more.Args))
		for i := range at {
			at[i] = max(i-len(args), -1)
		}
		more.In = moved{in.In, at}
	}
	return &more
}
