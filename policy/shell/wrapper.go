package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// unwrap removes the wrappers in front of a command, as their descriptions have them, and
// reports whether one of them has read its input. What else they can mean is run by
// itself.
func (r *reader) unwrap(args []invocation.Arg, c *invocation.Command, in *invocation.Flow) (rest []invocation.Arg, read bool) {
	var words []string // the arguments behind the first
	for len(args) > 0 {
		by := r.wrapper(args[0].As)
		if by == nil || by.Assigns() && !r.Pay(invocation.ArgumentSteps*len(c.Env)) {
			break
		}
		at := 1
		for by.Assigns() && at < len(args) && strings.HasPrefix(args[at].As, "-") {
			at++
		}
		for by.Assigns() && len(args) > at+1 && invocation.Unknown(args[at].As) && args[at].Of != nil && len(args[at].Of.Sources) > 0 && !args[at].Quoted {
			output.Loads(&r.Reader, args[at].Of) // env $(cat .env) program
			r.Mark(invocation.Variable)
			args, words = append(args[:at:at], args[at+1:]...), nil
		}
		if words == nil {
			words = make([]string, len(args)-1)
			for i := range words {
				words[i] = args[i+1].As
			}
		}
		name := invocation.BaseName(args[0].As)
		readings := by.Unwrap(&command.Invocation{Name: name, Args: words})
		if len(readings) == 0 {
			break
		}
		if slices.ContainsFunc(readings, func(w command.Wrapped) bool { return w.Doubtful }) && r.Pay(invocation.ArgumentSteps*len(args)) {
			also := *c
			r.program(slices.Clone(args), &also, in, r.From.Guess)
		}
		for i := range readings[1:] {
			if r.Otherwise++; r.Otherwise > mostOtherwise || !r.Pay(invocation.ArgumentSteps*len(args)) {
				break
			}
			also, outer := *c, r.Scope
			given, fed, _ := r.unwrapOne(&readings[i+1], args, &also, in)
			r.run(slices.Clone(given), &also, fed, r.From.Guess)
			r.Scope = outer
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
	if r.Scope.Funcs[called].Body != nil {
		return nil
	}
	if own := r.Set.Programs.Own(invocation.BaseName(called)); own != nil && (own.Wraps() || own.Replaces) {
		if !own.Wraps() {
			return nil
		}
		return own
	}
	f := r.Facts(called)
	if !f.Listed {
		if invocation.Unknown(called) {
			return nil
		}
		f = r.Facts(invocation.BaseName(called))
	}
	if !f.Described && !command.Builtin().Has(f.Name) {
		return nil
	}
	if p := command.Builtin().Program(f.Name); p.Wraps() {
		return p
	}
	return nil
}

// unwrapOne is the command behind one wrapper. It reports whether the wrapper reads the
// input.
func (r *reader) unwrapOne(w *command.Wrapped, args []invocation.Arg, c *invocation.Command, in *invocation.Flow) (rest []invocation.Arg, left *invocation.Flow, read bool) {
	own, rest := args[1:1+w.Begin], args[1+w.Begin:]
	owned, env, open := false, c.Env, c.OpenEnv
	for _, assignment := range w.Assigned {
		if len(c.Env) >= invocation.MaxEnv {
			r.Mark(invocation.Many)
		}
		c.Assign(assignment, opennessOf(own, assignment), &owned)
	}
	by := invocation.Act{Command: &invocation.Command{Name: w.Name, Args: w.Args, Env: c.Env}, R: &r.Reader, Number: -1, At: r.Scope.At, In: *in, Kinds: w.EffectKinds()}
	d := invocation.DescribedAct{Act: &by}
	told := len(r.Reading.Effects)
	w.Tell(&d)
	d.Write()
	r.takes(w, own, c, env, open, r.Reading.Effects[told:])
	c.Sudo = c.Sudo || w.OtherUser
	if w.Directory != "" {
		at, _ := r.Scope.At.Resolve(w.Directory)
		r.Scope = r.Sub(r.Scope)
		r.Scope.At.Cwd, r.Scope.Dir = at, at
	}
	if !w.More {
		return rest, in, false
	}
	if !r.Pay(invocation.ArgumentSteps * len(rest)) {
		return rest, in, false
	}
	return r.fill(w.Reading, own, rest, c, *in), &invocation.Flow{}, true
}

// takes removes from a command the variables that a wrapper does not hand on, according to
// what it does: of those that it had before and none that the wrapper sets.
func (r *reader) takes(w *command.Wrapped, own []invocation.Arg, c *invocation.Command, env map[string]string, open map[string]invocation.Openness, does []effect.Effect) {
	owned := false
	for i := range does {
		if e := &does[i]; e.Verb == effect.UnsetVariable && e.Kind == effect.Start && !e.Possible {
			if !owned {
				c.Env, c.OpenEnv = env, open
			}
			c.Lose(e.Object, &owned)
		}
	}
	for _, assignment := range w.Assigned {
		if owned {
			c.Assign(assignment, opennessOf(own, assignment), &owned)
		}
	}
}

// opennessOf is how much of an argument of a wrapper is not known.
func opennessOf(own []invocation.Arg, as string) invocation.Openness {
	for i := range own {
		if own[i].As == as && own[i].Of != nil && invocation.Unknown(as) {
			return invocation.OneWord
		}
	}
	return invocation.Whole
}

// fill gives a command the arguments that xargs reads for it.
func (r *reader) fill(by *command.Reading, own, words []invocation.Arg, c *invocation.Command, in invocation.Flow) []invocation.Arg {
	place := by.Value("place") // what stands for an argument
	if place == "" && by.Has("replace") {
		place = "{}"
	}
	if file := by.Value("arg-file"); file != "" {
		in = r.FromFiles([]string{file})
		for i := range own { // <(command)
			if made := own[i].Of; own[i].As == file && made != nil && made.Made != nil {
				in = *made.Made
			}
		}
	}
	var items []string
	switch {
	case in.Known && in.Text != "":
		if place != "" {
			items = fileops.Lines(in.Text)
		} else {
			if by.Has("null") {
				items = strings.Split(strings.TrimSuffix(in.Text, "\x00"), "\x00")
			}
			if len(items) == 0 {
				items = strings.FieldsFunc(in.Text, func(c rune) bool { return strings.ContainsRune(" \t\n\x00'\"", c) })
			}
		}
	case takesEach(by, in.Each):
		items, c.More = in.Each, true
	case len(in.Roots) > 0:
		items, c.More = in.Roots, true // they stand for names that are not known
	}
	if len(items) == 0 || len(items) > fileops.MostFilled {
		c.More = true
		items = items[:min(len(items), fileops.MostFilled)]
	}
	from := invocation.Value{Sources: in.Sources, Shows: in.Shows, Remote: in.Remote, Hidden: in.Hidden, About: in.About}
	if len(items) == 0 && (in.Remote != "" || in.Hidden != "" || in.About != "" || len(in.Sources)+len(in.Shows) > 0) {
		items = []string{"$xargs"} // what is known of it is where it comes from
	}
	filled := append([]invocation.Arg(nil), words...)
	if place == "" || in.Known && !slices.ContainsFunc(words, func(w invocation.Arg) bool { return strings.Contains(w.As, place) }) {
		for _, item := range items {
			filled = append(filled, invocation.Arg{As: item, Bare: item, Of: &from})
		}
		return filled
	}
	if len(items) == 0 {
		return filled
	}
	for i := range filled {
		if !strings.Contains(filled[i].As, place) {
			continue
		}
		if filled[i].As == place { // the text may stand for each of them
			filled[i].As, filled[i].Bare, filled[i].Of = items[0], items[0], &from
			for _, item := range items[1:] {
				filled = append(filled, invocation.Arg{As: item, Bare: item, Of: &from})
			}
			continue
		}
		s := strings.ReplaceAll(filled[i].As, place, items[0])
		if !strings.ContainsAny(words[i].As, " ;\n") { // a word: one for each of them
			if len(items) == 1 {
				items = append(items, strings.Fields(items[0])...)
			}
			for _, item := range items[1:] {
				s := strings.ReplaceAll(words[i].As, place, item)
				filled = append(filled, invocation.Arg{As: s, Bare: s, Of: &from})
			}
			filled[i].As, filled[i].Bare, filled[i].Of = s, s, &from
			continue
		}
		for _, item := range items[1:] {
			if len(s) > invocation.MostKnown {
				break
			}
			s += "\n" + strings.ReplaceAll(words[i].As, place, item)
		}
		filled[i].As, filled[i].Bare, filled[i].Of = s, s, &from
	}
	return filled
}
