package main

import (
	"strings"
	"testing"
)

// What is shown of a call reads as it was meant: words that are one in quotes, tools that
// it calls in turn, addresses that it names.
func TestTryShowsACallAsItWasMeant(t *testing.T) {
	file := write(t, "p.yaml", `policies:
  - name: no-fetch
    when: call.kind == "fetch" && call.urls.exists(u, u.host() == "a.example")
    on_unknown: allow
    then: block
    examples: [{shell: ls, want: allow}]
  - name: no-publish
    when: call.commands.exists(c, c.is("npm") && c.sub == "publish")
    on_unknown: allow
    then: block
  - name: asks
    when: call.name == "never"
    hook: {url: "https://127.0.0.1:1/x"}
    then: block
`)
	for _, tc := range []struct {
		args      []string
		want, not []string
	}{
		{[]string{"--shell", `psql -c 'drop table users'`}, []string{"runs           psql -c 'drop table users'\n"}, nil},
		{[]string{"--shell", `echo "it's" "" a\ b`}, []string{`echo "it's" '' 'a b'`}, nil},
		{[]string{"--shell", "curl https://x.example/a"}, []string{"names          https://x.example/a"}, []string{"fetches"}},
		{[]string{"--tool", "exec", "--arguments", `await tools.mcp__github__create_issue({title: "x"})`}, []string{"calls          mcp__github__create_issue\n", "passed"}, nil},
		{
			[]string{"--policies", file, "--shell", "npm ls"},
			[]string{
				`no-fetch: false because of call.kind == "fetch" (call.kind is "shell") (--why no-fetch shows all parts)`,
				`no-publish: false because of c.sub == "publish" (c.sub is "ls") for npm ls (--why no-publish`,
				"note the policy asks asks the hook at 127.0.0.1:1, also here",
			}, []string{"true    c.is"},
		},
		{[]string{"--policies", file, "--why", "no-publish", "--shell", "npm ls"}, []string{`true    c.is("npm")`, "no-fetch: false because"}, nil},
	} {
		_, out, errs := sluice(t, "", append([]string{"policy", "try", "--color", "never"}, tc.args...)...)
		for _, text := range tc.want {
			if !strings.Contains(out, text) {
				t.Errorf("%v does not say %q:\n%s%s", tc.args, text, out, errs)
			}
		}
		for _, text := range tc.not {
			if strings.Contains(out, text) {
				t.Errorf("%v says %q:\n%s", tc.args, text, out)
			}
		}
	}
	if _, out, _ := sluice(t, "", "policy", "check", file); !strings.Contains(out, ", 1 example in 20 forms as wanted") || !strings.Contains(out, "without examples, so that nothing shows whether they do what they should: no-publish, asks\n") {
		t.Errorf("check says:\n%s", out)
	}
	if _, out, _ := sluice(t, "", "policy", "list"); !strings.Contains(out, "preset:recommended\n") || strings.Contains(out, "preset:recommended:") {
		t.Errorf("list says:\n%s", out)
	}
}

// A program is shown with the conditions of what it does, and one whose command line is
// not described with what is known of it.
func TestPolicyProgramSaysUnderWhichConditions(t *testing.T) {
	for name, want := range map[string]string{
		"restic": "destroy backup snapshots[ {snapshot*}], and everything in it, if --unsafe-allow-remove-all",
		"waf":    "it runs what is in wscript",
		"npm":    "install ., unless package",
	} {
		code, out, errs := sluice(t, "", "policy", "program", name)
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", name, code, want, out, errs)
		}
		if _, rest, found := strings.Cut(out, "without effects\n"); found {
			seen := map[string]bool{}
			for word := range strings.SplitSeq(strings.Join(strings.Fields(strings.SplitN(rest, "\n\n", 2)[0]), " "), ", ") {
				if seen[word] {
					t.Errorf("%s: %s is listed twice", name, word)
				}
				seen[word] = true
			}
		}
	}
}
