package rule

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/partial"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A command with More arguments may get further ones when it runs, and an argument
// can be known in part, or become any number of arguments. Options, operands and subcommands
// are those that the descriptions of programs find in a command line, in all of its readings.

// command is the command that a node is.
func (f *frame) command(n *node) (*invocation.Command, answer) {
	if n.op == opLocal {
		if c, ok := f.locals[n.slot].of.(*invocation.Command); ok {
			return c, yes
		}
	}
	v := n.eval(f)
	if c, ok := v.of.(*invocation.Command); ok && v.is == yes {
		return c, yes
	}
	if v.is == yes {
		v.is = f.fail(errOtherType)
	}
	return nil, f.whole(v)
}

// programs are the descriptions that the condition knows.
func (f *frame) programs() *command.Catalogue {
	if f.view != nil && f.view.programs != nil {
		return f.view.programs
	}
	return command.Builtin()
}

// openness is how much of an argument is not known.
func (f *frame) openness(c *invocation.Command, i int) invocation.Openness {
	if f.written || i >= len(c.Open) {
		return invocation.Whole
	}
	return c.Open[i]
}

// couldBeFlag reports whether an argument may be a flag that is not visible in it. A word
// in quotes is one word, and taken for no option unless it begins with a dash; so is one
// that begins otherwise, and a path. What else may be split into words can be any of them.
func (f *frame) couldBeFlag(c *invocation.Command, i int) bool {
	open := f.openness(c, i)
	if open == invocation.Whole || open == invocation.Names {
		return false
	}
	h := partial.New(c.Args[i])
	switch first := h.First(); {
	case strings.HasPrefix(first, "-"):
		return open == invocation.AnyWords || !strings.Contains(first, "=") && !f.isGlued(c, i, first)
	case first != "" || open == invocation.OneWord:
		return false
	default:
		return !slices.ContainsFunc(h.Pieces, func(piece string) bool { return strings.Contains(piece, "/") })
	}
}

// isGlued reports whether what is not known of an argument is the value of a letter in what
// is known of it: -p"$PASSWORD".
func (f *frame) isGlued(c *invocation.Command, i int, first string) bool {
	if strings.HasPrefix(first, "--") {
		return false
	}
	for at := 1; at < len(first); at++ {
		found, _ := f.programs().Options(c.Name, c.Args, first[at:at+1])
		if slices.ContainsFunc(found, func(o command.Option) bool { return o.Valued && !o.Maybe && o.At == i }) {
			return true
		}
	}
	return false
}

// isOneOf is command.is, with constants or with texts and lists.
func (n *node) isOneOf(f *frame, c *invocation.Command) answer {
	if n.names != nil {
		return answerOf(slices.Contains(n.names, c.Name))
	}
	found, all := false, yes
	names := f.programs().SameAs(c.Name)
	for _, kid := range n.kids[1:] {
		v, a := f.inCEL(kid.eval(f))
		if all = inOrder(all, a); a != yes {
			continue
		}
		switch v := v.(type) {
		case types.String:
			found = found || slices.Contains(names, string(v))
		case traits.Lister:
			found = found || slices.ContainsFunc(names, func(name string) bool { return v.Contains(types.String(name)) == types.True })
		default:
			all = inOrder(all, f.fail(errOtherType))
		}
	}
	if all != yes {
		return all
	}
	return answerOf(found)
}

// told reports whether an argument of a command, or the value of one, is one of some paths: if
// it is not known what a program does with its arguments, there is nothing else to judge.
func (n *node) told(f *frame, c *invocation.Command) answer {
	paths, a := n.pathsOf(f)
	if a != yes {
		return a
	}
	for _, arg := range c.Args {
		if !f.spend(paths.Steps(arg)) {
			return tooMuch
		}
	}
	if f.view == nil {
		return unknownOf(anything)
	}
	if f.names(c, paths) {
		return yes
	}
	if f.written {
		return no
	}
	for i, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined {
			arg = value
		}
		if f.openness(c, i) != invocation.Whole && paths.Could(arg, false, f.place()) {
			return f.note(commandArgs, arg)
		}
	}
	if c.More {
		return unknownOf(commandArgs)
	}
	return no
}

func (f *frame) names(c *invocation.Command, paths *effect.Paths) bool {
	at := f.place()
	if c.DirUnknown {
		at.Cwd = ""
	} else if c.Dir != "" {
		at.Cwd, _ = at.Resolve(c.Dir)
	}
	for _, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined && value != "" {
			arg = value
		}
		listed, inFile := strings.CutPrefix(arg, "@") // a file with further arguments, or with what is sent
		for _, path := range [...]string{arg, listed} {
			if path == "" || path[0] == '-' || len(path) > effect.MaxPlace {
				continue
			}
			resolved, _ := at.Resolve(path)
			if f.path.Set(resolved, at); paths.Touched(&f.path, false) {
				return true
			}
			if !inFile {
				break
			}
		}
	}
	return false
}

// arguments are the arguments of a command.
func (f *frame) arguments(c *invocation.Command, s *list) {
	s.texts, s.more = c.Args, complete(!c.More, commandArgs)
	if c.Open == nil || f.written {
		return
	}
	s.open = c.Open
	if !slices.Contains(c.Open, invocation.AnyWords) {
		return
	}
	s.texts, s.open = nil, nil
	for i, arg := range c.Args {
		f.add(c, i, arg, s)
	}
}

