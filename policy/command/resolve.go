package command

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Invocation is a program about to run.
type Invocation struct {
	Name string
	// Args are its arguments; what the shell puts in when it runs stands as written.
	Args []string
	// Listed reports whether an argument stands for any number of words: a wildcard,
	// or the output of another command.
	Listed func(i int) bool
	// More: arguments that are not known follow, as from xargs.
	More bool
	// Env looks up a variable of its environment.
	Env func(name string) (string, bool)
}

// What Host.Unknown is told.
const (
	// UnknownSubcommand: the description does not have the subcommand.
	UnknownSubcommand = "subcommand"
	// UnknownValue: an effect depends on a value that is not known.
	UnknownValue = "variable"
)

// Host is told what a program does. Texts are as written in the command line.
type Host interface {
	// Effect is one effect. Paths go to File instead.
	Effect(e effect.Effect)
	// File says that a file is read, written or deleted.
	File(kind Kind, path string)
	// Run says that a text or a list of words is executed.
	Run(kind Kind, words []string)
	// Hook calls the code that a description names, for what it cannot say itself.
	Hook(name string, in *Reading)
	// Context answers a question about where the program runs, which a description
	// names: whether the cluster it talks to is one of this machine.
	Context(name string, in *Reading) bool
	// Unknown says that the program may do more than what was said.
	Unknown(what string)
}

// Reading is one way in which an invocation can be meant: its options and operands
// by their roles.
type Reading struct {
	*Invocation

	command *Command
	line    line
	host    Host
	roles   map[string][]value
}

type value struct {
	text          string
	listed, maybe bool
}

// values are those of a role; "$NAME" is a variable of the environment.
func (r *Reading) values(role string) []value {
	if name, ok := strings.CutPrefix(role, "$"); ok {
		if v, set := r.Env(name); set && v != "" {
			return []value{{text: v}}
		}
		return nil
	}
	return r.roles[role]
}

// Values are those of a role, in the order in which they were given.
func (r *Reading) Values(role string) []string {
	values := r.values(role)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.text
	}
	return texts
}

// Value is the last value of a role, empty if there is none.
func (r *Reading) Value(role string) string {
	if all := r.values(role); len(all) > 0 {
		return all[len(all)-1].text
	}
	return ""
}

// Has reports whether an option is given and not switched off.
func (r *Reading) Has(option string) bool {
	t := test{what: hasOption, name: option}
	return t.ask(r) != no
}

// Subcommand is the word that says what the program does: the first operand that is
// one by its description, or the first that is no value of an option.
func (p *Program) Subcommand(args []string) string {
	l := parse(args, p.syntax, p.every)
	first := ""
	for i := range l.operands {
		o := &l.operands[i]
		for _, c := range p.commands {
			for _, w := range c.ways {
				if len(w) > 0 && w[0].literal() && w[0].matches(o.text) {
					return o.text
				}
			}
		}
		if !o.maybe {
			return o.text
		}
		if first == "" {
			first = o.text
		}
	}
	return first
}

// Calls reports whether the operands begin with some words, in a reading of the
// options. Alternatives of a word are separated by "|".
func (p *Program) Calls(args []string, words ...string) bool {
	w := make(way, len(words))
	for i, word := range words {
		w[i].words = strings.Split(word, "|")
	}
	l := parse(args, p.syntax, p.every)
	taken, _, _ := w.match(l.operands)
	return taken >= 0
}

// ValueFlags are the names of the options with a value that every command has.
func (p *Program) ValueFlags() []string {
	var names []string
	for name, f := range p.flags {
		if f.arity == valued {
			names = append(names, name)
		}
	}
	return names
}

// Options are the names of the options as they were given, without dashes.
func (r *Reading) Options() []string {
	names := make([]string, len(r.line.options))
	for i := range names {
		names[i] = r.line.options[i].name
	}
	return names
}

// Resolve reads an invocation and tells the host what it would do.
func (p *Program) Resolve(in *Invocation, h Host) {
	p.resolve(in, h, 0)
}

// mostPrograms is how many programs a command line can be handed on to.
const mostPrograms = 4

func (p *Program) resolve(in *Invocation, h Host, depth int) {
	first := parse(in.Args, p.syntax, p.every)
	matches := p.match(&first)
	if len(matches) == 0 {
		if (len(first.operands) > 0 || in.More) && !asksForHelp(&first) {
			h.Unknown(UnknownSubcommand)
		}
		return
	}
	for _, m := range matches {
		if m.command.program != "" && depth < mostPrograms {
			if other := p.other(m.command.program); other != nil {
				other.resolve(in.without(&first, m.used), h, depth+1)
			}
			continue
		}
		p.read(in, m, h)
	}
}

