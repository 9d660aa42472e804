package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// explained is a policy file with everything that show explains.
const explained = `params:
  branches: {doc: Branches that stay., default: [main, master]}
policies:
  - name: pushes
    doc: Keeps branches.
    sees: git push.
    blind: Other programs.
    when: call.effects.exists(e, e.verb == "force-push" && e.object in params.branches)
    then: block
    on_unknown: allow
    reason: Push elsewhere.
    examples:
      - {shell: "git push origin main", want: allow}
      - {shell: "git push -f origin main", session: {cwd: /repo}, want: block}
`

func TestPolicyShowExplainsAPolicy(t *testing.T) {
	path := write(t, "explained.yaml", explained)
	code, out, stderr := sluice(t, "", "policy", "show", "pushes", path)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	at := 0
	for _, want := range []string{
		"pushes  " + path + ":4, enforce\n  Keeps branches.\n",
		"what it does\n  Blocks the call.\n",
		"when it cannot tell\n  Judges what can be read",
		"when it fails\n  Blocks the call.\n",
		"what people and the model are told\n  Push elsewhere.\n",
		"what it sees\n  git push.\n",
		"what it cannot see\n  Other programs.\n",
		"condition\n  when: call.effects.exists",
		"parameters\n  branches\n      Branches that stay.\n      main, master\n",
		"examples\n  block     git push -f origin main  (session.cwd: /repo)\n  allow     git push origin main\n",
		"try it\n  sluice policy try --policies " + path + " --session-cwd /repo --shell 'git push -f origin main'\n",
	} {
		i := strings.Index(out[at:], want)
		if i < 0 {
			t.Fatalf("it does not say %q, or not in its place:\n%s", want, out)
		}
		at += i
	}
}

func TestPolicyShowTellsWhatSomebodyChanged(t *testing.T) {
	path := write(t, "tuned.yaml", `policies:
  - preset: recommended
    params: {git.protected: [release]}
    except: [{policy: git-safety, when: '"release" in key.groups'}]
`)
	code, out, stderr := sluice(t, "", "policy", "show", "git-safety", path)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{"git.protected  (not the default)\n", "      release\n", "except where\n  \"release\" in key.groups\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
}

func TestPolicyShowKnowsTheBuiltInPolicies(t *testing.T) {
	code, out, stderr := sluice(t, "", "policy", "show", "destructive-files")
	if code != 0 || !strings.Contains(out, "presets\n  recommended, paranoid, shadow (shadow)\n") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
}

func TestPolicyShowJSONHasThePromisedShape(t *testing.T) {
	path := write(t, "explained.yaml", explained)
	code, out, stderr := sluice(t, "", "policy", "show", "--json", "pushes", path)
	var page struct {
		Name   string `json:"name"`
		Doc    string `json:"doc"`
		Sees   string `json:"sees"`
		Blind  string `json:"blind"`
		Does   string `json:"does"`
		Rule   string `json:"rule"`
		Try    string `json:"try"`
		Params []struct {
			Default []string `json:"default"`
			Value   []string `json:"value"`
		} `json:"params"`
		Examples []struct {
			Shell string   `json:"shell"`
			Want  string   `json:"want"`
			Given []string `json:"given"`
		} `json:"examples"`
	}
	if err := json.Unmarshal([]byte(out), &page); err != nil || code != 0 || strings.Count(out, "\n") != 1 || strings.Contains(out, "null") {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, stderr)
	}
	if page.Name != "pushes" || page.Doc == "" || page.Sees == "" || page.Blind == "" || page.Does == "" || page.Rule == "" || page.Try == "" ||
		len(page.Params) != 1 || len(page.Params[0].Value) != 2 || len(page.Examples) != 2 || page.Examples[1].Want != "block" {
		t.Errorf("%+v", page)
	}
}

func TestPolicyShowWritesAPageOfDocumentation(t *testing.T) {
	code, out, stderr := sluice(t, "", "policy", "show", "--markdown", "pushes", write(t, "explained.yaml", explained))
	if code != 0 || !strings.HasPrefix(out, "# `pushes`\n\nKeeps branches.\n") || !strings.Contains(out, "## What it cannot see\n") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
}

func TestPolicyShowExitCodes(t *testing.T) {
	good, bad := write(t, "good.yaml", explained), write(t, "bad.yaml", "policies: [{name: a, then: no}]")
	cases := []struct {
		name string
		args []string
		code int
		say  string
	}{
		{"no name", nil, 2, "name a policy"},
		{"almost a name", []string{"push", good}, 2, "did you mean pushes?"},
		{"no such name", []string{"zzzzzzzzzzzz", good}, 2, "sluice policy list"},
		{"a wrong file", []string{"a", bad}, 1, bad + ":1:"},
		{"no such file", []string{"a", "none.yaml"}, 2, "none.yaml: cannot be read"},
		{"two forms", []string{"--json", "--markdown", "pushes", good}, 2, "json"},
		{"a wrong colour", []string{"--color", "red", "pushes", good}, 2, "--color"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, "", append([]string{"policy", "show"}, c.args...)...)
			if code != c.code || out != "" || !strings.Contains(stderr, c.say) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, c.say, out, stderr)
			}
		})
	}
}

func TestPolicyShowCannotTakeOverTheTerminal(t *testing.T) {
	path := write(t, "evil.yaml", `policies:
  - name: p
    doc: "a\e[2J"
    sees: "b\u202e"
    when: "call.name != '\e' + params.x"
    then: block
    reason: "c\a"
    params: {x: {doc: "d\e", default: "\e]0;x"}}
    examples: [{shell: "e\e[2J", want: block}]
`)
	for _, args := range [][]string{{}, {"--json"}, {"--markdown"}} {
		code, out, stderr := sluice(t, "", append(append([]string{"policy", "show"}, args...), "p", path)...)
		if code != 0 || strings.ContainsAny(out+stderr, "\x1b\a\u202e") {
			t.Errorf("%q: exit code %d, %q %q", args, code, out, stderr)
		}
	}
}
