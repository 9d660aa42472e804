package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// everyAction is a policy file with one policy for every action.
const everyAction = `policies:
  - name: no-rm
    when: call.commands.exists(c, c.is("rm"))
    then: block
    reason: Use the trash.
    examples:
      - {shell: "rm x", want: block}
      - {tool: Read, arguments: {file_path: a}, want: allow}
  - name: ask-push
    when: call.commands.exists(c, c.is("git") && c.sub == "push")
    on_unknown: allow
    then: ask
    reason: Somebody should look at a push.
  - name: judged
    when: call.commands.exists(c, c.is("npm"))
    on_unknown: allow
    judge: {model: small, instructions: "Is it harmful?"}
    then: block
  - name: watched
    mode: shadow
    when: call.commands.exists(c, c.is("go"))
    on_unknown: allow
    then: block
    reason: No go here.
  - name: dry
    when: call.name == "Deploy"
    then: {rewrite: {add: {dry_run: "true"}}}
    reason: Only dry runs.
  - name: no-keys
    applies_to: [content, tool_call, tool_result]
    find: {pattern: 'sk-[a-z]{8}'}
    then: {redact: "[key]"}
    reason: Keys stay here.
  - name: no-nukes
    when: call.name == "Nuke"
    then: abort
    reason: Never.
  - name: no-orders
    applies_to: [tool_result]
    find: {pattern: 'ignore all'}
    then: block
    reason: It gives orders.
  - name: off
    mode: disabled
    then: block
`

func TestPolicyCheckSummarises(t *testing.T) {
	path := write(t, "policies.yaml", everyAction)
	code, out, stderr := sluice(t, "", "policy", "check", "preset:none", path)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for _, want := range []string{path + ": 9 policies\n", "ok: 9 policies (1 shadow, 1 disabled), 2 examples in 21 forms as wanted, version ", "note: the model small is not set up here"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if code, out, stderr := sluice(t, "", "policy", "check", "--quiet", "preset:none", path); code != 0 || out+stderr != "" {
		t.Errorf("quiet: exit code %d, %q %q", code, out, stderr)
	}
}

func TestPolicyCheckWarnsAlsoQuietly(t *testing.T) {
	path := write(t, "policies.yaml", "preset: none\npolicies:\n  - name: one\n    when: call.server == \"mcp__github\"\n    then: block\n")
	if code, out, stderr := sluice(t, "", "policy", "check", "-q", path); code != 0 || out != "" || !strings.HasPrefix(stderr, "warning: "+path+":4:") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, %q %q", code, out, stderr)
	}
}

func TestPolicyCheckNamesEveryProblem(t *testing.T) {
	bad := write(t, "bad.yaml", `policies:
  - name: one
    whem: call.name == "x"
    then: blok
  - name: two
    when: cal.name == "x"
    then: block
`)
	wrong := write(t, "wrong.yaml", "policies:\n  - name: three\n    when: call.name == \"x\"\n    then: block\n    examples:\n      - {tool: y, want: block}\n")
	missing := filepath.Join(t.TempDir(), "none.yaml")
	code, out, stderr := sluice(t, "", "policy", "check", bad, wrong, missing)
	if code != exitUnreadable || out != "" { // one of them is not there
		t.Errorf("exit code %d, standard output %q", code, out)
	}
	for _, want := range []string{
		bad + `:3:5: policy one: the policy has an unknown key "whem": did you mean when?`,
		bad + ":4:11: policy one: ", "did you mean block?",
		bad + ":6:11: policy two: ", `did you mean "call"?`,
		wrong + ":6:", "policy three: ",
		missing + ": cannot be read: no such file",
		"5 problems",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("it does not say %q:\n%s", want, stderr)
		}
	}
}

