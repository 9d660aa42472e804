package file_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// testPresets are the presets of these tests.
func testPresets() file.Options { return file.Options{Presets: os.DirFS("testdata/presets")} }

// alone leaves out the preset that is in force beside every file, unless the file
// names presets itself.
func alone(source string) []string {
	if strings.Contains(source, "preset:") {
		return nil
	}
	return []string{"preset:none"}
}

// problemsOf loads a file and returns its problems, one per line.
func problemsOf(t *testing.T, o file.Options, source string) string {
	t.Helper()
	loaded, err := file.Parse(o, "f", []byte(source), alone(source)...)
	if err == nil {
		return ""
	}
	if loaded != nil {
		t.Errorf("a file with problems was loaded")
	}
	problems, ok := errors.AsType[file.Problems](err)
	if !ok {
		t.Fatalf("the error is a %T, want Problems", err)
	}
	return problems.Error()
}

// Each case is a file and all its problems, with their places.
func TestEveryProblemIsReportedWithItsPlaceAndWhatToDo(t *testing.T) {
	t.Parallel()
	for _, tc := range problemCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := problemsOf(t, testPresets(), tc.file)
			want := strings.TrimSpace(tc.want)
			if got != want {
				t.Errorf("file:\n%s\ngot:\n%s\nwant:\n%s", tc.file, got, want)
			}
		})
	}
}

