package rule_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
)

// subjectAt is a call by a client that works somewhere.
func subjectAt(b llm.Block, at effect.Place) *policy.Subject {
	return policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: at.Cwd, Home: at.Home}}, b)
}

// A kind that effects of a verb never have is refused, with one that they have.
func TestKindsAreThoseOfTheVerb(t *testing.T) {
	t.Parallel()
	for source, suggests := range map[string]string{
		`call.effects.exists(e, e.verb == "kill" && e.kind == "shred")`:          "use one of",
		`call.effects.exists(e, e.verb == "delete" && e.kind == "wipe")`:         `"shred"`,
		`call.effects.exists(e, e.verb == "delete" && e.kind == "mvoe")`:         `"move"`,
		`call.effects.exists(e, e.verb == "mode" && e.kind in ["acl"])`:          `"rights"`,
		`call.effects.exists(e, e.extent == "everything")`:                       `"all"`,
		`call.effects.exists(e, e.verb == "write" && e.place == "workspace")`:    `"project"`,
		`call.effects.exists(e, e.verb == "write" && e.place != "container")`:    `"remote"`,
		`call.effects.exists(e, e.verb == "destroy" && !(e.extent == "single"))`: `"one"`,
	} {
		_, err := rule.Compile(source, rule.Options{})
		if err == nil || !strings.Contains(err.Error(), suggests) {
			t.Errorf("%s: %v, want a suggestion with %s", source, err, suggests)
		}
	}
	for _, source := range []string{
		`call.effects.exists(e, e.verb == "delete" && e.kind == "")`,
		`call.effects.exists(e, e.verb in ["delete", "kill"] && !(e.kind in ["move", "users"]))`,
	} {
		if _, err := rule.Compile(source, rule.Options{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// The commands that document kinds, extents and places have effects with them.
func TestWhatIsKnownOfEffectsIsAsDocumented(t *testing.T) {
	t.Parallel()
	at := effect.Place{Cwd: "/home/u/project", Home: "/home/u"}
	has := func(t *testing.T, command, condition string) {
		t.Helper()
		p, err := rule.Compile("call.effects.exists(e, "+condition+")", rule.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, shape := range call.Shapes(command)[:1] {
			if got, what, err := p.Match(subjectAt(shape, at)); got != rule.True || err != nil {
				t.Errorf("%s: %s is %v (%s, %v)", command, condition, got, what, err)
			}
		}
	}
	for _, d := range effect.KindDocs() {
		var verbs []string
		for _, v := range d.Verbs {
			verbs = append(verbs, `"`+string(v)+`"`)
		}
		has(t, d.Example, `e.verb in [`+strings.Join(verbs, ", ")+`] && e.kind == "`+string(d.Kind)+`"`)
	}
	for _, d := range effect.ExtentDocs() {
		has(t, d.Example, `e.extent == "`+string(d.Extent)+`"`)
	}
	for _, d := range effect.AreaDocs() {
		has(t, d.Example, `e.place == "`+string(d.Area)+`"`)
	}
	for command, condition := range map[string]string{
		"rm -rf /":                                `e.place == "system" && e.extent == "all" && e.certain`,
		"rm *.o":                                  `e.place == "project" && e.extent == "all"`,
		"helm uninstall a $(helm ls -q)":          `e.verb == "destroy" && e.extent == "all"`,
		"rm a$X":                                  `e.verb == "delete" && !e.certain`,
		"pkill -x node":                           `e.verb == "kill" && e.kind == "exact"`,
		"git rebase --exec 'rm -rf ~/x' HEAD~2":   `e.verb == "delete" && e.place == "home"`,
		"ssh db.example 'rm -rf /data'":           `e.verb == "delete" && e.place == "remote"`,
		"mkdir a && rm -rf a":                     `e.verb == "delete" && e.place in ["project", "scratch"]`,
		"systemctl --unheard x stop nginx":        `e.verb == "stop" && e.object == "nginx"`,
		"echo x > /tmp/a":                         `e.verb == "write" && e.place == "scratch"`,
		"curl -T a http://localhost:3000/":        `e.verb == "send" && e.place == "system"`,
		"curl -T a https://x.example/":            `e.verb == "send" && e.place == "remote"`,
		"git push -f origin main":                 `e.verb == "force-push" && e.place == "remote"`,
		"psql -d app_test -c 'truncate users'":    `e.verb == "drop" && e.place == "scratch"`,
		"docker volume rm a b":                    `e.verb == "destroy" && e.extent != "one"`,
		"echo a > /home/u/project/../project/b/c": `e.place == "project"`,
	} {
		has(t, command, condition)
	}
}

// Where a path lies depends on directories that a client need not report.
func TestPlacesThatAreNotKnownAreUnknown(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]rule.Outcome{
		"rm a":               rule.Unknown, // in a project, or in a home
		"rm /home/u/a":       rule.Unknown, // the project may be there
		"rm /opt/a":          rule.Unknown,
		"rm \"$X\"":          rule.Unknown,
		"rm /etc/hosts":      rule.False,
		"rm /tmp/a":          rule.False,
		"rm -rf ~":           rule.False,
		"ssh h.example rm a": rule.False,
	} {
		p, err := rule.Compile(`call.effects.exists(e, e.verb == "delete" && e.place == "project")`, rule.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := p.Match(subjectAt(call.Shapes(command)[0], effect.Place{}))
		if got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", command, got, err, want)
		}
	}
}
