package rule_test

import (
	"fmt"
	"testing"

	"go.yaml.in/yaml/v3"

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

	programs := described(t, "acmectl: {flags: {value: [t tenant], switch: [y yes]}, commands: {drop: {operands: [name], effects: [{drop: 'database {name}'}]}}}")
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

// What a program gets is found where several options share a word, where words in front
// may be values of options that are not known, and under all names of the program. What
// depends on the reading is unknown, and never false.
func TestOptionsAreThoseOfTheDescription(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		line, source string
		want         rule.Outcome
	}{
		{"curl -sX DELETE https://x.example", `c.is("curl") && c.flag("request") in ["DELETE", "PUT"]`, rule.True},
		{"curl -sXDELETE https://x.example", `c.flag("request") == "DELETE"`, rule.True},
		{"docker run -itv /:/host alpine", `c.flags("volume").exists(v, v.startsWith("/:"))`, rule.True},
		{"docker run alpine cmd -v x --privileged", `c.is("docker") && (c.flags("volume").size() > 0 || c.has("--privileged"))`, rule.False},
		{"docker run $IMAGE cmd -v x", `c.flags("volume").size() > 0`, rule.Unknown},
		{"kubectl exec -itn prod web", `c.flag("namespace") == "prod"`, rule.True},
		{"psql -Atqh pg-prod-1", `c.flag("host").startsWith("pg-prod")`, rule.True},
		{"git commit -am WIP", `c.flag("message") == "WIP"`, rule.True},
		{"tar -czf /srv/x .", `c.flag("file") == "/srv/x"`, rule.True},
		{"mytool -sX DELETE x", `c.flag("X") == "DELETE"`, rule.Unknown},
		{"mytool -sX DELETE x", `c.flags("X").exists(v, v == "DELETE")`, rule.True},
		{"mytool -sX DELETE x", `!c.flags("X").exists(v, v == "GET")`, rule.Unknown},
		{"mytool -rf x", `c.has("-f") && c.has("r")`, rule.True},
		{"mytool -X DELETE x", `c.flag("X") == "DELETE"`, rule.True},
		{"mytool --json list", `c.sub == "list"`, rule.True},
		{"mytool --env prod deploy", `c.sub == "deploy"`, rule.Unknown},
		{"mytool --env prod deploy", `c.sub in ["prod", "deploy"]`, rule.True},
		{"mytool --env prod deploy", `c.sub == "list"`, rule.False},
		{"kubectl --context prod-eu --unknown get delete pod x", `c.sub == "delete"`, rule.Unknown},
		{"kubectl --context prod-eu --unknown get delete pod x", `!(c.sub in ["get", "logs"])`, rule.Unknown},
		{"kubectl --context prod-eu --unknown get delete pod x", `c.sub in ["get", "delete"]`, rule.True},
		{"kubectl --unknown get pods", `c.sub == "get"`, rule.True},
		{"kubectl --unknown --dry-run delete pod x", `!c.has("--dry-run")`, rule.Unknown},
		{"kubectl --unknown --force delete pod x", `c.has("--force")`, rule.True},
		{"k delete pod x", `c.is("kubectl") && c.sub == "delete"`, rule.True},
		{"kubecolor delete pod x", `c.is("k")`, rule.True},
		{"k delete pod x", `c.is(["helm", "kubectl"])`, rule.True},
		{"podman ps", `c.is("docker")`, rule.False},
	} {
		p := compile(t, "call.commands.exists(c, "+tc.source+")")
		if got, _, err := p.Match(policy.NewSubject(nil, bash(tc.line))); got != tc.want || err != nil {
			t.Errorf("%s: %s: got %v, %v, want %v", tc.line, tc.source, got, err, tc.want)
		}
		if tc.want == rule.False {
			continue
		}
		gates := rule.NewGates([]*rule.Program{p})
		if gates.Open(policy.NewSubject(nil, bash(tc.line))) == 0 {
			t.Errorf("%s: %s: the gate is shut", tc.line, tc.source)
		}
	}
	p := compile(t, `call.commands.map(c, c.sub) == ["deploy"]`)
	if got, _, err := p.Match(policy.NewSubject(nil, bash("mytool --env prod deploy"))); got != rule.Unknown || err != nil {
		t.Errorf("a list of subcommands: got %v, %v", got, err)
	}
}

// described are the programs that are known, and those that a text in YAML describes.
func described(t *testing.T, text string) *command.Catalogue {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	programs, mistakes := command.ParseSources(command.Builtin(), nil, command.Source{File: "mine.yaml", Programs: document.Content[0]})
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	return programs
}
