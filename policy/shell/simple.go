package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// mostVariants is how many combinations of the readings of its words a command
// is read in; further readings appear at least once each.
const mostVariants = 16

// simple reads a simple command and returns what it prints.
func (r *reader) simple(call *syntax.CallExpr, written string, in *invocation.Flow, to *redirects) invocation.Flow {
	base := &r.Commands.Take(1)[0]
	base.Text, base.Reads, base.Writes, base.Input = written, to.reads, to.writes, to.input
	var env map[string]string
	for _, a := range call.Assigns {
		if r.Full {
			break
		}
		v := r.assigned(a, len(call.Args) == 0)
		if a.Name == nil {
			continue
		}
		if v.Made != nil && v.Made.Known && (a.Name.Value == "BASH_ENV" || a.Name.Value == "ENV") {
			r.Inner(v.Made.Text, r.From, invocation.Flow{}) // shells read it when they start
		}
		if hook.IsAuthor(a.Name.Value) {
			hook.Authored(&r.Reader, &v)
		}
		if env == nil {
			env = map[string]string{}
		}
		if len(env) >= invocation.MaxEnv {
			r.Mark(invocation.Many)
			continue
		}
		env[a.Name.Value] = v.Texts[0].As
		if open := v.Openness(); open != invocation.Whole {
			if base.OpenEnv == nil {
				base.OpenEnv = map[string]invocation.Openness{}
			}
			base.OpenEnv[a.Name.Value] = open
		}
	}
	base.Env = env
	if len(call.Args) == 0 {
		if env == nil && len(to.reads)+len(to.writes) == 0 && to.input == "" {
			return invocation.Flow{}
		}
		for _, name := range follow.SortedNames(env) {
			if guard.IsEnvironmentName(name) {
				r.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: env[name], How: "assignment", Command: len(r.Reading.Commands)})
			}
			if forgets(name, env[name]) { // shells read it themselves, exported or not
				r.Effect(effect.Effect{Verb: effect.Disarm, Object: "history", How: "assignment", Command: len(r.Reading.Commands)})
			}
		}
		r.run(nil, base, in, r.From.Guess)
		return invocation.Flow{}
	}
	if len(call.Args) == 1 && call.Args[0].Lit() == "exec" { // what it opens stays open
		if r.Scope.Fds == nil {
			r.Scope.Fds = map[string]invocation.Descriptor{}
		}
		for number, d := range to.opened {
			if len(r.Scope.Fds) < invocation.MostNames {
				r.Scope.Fds[number] = d
			}
		}
	}
	opened := r.Opened
	r.Opened = to.opened
	defer func() { r.Opened = opened }()
	if in.Piped || r.Stdin.Piped { // most have none, and are in none that has
		stdin := r.Stdin
		r.Stdin = *in
		defer func() { r.Stdin = stdin }()
	}
	if args, ok := r.plainArgs(call.Args); ok {
		return r.run(args, base, in, r.From.Guess)
	}
	variants := r.variants(call.Args)
	var out invocation.Flow
	for i, args := range variants {
		c := *base
		made := r.run(args, &c, in, r.From.Guess)
		if i == 0 {
			out = made
			continue
		}
		if out.Shows = invocation.Merge(out.Shows, made.Shows); out.Known && (!made.Known || made.Text != out.Text) {
			out = out.Through(out.By)
		}
	}
	if bare, differs := bareOf(variants[0]); differs && !r.Full {
		c := *base
		r.run(bare, &c, in, true)
	}
	return out
}

// plainArgs are the arguments of a command in which nothing stands for something
// else, as of most.
func (r *reader) plainArgs(words []*syntax.Word) ([]invocation.Arg, bool) {
	var args []invocation.Arg
	for i := len(words) - 1; i >= 0; i-- { // others come last more often
		text, ok := plain(words[i])
		if !ok {
			return nil, false
		}
		if args == nil {
			args = r.Args.Take(len(words))
		}
		args[i].As, args[i].Bare, args[i].Wild = text, text, hasWildcard(words[i])
	}
	return args, true
}

// variants are the lists of arguments that words can become.
func (r *reader) variants(words []*syntax.Word) [][]invocation.Arg {
	variants := [][]invocation.Arg{make([]invocation.Arg, 0, len(words))}
	for _, w := range words {
		if r.Full {
			break
		}
		if text, ok := plain(w); ok {
			for i := range variants {
				variants[i] = append(variants[i], invocation.Arg{As: text, Bare: text, Wild: hasWildcard(w)})
			}
			continue
		}
		for _, e := range r.word(w) {
			if len(e.alts) == 1 {
				for i := range variants {
					variants[i] = append(variants[i], e.alts[0]...)
				}
				continue
			}
			variants = r.times(variants, e.alts)
		}
	}
	return variants
}

