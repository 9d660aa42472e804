package command

import (
	"iter"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Invocation is a program about to run.
type Invocation struct {
	Name string
	// Args are its arguments; what the shell puts in when it runs stands as written.
	Args []string
	// More: arguments that are not known follow, as from xargs.
	More bool
	// In is where it runs; nil if nothing is known of that.
	In Surroundings

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

// What Host.Unknown is told.
const (
	// UnknownSubcommand: the description does not have the subcommand.
	UnknownSubcommand = "subcommand"
	// UnknownValue: an effect depends on a value that is not known.
	UnknownValue = "variable"
)

// Host is told what a program does. Texts are as written in the command line.
type Host interface {
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

	program   *Program
	command   *Command
	variables []variable
	line      line
	// firstEnds: the first operand ends the options.
	firstEnds bool
	host      Host
	roles     bindings
	// each is the role of which one is the value that an effect is about.
	each string
	one  value
}

type value struct {
	text          string
	listed, maybe bool
	// at is its place among the arguments, -1 for the value of an option, which is in
	// the argument in.
	at, in int
}

// values are those of a role; "$NAME" is a variable of the environment.
func (r *Reading) values(role string) []value {
	if name, ok := strings.CutPrefix(role, "$"); ok {
		if v, set := r.variable(name); set && v != "" {
			return []value{{text: v}}
		}
		return nil
	}
	if isGiven(role) {
		return r.given(role)
	}
	return r.roles.of(role, "")
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

// Maybe reports whether a value of a role may be something else in another reading.
func (r *Reading) Maybe(role string, i int) bool {
	values := r.values(role)
	return i < len(values) && values[i].maybe
}

// Certain are the values of a role that cannot be those of an option that is not known:
// in one reading there are no others.
func (r *Reading) Certain(role string) []string {
	var texts []string
	for _, v := range r.values(role) {
		if !v.maybe {
			texts = append(texts, v.text)
		}
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

// Surely reports whether one of the options is given, and cannot be the value of
// another: only that may be a reason for something not to happen.
func (r *Reading) Surely(options ...string) bool {
	return slices.ContainsFunc(options, func(option string) bool {
		t := test{what: hasOption, name: option}
		return t.ask(r) == yes
	})
}

// Behind are the words behind the first value of a role, as they were given: those of
// something that has options of its own.
func (r *Reading) Behind(role string) []string {
	values := r.values(role)
	if len(values) == 0 {
		return nil
	}
	return r.Args[min(max(values[0].at, values[0].in)+1, len(r.Args)):]
}

// From are the words from the value of a role on, as they were given, for each word that
// may be the first.
func (r *Reading) From(role string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, v := range r.values(role) {
			if v.at >= 0 && !yield(r.Args[v.at:]) || !v.maybe {
				return
			}
		}
	}
}

// Subcommand is the word that says what the program does: the first operand that is
// one by its description, or the first that is no value of an option.
func (p *Program) Subcommand(args []string) string {
	l := p.parse(args)
	first := ""
	for i := range l.operands {
		o := &l.operands[i]
		for _, c := range p.commands {
			for _, w := range c.ways {
				if len(w) > 0 && w[0].literal() && w[0].matches(o.key) {
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
	if !p.syntax.separated {
		p.resolve(in, h, 0)
		return
	}
	start := 0
	for i, word := range in.Args {
		last, ends := strings.CutSuffix(word, ";")
		if !ends || strings.HasSuffix(last, `\`) {
			continue
		}
		one := in.part(start, i)
		if last != "" {
			one.Args = append(one.Args, last)
		}
		p.resolve(one, h, 0)
		start = i + 1
	}
	p.resolve(in.part(start, len(in.Args)), h, 0)
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

// mostPrograms is how many programs a command line can be handed on to.
const mostPrograms = 4

func (p *Program) resolve(in *Invocation, h Host, depth int) {
	t := in.takenApart(p)
	if len(t.matches) == 0 {
		if (len(t.first.operands) > 0 || in.More) && !asksForHelp(&t.first) {
			h.Unknown(UnknownSubcommand)
		}
		return
	}
	for i := range t.matches {
		m := &t.matches[i]
		if m.command.program != "" && depth < mostPrograms {
			if other := p.other(m.command.program); other != nil {
				rest := in.without(&t.first, m.used)
				if m.command.called {
					rest = rest.calledBy(p.Names)
				}
				other.resolve(rest, h, depth+1)
			}
			continue
		}
		t.reading(in, i, h).tell(h)
	}
}

// takenApart is an invocation as the description of a program has it. It is kept with
// the invocation, which is asked for what it does and for what it prints.
type takenApart struct {
	program *Program
	first   line
	matches []found
	// readings are those of the matches that were asked for; alone is the only one.
	readings []*Reading
	alone    [1]*Reading
}

func (in *Invocation) takenApart(p *Program) *takenApart {
	if in.apart == nil || in.apart.program != p {
		t := &takenApart{program: p, first: p.parse(in.Args)}
		t.matches = p.match(&t.first)
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
	rest.Args, rest.apart = args, nil
	if in.In != nil {
		rest.In = moved{in.In, at}
	}
	return &rest
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

// Prints reports whether an invocation prints what it reads, from files and from its
// input, and whether it prints the words that it is given. What cannot be told is
// taken to be printed.
func (p *Program) Prints(in *Invocation, h Host) (contents, words bool) {
	t := in.takenApart(p)
	for i := range t.matches {
		c := t.matches[i].command
		if len(c.prints) == 0 && len(c.echoes) == 0 {
			continue
		}
		r := t.reading(in, i, h)
		contents = contents || c.prints.holds(r) != no
		words = words || c.echoes.holds(r) != no
	}
	return contents, words
}

// With is the reading with more arguments, as from a file of options. They come
// first.
func (r *Reading) With(args []string) *Reading {
	if with := r.program.Read(r.with(args)); with != nil {
		return with
	}
	return r
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

// asksForHelp reports whether a command only explains itself.
func asksForHelp(l *line) bool {
	for i := range l.options {
		if o := &l.options[i]; o.name == "help" && !o.maybe && !(o.valued && o.flag != nil && o.arity == valued) {
			return true
		}
	}
	return false
}

// tell says what the command does.
func (r *Reading) tell(h Host) {
	if asksForHelp(&r.line) || r.isDry() {
		return
	}
	if r.program.place != "" {
		h.Hook(r.program.place, r)
	}
	for _, o := range r.command.places {
		for _, v := range r.values(o.Role) {
			h.Where(o.Kind, v.text, !v.maybe)
		}
	}
	r.options(h)
	if c := r.command; c.input != Text && c.inputUnless.holds(r) != yes {
		h.Input(c.input)
	}
	for i := range r.program.always {
		r.effect(&r.program.always[i], h)
	}
	for i := range r.command.effects {
		r.effect(&r.command.effects[i], h)
	}
	for i := range r.command.hooks {
		if hook := &r.command.hooks[i]; hook.applies(r) {
			h.Hook(hook.name, r)
		}
	}
}

// read takes the command line apart as a command means it.
func (t *takenApart) read(in *Invocation, f *found) *Reading {
	p := t.program
	if len(f.way) == 0 && len(p.commands) == 1 && len(f.command.flags) == 0 && !f.command.firstEnds { // the options are the same
		r := &Reading{Invocation: in, program: p, command: f.command, variables: p.variables, line: t.first, firstEnds: p.syntax.firstEnds}
		r.bind(0, nil)
		return r
	}
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
	r := &Reading{Invocation: in, program: p, command: f.command, variables: p.variables, line: l, firstEnds: p.syntax.firstEnds || f.command.firstEnds}
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
		if o := &r.line.options[i]; o.flag != nil && o.valued && o.kind != Text && !r.command.gives(o.role, o.kind) {
			give(h, o.kind, []string{o.value})
		}
	}
	for _, v := range r.variables {
		if given, set := r.variable(v.name); v.kind != Text && set && given != "" {
			give(h, v.kind, []string{given})
		}
	}
	for _, o := range r.command.operands {
		r.give(h, &o)
	}
	if r.command.after != nil {
		r.give(h, r.command.after)
	}
}

// gives reports whether a role has the kind as that of an operand, too: the values of
// both are given together.
func (c *Command) gives(role string, kind Kind) bool {
	return slices.ContainsFunc(c.operands, func(o Operand) bool { return o.Role == role && o.Kind == kind })
}

func (r *Reading) give(h Host, o *Operand) {
	if o.Kind == Text {
		return
	}
	switch o.Kind {
	case Argv, RemoteArgv:
		for words := range r.Begins(o.Role) {
			give(h, o.Kind, words)
		}
	default:
		give(h, o.Kind, r.Values(o.Role))
	}
}

// Begins are the ways in which the values of a role can begin: words in front that may
// be values of options that are not known are read both as these and as the first.
func (r *Reading) Begins(role string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		values, words := r.values(role), r.Values(role)
		for i, v := range values {
			all := words[i:]
			if v.maybe && v.at >= 0 && r.firstEnds { // if it is the first, all behind it is its own
				all = r.Args[v.at:]
			}
			if !yield(all) || !v.maybe {
				return
			}
		}
	}
}

func give(h Host, kind Kind, words []string) {
	if len(words) == 0 {
		return
	}
	switch kind {
	case Read, ReadTree, Write, WriteTree, Delete, DeleteTree, Format, Load:
		for _, w := range words {
			h.File(kind, w)
		}
	case Assign:
		for _, w := range words {
			if name, value, ok := strings.Cut(w, "="); ok {
				h.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: value})
			}
		}
	case Fetch, Connect:
		for _, w := range words {
			h.Effect(effect.Effect{Verb: effect.Verb(kind), Object: w})
		}
	case Server, Database, Credential: // told before, and not at all
	default:
		h.Run(kind, words)
	}
}

// effect says an effect, if its conditions hold. Of a role with several values each is
// asked for by itself.
func (r *Reading) effect(t *template, h Host) {
	if t.object.lacks(r) && (!r.More || t.verb.OfFile()) { // of files, what follows has a name of its own
		return
	}
	each := t.object.each(r)
	if each == "" {
		r.say(t, h)
		return
	}
	for _, v := range r.values(each) {
		r.each, r.one = each, v
		r.say(t, h)
	}
	r.each = ""
}

// say says an effect for one value. What cannot be told counts against the call: it
// happens if it may, and is spared only if it surely is.
func (r *Reading) say(t *template, h Host) {
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
	e.From, e.Content = r.first(&t.from), r.first(&t.content)
	e.Object = t.object.fill(r, r.each, r.one)
	if t.verb == effect.Format && t.object.lone() && !e.Wide {
		h.File(Format, e.Object)
		return
	}
	if role := t.from.each(r); t.verb == effect.Send && role != "" && role != r.each { // each file by itself
		for _, v := range r.values(role) {
			e.From = t.from.fill(r, role, v)
			h.Effect(e)
		}
		return
	}
	h.Effect(e)
}

// first writes a template with the value that the effect is about, or with the first of
// a role that has several.
func (r *Reading) first(t *text) string {
	role := t.each(r)
	if role == "" || role == r.each {
		return t.fill(r, r.each, r.one)
	}
	return t.fill(r, role, r.values(role)[0])
}
