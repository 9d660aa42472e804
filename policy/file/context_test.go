package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// An example says when, where and for whom it is made.
func TestExamplesSayWhenAndForWhom(t *testing.T) {
	t.Parallel()
	_, err := file.Parse(file.Options{}, "f", []byte(`policies:
  - preset: none
  - name: office-hours
    when: '!("release" in key.groups) && (now.getHours() < 8 || now.getHours() >= 18) && call.effects.exists(e, e.verb == "apply")'
    then: block
    examples:
      - {shell: terraform apply, now: 2026-01-30T22:15:00Z, want: block}
      - {shell: terraform apply, now: "2026-01-30T22:15:00+14:00", want: allow}
      - {shell: terraform apply, now: 2026-01-30T22:15:00Z, key: {groups: [release]}, want: allow}
  - name: only-codex
    when: session.client != "codex"
    then: block
    examples:
      - {shell: ls, session: {client: codex}, want: allow}
      - {shell: ls, session: {client: claude-code}, want: block}
      - {shell: ls, want: block}
`))
	if err != nil {
		t.Error(err)
	}
}

// An example whose condition fails is not blocked because on_error blocks.
func TestAnExampleThatFailsIsNotBlocked(t *testing.T) {
	t.Parallel()
	source := func(then, want string) []byte {
		return []byte(`policies:
  - preset: none
  - name: a
    when: call.args.n > 3
    then: ` + then + `
    examples: [{tool: x, arguments: {n: abc}, want: ` + want + `}]
`)
	}
	for _, then := range []string{"block", "ask", "{rewrite: {set: {n: '1'}}}", "annotate"} {
		for _, want := range []string{"block", "allow", "annotate"} {
			_, err := file.Parse(file.Options{}, "f", source(then, want))
			if err == nil || !strings.Contains(err.Error(), "wants "+want+", but its condition fails: a value has another type") {
				t.Errorf("then: %s, want: %s: %v", then, want, err)
			}
		}
		if _, err := file.Parse(file.Options{}, "f", source(then, "error")); err != nil {
			t.Errorf("then: %s: %v", then, err)
		}
	}
}

// What a list of tools or how an effect comes about can never be is refused, or
// warned of where it could be.
func TestNamesOfToolsAreChecked(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string]string{
		`tools: {deny: ["kind:shel"]}`:                                 `there is no kind of tool "shel": did you mean "shell"?`,
		`tools: {deny: ["kind:bash"]}`:                                 `there is no kind of tool "bash": did you mean "shell"?`,
		`tools: {allow: [Read, "KIND:netwrk"]}`:                        `there is no kind of tool "netwrk"`,
		`when: 'call.effects.exists(e, e.how == "rm -rf")'`:            `nothing is done by "rm -rf": how is the name of a program or a tool, without arguments: write e.how == "rm"`,
		`when: 'call.effects.exists(e, e.how in ["/bin/rm"])'`:         `write e.how == "rm"`,
		`when: 'call.commands.exists(c, c.flags("--a=b").size() > 1)'`: `it has a value in it`,
	} {
		_, err := file.Parse(file.Options{}, "f", []byte("policies:\n  - preset: none\n  - name: a\n    "+policy+"\n    then: block\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", policy, err, want)
		}
	}
	for policy, want := range map[string]string{
		`tools: {deny: [bahs]}`: `no usual tool has the name "bahs": did you mean bash?`,
		`tools: {deny: [Bash, WEBFETCH, "mcp__*", github/create_issue, deploy_service, "kind:shell"]}`: "",
	} {
		loaded, err := file.Parse(file.Options{Feedback: true}, "f", []byte("policies:\n  - preset: none\n  - name: a\n    "+policy+"\n    then: block\n"))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, w := range loaded.Warnings {
			got.WriteString(w.String())
		}
		if !strings.Contains(got.String(), want) || want == "" && got.Len() > 0 {
			t.Errorf("%s: got %q, want %q", policy, got.String(), want)
		}
	}
}

// A disabled preset is named.
func TestADisabledPresetIsWarnedOf(t *testing.T) {
	t.Parallel()
	loaded, err := file.Parse(file.Options{}, "f", []byte("policies:\n  - preset: recommended\n    mode: disabled\n  - {name: a, then: block}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := loaded.Note(); got != "f:2: the preset recommended is disabled (mode: disabled), and only 1 other policy is loaded" {
		t.Errorf("got %q", got)
	}
	loaded, err = file.Parse(file.Options{}, "f", []byte("policies:\n  - preset: aligned\n    mode: disabled\n"))
	if err != nil || len(loaded.Warnings) == 0 || !strings.Contains(loaded.Warnings[0].Message, "the preset aligned is disabled") || loaded.LeftOut != "" {
		t.Errorf("got %v, %+v", err, loaded)
	}
}
