package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A subcommand that the description of a program does not have may have any effect by
// that program: conditions on effects are unknown, and those on other programs are not.
func TestASubcommandThatIsNotKnownMakesEffectsUnknown(t *testing.T) {
	t.Parallel()

	programs := described(t, `shipit: {flags: {value: [e env]}, commands: {deploy: {operands: [name], effects: [{apply: '{name}[ in {env}]'}]}, "status, logs": {}}}
git: {commands: {frobnicate: {effects: [{apply: frob}]}}}
`)
	for _, tc := range []struct {
		line, source string
		written      bool
		want         rule.Outcome
	}{
		{"shipit -e prod newcmd web", `e.verb == "apply" && e.how == "shipit"`, false, rule.Unknown},
		{"shipit -e prod newcmd web", `e.verb == "apply"`, false, rule.Unknown},
		{"shipit -e prod newcmd web", `e.verb == "apply" && e.how == "kubectl"`, false, rule.False},
		{"shipit -e prod newcmd web", `e.verb == "apply"`, true, rule.False},
		{"shipit -e prod newcmd web && shipit deploy x", `e.verb == "apply"`, false, rule.True},
		{"shipit --unknown status newcmd", `e.verb == "apply"`, false, rule.False},
		{"shipit -e prod status", `e.verb == "apply"`, false, rule.False},
		{"shipit --help", `e.verb == "apply"`, false, rule.False},
		{"kubectl frobnicate x", `e.verb == "destroy" && e.how == "kubectl"`, false, rule.Unknown},
		{"git frobnicate", `e.verb == "force-push"`, false, rule.False},
		{"git status", `e.verb == "force-push"`, false, rule.False},
		{"git unheard-of", `e.verb == "force-push"`, false, rule.Unknown},
		{"ls -la && grep -r x .", `e.verb == "apply"`, false, rule.False},
	} {
		for _, is := range []string{"call.effects.exists(e, %s)", "!call.effects.all(e, !(%s))", "call.effects.filter(e, %s).size() > 0"} {
			source := fmt.Sprintf(is, tc.source)
			p, err := rule.Compile(source, rule.Options{Programs: programs, Written: tc.written})
			if err != nil {
				t.Fatal(err)
			}
			s := policy.NewSubject(nil, bash(tc.line))
			got, _, err := p.Match(s)
			if got != tc.want || err != nil {
				t.Errorf("%s: %s: got %v, %v, want %v", tc.line, source, got, err, tc.want)
			}
			if got != rule.False && rule.NewGates([]*rule.Program{p}).Open(s) == 0 {
				t.Errorf("%s: %s: the gate is shut", tc.line, source)
			}
		}
	}
}
