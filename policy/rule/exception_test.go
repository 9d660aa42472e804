package rule_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// An option that may be the value of another one is given where a condition blocks, and is
// not known to be given where an exception takes a call out of a policy.
func TestAnExceptionNeedsOptionsThatAreSurelyGiven(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		`call.commands.exists(c, c.is("git") && c.has("--no-verify"))`,
		`call.kind == "shell" && (call.commands.exists(c, c.has("--no-verify")) || call.commands.exists(c, c.is("rm")))`,
	} {
		for _, tc := range []struct {
			line                string
			condition, excepted rule.Outcome
		}{
			{"git push --force origin main", rule.False, rule.False},
			{"git push --force --no-verify origin main", rule.True, rule.True},
			{"git push --force --unheard --no-verify origin main", rule.True, rule.Unknown},
			{"git push --unheard --no-verify --force origin main", rule.True, rule.Unknown},
		} {
			for _, o := range []struct {
				exception bool
				want      rule.Outcome
			}{{false, tc.condition}, {true, tc.excepted}} {
				p, err := rule.Compile(source, rule.Options{Exception: o.exception})
				if err != nil {
					t.Fatal(err)
				}
				if got, _, err := p.Match(policy.NewSubject(nil, bash(tc.line))); got != o.want || err != nil {
					t.Errorf("%s: %s, exception %v: got %v, %v, want %v", tc.line, source, o.exception, got, err, o.want)
				}
			}
		}
	}
}