// add adds an argument to a list, or that any number of arguments can stand there.
func (f *frame) add(c *invocation.Command, i int, text string, s *list) {
	switch open := f.openness(c, i); {
	case open != invocation.AnyWords:
		s.texts, s.open = append(s.texts, text), append(s.open, open)
	case s.more == yes:
		s.more = f.note(commandArgs, text)
	}
}

// operands are the arguments of a command without options and their values, in the reading in turn.
func (n *node) operands(f *frame, c *invocation.Command, s *list) answer {
	at := n.readings(f)
	if at.operands == nil {
		if !f.spend(len(c.Args)) {
			return tooMuch
		}
		at.operands = f.programs().Operands(c.Name, c.Args)
	}
	way := at.way
	switch {
	case at.operands == nil:
		return unknownOf(commandArgs)
	case len(at.operands) == 1 || f.written:
		way = 0
	case !at.each:
		return unknownOf(commandArgs)
	}
	s.more = complete(!c.More, commandArgs)
	unknown := len(c.Args) // from which on it is not known how many there are
	if open := slices.Index(c.Open, invocation.AnyWords); open >= 0 && !f.written {
		unknown = open
	} else if s.more != yes {
		unknown = -1
	}
	for _, i := range at.operands[way] {
		if f.add(c, i, c.Args[i], s); i < unknown {
			s.sure++
		}
	}
	return yes
}

// readings are those of the command that a node is about.
func (n *node) readings(f *frame) *readings {
	if of := n.kids[0]; of.op == opLocal {
		return &f.readings[of.slot]
	}
	return &readings{}
}

// options are those of a command with a name, and the argument from which on it has none.
func (n *node) options(f *frame, c *invocation.Command) (name string, found []command.Option, end int, a answer) {
	v := f.asText(n.kids[1].eval(f))
	if v.is != yes {
		return "", nil, 0, f.whole(v)
	}
	if !f.spend(len(c.Args)) {
		return "", nil, 0, tooMuch
	}
	found, end = f.programs().Options(c.Name, c.Args, v.text)
	return v.text, found, end, yes
}

// has reports whether a command has a flag.
func (n *node) has(f *frame, c *invocation.Command) answer {
	name, found, end, a := n.options(f, c)
	if a != yes {
		return a
	}
	if slices.ContainsFunc(found, func(o command.Option) bool { return !o.Maybe || f.written || n.affirmed }) {
		return yes
	}
	var set list
	f.byVariable(c, name, &set)
	switch {
	case len(set.texts) > 0:
		return yes
	case len(found) > 0:
		return unknownOf(commandArgs)
	case f.written:
		return no
	}
	if a := f.noFurther(c, end); a != yes {
		return a
	}
	return no
}

// noFurther is yes if no words of a command may add options.
func (f *frame) noFurther(c *invocation.Command, end int) answer {
	for i, arg := range c.Args[:end] {
		if f.couldBeFlag(c, i) {
			return f.note(commandArgs, arg)
		}
	}
	return yes
}

// flag is the value of a flag: the last, if there are several. Words that may add options
// do not take it back: it stays what was found.
func (n *node) flag(f *frame, c *invocation.Command) value {
	s := list{more: yes}
	latest, a := n.flags(f, c, &s)
	last := len(s.texts) - 1
	switch {
	case a != yes:
		return value{is: a}
	case f.written && last >= 0:
		return known(s.texts[last])
	case latest != yes:
		return value{is: latest}
	case last >= 0:
		return s.at(f, last)
	case s.more != yes:
		return value{is: s.more}
	default:
		return known("")
	}
}

// flags are all values of a flag, in order, whether there may be more of them, and whether the
// last one is surely given, and followed by none of its own.
func (n *node) flags(f *frame, c *invocation.Command, s *list) (latest, a answer) {
	name, found, end, a := n.options(f, c)
	if a != yes {
		return a, a
	}
	if !slices.ContainsFunc(found, func(o command.Option) bool { return o.Valued && !o.Maybe }) {
		f.byVariable(c, name, s)
	}
	latest = yes
	for _, o := range found {
		// The first of the further arguments is the value of an option at the end.
		open := !o.Valued && c.More && o.At == len(c.Args)-1
		if latest = complete(!o.Maybe && !open, commandArgs); latest != yes {
			s.more = latest
		}
		if o.Valued {
			s.texts, s.open = append(s.texts, o.Value), append(s.open, f.openness(c, o.At))
		}
	}
	if a := f.noFurther(c, end); a != yes {
		s.more = a
	}
	return latest, yes
}

// sub is the subcommand of a command. Where words that stand in front of it may be values of
// options that are not known, it is the one of the reading that the slot is in.
func (n *node) sub(f *frame, c *invocation.Command) value {
	sub := c.Sub
	if !f.written && slices.ContainsFunc(c.Args, func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		at := n.readings(f)
		if at.subs == nil {
			at.subs = f.programs().Subcommands(c.Name, c.Args)
		}
		if len(at.subs) > 1 && !at.each {
			return value{is: unknownOf(commandArgs)}
		}
		sub = at.subs[at.sub]
	}
	switch {
	case sub == "" && c.More:
		return value{is: unknownOf(commandArgs)}
	case c.Open == nil || f.written:
		return known(sub)
	}
	s := list{texts: c.Args, open: c.Open}
	for i, arg := range c.Args {
		if open := f.openness(c, i); open == invocation.AnyWords || arg == sub {
			return s.at(f, i)
		}
	}
	return known(sub)
}