// without is the invocation without the words of a command.
func (in *Invocation) without(l *line, used []bool) *Invocation {
	var args []string
	var at []int // where they were
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
	rest := *in
	rest.Args = args
	if in.Listed != nil {
		rest.Listed = func(i int) bool { return in.Listed(at[i]) }
	}
	return &rest
}

// Read takes an invocation apart and says nothing of what it does: its first reading,
// nil if no command of the description is called.
func (p *Program) Read(in *Invocation) *Reading {
	first := parse(in.Args, p.syntax, p.every)
	matches := p.match(&first)
	if len(matches) == 0 {
		return nil
	}
	return p.reading(in, &matches[0], nil)
}

// asksForHelp reports whether a command only explains itself.
func asksForHelp(l *line) bool {
	for i := range l.options {
		if o := &l.options[i]; o.name == "help" && !o.maybe && !(o.valued && o.flag != nil && o.arity == valued) {
			return true
		}
	}
	return false
}

// read says what a command does.
func (p *Program) read(in *Invocation, f found, h Host) {
	r := p.reading(in, &f, h)
	if asksForHelp(&r.line) || r.isDry() {
		return
	}
	r.options(h)
	for i := range f.command.effects {
		r.effect(&f.command.effects[i], h)
	}
	for _, hook := range f.command.hooks {
		h.Hook(hook, r)
	}
}

// reading is that of the command line as a command means it.
func (p *Program) reading(in *Invocation, f *found, h Host) *Reading {
	where := span{begin: f.at, end: len(in.Args)}
	l := where.parse(in.Args, p.syntax, f.command.flags, p.flags)
	taken, used, _ := f.way.match(l.operands)
	if taken < 0 { // an option of another command stood before the words
		l = parse(in.Args, p.syntax, p.every)
		taken, used, _ = f.way.match(l.operands)
	}
	if f.command.firstEnds {
		for i := range l.operands {
			if o := &l.operands[i]; i >= taken && !o.maybe {
				where.end = o.at
				l = where.parse(in.Args, p.syntax, f.command.flags, p.flags)
				break
			}
		}
	}
	r := &Reading{Invocation: in, command: f.command, line: l, host: h}
	r.bind(taken, used)
	return r
}

// isDry reports whether an option surely makes a dry run of it.
func (r *Reading) isDry() bool {
	for i := range r.line.options {
		o := &r.line.options[i]
		if o.flag == nil || !o.dry || o.maybe {
			continue
		}
		if o.valued && o.value != "" && o.arity != plain {
			switch strings.ToLower(o.value) {
			case "none", "false", "no", "0", "off", "n", "f":
				continue
			}
			if effect.Expands(o.value) {
				continue
			}
		}
		return true
	}
	return false
}

// options says what becomes of values with a kind.
func (r *Reading) options(h Host) {
	for i := range r.line.options {
		if o := &r.line.options[i]; o.flag != nil && o.valued && o.kind != Text {
			give(h, o.kind, []string{o.value})
		}
	}
	for _, o := range r.command.operands {
		r.give(h, &o)
	}
	if r.command.after != nil {
		r.give(h, r.command.after)
	}
}

func (r *Reading) give(h Host, o *Operand) {
	if o.Kind == Text {
		return
	}
	var words []string
	for _, v := range r.values(o.Role) {
		words = append(words, v.text)
	}
	give(h, o.Kind, words)
}

func give(h Host, kind Kind, words []string) {
	if len(words) == 0 {
		return
	}
	switch kind {
	case Read, Write, Delete, DeleteTree:
		for _, w := range words {
			h.File(kind, w)
		}
	case Fetch, Connect:
		for _, w := range words {
			h.Effect(effect.Effect{Verb: effect.Verb(kind), Object: w})
		}
	default:
		h.Run(kind, words)
	}
}

// effect says an effect, if its conditions hold. What cannot be told counts against
// the call: it happens if it may, and is spared only if it surely is.
func (r *Reading) effect(t *template, h Host) {
	if len(t.when) > 0 {
		switch t.when.holds(r) {
		case no:
			return
		case perhaps:
			h.Unknown(UnknownValue)
		case yes:
		}
	}
	if len(t.unless) > 0 && t.unless.holds(r) == yes {
		return
	}
	e := effect.Effect{Verb: t.verb, Wide: t.wide.holds(r) != no, Scratch: t.scratch.holds(r) == yes}
	if t.object.lacks(r) && !r.More {
		return
	}
	if from := t.from.fill(r); len(from) > 0 {
		e.From = from[0]
	}
	for _, object := range t.object.fill(r) {
		e.Object = object
		h.Effect(e)
	}
}
