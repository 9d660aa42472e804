package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/effect"
)

// mostVariants is how many combinations of the readings of its words a command
// is read in; further readings appear at least once each.
const mostVariants = 16

// simple reads a simple command and returns what it prints.
func (r *reader) simple(call *syntax.CallExpr, written string, in *flow, to *redirects) flow {
	base := &r.commands.take(1)[0]
	base.Text, base.Reads, base.Writes, base.Input = written, to.reads, to.writes, to.input
	var env map[string]string
	for _, a := range call.Assigns {
		if r.full {
			break
		}
		v := r.assigned(a, len(call.Args) == 0)
		if a.Name == nil {
			continue
		}
		if v.made != nil && v.made.known && (a.Name.Value == "BASH_ENV" || a.Name.Value == "ENV") {
			r.inner(v.made.text, r.from, flow{}) // shells read it when they start
		}
		if isAuthor(a.Name.Value) {
			r.authored(&v)
		}
		if env == nil {
			env = map[string]string{}
		}
		if len(env) < maxEnv {
			env[a.Name.Value] = v.texts[0].as
		}
	}
	base.Env = env
	if len(call.Args) == 0 {
		if env == nil && len(to.reads)+len(to.writes) == 0 && to.input == "" {
			return flow{}
		}
		for _, name := range sortedNames(env) {
			if isEnvironmentName(name) {
				r.effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: env[name], How: "assignment", Command: len(r.reading.Commands)})
			}
		}
		r.run(nil, base, in, r.from.guess)
		return flow{}
	}
	if len(call.Args) == 1 && call.Args[0].Lit() == "exec" { // what it opens stays open
		if r.scope.fds == nil {
			r.scope.fds = map[string]descriptor{}
		}
		for number, d := range to.opened {
			if len(r.scope.fds) < mostNames {
				r.scope.fds[number] = d
			}
		}
	}
	opened := r.opened
	r.opened = to.opened
	defer func() { r.opened = opened }()
	if in.piped || r.stdin.piped { // most have none, and are in none that has
		stdin := r.stdin
		r.stdin = *in
		defer func() { r.stdin = stdin }()
	}
	if args, ok := r.plainArgs(call.Args); ok {
		return r.run(args, base, in, r.from.guess)
	}
	variants := r.variants(call.Args)
	var out flow
	for i, args := range variants {
		c := *base
		made := r.run(args, &c, in, r.from.guess)
		if i == 0 {
			out = made
			continue
		}
		if out.shows = merge(out.shows, made.shows); out.known && (!made.known || made.text != out.text) {
			out = out.through(out.by)
		}
	}
	if bare, differs := bareOf(variants[0]); differs && !r.full {
		c := *base
		r.run(bare, &c, in, true)
	}
	return out
}

// plainArgs are the arguments of a command in which nothing stands for something
// else, as of most.
func (r *reader) plainArgs(words []*syntax.Word) ([]arg, bool) {
	var args []arg
	for i := len(words) - 1; i >= 0; i-- { // others come last more often
		text, ok := plain(words[i])
		if !ok {
			return nil, false
		}
		if args == nil {
			args = r.args.take(len(words))
		}
		args[i].as, args[i].bare = text, text
	}
	return args, true
}

