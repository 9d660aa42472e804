package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// The effects of a command are its own and those of the commands that it runs, however it
// is wrapped and whatever stands beside it.
func TestACommandHasItsEffectsAndThoseOfWhatItRuns(t *testing.T) {
	t.Parallel()

	exchange := &policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/h"}}
	commands := []struct{ name, text, verb string }{
		{"kubectl", "kubectl --context prod delete ns a", "destroy"}, {"rm", "rm a", "delete"}, {"curl", "curl https://a.example", "fetch"}, {"git", "git push origin main", "push"},
		{"helm", "helm upgrade a b", "apply"}, {"kubectl", "kubectl get pods", ""}, {"ls", "ls", ""},
	}
	// %s is the command; runs are the programs that run it.
	forms := []struct {
		text string
		runs []string
	}{
		{"%s", nil}, {"true; %s", nil}, {"%s && echo done", nil}, {"sudo %s", nil}, {"timeout 3 %s", nil}, {"X=1 %s", nil}, {"if true; then %s; fi", nil},
		{"sh -c '%s'", []string{"sh"}}, {"bash -c 'echo a; %s'", []string{"bash"}}, {"ssh host '%s'", []string{"ssh"}}, {`sh -c "bash -c '%s'"`, []string{"sh", "bash"}},
	}
	has := func(program, verb, text string) bool {
		t.Helper()
		condition := compile(t, fmt.Sprintf(`call.commands.exists(c, c.name == %q && c.effects.exists(e, e.verb == %q))`, program, verb))
		got, what, err := condition.Match(policy.NewSubject(exchange, bash(text)))
		if err != nil || got == rule.Unknown {
			t.Errorf("%s of %s in %s: %v %s %v", verb, program, text, got, what, err)
		}
		return got == rule.True
	}
	for _, one := range commands {
		for _, form := range forms {
			for _, other := range commands {
				if one.name == other.name || one.verb == "" {
					continue
				}
				text := other.text + "; " + fmt.Sprintf(form.text, one.text) + "; ls"
				if !has(one.name, one.verb, text) {
					t.Errorf("%s has no %s in %s", one.name, one.verb, text)
				}
				if has(other.name, one.verb, text) && other.verb != one.verb {
					t.Errorf("%s has the %s of %s in %s", other.name, one.verb, one.name, text)
				}
				for _, program := range form.runs {
					if !has(program, one.verb, text) {
						t.Errorf("%s has no %s in %s", program, one.verb, text)
					}
				}
				if has("ls", one.verb, text) {
					t.Errorf("ls has a %s in %s", one.verb, text)
				}
			}
		}
	}
}

// What a command that is not known does is unknown, of it and of what runs it, and of
// nothing else.
func TestTheEffectsOfACommandThatIsNotKnownAreUnknown(t *testing.T) {
	t.Parallel()

	for text, want := range map[string]rule.Outcome{
		"helm frobnicate a": rule.Unknown, "sh -c 'helm frobnicate a'": rule.Unknown, "rm a; helm frobnicate a": rule.Unknown, "helm list": rule.False, "helm upgrade a b": rule.False,
	} {
		got, _, err := compile(t, `call.commands.exists(c, c.is("helm") && c.effects.exists(e, e.verb == "destroy"))`).Match(policy.NewSubject(nil, bash(text)))
		if got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	if got, _, _ := compile(t, `call.commands.exists(c, c.is("rm") && c.effects.exists(e, e.verb == "destroy"))`).Match(policy.NewSubject(nil, bash("rm a; helm frobnicate a"))); got != rule.False {
		t.Errorf("rm beside a program that is not known: %v", got)
	}
}