// times combines lists with the readings of a word.
func (r *reader) times(variants, alts [][]invocation.Arg) [][]invocation.Arg {
	if len(variants)*len(alts) > mostVariants {
		for first := len(variants); len(variants) < len(alts); { // every reading once
			more := variants[len(variants)%first]
			variants = append(variants, slices.Clip(more))
			r.Pay(invocation.ArgumentSteps * len(more))
		}
		for i := range variants {
			variants[i] = append(variants[i], alts[i%len(alts)]...)
		}
		return variants
	}
	product := make([][]invocation.Arg, 0, len(variants)*len(alts))
	for _, v := range variants {
		for _, alt := range alts {
			product = append(product, append(slices.Clip(v), alt...))
		}
	}
	return product
}

// bareOf is a list of arguments in which everything that may be empty is, and
// whether that makes a difference.
func bareOf(args []invocation.Arg) (bare []invocation.Arg, differs bool) {
	for i := range args {
		if args[i].As != args[i].Bare {
			differs = true
		}
	}
	if !differs {
		return nil, false
	}
	for _, a := range args {
		if a.Bare == "" && !a.Quoted && a.As != "" {
			continue
		}
		a.As = a.Bare
		bare = append(bare, a)
	}
	return bare, len(bare) > 1
}

// assigned evaluates an assignment and makes it, if it is for the shell itself.
func (r *reader) assigned(a *syntax.Assign, keep bool) invocation.Value {
	if a.Array != nil {
		var elements []invocation.Value
		for _, e := range a.Array.Elems {
			if e.Value == nil {
				continue
			}
			for _, x := range r.word(e.Value) {
				for _, arg := range x.alts[0] {
					elements = append(elements, arg.Value())
				}
			}
			if len(elements) > invocation.MostNames {
				r.Mark(invocation.Many)
				break
			}
		}
		if a.Name != nil {
			r.array(a.Name.Value, elements, a.Append)
		}
		return follow.Firm(r.written(a))
	}
	if a.Index != nil {
		r.substitutions(a.Index) // a[$(command)]=x
	}
	v := r.value(a.Value)
	if !keep || a.Name == nil {
		return v
	}
	name := a.Name.Value
	switch {
	case a.Index != nil:
		r.array(name, []invocation.Value{v}, true)
	case a.Append:
		if old, ok := r.Scope.Vars[name]; ok {
			v = r.append(old, v)
		} else if elements, ok := r.Scope.Arrays[name]; ok && len(elements) > 0 {
			r.array(name, []invocation.Value{v}, true)
			return v
		}
		r.Scope.Set(name, v)
	default:
		r.Scope.Set(name, v)
	}
	return v
}

// array sets or extends an array.
func (r *reader) array(name string, elements []invocation.Value, more bool) {
	if r.Scope.Arrays == nil {
		r.Scope.Arrays = map[string][]invocation.Value{}
	}
	if len(r.Scope.Arrays) >= invocation.MostNames {
		r.Mark(invocation.Many)
		return
	}
	if more {
		old := r.Scope.Arrays[name]
		if !r.Pay(len(old) * invocation.ArgumentSteps / 4) {
			return
		}
		elements = append(slices.Clip(old), elements...)
	}
	if len(elements) > invocation.MostNames {
		elements = elements[:invocation.MostNames]
		r.Mark(invocation.Many)
	}
	r.Scope.Arrays[name] = elements
	delete(r.Scope.Vars, name)
}

