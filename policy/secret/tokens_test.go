package secret

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/text"
)

// write makes up a text that an expression matches.
func write(b *strings.Builder, re *syntax.Regexp, r *rand.Rand) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(anyOf(re.Rune, r))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, sub, r)
		}
	case syntax.OpAlternate:
		write(b, re.Sub[r.IntN(len(re.Sub))], r)
	case syntax.OpRepeat, syntax.OpPlus, syntax.OpStar, syntax.OpQuest:
		least := map[syntax.Op]int{syntax.OpRepeat: re.Min, syntax.OpPlus: 8}[re.Op]
		for range least {
			write(b, re.Sub[0], r)
		}
	default: // assertions
	}
}

// anyOf picks a printable character of a class.
func anyOf(class []rune, r *rand.Rand) rune {
	var from []rune
	for c := '!'; c <= '~'; c++ {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= c && c <= class[i+1] {
				from = append(from, c)
			}
		}
	}
	if len(from) == 0 {
		return '\n'
	}
	return from[r.IntN(len(from))]
}

func TestEveryTokenIsFoundAlone(t *testing.T) {
	t.Parallel()
	tries := 20
	if testing.Short() {
		tries = 5
	}
	for i, tok := range tokens {
		tree, err := syntax.Parse(tok.pattern, syntax.Perl)
		if err != nil {
			t.Fatalf("%s: %v", tok.name, err)
		}
		misses := 0
		for seed := range tries {
			var b strings.Builder
			write(&b, tree, rand.New(rand.NewPCG(uint64(i), uint64(seed))))
			found := Find("see " + b.String() + " there")
			if len(found) != 1 || found[0].Rule != tok.name {
				misses++
				if misses > 1 {
					t.Errorf("%s: %q: %v", tok.name, b.String(), found)
					break
				}
			}
		}
	}
}

func TestRulesAreWellFormed(t *testing.T) {
	t.Parallel()
	if n := len(Names()); n < 200 {
		t.Errorf("%d rules", n)
	}
	seen := map[string]bool{}
	for _, tok := range tokens {
		if seen[tok.name] {
			t.Errorf("two tokens are called %s", tok.name)
		}
		seen[tok.name] = true
	}
	for _, name := range Names() {
		if !regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`).MatchString(name) || len(name) > 60 {
			t.Errorf("a placeholder cannot hold the name %q", name)
		}
	}
	for name := range checks {
		if !seen[name] {
			t.Errorf("a check for %s, which is no token", name)
		}
	}
	if seen[credential] {
		t.Errorf("a token is called %s", credential)
	}
	for _, v := range vendors {
		for _, w := range v.words {
			if w != strings.ToLower(w) {
				t.Errorf("%s: the word %q is not in lower case", v.name, w)
			}
		}
	}
}

func TestRulesLeaveRoomInAChain(t *testing.T) {
	t.Parallel()
	rules := rulesFor(func(string, string, string) string { return "" })
	size := 0
	for _, p := range slices.Concat(rules[0].Patterns, rules[1].Patterns) {
		tree, err := syntax.Parse(p, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		size += len(prog.Inst)
	}
	if size > text.MaxProgram*3/5 {
		t.Errorf("%d instructions of %d leave too little for other rules", size, text.MaxProgram)
	}
}