func TestPolicyCheckJSONHasThePromisedShape(t *testing.T) {
	good := write(t, "good.yaml", "policies: [{name: a, then: block}]")
	bad := write(t, "bad.yaml", "policies: [{name: a, then: no}]")
	var report struct {
		OK    bool `json:"ok"`
		Files []struct {
			File     string `json:"file"`
			Policies int    `json:"policies"`
		} `json:"files"`
		Policies int    `json:"policies"`
		Version  string `json:"version"`
		Problems []struct {
			Line   int    `json:"line"`
			Policy string `json:"policy"`
		} `json:"problems"`
	}
	code, out, _ := sluice(t, "", "policy", "check", "--json", "preset:none", good)
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || !report.OK || report.Policies != 1 ||
		len(report.Version) != 16 || len(report.Files) != 1 || report.Files[0].Policies != 1 || strings.Contains(out, "null") {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
	code, out, stderr := sluice(t, "", "policy", "check", "--json", bad)
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 1 || report.OK || len(report.Problems) != 1 ||
		report.Problems[0].Line != 1 || report.Problems[0].Policy != "a" || stderr != "" {
		t.Errorf("exit code %d, %v: %s%s", code, err, out, stderr)
	}
}

func TestPresetsCanBeNamedWhereFilesCan(t *testing.T) {
	code, out, stderr := sluice(t, "", "policy", "check", "preset:recommended")
	if code != 0 || !strings.Contains(out, "preset:recommended: ") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	code, _, stderr = sluice(t, "", "policy", "check", "preset:recommend")
	if code != 1 || !strings.Contains(stderr, "recommended") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestPolicyListShowsEveryPolicy(t *testing.T) {
	path := write(t, "policies.yaml", everyAction)
	code, out, stderr := sluice(t, "", "policy", "list", "preset:none", path)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 10 || !strings.HasPrefix(lines[0], "NAME") {
		t.Fatalf("not a heading and 9 policies:\n%s", out)
	}
	if got, want := strings.Join(strings.Fields(lines[4]), " "), "watched shadow tool_call block allow "+path+":19"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	code, out, _ = sluice(t, "", "policy", "list", "--json", "preset:none", path)
	if code != 0 || strings.Count(out, "\n") != 9 || !strings.Contains(out, `"name":"off","mode":"disabled"`) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestPolicyCommandsExitCodes(t *testing.T) {
	cases := []struct {
		name string
		args []string
		code int
		say  string
	}{
		{"help", []string{}, 0, "policy [command]"},
		{"unknown command", []string{"verify"}, 2, `no command "verify"`},
		{"check without a file", []string{"check"}, 2, "name a FILE"},
		{"check with a wrong flag", []string{"check", "--nonsense"}, 2, "nonsense"},
		{"list of what is not there", []string{"list", "none.yaml"}, 2, "none.yaml: cannot be read"},
		{"an empty folder", []string{"check", t.TempDir()}, 1, "the folder has no policy files"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := sluice(t, "", append([]string{"policy"}, c.args...)...)
			if code != c.code || !strings.Contains(out+stderr, c.say) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, c.say, out, stderr)
			}
		})
	}
}

func TestPolicyFilesCannotTakeOverTheTerminal(t *testing.T) {
	path := write(t, "evil.yaml", "policies:\n  - name: \"a\\e[2J\"\n    then: \"\\u202eblock\"\n  - {\"\\e]0;x\\a\": 1}\n")
	for _, args := range [][]string{{"check", path}, {"check", "--json", path}, {"list", path}, {"try", "-p", path, "--shell", "ls"}, {"check", "\x1b[2J"}} {
		code, out, stderr := sluice(t, "", append([]string{"policy"}, args...)...)
		if code != exitIncomplete && code != exitUnreadable || strings.ContainsAny(out+stderr, "\x1b\a\u202e") {
			t.Errorf("%q: exit code %d, %q %q", args, code, out, stderr)
		}
	}
}

// What check and try say beside the verdicts: warnings and notes once each, and names that
// were meant.
func TestWhatIsSaidBesideIsSaidOnce(t *testing.T) {
	alone := write(t, "alone.yaml", "preset: none\npolicies: [{name: infra-own, when: 'call.commands.exists(c, c.is(\"ls\"))', then: block}]")
	_, out, _ := sluice(t, "", "policy", "try", "--policies", alone, "--shell", "ls")
	if n := strings.Count(out, "the preset recommended is left out"); n != 1 || !strings.Contains(out, "warning "+alone+":1: the preset recommended is left out") {
		t.Errorf("said %d times that recommended is left out:\n%s", n, out)
	}
	_, _, stderr := sluice(t, "", "policy", "try", "--policies", alone, "--why", "infra-owned", "--shell", "ls")
	if !strings.Contains(stderr, "did you mean infra-own?") {
		t.Errorf("--why: %s", stderr)
	}
	_, _, stderr = sluice(t, "", "policy", "show", "infra-destroy")
	if !strings.Contains(stderr, "did you mean infra-destruction?") {
		t.Errorf("show: %s", stderr)
	}

	overruled := write(t, "overruled.yaml", "policies: [{name: p, when: 'call.name == \"T\"', then: block, examples: [{shell: rm -rf /, want: allow}]}]")
	code, out, _ := sluice(t, "", "policy", "check", overruled)
	if code != 0 || strings.Count(out, "passes this policy, but not destructive-files (recommended)") != 1 || strings.Contains(out, "warning:") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	failing := write(t, "failing.yaml", "policies: [{name: p, when: 'call.commands.exists(c, c.sub == \"delete ns\")', then: block, examples: [{shell: kubectl delete ns a, want: block}]}]")
	code, _, stderr = sluice(t, "", "policy", "check", failing)
	if code != 1 || !strings.Contains(stderr, "policy p: warning: the subcommand") || !strings.HasSuffix(stderr, "\n1 problem\n") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	_, out, _ = sluice(t, "", "policy", "check", "--json", failing)
	var report struct {
		Problems []any `json:"problems"`
		Warnings []any `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Problems) != 1 || len(report.Warnings) != 1 {
		t.Errorf("%v: %s", err, out)
	}
}
