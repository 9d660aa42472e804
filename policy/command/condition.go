package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/describe"
)

// condition is true if one of its alternatives is; an alternative if all of its
// tests are. The zero condition is never true.
//
// What can be tested is in docs/judgement.md. A role is that of a flag or operand, or one that
// every invocation has: program, command, words, options, after, and $NAME for a variable of
// the environment.
//
// A test may be negated with "not". Tests are joined by "and". Where each value of a role
// gives an effect of its own, its tests are about that value, but for several and listed.
type condition [][]test

type test struct {
	not   bool
	what  testKind
	name  string   // of an option, role or variable
	among []string // values, nil for any
	ways  []way    // the words of commands
	text  string   // as a description has it
}

// String writes the condition as a description has it.
func (c condition) String() string {
	alternatives := make([]string, len(c))
	for i, all := range c {
		tests := make([]string, len(all))
		for j := range all {
			tests[j] = all[j].text
		}
		alternatives[i] = strings.Join(tests, " and ")
	}
	return strings.Join(alternatives, ", or ")
}

type testKind uint8

const (
	hasOption testKind = iota + 1
	hasRole
	isSeveral
	isListed
	isUnknown
	isForTests
	isLive
	isProduction
	isAddress
	isInside
	isForeign
	isProgram
	hasEnv
	hasContext
	callsWords
)

// answer is that of a test. What cannot be known is neither yes nor no.
type answer uint8

const (
	no answer = iota
	perhaps
	yes
)

