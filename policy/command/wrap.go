package command

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wrapping says that a program is nothing but a wrapper of the command in its arguments:
// what runs is that command.
type wrapping struct {
	// self is what the wrapper does by itself: its operands are those before the
	// command.
	self *Command
	// assigns: NAME=value before the command sets a variable for it.
	assigns bool
	// more: the command is given further arguments.
	more bool
	// other: it runs as another user.
	other bool
	// directory is the role of where the command runs, empty if that is the same.
	directory string
	// unless: with these options there is no command.
	unless condition
}

// wraps reads what a wrapper does: {behind: [duration], assigns: true, more: true,
// user: other, directory: role, effects: [...], hook: [...], unless: [...]}.
func (d *decoder) wraps(p *Program, n *yaml.Node) error {
	w := &wrapping{self: &Command{flags: flagTable{}, line: n.Line + d.Offset}}
	p.wraps = w
	if n.Kind == yaml.ScalarNode && n.Value == "true" {
		return nil
	}
	return d.Pairs(n, "wraps", []string{"behind", "assigns", "more", "user", "directory", "unless", "effects", "hook", "cases"}, func(key string, _, v *yaml.Node) (err error) {
		switch key {
		case "behind":
			return d.commandKey(w.self, "operands", v)
		case "effects", "hook", "cases":
			return d.commandKey(w.self, key, v)
		case "assigns":
			w.assigns = v.Value == "true"
		case "more":
			w.more = v.Value == "true"
		case "user":
			if w.other = v.Value == "other"; !w.other {
				return d.Fail(v, "a command runs as its own user, or as user: other")
			}
		case "directory":
			w.directory = v.Value
		case "unless":
			if w.unless, err = d.condition(v); err != nil {
				return d.Fail(v, "%v", err)
			}
		}
		return nil
	})
}

// Wraps reports whether the program runs the command in its arguments and does
// nothing else.
func (p *Program) Wraps() bool { return p.wraps != nil }

// Alone reports whether a wrapper is also used without a command, for what it does then
// whatever its arguments are: env prints the environment.
func (p *Program) Alone() bool {
	for _, c := range p.commands {
		for i := range c.effects {
			given := false
			c.effects[i].object.roles(func(string) { given = true })
			if !given && !p.OtherUser() {
				return true
			}
		}
	}
	return false
}

// OtherUser reports whether the command runs as another user.
func (p *Program) OtherUser() bool { return p.wraps != nil && p.wraps.other }

// Assigns reports whether it takes NAME=value before the command.
func (p *Program) Assigns() bool { return p.wraps != nil && p.wraps.assigns }

// Wrapped is a command in the arguments of a wrapper, in one way to read them.
type Wrapped struct {
	*Reading

	// Begin is the argument that the command begins with.
	Begin int
	// Assigned are the arguments before it that set variables for it.
	Assigned []string
	// More: it is given further arguments. OtherUser: it runs as another user.
	More, OtherUser bool
	// Directory is where it runs, empty if that is the same.
	Directory string
	// Doubtful: an option with which the wrapper runs no command may have been given,
	// so that what the wrapper does by itself counts, too.
	Doubtful bool
}

// mostWrapped is in how many ways the words before a wrapped command are read.
const mostWrapped = 8

// mostAhead is how many words are looked at first: the command hardly ever begins behind
// them, and wrappers that stand in one another would look at the same words again and
// again.
const mostAhead = 32

// Unwrap finds the command that a wrapper runs. Words behind options that are not
// known may be their values or the command: each is a way to read it.
func (p *Program) Unwrap(in *Invocation) []Wrapped {
	if len(in.Args) > mostAhead {
		if found, all := p.unwrap(in, in.Args[:mostAhead]); all {
			return found
		}
	}
	found, _ := p.unwrap(in, in.Args)
	return found
}

// unwrap finds the commands that begin among some words, and reports whether that are
// all.
func (p *Program) unwrap(in *Invocation, words []string) (found []Wrapped, all bool) {
	w := p.wraps
	l := parse(words, p.syntax, p.flags)
	of := Reading{Invocation: in, program: p, command: w.self, line: l}
	least, most := of.places()
	left := []int{len(most)} // operands before the command, in each of the readings
	if len(least) < len(most) {
		left = append(left, len(least))
	}
	for i := range l.operands {
		o := &l.operands[i]
		if w.assigns && (o.text == "-" || isAssigned(o.text)) {
			continue
		}
		var next []int
		for _, n := range left {
			switch {
			case n > 0:
				next = append(next, n-1)
			case !o.maybe || len(found) < mostWrapped: // the one that is sure is never left out
				if one, runs := p.wrapped(in, o.at); runs {
					found = append(found, one)
				}
			}
			if o.maybe {
				next = append(next, n)
			}
		}
		slices.Sort(next)
		next = slices.Compact(next)
		if left = next; len(left) == 0 {
			return found, true
		}
	}
	return found, false
}

// wrapped is the command that begins at an argument, and whether it runs with the
// options before it.
func (p *Program) wrapped(in *Invocation, begin int) (Wrapped, bool) {
	w := Wrapped{Begin: begin, More: p.wraps.more, OtherUser: p.wraps.other}
	own := *in
	own.Args, own.More, own.apart = nil, false, nil
	at := make([]int, 0, begin)
	for i, word := range in.Args[:begin] {
		if p.wraps.assigns && isAssigned(word) {
			w.Assigned = append(w.Assigned, word)
			continue
		}
		own.Args, at = append(own.Args, word), append(at, i)
	}
	if in.In != nil {
		own.In = moved{in.In, at}
	}
	w.Reading = &Reading{Invocation: &own, program: p, command: p.wraps.self, variables: p.variables, line: parse(own.Args, p.syntax, p.flags)}
	w.bind(0, nil)
	if w.Directory = ""; p.wraps.directory != "" {
		w.Directory = w.Value(p.wraps.directory)
	}
	without := p.wraps.unless.spares(w.Reading)
	w.Doubtful = without != no
	return w, without != yes
}

// Tell says what the wrapper does by itself.
func (w *Wrapped) Tell(h Host) {
	w.host = h
	w.options(h)
	w.tellCommand(w.command, h)
}

// isAssigned reports whether a word is NAME=value, or a function that a shell hands on.
func isAssigned(word string) bool {
	eq := strings.IndexByte(word, '=')
	if strings.HasPrefix(word, "BASH_FUNC_") {
		return eq > 0
	}
	if eq <= 0 || '0' <= word[0] && word[0] <= '9' {
		return false
	}
	for i := range eq {
		if c := word[i]; c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}
