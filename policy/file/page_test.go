package file_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/policy/file"
)

// library is a preset with a policy of each sort, and another one that uses it.
var library = fstest.MapFS{
	"base.yaml": {Data: []byte(`doc: The base.
params:
  branches: {doc: Branches of all., default: [main, "a|b"]}
  unused: 1
  most.words: {doc: How many., default: 3}
policies:
  - name: pushes
    doc: Keeps branches.
    sees: git push.
    blind: Other programs.
    when: call.effects.exists(e, e.verb == "force-push" && e.object in params.branches) || call.name == "x" && params["most.words"] > 5
    then: block
    on_unknown: allow
    reason: Push | elsewhere.
    examples:
      - {shell: "git push -f origin main", session: {cwd: /repo}, want: block}
      - {shell: "git push -f origin 'it'\\''s'", want: allow}
      - {tool: Read, arguments: {file_path: a}, want: allow}
  - name: keys
    applies_to: [tool_result]
    find: {pattern: 'sk-[a-z]{8}'}
    then: {redact: "[key]"}
    examples:
      - {result: {tool: Read, text: "k=sk-abcdefgh"}, want: redact, gives: "k=[key]"}
`)},
	"more.yaml": {Data: []byte(`policies:
  - {preset: base, mode: shadow}
  - {name: noted, when: call.name == "x", then: annotate}
`)},
}

func written(t *testing.T, policies string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "policies.yaml")
	if err := os.WriteFile(path, []byte(policies), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func pageOf(t *testing.T, pages []file.Page, name string) *file.Page {
	t.Helper()
	i := slices.IndexFunc(pages, func(p file.Page) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("there is no page of %s", name)
	}
	return &pages[i]
}

func TestBuiltInPoliciesKnowTheirPresets(t *testing.T) {
	pages, err := file.BuiltIn(file.Options{Presets: library})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 3 {
		t.Fatalf("%d pages of 3 policies", len(pages))
	}
	pushes := pageOf(t, pages, "pushes")
	if want := []file.Membership{{"base", "enforce"}, {"more", "shadow"}}; !reflect.DeepEqual(pushes.Presets, want) {
		t.Errorf("presets %v, want %v", pushes.Presets, want)
	}
	if pushes.Mode != "enforce" || pushes.Preset != "base" {
		t.Errorf("it is shown as it is used in %s (%s), not as it stands in base", pushes.Preset, pushes.Mode)
	}
	if noted := pageOf(t, pages, "noted"); len(noted.Presets) != 1 || noted.Presets[0].Preset != "more" {
		t.Errorf("presets %v of a policy of more", noted.Presets)
	}
}

func TestPagesTellWhatIsInForce(t *testing.T) {
	o := file.Options{Presets: library}
	pages, err := file.BuiltIn(o)
	if err != nil {
		t.Fatal(err)
	}
	p := pageOf(t, pages, "pushes")
	want := []file.Param{
		{Name: "branches", Doc: "Branches of all.", Default: []any{"main", "a|b"}, Value: []any{"main", "a|b"}},
		{Name: "most.words", Doc: "How many.", Default: int64(3), Value: int64(3)},
	}
	if !reflect.DeepEqual(p.Params, want) {
		t.Errorf("the parameters that it reads are %v, want %v", p.Params, want)
	}
	if len(p.Examples) != 3 || p.Examples[0].Cwd != "/repo" || !p.Examples[0].Matches() || p.Examples[1].Matches() {
		t.Errorf("examples %+v", p.Examples)
	}
	if !strings.HasPrefix(p.Rule, "when: call.effects") || !strings.HasSuffix(p.Rule, "then: block\n") || strings.Contains(p.Rule, "reason") {
		t.Errorf("the rule is %q", p.Rule)
	}
	tuned := written(t, "policies:\n  - preset: base\n    params: {branches: [x]}\n    except: [{policy: pushes, when: call.name == \"y\"}]\n")
	pages, err = file.Pages(o, tuned)
	if err != nil {
		t.Fatal(err)
	}
	p = pageOf(t, pages, "pushes")
	if !p.Params[0].Changed() || p.Params[1].Changed() || !slices.Equal(p.Excepts, []string{`call.name == "y"`}) {
		t.Errorf("parameters %v, exceptions %v of somebody who uses the preset", p.Params, p.Excepts)
	}
}

func TestPagesOfWrongFilesAreProblems(t *testing.T) {
	for name, paths := range map[string][]string{"no file": nil, "no preset": {"preset:nothing"}, "no such file": {"none.yaml"}} {
		if pages, err := file.Pages(file.Options{Presets: library}, paths...); err == nil || pages != nil {
			t.Errorf("%s: %v, %v", name, pages, err)
		}
	}
	bad := fstest.MapFS{"bad.yaml": {Data: []byte("policies: [{name: a}]")}}
	if _, err := file.BuiltIn(file.Options{Presets: bad}); err == nil || !strings.Contains(err.Error(), "preset:bad:1") {
		t.Errorf("a preset that is wrong: %v", err)
	}
}

func TestPagesSayInWordsWhatHappens(t *testing.T) {
	cases := []struct {
		name, policy           string
		does, unknown, failure string
	}{
		{"blocks", `{when: call.name == "x", then: block}`, "Blocks the call.", "Blocks the call.", "Blocks the call."},
		{"blocks what it knows", `{when: call.name == "x", then: block, on_unknown: allow}`, "Blocks the call.", "Judges what can be read", "Blocks the call."},
		{"has no condition", `{tools: {deny: [x]}, then: block}`, "Blocks the call.", "", "Blocks the call."},
		{"notes", `{when: call.name == "x", then: annotate}`, "and notes it", "could not tell", "Lets the call pass and notes the failure."},
		{"asks", `{when: call.name == "x", then: ask, on_unknown: ask, on_error: ask}`, "Asks a person about the call.", "Asks a person.", "Asks a person."},
		{"tells the model", `{then: {block: feedback}}`, "tells the model why", "", "Blocks the call."},
		{"tells the client", `{then: {block: end_turn}}`, "The client gets a text", "", "Blocks the call."},
		{"aborts", `{applies_to: [content, tool_call], then: abort}`, "Ends the whole answer", "", "Blocks the block."},
		{"allows", `{then: allow}`, "Lets the call pass.", "", "pass"},
		{"redacts a pattern", `{applies_to: [content], find: {pattern: x}, then: redact}`, `Replaces what it finds in the text by "[redacted]".`, "", "Blocks the text."},
		{"redacts secrets", `{applies_to: [tool_result], find: {secret: true}, then: redact}`, "Replaces each secret in the result of the tool by a placeholder", "", ""},
		{"redacts under a condition", `{when: call.name == "x", find: {pattern: x}, then: redact}`, "Replaces", "Does the same.", ""},
		{"restores", `{when: call.kind == "write", find: {placeholder: true}, then: restore}`, "Restores the secrets", "Blocks the call.", "Blocks the call."},
		{"rewrites", `{find: {pattern: x}, then: {rewrite: y}}`, "Rewrites what it finds in the call.", "", ""},
		{"sets arguments", `{then: {rewrite: {add: {dry_run: "true"}}}}`, "Sets dry_run of the call.", "", ""},
		{"is about thinking", `{applies_to: [thinking], then: block}`, "Blocks the thinking.", "", ""},
		{"is about several kinds", `{applies_to: [thinking, content], then: block}`, "Blocks the block.", "", ""},
		{"asks a program", `{when: call.name == "x", hook: {url: "https://x.example/h"}, then: block}`, "Asks the program at https://x.example/h, which can say: block.", "Asks the same about it.", "Blocks the call."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := "policies:\n  - " + strings.Replace(c.policy, "{", "{name: p, ", 1) + "\n"
			secret := func(string) (string, error) { return "0123456789abcdef0123456789abcdef", nil }
			pages, err := file.Pages(file.Options{Approver: true, Feedback: true, Secret: secret}, "preset:none", written(t, text))
			if err != nil {
				t.Fatal(err)
			}
			p := &pages[0]
			if !strings.Contains(p.Does, c.does) || !strings.Contains(p.Unknown, c.unknown) || !strings.Contains(p.Failure, c.failure) {
				t.Errorf("%q, %q, %q", p.Does, p.Unknown, p.Failure)
			}
			if c.unknown == "" && p.Unknown != "" {
				t.Errorf("it has no condition, but cannot tell: %q", p.Unknown)
			}
		})
	}
}

