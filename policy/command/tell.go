package command

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// tell says what the command does.
func (r *Reading) tell(h Host) {
	if r.asksForHelp() {
		if r.program.place != "" && !r.command.below { // settings by which help is shown
			h.Hook(r.program.place, r)
		}
		return
	}
	if r.isDry() {
		return
	}
	always := &r.program.always
	if r.command.below && len(always.effects)+len(always.cases)+len(always.hooks) == 0 {
		return
	}
	if r.program.place != "" {
		h.Hook(r.program.place, r)
	}
	if r.command.below {
		r.tellCommand(always, h)
		return
	}
	for _, o := range r.command.places {
		for _, v := range r.values(o.Role) {
			h.Where(o.Kind, v.text, !v.maybe)
		}
	}
	r.options(h)
	if c := r.command; c.input != Text && c.inputUnless.spares(r) != yes {
		h.Input(c.input)
	}
	r.tellCommand(r.command, h)
	r.tellCommand(always, h)
}

// tellCommand says what a command, or a case of one, does beside what its values do by
// themselves.
func (r *Reading) tellCommand(c *Command, h Host) {
	for i := range c.effects {
		r.effect(&c.effects[i], h)
	}
	r.tellCases(c, h)
	for i := range c.hooks {
		if hook := &c.hooks[i]; hook.applies(r) {
			h.Hook(hook.name, r)
		}
	}
}