// parseCondition reads the alternatives of a condition.
func parseCondition(alternatives []string, sets func() map[string][]string) (condition, error) {
	var c condition
	for _, alternative := range alternatives {
		var all []test
		for s := range strings.SplitSeq(alternative, " and ") {
			t, err := parseTest(strings.TrimSpace(s), sets)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
		c = append(c, all)
	}
	return c, nil
}

var testWords = map[string]testKind{"several": isSeveral, "listed": isListed, "unknown": isUnknown, "tests": isForTests, "live": isLive, "production": isProduction, "address": isAddress, "inside": isInside, "foreign": isForeign, "program": isProgram, "env": hasEnv, "context": hasContext}

func parseTest(s string, sets func() map[string][]string) (test, error) {
	t := test{what: hasRole, text: s}
	if rest, ok := strings.CutPrefix(s, "not "); ok {
		t.not, s = true, rest
	}
	if words, ok := strings.CutPrefix(s, "calls "); ok {
		t.what, t.name, t.ways = callsWords, words, parseWays(words)
		return t, nil
	}
	if word, rest, ok := strings.Cut(s, " "); ok && testWords[word] != 0 {
		t.what, s = testWords[word], rest
	} else if name, set, ok := strings.Cut(s, " in "); ok {
		values, known := sets()[set]
		if !known {
			return t, fmt.Errorf("%q: there is no set %q", s, set)
		}
		t.name, t.among = name, values
		s = name
	}
	if rest, ok := strings.CutPrefix(s, "--"); ok {
		t.what, s = hasOption, rest
	}
	if name, values, ok := strings.Cut(s, "="); ok {
		t.among, s = strings.Split(values, "|"), name
	}
	if t.name = s; t.name == "" || strings.Contains(t.name, " ") {
		return t, fmt.Errorf("cannot read the condition %q", s)
	}
	return t, nil
}

// holds answers the condition for a reading.
func (c condition) holds(r *Reading) answer {
	best := no
	for _, all := range c {
		worst := yes
		for i := range all {
			worst = min(worst, all[i].holds(r))
		}
		best = max(best, worst)
	}
	return best
}

// spares answers a condition under which something does not happen: what it names must
// surely be so.
func (c condition) spares(r *Reading) answer {
	best := no
	for _, all := range c {
		worst := yes
		for i := range all {
			if t := &all[i]; t.not {
				worst = min(worst, yes-t.once(r, t.ask))
			} else {
				worst = min(worst, t.once(r, t.spares))
			}
		}
		best = max(best, worst)
	}
	return best
}

// mayHold reports whether the condition would hold if values that are not known were
// addresses.
func (c condition) mayHold(r *Reading) bool {
	return slices.ContainsFunc(c, func(all []test) bool {
		for i := range all {
			if t := &all[i]; t.holds(r) == no && !t.mayBeAddress(r) {
				return false
			}
		}
		return true
	})
}

// mayBeAddress reports whether the test asks for an address, of a value that may be one.
func (t *test) mayBeAddress(r *Reading) bool {
	if t.what != isAddress || t.not {
		return false
	}
	values := r.values(t.name)
	if r.each == t.name {
		values = []value{r.one}
	}
	return slices.ContainsFunc(values, func(v value) bool { return r.host.Is("elsewhere", v.text) })
}

func (t *test) holds(r *Reading) answer {
	if t.not {
		return yes - t.once(r, t.spares)
	}
	return t.once(r, t.ask)
}

// once asks what is not about the one value of an effect a single time.
func (t *test) once(r *Reading, ask func(*Reading) answer) answer {
	a, known := r.answers[t]
	if !known {
		if a = ask(r); r.answers != nil && !t.isAboutOne(r) {
			r.answers[t] = a
		}
	}
	return a
}

// isAboutOne reports whether the test is about the one value that an effect is said for.
func (t *test) isAboutOne(r *Reading) bool {
	switch t.what {
	case hasOption, hasEnv, hasContext, callsWords, isSeveral, isListed:
		return false
	default:
		return r.each == t.name
	}
}

func (t *test) ask(r *Reading) answer {
	switch t.what {
	case hasOption:
		best := no
		for i := range r.line.options {
			if o := &r.line.options[i]; o.is(t.name) {
				a := t.matches(r, o.value)
				if t.among == nil && strings.EqualFold(o.value, "false") && o.flag != nil {
					a = no
				}
				if o.maybe {
					a = min(a, perhaps)
				}
				best = max(best, a)
			}
		}
		return best
	case hasEnv:
		v, set := r.variable(t.name)
		if !set {
			return no
		}
		return t.matches(r, v)
	case hasContext:
		return bool2(r.host.Context(t.name, r))
	case callsWords:
		return r.calls(t.ways)
	case isSeveral:
		if r.More {
			return yes
		}
		return bool2(len(r.values(t.name)) > 1)
	default:
		best := no
		values := r.values(t.name)
		if r.each == t.name && t.what != isListed {
			values = []value{r.one}
		}
		for _, v := range values {
			a := no
			switch t.what {
			case hasRole:
				a = t.matches(r, v.text)
			case isListed:
				a = bool2(v.listed)
			case isUnknown:
				a = bool2(effect.Expands(v.text))
			case isForTests:
				a = bool2(effect.PurposeOf(v.text)&effect.ForTests != 0)
			case isLive:
				a = bool2(effect.PurposeOf(v.text)&effect.ForUse != 0)
			case isAddress:
				a = bool2(IsAddress(v.text))
			case isInside:
				a = bool2(r.host.Is("inside", v.text))
			case isForeign:
				a = bool2(r.host.Is("foreign", v.text))
			case isProgram:
				a = bool2(r.host.Is("program", v.text))
			case isProduction:
				a = bool2(effect.IsProduction(v.text))
			default:
			}
			if v.maybe {
				a = min(a, perhaps)
			}
			best = max(best, a)
		}
		if best == no && r.More && t.what == isListed {
			return yes
		}
		return best
	}
}

// calls reports whether the operands begin with the words of a way. Words that may be
// values of options make that uncertain.
func (r *Reading) calls(ways []way) answer {
	operands, best := r.takenApart(r.program).first.operands, no
	for _, w := range ways {
		taken, _, _ := w.match(operands)
		switch {
		case taken < 0:
		case slices.ContainsFunc(operands[:taken], func(o operand) bool { return o.maybe }):
			best = max(best, perhaps)
		default:
			return yes
		}
	}
	return best
}

// is reports whether an option as given has a name, under any of its names.
func (g *given) is(name string) bool {
	if strings.Contains(name, "*") {
		return describe.Wild(name, g.name)
	}
	return g.name == name || g.flag != nil && slices.Contains(g.names, name)
}

func (t *test) matches(r *Reading, value string) answer {
	if t.among == nil {
		return yes
	}
	if effect.Expands(value) && !r.program.syntax.asWritten {
		return perhaps
	}
	lower := strings.ToLower(value)
	return bool2(slices.ContainsFunc(t.among, func(want string) bool {
		return want == value || describe.Wild(want, lower)
	}))
}

func bool2(b bool) answer {
	if b {
		return yes
	}
	return no
}

// IsAddress reports whether a value says where something is, not what it is called.
func IsAddress(value string) bool {
	for _, prefix := range [...]string{"git+", "git@", "git:", "github:", "gitlab:", "bitbucket:", "gist:", "hg+", "svn+", "bzr+", "ssh:", "jsr:http"} {
		if strings.HasPrefix(value, prefix) {
			return true
		}
	}
	return strings.Contains(value, "://")
}
