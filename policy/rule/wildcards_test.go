package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// A wildcard in a path of a command stands for names that are not known: a condition on a
// path that it may stand for is true or unknown, and one on a path that it cannot stand
// for is false.
func TestWildcardsInPathsOfCommandsStandForNames(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		condition string
		may, not  []string // paths
	}{
		{`p.under("~/.ssh")`, []string{"~/.s*/id_rsa", "~/.ss?/id_rsa", "~/.[s]sh/id_rsa", "/home/*/.ssh/id_rsa", "/h*/ada/.ssh/id_rsa", "~/.ssh/*", "~/.s*/$X", "/*/*/.ssh/a"}, []string{"~/src/*.go", "~/*/id_rsa", "/srv/*/.ssh/id_rsa", "*.go", "~/.t*/id_rsa", "~/.ss?h/id_rsa"}},
		{`p.under("/home/ada/.ssh")`, []string{"~/.s*/id_rsa", "/home/a?a/.ssh/id_rsa"}, []string{"~/.a*/id_rsa"}},
		{`p.under("conf")`, []string{"c*/a", "con?/a", "./c*/a", "/w/c*/a"}, []string{"d*/a", "*.go", "d*"}},
		{`p.glob("**/*.tf")`, []string{"main.t?", "*", "m*", "*.t*", "a/*.tf", "*/main.tf"}, []string{"*.go", "main.rs"}},
		{`p.glob("*.tf")`, []string{"main.t?", "*", "a/*"}, []string{"*.go", "*/main.go"}},
		{`p.glob("conf/*.yaml")`, []string{"c*/a.yaml", "conf/a.y*"}, []string{"d*/a.yaml", "conf/*.json"}},
	} {
		for _, form := range []struct{ list, command string }{{"reads", "cat %s"}, {"reads", "sudo cat %s"}, {"writes", "sed -i s/a/b/ %s"}, {"writes", "rm %s"}} {
			some := compile(t, fmt.Sprintf("call.%s.exists(p, %s)", form.list, tc.condition))
			ofEffect := compile(t, strings.ReplaceAll(fmt.Sprintf("call.effects.exists(e, e.verb in ['read', 'write', 'delete'] && %s)", tc.condition), "p.", "e.object."))
			for _, condition := range []*rule.Program{some, ofEffect} {
				for may, paths := range map[bool][]string{true: tc.may, false: tc.not} {
					for _, path := range paths {
						s := policy.NewSubject(&policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/home/ada"}}, bash(fmt.Sprintf(form.command, path)))
						if got, _, err := condition.Match(s); err != nil || (got != rule.False) != may {
							t.Errorf("%s of %s: %v, %v", tc.condition, fmt.Sprintf(form.command, path), got, err)
						}
					}
				}
			}
		}
	}
}

// The port of an address does not say which host it has, unless there may be an @ in it:
// as it is written there is none.
func TestAPortThatIsNotKnownLeavesTheHostKnown(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		address       string
		written, open rule.Outcome
	}{
		{"http://localhost:$PORT/healthz", rule.True, rule.Unknown},
		{"http://localhost:${PORT}/healthz", rule.True, rule.Unknown},
		{"http://localhost:$PORT", rule.True, rule.Unknown},
		{"http://localhost:80$X/a", rule.True, rule.Unknown},
		{"http://localhost:$(port)/a", rule.True, rule.Unknown},
		{"http://localhost:80/$X", rule.True, rule.True},
		{"http://localhost:$PORT@evil.example/", rule.False, rule.Unknown},
		{"http://localhost:$A$B/", rule.True, rule.Unknown},
		{"http://$H:80/", rule.False, rule.Unknown},
	} {
		for _, written := range []bool{false, true} {
			p, err := rule.Compile(`call.urls.exists(u, u.host() == "localhost")`, rule.Options{Written: written})
			if err != nil {
				t.Fatal(err)
			}
			want := tc.open
			if written {
				want = tc.written
			}
			got, _, err := p.Match(policy.NewSubject(nil, bash(`curl "`+tc.address+`"`)))
			if got != want || err != nil {
				t.Errorf("%s, written %v: %v, %v; want %v", tc.address, written, got, err, want)
			}
		}
	}
}

// An argument with a wildcard that is not in quotes stands for names that it matches; in
// quotes it is itself.
func TestArgumentsWithWildcardsAreKnownInPart(t *testing.T) {
	t.Parallel()

	is := compile(t, `call.commands.exists(c, c.is("tool") && c.args.exists(a, a == "prod"))`)
	for text, want := range map[string]rule.Outcome{
		"tool pr*": rule.Unknown, "tool p?od": rule.Unknown, "tool [p]rod": rule.Unknown, "tool *": rule.Unknown, "X=1 tool pr*": rule.Unknown, "tool a pr*": rule.Unknown, `tool p"r"*`: rule.Unknown, "sudo tool *d": rule.Unknown,
		`tool "pr*"`: rule.False, "tool 'pr*'": rule.False, `tool pr\*`: rule.False, "tool dev*": rule.False, "tool *.go": rule.False, "tool prod?": rule.False, "tool prod*x": rule.False, "tool https://a/?b=1": rule.False, "tool prod": rule.True,
	} {
		if got, what, err := is.Match(policy.NewSubject(nil, bash(text))); got != want || err != nil {
			t.Errorf("%s: %v (%s), %v; want %v", text, got, what, err, want)
		}
	}
	if got, what, _ := is.Match(policy.NewSubject(nil, bash("tool pr*"))); got != rule.Unknown || strings.ContainsRune(what, 0) {
		t.Errorf("what is not known of a wildcard is %q", what)
	}
}

// A variable that is exported and whose name is not known may be any.
func TestExportedVariablesOfWhichTheNameIsNotKnown(t *testing.T) {
	t.Parallel()

	is := compile(t, `call.effects.exists(e, e.verb == "set-variable" && e.object == "AWS_PROFILE")`)
	for text, want := range map[string]rule.Outcome{
		"export $KV": rule.Unknown, `export "$KV"`: rule.Unknown, "export $X=prod": rule.Unknown, "declare -x $KV": rule.Unknown, "export $(cat .env)": rule.Unknown, "export AWS_$X=1": rule.Unknown, "export A=1 $KV": rule.Unknown,
		"export AWS_PROFILE=x": rule.True, "export OTHER=$KV": rule.False, "export GCP_$X=1": rule.False, "readonly $KV": rule.False, "local $KV": rule.False,
	} {
		if got, what, err := is.Match(policy.NewSubject(nil, bash(text))); got != want || err != nil {
			t.Errorf("%s: %v (%s), %v; want %v", text, got, what, err, want)
		}
	}
}