// variants are the lists of arguments that words can become.
func (r *reader) variants(words []*syntax.Word) [][]arg {
	variants := [][]arg{make([]arg, 0, len(words))}
	for _, w := range words {
		if r.full {
			break
		}
		if text, ok := plain(w); ok {
			for i := range variants {
				variants[i] = append(variants[i], arg{as: text, bare: text})
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
func (r *reader) times(variants, alts [][]arg) [][]arg {
	if len(variants)*len(alts) > mostVariants {
		for first := len(variants); len(variants) < len(alts); { // every reading once
			more := variants[len(variants)%first]
			variants = append(variants, slices.Clip(more))
			r.pay(argumentSteps * len(more))
		}
		for i := range variants {
			variants[i] = append(variants[i], alts[i%len(alts)]...)
		}
		return variants
	}
	product := make([][]arg, 0, len(variants)*len(alts))
	for _, v := range variants {
		for _, alt := range alts {
			product = append(product, append(slices.Clip(v), alt...))
		}
	}
	return product
}

// bareOf is a list of arguments in which everything that may be empty is, and
// whether that makes a difference.
func bareOf(args []arg) (bare []arg, differs bool) {
	for i := range args {
		if args[i].as != args[i].bare {
			differs = true
		}
	}
	if !differs {
		return nil, false
	}
	for _, a := range args {
		if a.bare == "" && !a.quoted && a.as != "" {
			continue
		}
		a.as = a.bare
		bare = append(bare, a)
	}
	return bare, len(bare) > 1
}

// assigned evaluates an assignment and makes it, if it is for the shell itself.
func (r *reader) assigned(a *syntax.Assign, keep bool) value {
	if a.Array != nil {
		var elements []value
		for _, e := range a.Array.Elems {
			if e.Value == nil {
				continue
			}
			for _, x := range r.word(e.Value) {
				for _, arg := range x.alts[0] {
					elements = append(elements, arg.value())
				}
			}
			if len(elements) > mostNames {
				r.mark(Many)
				break
			}
		}
		if a.Name != nil {
			r.array(a.Name.Value, elements, a.Append)
		}
		return firm(r.written(a))
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
		r.array(name, []value{v}, true)
	case a.Append:
		if old, ok := r.scope.vars[name]; ok {
			v = r.append(old, v)
		} else if elements, ok := r.scope.arrays[name]; ok && len(elements) > 0 {
			r.array(name, []value{v}, true)
			return v
		}
		r.scope.set(name, v)
	default:
		r.scope.set(name, v)
	}
	return v
}

// array sets or extends an array.
func (r *reader) array(name string, elements []value, more bool) {
	if r.scope.arrays == nil {
		r.scope.arrays = map[string][]value{}
	}
	if len(r.scope.arrays) >= mostNames {
		r.mark(Many)
		return
	}
	if more {
		old := r.scope.arrays[name]
		if !r.pay(len(old) * argumentSteps / 4) {
			return
		}
		elements = append(slices.Clip(old), elements...)
	}
	if len(elements) > mostNames {
		elements = elements[:mostNames]
		r.mark(Many)
	}
	r.scope.arrays[name] = elements
	delete(r.scope.vars, name)
}

// declared reads export, declare, local and the like.
func (r *reader) declared(c *syntax.DeclClause) flow {
	cmd := Command{Name: c.Variant.Value, Text: r.written(c)}
	number := len(r.reading.Commands)
	exports, refers, unsets, names := c.Variant.Value == "export", false, false, false
	for _, a := range c.Args {
		if a.Naked && a.Name == nil { // an option, or a word that becomes an assignment
			v := r.value(a.Value)
			r.loads(&v)
			names = names || len(v.sources) > 0
			for _, t := range v.texts {
				cmd.Args = append(cmd.Args, t.as)
				if name, value, ok := strings.Cut(t.as, "="); ok {
					r.scope.set(name, literal(value))
				}
				exports = exports || strings.HasPrefix(t.as, "-") && strings.Contains(t.as, "x")
				refers = refers || strings.HasPrefix(t.as, "-") && strings.Contains(t.as, "n") && c.Variant.Value != "export"
				unsets = unsets || strings.HasPrefix(t.as, "-") && strings.Contains(t.as, "n") && c.Variant.Value == "export" || t.as == "+x"
			}
			continue
		}
		name := a.Name.Value
		if a.Naked {
			cmd.Args = append(cmd.Args, name)
			if unsets {
				r.effect(effect.Effect{Verb: effect.UnsetVariable, Object: name, How: cmd.Name, Command: number})
			}
			continue
		}
		if len(r.active) > 0 && c.Variant.Value != "export" && len(r.locals) < mostNames {
			old, set := r.scope.vars[name]
			r.locals = append(r.locals, local{name, old, set})
		}
		v := r.assigned(a, true)
		if slices.Contains(cmd.Args, "-i") {
			r.evaluated(&v, 0)
		}
		if of, ok := v.known(); refers && ok {
			if r.scope.refs == nil {
				r.scope.refs = map[string]string{}
			}
			if len(r.scope.refs) < mostNames {
				r.scope.refs[name] = of
			}
		}
		if exports && isAuthor(name) {
			r.authored(&v)
		}
		cmd.Args = append(cmd.Args, name+"="+v.texts[0].as)
		if exports && number < MaxCommands {
			r.effect(effect.Effect{Verb: effect.SetVariable, Object: name, From: v.texts[0].as, How: cmd.Name, Command: number})
		}
	}
	cmd.inherit(r)
	r.emit(&cmd)
	if names || slices.ContainsFunc(c.Args, func(a *syntax.Assign) bool { return a.Name != nil }) {
		if !slices.Contains(cmd.Args, "-p") {
			return flow{}
		}
		printed := flow{piped: true, by: cmd.Name}
		for _, name := range cmd.Args {
			if isCredentialName(name) {
				printed.shows = append(printed.shows, "$"+name)
			}
		}
		return printed
	}
	return flow{piped: true, sources: []string{environment}, shows: r.sourced, by: cmd.Name} // it prints what there is
}

// sortedNames are the names of variables, so that they are read in one order.
func sortedNames(env map[string]string) []string {
	if len(env) == 0 {
		return nil // as of most commands
	}
	return slices.Sorted(maps.Keys(env))
}

// isEnvironmentName reports whether a variable is one that programs are told
// things by.
func isEnvironmentName(name string) bool {
	return len(name) > 3 && strings.ToUpper(name) == name && strings.Contains(name, "_")
}

// mostRoom is how many commands a reading has room for before they are read.
const mostRoom = 1024

// room is how many commands the text at hand has, as far as its signs tell.
func (r *reader) room() int {
	if r.parsed > 0 {
		return min(r.parsed, mostRoom)
	}
	n := 1
	for i := range min(len(r.src), 4<<10) {
		if c := r.src[i]; (c == '\n' || c == '|' || c == ';' || c == '&') && (i == 0 || r.src[i-1] != c) {
			n++
		}
	}
	return min(n, mostRoom)
}

// emit adds a command and returns its number, -1 if there are too many.
func (r *reader) emit(c *Command) int {
	if len(r.reading.Commands) >= MaxCommands {
		r.mark(Many)
		r.full = true
		return -1
	}
	if r.reading.Commands == nil {
		r.reading.Commands = make([]Command, 0, r.room())
	}
	c.Depth = max(r.depth-1, 0)
	r.reading.Commands = append(r.reading.Commands, *c)
	return len(r.reading.Commands) - 1
}