var problemCases = []struct{ name, file, want string }{
	// The file.
	{"nothing", "", "f:1:1: the file is empty: write `policies:` and a list below it, or leave the file out"},
	{"only a comment", "# later\n", "f:1:1: the file is empty: write `policies:` and a list below it, or leave the file out"},
	{"no policies", "params: {a: 1}\n", "f:1:1: the file has no policies: write `policies:` and a list below it"},
	{"an empty list", "policies: []\n", "f:1:11: the file has no policies: add one, or leave the file out"},
	{"a list at the top", "- name: a\n", "f:1:1: the file is a list: write `policies:` in a line above it"},
	{"a policy at the top", "doc: x\nname: a\nwhen: \"true\"\nthen: block\n", "f:2:1: the file has the key \"name\" of a policy, and policies are in a list: write `policies:` in a line above it, and begin each policy with `- `"},
	{"a text at the top", "hello\n", `f:1:1: the file is the text "hello", not a mapping: write ` + "`key: value` pairs"},
	{"policies that are no list", "policies: {name: a}\n", "f:1:11: policies is a mapping, not a list: begin each policy with `- `"},
	{"a policy that is no mapping", "policies:\n  - deny-all\n", "f:2:5: policy 1 is the text \"deny-all\", not a mapping: write `name:`, `when:` and `then:`, or `preset:`"},
	{"an unknown key at the top", "polices:\n  - name: a\n", `f:1:1: the file has an unknown key "polices": did you mean policies?`},
	{"no YAML", "policies:\n  - name: [a\n", "f:2:3: the file is not YAML: a list in brackets has no end, or a comma is missing: close it with ]"},
	{"a colon in a text", "policies:\n  - name: a\n    reason: no: never\n", "f:3:5: the file is not YAML: a colon and a space begin a value, where none can be: put a text with `: ` in it into quotes, or check the indentation"},
	{"a line too far to the left", "policies:\n  - name: a\n   then: block\n", "f:3:4: the file is not YAML: a line of a list is indented differently from the lines before it: indent it like them"},
	{"a pattern in double quotes", "policies:\n  - name: a\n    find: {pattern: \"\\d\"}\n", `f:3:5: the file is not YAML: a text in double quotes has a backslash that means nothing there: use single quotes, or write \\`},
	{"a star", "policies:\n  - name: a\n    when: @x\n", "f:3:5: the file is not YAML: a text begins with a character that means something else in YAML: put it into quotes"},
	{"no end of quotes", "policies:\n  - name: \"a\n", "f:2:3: the file is not YAML: a text in quotes has no end: close the quotes"},
	{"tabs", "policies:\n\t- name: a\n", "f:2:1: the file is not YAML: the line is indented with a tab: indent with spaces: YAML does not allow tabs"},
	{"text after quotes", "policies:\n  - name: a\n    when: \"release\" in key.groups\n    then: block\n", `f:3:5: the file is not YAML: there is text after a closing quote: put the whole expression into single quotes: when: '"release" in key.groups'`},
	{"text after quotes, with both kinds", "policies:\n  - name: a\n    when: 'x' in [\"y\"]\n    then: block\n", "f:3:5: the file is not YAML: there is text after a closing quote: write the whole expression below when: |"},
	{"two texts in quotes", "policies:\n  - name: a\n    when: \"a\" && \"b\"\n", `f:3:5: the file is not YAML: there is text after a closing quote: put the whole expression into single quotes: when: '"a" && "b"'`},
	{"a tag", "policies:\n  - name: a\n    when: !(call.kind == \"shell\")\n    then: block\n", "f:3:11: a value that begins with ! is a YAML tag: put it into quotes, or write it below KEY: |"},
	{"an alias further down", "policies:\n  - name: a\n    when: *x\n", "f:3:5: the file is not YAML: a text that begins with * is an alias in YAML, and nothing has its name: put the text into quotes"},
	{"text behind a bar", "policies:\n  - name: a\n    when: | x\n      true\n", "f:3:5: the file is not YAML: something follows | or >: begin the text in the next line, and indent it"},
	{"an anchor without a name", "policies:\n  - name: a\n    when: &\n", "f:3:5: the file is not YAML: & and * begin anchors and aliases in YAML: put the text into quotes"},
	{"deny", "policies:\n  - {name: a, then: deny}\n", `f:2:21: policy a: then is "deny", which is not a valid value: did you mean block? use allow, annotate, rewrite, redact, restore, ask, block or abort`},
	{"deny with a way", "policies:\n  - {name: a, then: {deny: feedback}}\n", `f:2:22: policy a: then has an unknown key "deny": did you mean block? use block, rewrite or redact`},
	{"lookahead", "policies:\n  - {name: a, find: {pattern: 'a(?!b)'}, then: block}\n", "f:2:31: policy a: patterns are RE2, which has no lookahead (?!...): match more than you mean, and leave out the rest in the condition: x.matches(\"PATTERN\") && !x.matches(\"EXCEPTION\")"},
	{"lookbehind in what is added", "policies:\n  - {name: a, find: {added: {x: '(?<=a)b'}}, then: block}\n", "f:2:33: policy a: patterns are RE2, which has no lookbehind (?<=...): match what you mean together with what precedes it"},
	{"a hook without https", "policies:\n  - {name: a, hook: {url: 'http://a.example/x'}, then: block}\n", "f:2:27: policy a: the url is not https, so what is asked and answered could be changed on the way: use https (http only for this machine)"},
	{"several mistakes in a description", "policies: [{name: a, when: 'true', then: block}]\nprograms:\n  acmectl:\n    abuot: x\n    commands:\n      db drop: {operands: [name], effects: [{dropp: x}]}\n      db rm: {operants: [name]}\n", `
f:4:5: program acmectl: the description has no key "abuot" (did you mean "about"?); the keys are about, like, syntax, flags, variables, commands, harmless, operands, after, input, place, effects, prints, echoes, hook, cases, examples, replace, always, program, wraps, common, kinds
f:6:46: program acmectl: there is no effect "dropp" (did you mean "drop"?)
f:7:15: program acmectl: a command has no key "operants" (did you mean "operands"?); the keys are syntax, flags, operands, after, input, effects, prints, echoes, hook, cases, program`},
	{"a second document", "policies: [{name: a, then: block}]\n---\npolicies: []\n", "f:2:1: a second document begins in the file: put its policies into the first list and remove the line `---`"},
	{"an alias of nothing", "policies: *x\n", "f:1:1: the file is not YAML: a text that begins with * is an alias in YAML, and nothing has its name: put the text into quotes"},
	{"an alias inside itself", "policies: &x\n  - *x\n", "f:2:5: the alias *x is inside its own anchor: write the value out"},
	{"merge keys", "base: &b {then: block}\npolicies:\n  - <<: *b\n    name: a\n    then: block\n", `
f:1:1: the file has an unknown key "base": use policies, params, programs, preset, notice, compare or doc
f:3:5: policy a: merging with << is not supported: write the keys out`},

	// Keys and values.
	{"a key twice", "policies:\n  - name: a\n    then: block\n    then: allow\n", "f:4:5: policy a: the policy has the key \"then\" twice: first in line 3: remove one of them"},
	{"a misspelt key", "policies:\n  - name: a\n    whne: \"true\"\n    then: block\n", `f:3:5: policy a: the policy has an unknown key "whne": did you mean when?`},
	{"a key that resembles nothing", "policies:\n  - name: a\n    zzzzzzzz: 1\n    then: block\n", `f:3:5: policy a: the policy has an unknown key "zzzzzzzz": use name, applies_to, when, find, tools, judge, hook, then, on_unknown, compare, on_error, reason, mode, timeout, params, examples, except, notice, doc, sees or blind`},
	{"a key without a value", "policies:\n  - name: a\n    when:\n    then: block\n", "f:3:10: policy a: when has no value: write one, or remove the key"},
	{"no name", "policies:\n  - then: block\n", "f:2:5: policy 1 has no name: add `name:`, so that people can see which policy decided"},
	{"an empty name", "policies:\n  - name: \"\"\n    then: block\n", "f:2:11: policy 1 has an empty name: write a word like no-force-push"},
	{"a number as a name", "policies:\n  - name: 7\n    then: block\n", `f:2:11: policy 7: name is the number 7, not a text: put it in quotes: "7"`},
	{"a name with spaces", "policies:\n  - name: no way\n    then: block\n", `f:2:11: policy no way: the name has ' ' in it: use letters, digits, - _ . and /`},
	{"two policies of one name", "policies:\n  - {name: a, then: block}\n  - {name: a, then: ask}\n", "f:3:5: policy a: another policy has the same name: f:2: give it a name of its own"},
	{"a mode that is none", "policies:\n  - {name: a, then: block, mode: shadwo}\n", `f:2:34: policy a: mode is "shadwo", which is not a valid value: did you mean shadow?`},
	{"a kind that is none", "policies:\n  - {name: a, then: block, applies_to: [tool_cal, content]}\n", `f:2:41: policy a: applies_to is "tool_cal", which is not a valid value: did you mean tool_call?`},
	{"no kinds", "policies:\n  - {name: a, then: block, applies_to: []}\n", "f:2:40: policy a: applies_to is an empty list: write at least one value, or remove the key"},
	{"a time without a unit", "policies:\n  - {name: a, then: block, timeout: 2}\n", "f:2:37: policy a: timeout has no unit: write 2s for seconds"},
	{"a time that is none", "policies:\n  - {name: a, then: block, timeout: soon}\n", `f:2:37: policy a: timeout is "soon", not a time: write a time like 2s, 500ms or 1m30s`},
	{"no time", "policies:\n  - {name: a, then: block, timeout: 0s}\n", "f:2:37: policy a: timeout must be greater than zero: write a time like 2s"},
	{"too much time", "policies:\n  - {name: a, then: block, timeout: 1000h}\n", "f:2:37: policy a: timeout is longer than 744h0m0s"},
	{"a reason that is a list", "policies:\n  - {name: a, then: block, reason: [b]}\n", "f:2:36: policy a: reason is a list, not a text"},

	// Then.
	{"no then", "policies:\n  - name: a\n    when: \"true\"\n", "f:2:5: policy a: the policy does not say what happens then: add `then: block`, or another of allow, annotate, rewrite, redact, restore, ask, block or abort"},
	{"an action that is none", "policies:\n  - {name: a, then: blok}\n", `f:2:21: policy a: then is "blok", which is not a valid value: did you mean block?`},
	{"a way to block that is none", "policies:\n  - {name: a, then: {block: endturn}}\n", `f:2:29: policy a: block is "endturn", which is not a valid value: did you mean end_turn?`},
	{"two actions", "policies:\n  - {name: a, then: {block: feedback, redact: x}}\n", "f:2:21: policy a: then says more than one thing: make two policies of it"},
	{"details of an action that has none", "policies:\n  - {name: a, then: {ask: me}}\n", `f:2:22: policy a: then has an unknown key "ask": use block, rewrite or redact`},
	{"a rewriting to nothing", "policies:\n  - {name: a, then: rewrite}\n", "f:2:21: policy a: rewrite does not say what is written instead: write then: {rewrite: \"REPLACEMENT\"}, or {rewrite: {set: {ARGUMENT: EXPRESSION}}}\nf:2:21: policy a: rewrite needs find, which says what is replaced: add find: {pattern: \"…\"}"},
	{"a redaction of nothing", "policies:\n  - {name: a, then: redact}\n", "f:2:21: policy a: redact needs find, which says what is replaced: add find: {pattern: \"…\"}"},
	{"a rewriting that sets nothing", "policies:\n  - {name: a, then: {rewrite: {set: {}}}}\n", "f:2:37: policy a: rewrite sets nothing: write {rewrite: {set: {ARGUMENT: EXPRESSION}}}"},
	{"arguments of what has none", "policies:\n  - {name: a, applies_to: [content], then: {rewrite: {set: {x: \"1\"}}}}\n", "f:2:44: policy a: only calls have arguments to set: use applies_to: [tool_call]"},
	{"find and arguments", "policies:\n  - {name: a, find: {pattern: x}, then: {rewrite: {set: {x: \"1\"}}}}\n", "f:2:41: policy a: rewrite sets arguments, which needs no find: remove find, or write the replacement as a text"},

	// On unknown, on error.
	{"a way out of the unknown that is none", "policies:\n  - {name: a, then: block, on_unknown: deny}\n", `f:2:40: policy a: on_unknown is "deny", which is not a valid value: did you mean block? use judge, ask, block or allow`},
	{"the unknown to a judge that is none", "policies:\n  - {name: a, then: block, on_unknown: judge}\n", "f:2:40: policy a: on_unknown is judge, but the policy has no judge: add `judge:`, or use ask, block or allow"},
	{"a failure to a judge", "policies:\n  - {name: a, then: block, on_error: judge}\n", `f:2:38: policy a: on_error is "judge", which is not a valid value: use ask, block or allow`},
	{"a change that asks", "policies:\n  - {name: a, find: {pattern: x}, then: redact, on_unknown: ask, on_error: ask}\n", `
f:2:61: policy a: on_unknown is ask, but redact is done before anybody can be asked: use block or allow
f:2:76: policy a: on_error is ask, but redact is done before anybody can be asked: use block or allow`},

	// Find.
	{"find without a pattern", "policies:\n  - {name: a, find: {}, then: redact}\n", "f:2:21: policy a: find has no pattern: write find: {pattern: \"REGULAR EXPRESSION\"}"},
	{"find of what does not exist", "policies:\n  - {name: a, find: {pii: true}, then: redact}\n", "f:2:22: policy a: find has an unknown key \"pii\": use pattern, except, secret, placeholder or added"},
	{
		"what is added, wrongly", `
policies:
  - {name: a, find: {added: {}}, then: block}
  - {name: b, find: {added: {x: '('}}, then: block}
  - {name: c, find: {added: {x: {files: ["**"]}}}, then: block}
  - {name: d, find: {added: {x: [y, 'z*']}}, then: block}
  - {name: e, find: {added: {x: y}}, then: redact}
  - {name: f, find: {added: {x: y}}, applies_to: [content], then: block}
  - {name: g, find: {added: {x: {pattern: y, files: {param: z}}}}, then: block}
  - {name: h, find: {added: {x: {pattern: y, files: {param: z}}}}, params: {z: 1}, then: block}
  - {name: i, find: {added: {x: y}, pattern: z}, then: block}
  - {name: j, find: {added: {x: {pattern: y, files: {}}}}, then: block}
  - {name: k, find: {added: {x: {pattern: y, secret: true}}}, then: block}
`, `
f:3:29: policy a: added names nothing: write added: {NAME: "REGULAR EXPRESSION"}
f:4:33: policy b: not a regular expression: missing closing ): ` + "`(`" + `: see the syntax of RE2, and write \( for a parenthesis and \. for a dot
f:5:33: policy c: "x" has no pattern: add ` + "`pattern:`" + `
f:6:37: policy d: it can match the empty text, so the replacement would be inserted everywhere: require at least one character
f:7:44: policy e: additions to files can only be matched, so redact cannot change them: use annotate, ask or block
f:8:15: policy f: only calls add something to files, but the policy applies to content: use applies_to: [tool_call]
f:9:53: policy g: there is no parameter "z"
f:10:53: policy h: the parameter z is not a list of paths
f:11:21: policy i: find looks for one thing: a pattern, what is added, secrets or placeholders: make one policy of each
f:12:53: policy j: files names no parameter: write {param: NAME}
f:13:33: policy k: "x" looks for a pattern and for keys: make two of it
`,
	},
	{"find of two things", "policies:\n  - {name: a, find: {secret: true, pattern: x}, then: block}\n", "f:2:21: policy a: find looks for one thing: a pattern, what is added, secrets or placeholders: make one policy of each"},
	{"placeholders that are not put back", "policies:\n  - {name: a, find: {placeholder: true}, then: redact}\n", "f:2:48: policy a: placeholders are only put back, and only in calls: use then: restore with applies_to: [tool_call]"},
	{"a misspelt pattern", "policies:\n  - {name: a, find: {patern: x}, then: redact}\n", `f:2:22: policy a: find has an unknown key "patern": did you mean pattern?`},
	{"an empty pattern", "policies:\n  - {name: a, find: {pattern: [x, \"\"]}, then: redact}\n", "f:2:35: policy a: a value of pattern is empty: remove it"},
	{"a pattern that is none", "policies:\n  - name: a\n    find:\n      pattern:\n        - fine\n        - 'a(b'\n    then: redact\n", "f:6:11: policy a: not a regular expression: missing closing ): `a(b`: see the syntax of RE2, and write \\( for a parenthesis and \\. for a dot"},
	{"a group that is not there", "policies:\n  - {name: a, find: {pattern: x}, then: {rewrite: $1}}\n", "f:2:41: policy a: the replacement uses $1, but the pattern has no such group: write ${1}x for a group before a letter, $$ for a dollar sign"},

	// Tools, judge and hook.
	{"tools of nothing", "policies:\n  - {name: a, tools: {}, then: block}\n", "f:2:22: policy a: tools is empty: write tools: {deny: [NAME]}, with allow, deny or schema"},
	{"tools of texts", "policies:\n  - {name: a, applies_to: [content], tools: {deny: [x]}, then: block}\n", "f:2:38: policy a: tools is about calls, but the policy applies to content: use applies_to: [tool_call]"},
	{"tools that allow", "policies:\n  - {name: a, tools: {deny: [x]}, then: allow}\n", "f:2:41: policy a: then is allow, so tools could never do anything: use annotate to watch"},
	{"tools and find", "policies:\n  - {name: a, tools: {deny: [x]}, find: {pattern: x}, then: block}\n", "f:2:35: policy a: the policy has both tools and find: make two policies of it"},
	{"a judge where there are no models", "policies:\n  - {name: a, judge: {model: small}, then: block}\n", "f:2:15: policy a: a judge needs a model, and no models are set up here: set one up (in Go with Models of policies.Config or file.Options), or use on_unknown with ask, block or allow instead of a judge"},
	{"a judge without a model", "policies:\n  - {name: a, judge: {instructions: x}, then: block}\n", "f:2:22: policy a: the judge has no model: add `model:` with the name of a model"},
	{"wrong numbers", "policies:\n  - {name: a, judge: {model: m, threshold: 2, retries: -1, cache: x}, then: block}\n", `
f:2:44: policy a: threshold is the number 2: write a number from 0 to 1
f:2:56: policy a: retries is the number -1: write a whole number from 0 to 10
f:2:67: policy a: cache is "x", not a time: write a time like 2s, 500ms or 1m30s`},
	{"a hook without an address", "policies:\n  - {name: a, hook: {timeout: 1s}, then: block}\n", "f:2:21: policy a: the hook has no url: add `url:` with an https address"},
	{"a secret that is not set", "policies:\n  - {name: a, hook: {url: \"https://example.com/\", secret_env: SLUICE_TEST_NOT_SET}, then: block}\n", "f:2:63: policy a: the variable SLUICE_TEST_NOT_SET, which has the secret, is not set"},

	// What cannot be enforced.
	{"blocking what has happened", "policies:\n  - name: a\n    applies_to: [server_tool]\n    then: block\n", "f:3:17: policy a: server_tool blocks are run by the provider and have happened when they are seen, so they cannot be stopped or changed (then: block): to forbid such a tool, block the requests that declare it: applies_to: [prompt], when: '\"web_search\" in request.tools', then: block. To watch it, use then: annotate with on_unknown and on_error: allow"},
	{"blocking on a failure what has happened", "policies:\n  - name: a\n    applies_to: [server_tool]\n    then: annotate\n    on_error: block\n", "f:3:17: policy a: server_tool blocks are run by the provider and have happened when they are seen, so they cannot be stopped or changed (on_error: block): to forbid such a tool, block the requests that declare it: applies_to: [prompt], when: '\"web_search\" in request.tools', then: block. To watch it, use then: annotate with on_unknown and on_error: allow"},
	{"changing thinking", "policies:\n  - {name: a, applies_to: [thinking], find: {pattern: x}, then: redact}\n", "f:2:27: policy a: thinking is whole or gone: it is signed, so redact cannot change it: use then: block to remove it"},
	{"changing what is not understood", "policies:\n  - {name: a, applies_to: [opaque], find: {pattern: x}, then: {rewrite: y}}\n", "f:2:27: policy a: opaque blocks have no text that is understood, so rewrite cannot change them: use then: block to remove it"},
	{"feedback on a result", "policies:\n  - {name: a, applies_to: [tool_result], then: {block: feedback}}\n", "f:2:48: policy a: block: feedback answers a call, and a tool_result is the answer to one: use then: block or {block: end_turn}"},
	{"an exception of a policy", "policies:\n  - {name: a, then: block, except: [{when: \"true\"}]}\n", "f:2:28: policy a: except belongs to an entry with `preset:`: write it into `when`, as in when: CONDITION && !(EXCEPTION)"},

	// Presets.
	{"a preset that is none", "policies:\n  - preset: basci\n", `f:2:13: there is no preset "basci": did you mean basic?`},
	{"a preset outside", "policies:\n  - preset: ../basic\n", `f:2:13: there is no preset "../basic": did you mean basic?`},
	{"a preset with a name", "policies:\n  - preset: basic\n    name: mine\n", `f:3:5: the preset has an unknown key "name": use preset, params, except or mode`},
	{"a preset that uses itself", "policies:\n  - preset: loop\n", "preset:loop:2:13: the preset loop uses itself: remove the entry"},
	{"a preset that is broken", "policies:\n  - preset: broken\n", `preset:broken:3:16: policy broken: there is no field "names": did you mean "name"?`},
	{"a parameter that is none", "policies:\n  - preset: basic\n    params: {git.protekted: [x]}\n", `f:3:14: the preset has no parameter "git.protekted": did you mean git.protected?`},
	{"a parameter of the wrong type", "policies:\n  - preset: basic\n    params: {git.protected: main, most: many}\n", `
f:3:29: git.protected is a text, but must be a list of texts: write [main], or {add: [main]} to keep what is there
f:3:41: most is a text, but must be a whole number`},
	{"a parameter of mixed types", "policies:\n  - preset: basic\n    params: {git.protected: [main, 1]}\n", "f:3:36: git.protected has values of different types: text and whole number"},
	{"an exception of no policy", "policies:\n  - preset: basic\n    except: [{policy: git-safely, when: \"true\"}]\n", `f:3:23: the preset basic has no policy "git-safely": did you mean git-safety?`},
	{"an exception without a condition", "policies:\n  - preset: basic\n    except: [{policy: git-safety}, {when: \"true\"}]\n", `
f:3:14: the exception has no condition: write {policy: NAME, when: CONDITION}
f:3:36: the exception names no policy: write {policy: NAME, when: CONDITION}`},
	{"a wrong condition of an exception", "policies:\n  - preset: basic\n    except: [{policy: no-curl, when: 'key.grups == []'}]\n", `f:3:43: policy no-curl: there is no field "grups": did you mean "groups"?`},
	{"a policy of the same name as one of a preset", "policies:\n  - preset: basic\n  - {name: no-curl, then: block}\n", "f:3:5: policy no-curl: another policy has the same name: preset:basic:15: give it a name of its own; to change the preset's, write `preset: basic` with params or except"},

	// Parameters of the file.
	{"a parameter that is a mapping", "params: {a: {b: c}}\npolicies: [{name: a, then: block}]\n", `
f:1:13: the parameter a has no default: add ` + "`default:`" + `
f:1:14: the parameter a has an unknown key "b": use default, doc or of`},
	{"a parameter without a value", "params: {a: }\npolicies: [{name: a, then: block}]\n", "f:1:13: a is nothing: use a text, a number, true, false or a list of them"},
	{"a parameter that nobody declared", "policies:\n  - {name: a, when: params.x == 1, then: block}\n", `f:2:28: policy a: there is no parameter "x"`},

	// Examples.
	{"an example of nothing", "policies:\n  - name: a\n    then: block\n    examples: [{want: block}]\n", "f:4:16: policy a: the example has 0 of shell, tool, text and result: write shell, tool with arguments, text or result"},
	{"an example of two things", "policies:\n  - name: a\n    then: block\n    examples: [{shell: ls, text: x, want: block}]\n", "f:4:16: policy a: the example has 2 of shell, tool, text and result: write shell, tool with arguments, text or result"},
	{"an example that wants nothing", "policies:\n  - name: a\n    then: block\n    examples: [{shell: ls}]\n", "f:4:16: policy a: the example does not say what it wants: add `want: block`, or another of judge, error, allow, annotate, rewrite, redact, ask, block or abort"},
	{"an example that wants what does not exist", "policies:\n  - name: a\n    then: block\n    examples: [{shell: ls, want: deny}]\n", `f:4:34: policy a: want is "deny", which is not a valid value: did you mean block? use judge, error, allow, annotate, rewrite, redact, ask, block or abort`},
	{"an example of an empty command", "policies:\n  - name: a\n    then: block\n    examples: [{shell: \"\", want: block}]\n", "f:4:24: policy a: the command of the example is empty: write one"},
	{"arguments of no tool", "policies:\n  - name: a\n    then: block\n    examples: [{text: x, arguments: {}, want: block}]\n", "f:4:26: policy a: arguments belong to a tool: add `tool:`"},

	{"all problems at once", "policies:\n  - name: a\n    then: blok\n    timeout: 1\n  - name: b\n    when: cal.name == \"x\"\n    then: block\n  - preset: basc\n", `
f:3:11: policy a: then is "blok", which is not a valid value: did you mean block?
f:4:14: policy a: timeout has no unit: write 1s for seconds
f:6:11: policy b: "cal" is not known: did you mean "call"?
f:8:13: there is no preset "basc": did you mean basic?`},
}

