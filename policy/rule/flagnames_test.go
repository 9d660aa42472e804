package rule_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/rule"
)

// Whoever asks for a flag by one of its names means all of them, whichever the call has.
func TestAFlagIsFoundByAnyOfItsNames(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		names []string // of one flag
		line  string   // %s is the flag
		is    string
	}{
		{[]string{"-f", "--force"}, "git push %s origin main", `c.is("git") && c.has(%q)`},
		{[]string{"-r", "-R", "--recursive"}, "rm %s x", `c.is("rm") && c.has(%q)`},
		{[]string{"-n prod", "-nprod", "-n=prod", "--namespace prod", "--namespace=prod"}, "kubectl %s get pods", `c.flag(%q) == "prod"`},
		{[]string{"-e A=1", "--env A=1", "--env=A=1"}, "docker run %s x", `c.flags(%q) == ["A=1"]`},
	} {
		for _, written := range tc.names {
			for _, asked := range tc.names {
				name, _ := cutFlag(asked)
				for _, compare := range []bool{false, true} {
					source := "call.commands.exists(c, " + fmt.Sprintf(tc.is, name) + ")"
					p, err := rule.Compile(source, rule.Options{Written: compare})
					if err != nil {
						t.Fatal(err)
					}
					line := fmt.Sprintf(tc.line, written)
					if got, _, err := p.Match(policy.NewSubject(nil, bash(line))); got != rule.True || err != nil {
						t.Errorf("%s: %s: got %v, %v", line, source, got, err)
					}
				}
			}
		}
	}

	for line, source := range map[string]string{
		"git push origin main":          `c.has("--force")`,
		"git push origin -- -f":         `c.has("--force")`,
		"unheard-of -f":                 `c.has("--force")`,
		"kubectl -n dev get pods":       `c.flag("namespace") == "prod"`,
		"git commit -f":                 `c.is("rm") && c.has("-r")`,
		"docker run -e A=1 --env B=2 x": `c.flags("env") == ["B=2", "A=1"]`, // in order
	} {
		p := compile(t, "call.commands.exists(c, "+source+")")
		if got, _, err := p.Match(policy.NewSubject(nil, bash(line))); got != rule.False || err != nil {
			t.Errorf("%s: %s: got %v, %v", line, source, got, err)
		}
	}
}

// The flags of a program that the policies describe have all their names as well.
func TestFlagsOfDescribedPrograms(t *testing.T) {
	t.Parallel()

	programs, err := command.Parse("mine.yaml", "acmectl: {flags: {value: [t tenant], switch: [y yes]}, commands: {drop: {operands: [name], effects: [{drop: 'database {name}'}]}}}", command.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	p, err := rule.Compile(`call.commands.exists(c, c.has("--yes") && c.flag("tenant") == "a" || c.is("git") && c.has("--force"))`, rule.Options{Programs: programs})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]rule.Outcome{
		"acmectl -y -t a drop x": rule.True,
		"acmectl -y -t b drop x": rule.False,
		"git push -f":            rule.True,
	} {
		if got, _, err := p.Match(policy.NewSubject(nil, bash(line))); got != want || err != nil {
			t.Errorf("%s: got %v, %v, want %v", line, got, err, want)
		}
	}
}

// cutFlag is the name of a flag that may have a value.
func cutFlag(text string) (name string, hasValue bool) {
	for i, r := range text {
		if r == ' ' || r == '=' {
			return text[:i], true
		}
	}
	if len(text) > 2 && text[1] != '-' {
		return text[:2], true
	}
	return text, false
}
