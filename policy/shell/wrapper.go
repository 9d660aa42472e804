package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// unwrap removes the wrappers in front of a command, as their descriptions have them, and
// reports whether one of them has read its input. What else they can mean is run by
// itself.
func (r *reader) unwrap(args []arg, c *Command, in *flow) (rest []arg, read bool) {
	var words []string // the arguments behind the first
	for len(args) > 0 {
		by := r.wrapper(args[0].as)
		if by == nil || by.Assigns() && !r.pay(argumentSteps*len(c.Env)) {
			break
		}
		at := 1
		for by.Assigns() && at < len(args) && strings.HasPrefix(args[at].as, "-") {
			at++
		}
		for by.Assigns() && len(args) > at+1 && unknown(args[at].as) && args[at].of != nil && len(args[at].of.sources) > 0 && !args[at].quoted {
			r.loads(args[at].of) // env $(cat .env) program
			r.mark(Variable)
			args, words = append(args[:at:at], args[at+1:]...), nil
		}
		if words == nil {
			words = make([]string, len(args)-1)
			for i := range words {
				words[i] = args[i+1].as
			}
		}
		name := baseName(args[0].as)
		readings := by.Unwrap(&command.Invocation{Name: name, Args: words})
		if len(readings) == 0 {
			break
		}
		for i := range readings[1:] {
			if r.otherwise++; r.otherwise > mostOtherwise || !r.pay(argumentSteps*len(args)) {
				break
			}
			also, outer := *c, r.scope
			given, fed, _ := r.unwrapOne(&readings[i+1], args, &also, in)
			r.run(slices.Clone(given), &also, fed, r.from.guess)
			r.scope = outer
		}
		var fed bool
		words = words[readings[0].Begin+1:]
		if args, in, fed = r.unwrapOne(&readings[0], args, c, in); fed {
			read, words = true, nil
		}
	}
	return args, read
}

// mostOtherwise is how often the words of wrappers are read in another way in one text.
const mostOtherwise = 16

// wrapper is the description of a program that runs the command in its arguments, nil
// if it is none.
func (r *reader) wrapper(called string) *command.Program {
	if r.scope.funcs[called].body != nil {
		return nil
	}
	f := r.facts(called)
	if !f.listed {
		if unknown(called) {
			return nil
		}
		f = r.facts(baseName(called))
	}
	if !f.described && !command.Builtin().Has(f.name) {
		return nil
	}
	if p := command.Builtin().Program(f.name); p.Wraps() {
		return p
	}
	return nil
}

// unwrapOne is the command behind one wrapper. It reports whether the wrapper reads the
// input.
func (r *reader) unwrapOne(w *command.Wrapped, args []arg, c *Command, in *flow) (rest []arg, left *flow, read bool) {
	own, rest := args[1:1+w.Begin], args[1+w.Begin:]
	owned := false
	for _, assignment := range w.Assigned {
		c.assign(assignment, &owned)
	}
	by := act{Command: &Command{Name: w.Name, Args: w.Args, Env: c.Env}, r: r, number: -1, at: r.scope.at, in: *in}
	d := describedAct{act: &by}
	w.Tell(&d)
	d.write()
	c.Sudo = c.Sudo || w.OtherUser
	if w.Directory != "" {
		at, _ := r.scope.at.Resolve(w.Directory)
		r.scope = r.sub(r.scope)
		r.scope.at.Cwd, r.scope.dir = at, at
	}
	if !w.More {
		return rest, in, false
	}
	if !r.pay(argumentSteps * len(rest)) {
		return rest, in, false
	}
	return r.fill(w.Reading, own, rest, c, *in), &flow{}, true
}

// assign notes an assignment NAME=value. Until the variables are the command's
// own, others may have the same.
func (c *Command) assign(assignment string, owned *bool) {
	if !*owned {
		c.Env, *owned = maps.Clone(c.Env), true
	}
	if c.Env == nil {
		c.Env = map[string]string{}
	}
	if name, value, _ := strings.Cut(assignment, "="); len(c.Env) < maxEnv {
		c.Env[strings.TrimSuffix(name, "+")] = value
	}
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(text string) bool {
	eq := strings.IndexByte(text, '=')
	if eq <= 0 || '0' <= text[0] && text[0] <= '9' {
		return false
	}
	for i := range eq {
		if !isNameByte(text[i]) {
			return false
		}
	}
	return true
}

// mostFilled is how many arguments xargs and parallel are followed with.
const mostFilled = 64

// fill gives a command the arguments that xargs reads for it.
func (r *reader) fill(by *command.Reading, own, words []arg, c *Command, in flow) []arg {
	place := by.Value("place") // what stands for an argument
	if place == "" && by.Has("replace") {
		place = "{}"
	}
	if file := by.Value("arg-file"); file != "" {
		in = r.fromFiles([]string{file})
		for i := range own { // <(command)
			if made := own[i].of; own[i].as == file && made != nil && made.made != nil {
				in = *made.made
			}
		}
	}
	var items []string
	switch {
	case in.known && in.text != "":
		if place != "" {
			items = lines(in.text)
		} else {
			if by.Has("null") {
				items = strings.Split(strings.TrimSuffix(in.text, "\x00"), "\x00")
			}
			if len(items) == 0 {
				items = strings.FieldsFunc(in.text, func(c rune) bool { return strings.ContainsRune(" \t\n\x00'\"", c) })
			}
		}
	case takesEach(by, in.each):
		items, c.More = in.each, true
	case len(in.roots) > 0:
		items, c.More = in.roots, true // they stand for names that are not known
	}
	if len(items) == 0 || len(items) > mostFilled {
		c.More = true
		items = items[:min(len(items), mostFilled)]
	}
	from := value{sources: in.sources, shows: in.shows, remote: in.remote, hidden: in.hidden, about: in.about}
	if len(items) == 0 && (in.remote != "" || in.hidden != "" || in.about != "" || len(in.sources)+len(in.shows) > 0) {
		items = []string{"$xargs"} // what is known of it is where it comes from
	}
	filled := append([]arg(nil), words...)
	if place == "" || in.known && !slices.ContainsFunc(words, func(w arg) bool { return strings.Contains(w.as, place) }) {
		for _, item := range items {
			filled = append(filled, arg{as: item, bare: item, of: &from})
		}
		return filled
	}
	if len(items) == 0 {
		return filled
	}
	for i := range filled {
		if !strings.Contains(filled[i].as, place) {
			continue
		}
		if filled[i].as == place { // the text may stand for each of them
			filled[i].as, filled[i].bare, filled[i].of = items[0], items[0], &from
			for _, item := range items[1:] {
				filled = append(filled, arg{as: item, bare: item, of: &from})
			}
			continue
		}
		s := strings.ReplaceAll(filled[i].as, place, items[0])
		if !strings.ContainsAny(words[i].as, " ;\n") { // a word: one for each of them
			if len(items) == 1 {
				items = append(items, strings.Fields(items[0])...)
			}
			for _, item := range items[1:] {
				s := strings.ReplaceAll(words[i].as, place, item)
				filled = append(filled, arg{as: s, bare: s, of: &from})
			}
			filled[i].as, filled[i].bare, filled[i].of = s, s, &from
			continue
		}
		for _, item := range items[1:] {
			if len(s) > mostKnown {
				break
			}
			s += "\n" + strings.ReplaceAll(words[i].as, place, item)
		}
		filled[i].as, filled[i].bare, filled[i].of = s, s, &from
	}
	return filled
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' })
}