func TestMarkdownOfAPolicyIsWhole(t *testing.T) {
	pages, err := file.BuiltIn(file.Options{Presets: library})
	if err != nil {
		t.Fatal(err)
	}
	page := pageOf(t, pages, "pushes").Markdown()
	for _, want := range []string{
		"# `pushes`\n\nKeeps branches.\n",
		"| What it does | Blocks the call. |",
		"| Presets | `base`, `more` (only recorded) |",
		`| What people and the model are told | Push \| elsewhere. |`,
		"## What it sees\n\ngit push.\n",
		"## What it cannot see\n\nOther programs.\n",
		"```yaml\nwhen: call.effects",
		"| `branches` | Branches of all. | `main`, `a\\|b` |\n| `most.words` | How many. | `3` |",
		"It matches (block):\n\n```sh\ngit push -f origin main  # session.cwd: /repo\n```",
		"It does not match:\n\n```sh\ngit push -f origin 'it'\\''s'\n```\n\n```text\nRead {\"file_path\":\"a\"}\n```",
		"    params:\n      branches:\n        - main\n        - a|b\n      most.words: 3\n",
		"    except:\n      - {policy: pushes, when: 'session.cwd.under(\"~/scratch\")'}\n",
		"sluice policy try --policies preset:base --session-cwd /repo --shell 'git push -f origin main'\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q:\n%s", want, page)
		}
	}
	page = pageOf(t, pages, "keys").Markdown()
	for _, want := range []string{"It matches (redact):\n\n```text\nRead returns k=sk-abcdefgh\n    gives k=[key]\n```", "--tool Read --result 'k=sk-abcdefgh'"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q:\n%s", want, page)
		}
	}
	if strings.Contains(page, "## Tune it") {
		t.Error("there is nothing to tune")
	}
}

// What a policy says cannot end a block of code, or a row of a table.
func TestMarkdownCannotBeBrokenOutOf(t *testing.T) {
	pages, err := file.Pages(file.Options{}, "preset:none", written(t, "policies:\n"+
		"  - name: p\n    then: block\n    reason: \"a\\nb | c\"\n"+
		"    examples:\n      - {shell: \"cat <<'X'\\n```\\n````\\nX\", session: {cwd: /r}, want: block}\n"))
	if err != nil {
		t.Fatal(err)
	}
	page := pages[0].Markdown()
	for _, want := range []string{`| a b \| c |`, "`````sh\n# session.cwd: /r\ncat <<'X'\n```\n````\nX\n`````\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q:\n%s", want, page)
		}
	}
}
