package file_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	toolcall "github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/file"
)

const acme = `programs:
  acmectl acme:
    flags: {value: [e env]}
    commands:
      db drop: {operands: [name], effects: [{drop: "database {name}"}]}
      db list: {}
    examples:
      - {run: acmectl -e prod db drop orders, want: [drop database orders]}
`

func stopsCommand(t *testing.T, loaded *file.Loaded, command string) bool {
	t.Helper()
	all := 0
	shapes := toolcall.Shapes(command)
	for _, b := range shapes {
		if loaded.Set.Decide(t.Context(), nil, b, policy.Options{}).Verdict.Action.Blocks() {
			all++
		}
	}
	if all != 0 && all != len(shapes) {
		t.Errorf("%s: blocked in %d of %d shapes", command, all, len(shapes))
	}
	return all > 0
}

func TestProgramsOfAFileAreUnderstoodByTheBuiltInPolicies(t *testing.T) {
	loaded, err := file.Parse(file.Options{}, "acme.yaml", []byte(acme))
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]bool{
		"acmectl db drop orders":                       true,
		"acme --unheard-of x db drop orders":           true,
		"sudo env X=1 acmectl db drop orders":          true,
		`sh -c "cd /srv && acmectl -e prod db drop a"`: true,
		"acmectl db list":                              false,
		"other db drop orders":                         false,
	} {
		if stopsCommand(t, loaded, command) != want {
			t.Errorf("%s: blocked is %v", command, !want)
		}
	}
	plain, err := file.Load(file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Set.Version() == loaded.Set.Version() {
		t.Error("the version does not tell that the policies see more")
	}
}

func TestADescriptionAddsToWhatIsKnownUnlessItReplacesIt(t *testing.T) {
	for text, want := range map[string]bool{
		"programs:\n  dropdb: {operands: [x]}\n":                                  true,
		"programs:\n  dropdb: {replace: true, operands: [x]}\n":                   false,
		"programs:\n  helm: {commands: {list: {}, uninstall: {operands: [x]}}}\n": true,
	} {
		loaded, err := file.Parse(file.Options{}, "own.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		command := "dropdb orders"
		if strings.Contains(text, "helm") {
			command = "helm uninstall a b"
		}
		if stopsCommand(t, loaded, command) != want {
			t.Errorf("%s%s: blocked is %v", text, command, !want)
		}
		if told := len(loaded.Warnings) > 0; told == want {
			t.Errorf("%swarnings: %v", text, loaded.Warnings)
		}
	}
}

func TestMistakesInDescriptionsAreReportedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"programs:\n  a:\n    operand: [x]\n":                                    `own.yaml:3:5: program a: the description has no key "operand" (did you mean "operands"?)`,
		"programs:\n  a:\n    effects:\n      - {remove: x}\n":                   `own.yaml:4:10: program a: there is no effect "remove"`,
		"programs:\n  a:\n    examples:\n      - {run: a x, want: [delete x]}\n": `own.yaml:4:1: program a: the example "a x" has the effects []`,
		"programs: [a]\n":                 "programs must be a mapping",
		"programs:\n  a b: {}\n  b: {}\n": "the program b is described twice",
	} {
		_, err := file.Parse(file.Options{}, "own.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// A description that cannot be read is the problem, and not what the policies then do not
// know of the program.
func TestABadDescriptionIsReportedAlone(t *testing.T) {
	t.Parallel()
	text := `programs:
  shipit:
    operands: [a, "run:argv"]
policies:
  - name: p
    when: call.effects.exists(e, e.how == "shipit")
    then: block
    examples:
      - {shell: "shipit deploy", want: block}
`
	_, err := file.Parse(file.Options{}, "f", []byte(text))
	if got := fmt.Sprint(err); err == nil || strings.Contains(got, "wants") || strings.Count(got, "\n") > 1 || !strings.Contains(got, "write run:argv...") {
		t.Errorf("got %v", err)
	}
}

// A script that is described is known however it is called: by itself, by an
// interpreter, sourced, or wrapped.
func TestDescribedScriptsAreKnownHoweverTheyAreCalled(t *testing.T) {
	t.Parallel()

	for name, interpreters := range map[string][]string{
		"deploy.sh": {"bash ", "sh -eu ", "source ", ". ", "zsh ", "bash -x -- ", ""}, "deploy.py": {"python3 ", "python -u ", ""}, "deploy": {"bash ", "ruby ", ""}, "deploy.js": {"node ", "bun run ", "deno run -A ", ""}, "deploy.pl": {"perl -w ", ""},
	} {
		loaded, err := file.Parse(file.Options{}, "f.yaml", []byte("programs:\n  "+name+":\n    operands: [to]\n    effects: [{drop: \"database of {to}\", if: [\"to=prod\"]}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, interpreter := range interpreters {
			for _, dir := range []string{"scripts/", "./", "/srv/app/bin/"} {
				command := interpreter + dir + name
				if !stopsCommand(t, loaded, command+" prod") || !stopsCommand(t, loaded, "cd x && env A=1 nice "+strings.ReplaceAll(strings.ReplaceAll(command, "source ", "bash "), ". ", "sh ")+" prod") {
					t.Errorf("%s prod: not known", command)
				}
				if stopsCommand(t, loaded, command+" staging") {
					t.Errorf("%s staging: blocked", command)
				}
			}
		}
	}
	for _, name := range []string{"./scripts/deploy.sh", "/srv/deploy.sh", `bin\deploy.sh`} {
		_, err := file.Parse(file.Options{}, "f.yaml", []byte("programs:\n  "+name+":\n    effects: [{apply: all}]\n"))
		if err == nil || !strings.Contains(err.Error(), "write deploy.sh") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A list of one word is as good as the word, as for a whole program.
func TestTheSyntaxOfACommandCanBeAList(t *testing.T) {
	t.Parallel()
	for syntax, want := range map[string]string{
		"first-ends": "", "[first-ends]": "", "[first-ends, bundled]": `a command has no syntax "bundled", only first-ends`, "slash": `a command has no syntax "slash"`,
	} {
		got := problemsOf(t, file.Options{}, "programs: {acmectl: {commands: {run: {syntax: "+syntax+", operands: [\"run:argv...\"]}}}}")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", syntax, got, want)
		}
	}
}
