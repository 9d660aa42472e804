package command

import (
	"iter"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// What Host.Unknown is told.
const (
	// UnknownSubcommand: the description does not have the subcommand.
	UnknownSubcommand = "subcommand"
	// UnknownValue: an effect depends on a value that is not known.
	UnknownValue = "variable"
)

// Host is told what a program does. Texts are as written in the command line.
type Host interface { //nolint:interfacebloat // one for each thing that a description can say
	Knowledge

	// Effect is one effect. The object of one on files is a path as written, and so is
	// where it comes from.
	Effect(e effect.Effect)
	// File says that a file is read, written, deleted or run.
	File(kind Kind, path string)
	// Run says that a text or a list of words is executed.
	Run(kind Kind, words []string)
	// Where says what database the statements are for, before they are told.
	// It is not certain where the name may be the value of an option that is not known.
	Where(kind Kind, name string, certain bool)
	// Input says what the program does with its input.
	Input(kind Kind)
	// Hook calls the code that a description names, for what it cannot say itself.
	Hook(name string, in *Reading)
	// Packages says that packages are installed, or fetched to be run, from any of some
	// registries, or from where their names say.
	Packages(kind Kind, specs []string, from Registries)
	// Noted is an effect of something that the host gave by Values.
	Noted(e effect.Effect)
	// Unknown says that the program may do more than what was said.
	Unknown(what string)
	// Spare are words, from the first on that the description says nothing about: a
	// subcommand that does nothing that matters was given them.
	Spare(words []string)
}

// Knowledge is what a host knows of where a program runs, for conditions and cases.
type Knowledge interface {
	// Context answers a question about where the program runs, which a description
	// names: whether the cluster it talks to is one of this machine.
	Context(name string, in *Reading) bool
	// Values are those of a role that only the host knows; see [noted].
	Values(role string) []string
	// Is answers a question about a value: "inside", whether it names a machine of one's
	// own, "foreign", a registry that is not one of the usual ones, "program", the name of a
	// program that is known, or "elsewhere", a value that is not known and may be an address.
	Is(what, value string) bool
	// Document is what a value says: its text, or what is in the file that it names. It is
	// not known if nobody has seen that file.
	Document(value string) (text string, known bool)
}

// Subcommand is the word that says what the program does: the first operand that is
// one by its description, or the first that is no value of an option.
func (p *Program) Subcommand(in *Invocation) string {
	l := &in.takenApart(p).first
	first := ""
	for i := range l.operands {
		o := &l.operands[i]
		if !o.maybe || p.index.begins(o.key) {
			return o.text
		}
		if first == "" {
			first = o.text
		}
	}
	return first
}

// Knows reports whether the description itself has the subcommand, and not only that of the
// program it adds to.
func (p *Program) Knows(in *Invocation) bool {
	t := in.takenApart(p)
	own := func(f found) bool { return !f.command.below }
	return slices.ContainsFunc(t.matches, own) || len(t.first.operands) == 0 || p.asksForHelp(&t.first, true)
}

// Calls reports whether the operands begin with some words, in a reading of the
// options. Alternatives of a word are separated by "|".
func (p *Program) Calls(args []string, words ...string) bool {
	w := make(way, len(words))
	for i, word := range words {
		w[i].words = strings.Split(word, "|")
	}
	l := p.parse(args)
	taken, _, _ := w.match(l.operands)
	return taken >= 0
}

// ValueFlags are the names of the options with a value that every command has.
func (p *Program) ValueFlags() []string { return p.flagsOf(valued) }

// Switches are the names of the options without a value that every command has.
func (p *Program) Switches() []string { return p.flagsOf(plain) }

func (p *Program) flagsOf(a arity) []string {
	var names []string
	for name, f := range p.flags {
		if f.arity == a {
			names = append(names, name)
		}
	}
	return names
}

// Resolve reads an invocation and tells the host what it would do.
func (p *Program) Resolve(in *Invocation, h Host) {
	for _, one := range p.separate(in) {
		p.resolve(one, h, 0)
	}
}

// separate are the command lines that an invocation consists of, by the argument with
// which they begin.
func (p *Program) separate(in *Invocation) iter.Seq2[int, *Invocation] {
	return func(yield func(int, *Invocation) bool) {
		start := 0
		for i, word := range in.Args {
			last, ends := strings.CutSuffix(word, ";")
			if !p.syntax.separated || !ends || strings.HasSuffix(last, `\`) {
				continue
			}
			one := in.part(start, i)
			if last != "" {
				one.Args = append(one.Args, last)
			}
			if !yield(start, one) {
				return
			}
			start = i + 1
		}
		yield(start, in.part(start, len(in.Args)))
	}
}

// mostPrograms is how many programs a command line can be handed on to.
const mostPrograms = 4

func (p *Program) resolve(in *Invocation, h Host, depth int) {
	t := in.takenApart(p)
	if len(t.matches) == 0 {
		if p.asksForHelp(&t.first, true) {
			return
		}
		r := &Reading{Invocation: in, program: p, command: &p.always, variables: p.variables, line: t.first, host: h}
		r.bind(0, nil)
		r.tellCommand(&p.always, h)
		if len(t.first.operands) > 0 || in.More {
			h.Unknown(UnknownSubcommand)
		}
		return
	}
	for i := range t.matches {
		m := &t.matches[i]
		if m.command.program != "" && depth < mostPrograms {
			if other := p.other(m.command.program); other != nil && (!m.command.below || other.base != "") {
				rest, _ := p.handedOn(in, t, m)
				other.resolve(rest, h, depth+1)
			}
			continue
		}
		t.reading(in, i, h).tell(h)
	}
	t.spare(in, h)
}

// handedOn is what another program is given, and where its arguments stood, -1 for one that
// is the rest of a name.
func (p *Program) handedOn(in *Invocation, t *takenApart, m *found) (rest *Invocation, at []int) {
	rest, at = in.without(&t.first, m.used)
	if !m.command.called {
		return rest, at
	}
	called := rest.calledBy(p.Names)
	return called, append(slices.Repeat([]int{-1}, len(called.Args)-len(rest.Args)), at...)
}

// takenApart is an invocation as the description of a program has it. It is kept with
// the invocation, which is asked for what it does and for what it prints.
type takenApart struct {
	program *Program
	first   line
	matches []found
	// readings are those of the matches that were asked for.
	readings []*Reading
	// Most invocations have one match, which is kept here.
	match [1]found
	alone [1]*Reading
}

func (in *Invocation) takenApart(p *Program) *takenApart {
	if in.apart == nil || in.apart.program != p {
		t := &takenApart{program: p, first: p.parse(in.Args)}
		t.matches = p.match(&t.first, t.match[:0])
		in.apart = t
	}
	return in.apart
}

// parse takes arguments apart before it is known which command they belong to.
func (p *Program) parse(args []string) line {
	if len(p.leading) == 0 || len(args) == 0 || !strings.HasPrefix(args[0], "-") { // as of most
		return parse(args, p.syntax, p.every)
	}
	l := parse(args, p.syntax, p.leading, p.every)
	for i := range l.operands {
		if o := &l.operands[i]; !o.maybe {
			return span{begin: o.at, end: len(args)}.parse(args, p.syntax, p.every, p.leading)
		}
	}
	return parse(args, p.syntax, p.every)
}

// reading is that of one of the commands.
func (t *takenApart) reading(in *Invocation, i int, h Host) *Reading {
	if t.readings == nil {
		if t.readings = t.alone[:]; len(t.matches) > 1 {
			t.readings = make([]*Reading, len(t.matches))
		}
	}
	if t.readings[i] == nil {
		t.readings[i] = t.read(in, &t.matches[i])
	}
	t.readings[i].host = h
	return t.readings[i]
}

// Read takes an invocation apart and says nothing of what it does: its first reading,
// nil if no command of the description is called.
func (p *Program) Read(in *Invocation) *Reading {
	t := in.takenApart(p)
	if len(t.matches) == 0 {
		return nil
	}
	return t.reading(in, 0, nil)
}

// Base is the program that the description adds to, and that says by itself what it does;
// empty if there is none.
func (p *Program) Base() string { return p.base }

// IsDry reports whether an option of the description surely makes a dry run of an
// invocation, however it is read.
func (p *Program) IsDry(in *Invocation) bool {
	t := in.takenApart(p)
	for i := range t.matches {
		if !t.reading(in, i, nil).isDry() {
			return false
		}
	}
	return len(t.matches) > 0
}

// Prints reports whether an invocation prints what it reads, from files and from its
// input, and whether it prints the words that it is given. What cannot be told is
// taken to be printed.
func (p *Program) Prints(in *Invocation, h Host) (contents, words bool) {
	t := in.takenApart(p)
	for i := range t.matches {
		c := t.matches[i].command
		if c.below {
			continue
		}
		if len(c.prints) == 0 && len(c.echoes) == 0 {
			continue
		}
		r := t.reading(in, i, h)
		contents = contents || c.prints.holds(r) != no
		words = words || c.echoes.holds(r) != no
	}
	return contents, words
}

// read takes the command line apart as a command means it.
func (t *takenApart) read(in *Invocation, f *found) *Reading {
	p, r := t.program, new(Reading)
	if len(f.way) == 0 && len(p.commands) == 1 && len(f.command.flags) == 0 && !f.command.firstEnds { // the options are the same
		*r = Reading{Invocation: in, program: p, command: f.command, variables: p.variables, line: t.first, firstEnds: p.syntax.firstEnds}
		r.bind(0, nil)
		return r
	}
	where := span{begin: f.at, end: len(in.Args)}
	l := where.parse(in.Args, p.syntax, f.command.flags, p.flags)
	taken, used := f.match(l.operands)
	if taken < 0 { // an option of another command stood before the words
		l = parse(in.Args, p.syntax, p.every)
		taken, used = f.match(l.operands)
	}
	if f.command.firstEnds {
		ahead := f.command.ahead
		for i := range l.operands {
			o := &l.operands[i]
			if i < taken || o.maybe {
				continue
			}
			if ahead--; ahead < 0 {
				where.end = o.at
				l = where.parse(in.Args, p.syntax, f.command.flags, p.flags)
				break
			}
		}
	}
	*r = Reading{Invocation: in, program: p, command: f.command, variables: p.variables, line: l, firstEnds: p.syntax.firstEnds || f.command.firstEnds, subcommand: len(f.way) > 0}
	r.bind(taken, used)
	return r
}