// options says what becomes of values with a kind.
func (r *Reading) options(h Host) {
	for i := range r.line.options {
		if o := &r.line.options[i]; o.flag != nil && o.valued && o.kind != Text && !r.command.gives(o.role, o.kind) {
			r.giveWords(h, o.kind, []string{o.value})
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
	case Argv, RemoteArgv, PackageArgv:
		for words := range r.Begins(o.Role) {
			if o.Kind == PackageArgv {
				r.giveWords(h, PackageRun, words[:1])
			}
			give(h, o.Kind, words)
		}
	default:
		r.giveWords(h, o.Kind, r.Values(o.Role))
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
	if t.object.lacks(r) && (!r.More || t.verb.OfFile() || t.runs()) { // of files, what follows has a name of its own
		return
	}
	each := t.object.each(r)
	if each == "" || r.each == each { // in a case one value is asked for
		r.say(t, h)
		return
	}
	outer, one, answers := r.each, r.one, r.answers
	values := r.values(each)
	if len(values) > fewValues {
		r.answers = map[*test]answer{}
	}
	for _, v := range values {
		r.each, r.one = each, v
		r.say(t, h)
	}
	r.each, r.one, r.answers = outer, one, answers
}

// fewValues is up to how many values each test of an effect is asked for each of them:
// with more, the cost would grow with the square of the words.
const fewValues = 8

// runs reports whether something is run, which needs a text: what packages are installed
// matters without their names, too.
func (t *template) runs() bool {
	switch t.kind {
	case Text, Package, PackageList, PackageRun, PackageOrRepository:
		return false
	default:
		return true
	}
}

// say says an effect for one value. What cannot be told counts against the call: it
// happens if it may, and is spared only if it surely is.
func (r *Reading) say(t *template, h Host) {
	if t.kind == Text && t.from.lone() && isNoted(t.from.parts[0].role) && len(r.values(t.from.parts[0].role)) == 0 {
		return // the host knows of nothing
	}
	guess, possible := false, r.each != "" && r.one.maybe
	if len(t.when) > 0 {
		switch t.when.holds(r) {
		case no:
			if guess = reaches(t.verb) && t.when.mayHold(r); !guess {
				return
			}
		case perhaps:
			possible = true
			h.Unknown(UnknownValue)
		case yes:
		}
	}
	if len(t.unless) > 0 && t.unless.spares(r) == yes {
		return
	}
	switch t.kind {
	case Text:
	case Package, PackageList, PackageRun, PackageOrRepository:
		h.Packages(t.kind, r.run(t), r.Registries(r.all(&t.from)))
		return
	default:
		r.runs(t, h)
		return
	}
	e := effect.Effect{Verb: t.verb, Wide: t.wide.holds(r) != no, Scratch: t.scratch.spares(r) == yes, Guess: guess, Possible: possible}
	e.Remote = t.remote
	e.Several, e.Kind = e.Wide && t.wide.onlySeveral(r), t.effectKind(r)
	e.From, e.Content = r.first(&t.from), r.first(&t.content)
	e.Object = t.object.fill(r, r.each, r.one)
	if t.verb == effect.Format && t.object.lone() && !e.Wide {
		h.File(Format, e.Object)
		return
	}
	if t.from.lone() && isNoted(t.from.parts[0].role) { // what the host knows of, as it says it
		for _, v := range r.values(t.from.parts[0].role) {
			e.From = v.text
			h.Noted(e)
		}
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

// reaches reports whether a verb is about another machine.
func reaches(verb effect.Verb) bool {
	return verb == effect.Fetch || verb == effect.Send || verb == effect.Connect
}

// runs gives the host what the template makes to run; {role*} alone are words, which begin
// in any of the ways that they can be meant.
func (r *Reading) runs(t *template, h Host) {
	switch p := t.object.parts; {
	case t.kind == Doubt:
		h.Unknown(t.words[0].written)
		return
	case t.kind == Part && p[len(p)-1].all:
		for words := range r.Begins(p[len(p)-1].role) {
			given := *t
			given.words = t.words[:len(t.words)-1]
			r.readPart(t.kind, append(r.run(&given), words...), h)
		}
		return
	case t.kind == Part, t.kind == Commands, t.kind == CommandFile:
		r.readPart(t.kind, r.run(t), h)
		return
	case len(t.words) != 1 || len(p) != 1 || !p[0].all:
		give(h, t.kind, r.run(t))
		return
	}
	for words := range r.Begins(t.object.parts[0].role) {
		if t.kind != Argv && t.kind != RemoteArgv {
			words = []string{strings.Join(words, " ")}
		}
		give(h, t.kind, words)
	}
}

// readPart reads words, or each line of a text, as a command line of another description.
func (r *Reading) readPart(kind Kind, words []string, h Host) {
	other := r.program.other(words[0])
	if other == nil || r.nested >= mostNested {
		h.Unknown(UnknownValue)
		return
	}
	read := func(args []string) {
		in := Invocation{Name: r.Name, Args: args, In: r.In, nested: r.nested + 1}
		if r.In != nil { // the words stood elsewhere
			in.In = moved{r.In, nil}
		}
		other.Resolve(&in, h)
	}
	if kind == Part {
		read(words[1:])
		return
	}
	given, text := words[1:len(words)-1], words[len(words)-1]
	if kind == CommandFile {
		text, _ = h.Document(text)
	}
	lines := 0
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		if lines++; lines > mostLines {
			h.Unknown(UnknownValue)
			return
		}
		read(slices.Concat(given, quotedWords(strings.Trim(line, "{} "))))
	}
}

// How many lines of a text are read as command lines, and how deep such texts may stand in one
// another.
const (
	mostLines  = 64
	mostNested = 6
)

// quotedWords are the words of a text in which quotes keep some together.
func quotedWords(text string) []string {
	var list []string
	var b strings.Builder
	word, quote := false, rune(0)
	for _, c := range text + " " {
		switch {
		case quote == 0 && (c == ' ' || c == '\t'):
			if word {
				list = append(list, b.String())
			}
			b.Reset()
			word = false
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, word = c, true
		default:
			b.WriteRune(c)
			word = true
		}
	}
	return list
}

// giveWords says what becomes of values. Packages come from the role registry, if there
// is one, and those of the role extra-registry.
func (r *Reading) giveWords(h Host, kind Kind, words []string) {
	switch kind {
	case Package, PackageList, PackageRun, PackageOrRepository:
		h.Packages(kind, words, r.Registries(r.Values("registry")))
	default:
		give(h, kind, words)
	}
}

// all are the texts of a template, one for each value of its role.
func (r *Reading) all(t *text) []string {
	role := t.each(r)
	if role == "" {
		if text := t.fill(r, r.each, r.one); text != "" {
			return []string{text}
		}
		return nil
	}
	var texts []string
	for _, v := range r.values(role) {
		texts = append(texts, t.fill(r, role, v))
	}
	return texts
}

// run are the words of what runs.
func (r *Reading) run(t *template) []string {
	var words []string
	for i := range t.words {
		word := &t.words[i]
		of := word.parts
		if len(of) == 1 && of[0].option != nil {
			of = of[0].option
		}
		if len(of) == 1 && of[0].all && len(t.words) > 1 {
			words = append(words, r.Values(of[0].role)...)
		} else if text := word.fill(r, r.each, r.one); text != "" {
			words = append(words, text)
		}
	}
	return words
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
