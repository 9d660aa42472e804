package file_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

const mails = `[\w.+-]+@[\w.-]*\w`

// Matches that an except pattern matches as a whole are left alone, and all others are not.
func TestMatchesCanBeExcepted(t *testing.T) {
	t.Parallel()

	redact := `policies: [{preset: none}, {name: p, applies_to: [content, tool_call], find: {pattern: '` + mails + `', except: ['.+@(?:.+\.)?corp\.example', 'noreply@x\.example']}, then: {redact: M}}]`
	block := `policies: [{preset: none}, {name: p, find: {pattern: '` + mails + `', except: ['.+@corp\.example']}, then: block}]`
	added := `policies: [{preset: none}, {name: p, find: {added: {mail: {pattern: '` + mails + `', except: ['.+@corp\.example']}}}, then: block}]`
	for text, want := range map[string]string{
		"ask a@corp.example":                              "ask a@corp.example",
		"ask a@corp.example or b@evil.example":            "ask a@corp.example or M",
		"b@evil.example, c@de.corp.example, d@e.example.": "M, c@de.corp.example, M.",
		"a@corp.example.evil.example":                     "M",
		"noreply@x.example and xnoreply@x.example":        "noreply@x.example and M",
		"noreply@x.examples":                              "M",
	} {
		loaded := must(t, file.Options{}, redact)
		for _, block := range []llm.Block{say(llm.Content, text), shell(text)} {
			got := loaded.Set.Decide(t.Context(), nil, block, policy.Options{})
			out := got.Out
			if out == "" {
				out = got.In
			}
			if wanted := strings.ReplaceAll(block.Arguments+block.Text, text, want); out != wanted {
				t.Errorf("%s became %s, want %s", text, out, wanted)
			}
		}
	}
	for text, blocks := range map[string]bool{"a@corp.example": false, "a@corp.example b@evil.example": true, "x": false} {
		for source, call := range map[string]llm.Block{block: shell("echo " + text), added: call("Write", `{"file_path":"/w/a","content":`+quoted(text)+`}`)} {
			if got := must(t, file.Options{}, source).Set.Decide(t.Context(), nil, call, policy.Options{}); got.Verdict.Action.Blocks() != blocks {
				t.Errorf("%s: %s", call.Arguments, got.Verdict.Action)
			}
		}
	}
}

// An exception that cannot be meant is refused where it stands.
func TestExceptionsThatAreRefused(t *testing.T) {
	t.Parallel()

	for find, want := range map[string]string{
		`{secret: true, except: [x]}`:                   "except takes out some of what a pattern finds",
		`{pattern: 'a+', except: ['a+']}`:               "takes out all that one of the patterns finds",
		`{pattern: 'a+', except: ['a(']}`:               "not a regular expression",
		`{pattern: 'a+', except: ['(?!b)a']}`:           "",
		`{added: {x: {files: ['**'], except: [x]}}}`:    "except takes out some of what a pattern finds",
		`{added: {x: {pattern: 'a+', except: ['a(']}}}`: "not a regular expression",
	} {
		source := `policies: [{preset: none}, {name: p, find: ` + find + `, then: block}]`
		if _, err := file.Parse(file.Options{}, "f", []byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", find, err, want)
		}
	}
}

// An exception of a preset that asks about one command of several takes all that stands
// beside it out of the policy, and is warned of.
func TestExceptionsThatAskAboutOneCommandAreWarnedOf(t *testing.T) {
	t.Parallel()

	for when, want := range map[string]string{
		`call.commands.exists(c, c.is("shipit") && c.flag("env") == "dev")`:                             "takes the whole call out of the policy if one of its commands is like this",
		`"a" in key.groups && call.effects.exists(e, e.object == "b")`:                                  "one of its effects",
		`call.commands.exists(c, c.is("a")) || call.commands.all(c, c.is("b"))`:                         "one of its commands",
		`call.commands.size() > 0 && call.commands.all(c, c.is("shipit") && c.flag("env") == "dev")`:    "",
		`call.commands.exists(c, c.is("shipit")) && call.commands.all(c, c.is("shipit") || c.is("cd"))`: "",
		`!call.commands.exists(c, c.is("shipit"))`:                                                      "",
		`"release" in key.groups || session.cwd.under("~/scratch")`:                                     "",
	} {
		loaded := must(t, file.Options{}, "policies: [{preset: recommended, except: [{policy: database-destruction, when: '"+when+"'}]}]")
		said := ""
		for _, w := range loaded.Warnings {
			if !w.Note {
				said += w.String()
			}
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: warns %q, want %q", when, said, want)
		}
	}
}
