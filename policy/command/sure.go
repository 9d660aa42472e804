package command

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// An option by which a program does less than it otherwise would, such as --dry-run, --help
// or one that a condition names, counts only if it surely does that. It does not where it may
// be the value of another option, where it is abbreviated, which not all programs understand,
// where its value may say no, and where another option of the command line may take it back.

// surelyGiven reports whether an option is there in every reading. A switch must have its whole
// name: a program that takes no abbreviations may pass over what it does not know.
func (g *given) surelyGiven() bool {
	if g.maybe || g.behind {
		return false
	}
	return g.flag == nil || g.arity == valued || g.arity == ambiguous || len(g.name) == 1 || slices.Contains(g.names, g.name) || slices.Contains(g.names, g.name+"=")
}

// assigned is the value in the word of an option itself: --name=value.
func (l *line) assigned(g *given) (value string, ok bool) {
	if g.in >= len(l.args) || g.at != g.in {
		return "", false
	}
	return g.value, g.valued || strings.Contains(l.args[g.in], "=")
}

// switchedOn reports whether the value of an option that needs none surely leaves it on, or
// whether it has no value. Some programs take the next word as one if it says no.
func (l *line) switchedOn(g *given) bool {
	value, assigned := l.assigned(g)
	switch {
	case g.flag != nil && g.arity == valued:
		return true
	case !assigned:
		return g.in+1 >= len(l.args) || !saysNo(l.args[g.in+1])
	case g.flag == nil || g.dry || g.arity == plain:
		return saysYes(value)
	default:
		return value != "" && !saysNo(value) && !effect.Expands(value)
	}
}

// undone reports whether an option takes back another one, wherever it stands: by a value, as
// in --name=false, or by its name, as in --no-name.
func (l *line) undone(g *given, names []string) bool {
	called := bareName(g.name)
	for _, name := range names {
		bare := bareName(name)
		switch {
		case called == bare, len(called) > 1 && strings.HasPrefix(bare, called) && !g.hasName():
			if !l.switchedOn(g) {
				return true
			}
		case negates(called, bare, !g.hasName()), negates(bare, called, false):
			return true
		}
	}
	return false
}

// hasName reports whether the description has an option under the name that it was given.
func (g *given) hasName() bool { return g.flag != nil && slices.Contains(g.names, g.name) }

// bareName is the name of an option in the one way in which programs compare those that are
// written differently: --dry-run, --dry_run and --dryRun.
func bareName(name string) string {
	if !strings.ContainsAny(name, "-_=") && strings.ToLower(name) == name || len(name) == 1 {
		return name
	}
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", "=", "").Replace(name))
}

// negations are what the name of an option begins with that takes back another one.
var negations = []string{"no", "not", "dont", "donot", "disable", "without", "skip", "never", "un"}

// negates reports whether one name is that of another with a negation before it, or the
// beginning of that.
func negates(called, name string, abbreviated bool) bool {
	for _, no := range negations {
		rest, ok := strings.CutPrefix(called, no)
		if ok && rest != "" && (strings.EqualFold(rest, name) || abbreviated && strings.HasPrefix(name, rest)) {
			return true
		}
	}
	return false
}

// needsNoValue reports whether an option that the description does not have surely takes none:
// that which asks for help, and the opposite of one that takes none.
func needsNoValue(name string, tables []flagTable) bool {
	positive, negated := strings.CutPrefix(name, "no-")
	if positive == "help" {
		return true
	}
	f := look(positive, tables...)
	return negated && f != nil && isExact(positive, tables) && f.arity == plain || negated && f != nil && f.dry
}

func saysYes(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1", "t", "y", "always", "all", "client", "server":
		return true
	}
	return false
}

func saysNo(value string) bool {
	switch strings.ToLower(value) {
	case "false", "no", "off", "none", "never", "null", "0":
		return true
	}
	return false
}

// surely reports whether one of the options that is told apart by a function is surely given,
// and not taken back.
func (l *line) surely(is func(*given) bool) bool {
	var names []string
	found := false
	for i := range l.options {
		g := &l.options[i]
		if !is(g) {
			continue
		}
		found = found || g.surelyGiven() && l.switchedOn(g)
		if g.flag != nil {
			names = appendNew(names, g.names...)
		} else {
			names = appendNew(names, g.name)
		}
	}
	return found && !slices.ContainsFunc(l.options, func(g given) bool { return l.undone(&g, names) })
}

func appendNew(list []string, names ...string) []string {
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// asksForHelp reports whether a command surely only explains itself. Of a program without
// subcommands it must be asked before the first operand, where many end their options.
func (p *Program) asksForHelp(l *line, subcommand bool) bool {
	if !p.helps {
		return false
	}
	for i := range l.options {
		g := &l.options[i]
		if g.name != "help" || g.hasName() && g.arity == valued {
			continue
		}
		if _, assigned := l.assigned(g); assigned || !subcommand && len(l.operands) > 0 && l.operands[0].at < g.in {
			return false
		}
	}
	return l.surely(func(g *given) bool { return g.name == "help" && !(g.hasName() && g.arity == valued) })
}

// AsksForHelp reports whether an invocation only explains itself, however it is read.
func (p *Program) AsksForHelp(in *Invocation) bool { return p.explains(in, 0) }

func (p *Program) explains(in *Invocation, depth int) bool {
	for _, one := range p.separate(in) {
		t := one.takenApart(p)
		if len(t.matches) == 0 && !p.asksForHelp(&t.first, true) {
			return false
		}
		for i := range t.matches {
			m := &t.matches[i]
			if m.command.program != "" {
				if depth == mostPrograms {
					return false
				}
				other := p.other(m.command.program)
				if rest, _ := p.handedOn(one, t, m); other == nil || !other.explains(rest, depth+1) {
					return false
				}
				continue
			}
			if !t.reading(one, i, nil).asksForHelp() {
				return false
			}
		}
	}
	return true
}

func (r *Reading) asksForHelp() bool { return r.program.asksForHelp(&r.line, r.subcommand) }

// isDry reports whether an option surely makes a dry run of it.
func (r *Reading) isDry() bool {
	return r.line.surely(func(g *given) bool { return g.flag != nil && g.dry })
}

// spares is the answer of a test for a condition under which something does not happen.
func (t *test) spares(r *Reading) answer {
	a := t.ask(r)
	if a != yes {
		return a
	}
	switch t.what {
	case hasOption:
		is := func(g *given) bool { return g.is(t.name) }
		if t.among == nil && r.line.surely(is) || t.among != nil && r.always(t, is) {
			return yes
		}
		return perhaps
	default:
		return a
	}
}

// always reports whether an option has one of the values that a test names each time that it
// is given: which of several counts is not known.
func (r *Reading) always(t *test, is func(*given) bool) bool {
	for i := range r.line.options {
		g := &r.line.options[i]
		if is(g) && (!g.surelyGiven() || t.matches(r, g.value) != yes) || negates(bareName(g.name), bareName(t.name), !g.hasName()) {
			return false
		}
	}
	return true
}