// declared reads export, declare, local and the like.
func (r *reader) declared(c *syntax.DeclClause) invocation.Flow {
	cmd := invocation.Command{Name: c.Variant.Value, Text: r.written(c)}
	number, first := len(r.Reading.Commands), len(r.Reading.Effects)
	exports, refers, unsets, names := c.Variant.Value == "export", false, false, false
	for _, a := range c.Args {
		if a.Naked && a.Name == nil { // an option, or a word that becomes an assignment
			v := r.value(a.Value)
			output.Loads(&r.Reader, &v)
			names = names || len(v.Sources) > 0
			for _, t := range v.Texts {
				cmd.Args = append(cmd.Args, t.As)
				name, value, ok := strings.Cut(t.As, "=")
				if ok {
					r.Scope.Set(name, invocation.Literal(value))
					r.sets(strings.TrimSuffix(name, "+"), value, cmd.Name, exports, number)
				}
				if exports && (ok || invocation.Unknown(t.As)) && !strings.HasPrefix(t.As, "-") && number < invocation.MaxCommands {
					r.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: value, How: cmd.Name, Command: number})
				}
				if exports && !unsets && ok && invocation.IsAssignment(t.As) {
					r.Scope.Export(name)
				}
				exports = exports || strings.HasPrefix(t.As, "-") && strings.Contains(t.As, "x")
				refers = refers || strings.HasPrefix(t.As, "-") && strings.Contains(t.As, "n") && c.Variant.Value != "export"
				unsets = unsets || strings.HasPrefix(t.As, "-") && strings.Contains(t.As, "n") && c.Variant.Value == "export" || t.As == "+x"
			}
			continue
		}
		name := a.Name.Value
		if a.Naked {
			cmd.Args = append(cmd.Args, name)
			switch {
			case unsets:
				r.Scope.Withhold(name)
				r.Effect(effect.Effect{Verb: effect.UnsetVariable, Object: name, How: cmd.Name, Command: number})
			case exports:
				r.Scope.Export(name)
			}
			continue
		}
		if len(r.Active) > 0 && c.Variant.Value != "export" && len(r.Locals) < invocation.MostNames {
			old, set := r.Scope.Vars[name]
			r.Locals = append(r.Locals, invocation.Local{Name: name, Value: old, Set: set})
		}
		v := r.assigned(a, true)
		if slices.Contains(cmd.Args, "-i") {
			r.evaluated(&v, 0)
		}
		if of, ok := v.Known(); refers && ok {
			if r.Scope.Refs == nil {
				r.Scope.Refs = map[string]string{}
			}
			if len(r.Scope.Refs) < invocation.MostNames {
				r.Scope.Refs[name] = of
			}
		}
		if exports && hook.IsAuthor(name) {
			hook.Authored(&r.Reader, &v)
		}
		if exports && !unsets {
			r.Scope.Export(name)
		}
		cmd.Args = append(cmd.Args, name+"="+v.Texts[0].As)
		r.sets(name, v.Texts[0].As, cmd.Name, exports, number)
	}
	cmd.Inherit(&r.Reader)
	for i := first; i < len(r.Reading.Effects); i++ { // behind the commands whose output it takes
		if e := &r.Reading.Effects[i]; e.Command == number && e.How == cmd.Name {
			e.Command = len(r.Reading.Commands)
		}
	}
	r.lists(&cmd, r.emit(&cmd))
	if names || slices.ContainsFunc(c.Args, func(a *syntax.Assign) bool { return a.Name != nil }) {
		if !slices.Contains(cmd.Args, "-p") {
			return invocation.Flow{}
		}
		printed := invocation.Flow{Piped: true, By: cmd.Name}
		for _, name := range cmd.Args {
			if guard.IsCredentialName(name) {
				printed.Shows = append(printed.Shows, "$"+name)
			}
		}
		return printed
	}
	return invocation.Flow{Piped: true, Sources: []string{invocation.Environment}, Shows: r.Sourced, By: cmd.Name} // it prints what there is
}

// sets notes a variable that a declaration sets. What it does not export is as good as an
// assignment: it may be exported already.
func (r *reader) sets(name, value, by string, exports bool, number int) {
	switch {
	case number >= invocation.MaxCommands, !exports && !guard.IsEnvironmentName(name):
		return
	case !exports:
		by = "assignment"
	}
	r.Effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: value, How: by, Command: number})
	if exports && forgets(name, value) {
		r.Effect(effect.Effect{Verb: effect.Disarm, Object: "history", How: by, Command: number})
	}
}

// mostRoom is how many commands a reading has room for before they are read.
const mostRoom = 1024

// room is how many commands the text at hand has, as far as its signs tell.
func (r *reader) room() int {
	if r.Parsed > 0 {
		return min(r.Parsed, mostRoom)
	}
	n := 1
	for i := range min(len(r.Src), 4<<10) {
		if c := r.Src[i]; (c == '\n' || c == '|' || c == ';' || c == '&') && (i == 0 || r.Src[i-1] != c) {
			n++
		}
	}
	return min(n, mostRoom)
}

// emit adds a command and returns its number, -1 if there are too many.
func (r *reader) emit(c *invocation.Command) int {
	if len(r.Reading.Commands) >= invocation.MaxCommands {
		r.Mark(invocation.Many)
		r.Full = true
		return -1
	}
	if r.Reading.Commands == nil {
		r.Reading.Commands = make([]invocation.Command, 0, r.room())
	}
	c.Depth = max(r.Depth-1, 0)
	r.Reading.Commands = append(r.Reading.Commands, *c)
	return len(r.Reading.Commands) - 1
}