func TestAFileThatCannotBeReadIsAProblem(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing.yaml")
	for _, tc := range []struct {
		name, want string
		paths      []string
	}{
		{"no file at all", "policies: no file is named: name a file, or preset:NAME", nil},
		{"a file that does not exist", missing + ": cannot be read: no such file or directory", []string{missing}},
		{"a preset that does not exist", `preset:basics:1:1: there is no preset "basics": did you mean basic?`, []string{"preset:basics"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := file.Load(testPresets(), tc.paths...)
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// A warning about a condition may be why an example of its policy fails.
func TestWarningsStandBesideExamplesThatFail(t *testing.T) {
	t.Parallel()
	const source = `policies:
  - name: p
    when: call.commands.exists(c, c.sub == "delete ns")
    then: block
    examples: [{shell: kubectl delete ns a, want: block}]
  - {name: q, when: 'call.commands.exists(c, c.sub == "delete ns")', then: block}
`
	_, err := file.Parse(file.Options{}, "f", []byte(source))
	got := err.Error()
	lines := strings.Split(got, "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `f:3:44: policy p: warning: the subcommand "delete ns" has several words`) || !strings.Contains(lines[1], "wants block, but gets allow") {
		t.Errorf("got\n%s", got)
	}
	if strings.Contains(problemsOf(t, file.Options{Tolerant: true}, source), "warning") {
		t.Error("what only warns is a problem")
	}
}

func TestAWantedHookIsAJudge(t *testing.T) {
	t.Parallel()
	got := problemsOf(t, file.Options{}, "policies: [{name: p, then: block, hook: {url: 'https://a.example'}, examples: [{shell: ls, want: hook}]}]")
	if !strings.Contains(got, `want is "hook", which is not a valid value: write judge, which also stands for a hook`) {
		t.Errorf("got %s", got)
	}
}

func TestAnExceptionForAPolicyThatEndsOtherwise(t *testing.T) {
	t.Parallel()
	got := problemsOf(t, file.Options{}, "policies: [{preset: recommended, except: [{policy: infra-destroy, when: 'true'}]}]")
	if !strings.Contains(got, "did you mean infra-destruction?") {
		t.Errorf("got %s", got)
	}
}
