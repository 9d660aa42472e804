package file_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	reading "github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/file"
)

// The file to begin with loads without a warning, and its examples hold.
func TestTheStartingFileLoads(t *testing.T) {
	t.Parallel()
	loaded, err := file.Parse(file.Options{Feedback: true, Approver: true}, "new.yaml", []byte(file.Starter()))
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) > 0 || loaded.Examples == 0 {
		t.Errorf("%d examples, warnings: %v", loaded.Examples, loaded.Warnings)
	}
}

// What the reference shows of keys and of then can be read.
func TestExamplesOfTheReferenceLoad(t *testing.T) {
	t.Parallel()
	for _, s := range file.Reference() {
		for _, e := range s.Entries {
			source := ""
			switch {
			case e.Example == "":
			case s.Name == "then" && strings.Contains(e.Example, "set:"):
				source = "policies:\n  - name: a\n    " + e.Example + "\n"
			case s.Name == "then" && e.Name == "restore":
				source = "policies:\n  - name: a\n    find: {placeholder: true}\n    " + e.Example + "\n"
			case s.Name == "then" && e.Name == "redact":
				source = "policies:\n  - name: a\n    find: {pattern: x}\n    " + e.Example + "\n"
			case s.Name == "then", s.Name == "policy" && e.Name == "then":
				source = "policies:\n  - name: a\n    " + e.Example + "\n"
			case s.Name == "find" && e.Name != "placeholder", s.Name == "tools":
				source = "policies:\n  - name: a\n    then: block\n    " + e.Example + "\n"
			case s.Name == "preset" && e.Name != "preset":
				source = "policies:\n  - preset: recommended\n    " + e.Example + "\n"
			}
			if source == "" {
				continue
			}
			if _, err := file.Parse(file.Options{}, "f", []byte(source)); err != nil {
				t.Errorf("%s %s: %v\n%s", s.Name, e.Name, err, source)
			}
		}
	}
}

// The commands that the reference shows for verbs do what it says.
func TestVerbsAreShownByCommandsThatDoThem(t *testing.T) {
	t.Parallel()
	for _, d := range effect.VerbDocs() {
		c := reading.Read(&llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":` + strconv.Quote(d.Example) + `}`, Status: llm.Complete}, reading.Place{})
		if !slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Verb == d.Verb }) {
			t.Errorf("%s: %s does %v", d.Verb, d.Example, c.Effects)
		}
	}
}

// An example with another outcome stops a load, unless it is tolerant; a
// condition is explained part by part.
func TestTolerantLoadsAreForTrying(t *testing.T) {
	t.Parallel()
	const source = "policies:\n  - name: a\n    when: call.kind == \"shell\" && call.name == \"x\"\n    then: block\n    examples: [{shell: ls, want: block}]\n"
	if _, err := file.Parse(file.Options{}, "f", []byte(source), "preset:none"); err == nil {
		t.Error("an example fails, and the file is loaded")
	}
	loaded, err := file.Parse(file.Options{Tolerant: true}, "f", []byte(source), "preset:none")
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) != 1 || !strings.Contains(loaded.Warnings[0].Message, "wants block, but gets allow") {
		t.Errorf("warnings: %v", loaded.Warnings)
	}
	why := loaded.Why(&policy.Exchange{}, nil, reading.Shapes("ls")[0], nil)
	if len(why) != 1 || why[0].When == nil || why[0].When.Result != "false" || len(why[0].When.Parts) != 2 ||
		why[0].When.Parts[0].Result != "true" || why[0].When.Parts[1].Result != "false" {
		t.Errorf("why: %+v", why)
	}
	if why := loaded.Why(&policy.Exchange{}, nil, reading.Shapes("ls")[0], func(name, preset string) bool { return name != "a" || preset != "" }); why != nil {
		t.Errorf("nobody asked, and it is explained: %+v", why)
	}
}

// Negated touches are warned of in files, at their place.
func TestNegatedTouchesAreWarnedOf(t *testing.T) {
	t.Parallel()
	const source = "policies:\n  - name: a\n    when: call.effects.exists(e, !e.touches([\"./**\"]))\n    then: block\n"
	loaded, err := file.Parse(file.Options{Feedback: true}, "f", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) != 1 || !strings.HasPrefix(loaded.Warnings[0].String(), "f:3:37: policy a: touches is also true") {
		t.Errorf("warnings: %v", loaded.Warnings)
	}
}
