package sluice_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy/file"
)

const (
	pagesDir    = "docs/policies"
	pagesUpdate = "run: SLUICE_UPDATE=1 go test -run PolicyPages ."
	pagesNote   = "\n---\n\nGenerated from the preset; do not edit. To regenerate it, " + pagesUpdate + "\n"
)

const pagesHead = `# The built-in policies

What comes with Sluice, a page for each policy: what it is for, what it sees and cannot see, its parameters, examples,
and how to tune it. [Policies](../policies.md) explains how they work. ` + "`sluice policy show NAME`" + ` prints the same.

| Policy | Presets | Action | What it is for |
|---|---|---|---|
`

// docs/policies has a page for every built-in policy, and each says what the
// presets say.
func TestPolicyPagesAreWhatThePresetsSay(t *testing.T) {
	t.Parallel()

	want := policyPages(t)

	if os.Getenv("SLUICE_UPDATE") != "" {
		writePages(t, want)

		return
	}

	have := make(map[string]bool)

	files, err := filepath.Glob(pagesDir + "/*")
	if err != nil {
		t.Fatal(err)
	}

	for _, name := range files {
		have[filepath.Base(name)] = true
	}

	for _, name := range slices.Sorted(maps.Keys(want)) {
		page, err := os.ReadFile(filepath.Join(pagesDir, name))
		if err != nil || !bytes.Equal(page, want[name]) {
			t.Errorf("%s/%s is not what the presets say (%v); %s", pagesDir, name, err, pagesUpdate)
		}

		delete(have, name)
	}

	for name := range have {
		t.Errorf("%s/%s is the page of no policy: remove it", pagesDir, name)
	}
}

// noMatch says why some policies have no example that matches.
var noMatch = map[string]string{
	"unreadable":       "what is too long to be read is too long for an example",
	"noted-egress":     "the list is empty where nobody sets it",
	"leaked-values":    "an example has no history",
	"untrusted-flow":   "an example has no history",
	"copied-arguments": "an example has no history",
	"unknown-blocks":   "nobody can write down a block of an unknown kind",
}

// Every built-in policy explains itself: what it is for, what it sees and cannot
// see, what to do instead, a case that matches and one that does not.
func TestBuiltInPoliciesExplainThemselves(t *testing.T) {
	t.Parallel()

	for _, p := range builtIn(t) {
		for what, said := range map[string]string{
			"doc": p.Doc, "sees": p.Sees, "blind": p.Blind, "reason": p.Reason,
		} {
			if said == "" {
				t.Errorf("%s:%d: the policy %s has no %s", p.File, p.Line, p.Name, what)
			}
		}

		matches := func(e file.Example) bool { return e.Matches() }
		if !slices.ContainsFunc(p.Examples, matches) && noMatch[p.Name] == "" {
			t.Errorf("%s:%d: the policy %s has no example that matches", p.File, p.Line, p.Name)
		}

		passes := func(e file.Example) bool { return !e.Matches() }
		if !slices.ContainsFunc(p.Examples, passes) && p.Name != "unknown-blocks" {
			t.Errorf("%s:%d: the policy %s has no example that does not match", p.File, p.Line, p.Name)
		}

		for _, param := range p.Params {
			if param.Doc == "" {
				t.Errorf("%s: the parameter %s has no doc", p.File, param.Name)
			}
		}
	}
}

// The settings and exceptions that pages show load as files.
func TestSettingsOnPolicyPagesLoad(t *testing.T) {
	t.Parallel()

	type entry struct {
		Preset string           `yaml:"preset"`
		Params map[string]any   `yaml:"params"`
		Except []map[string]any `yaml:"except"`
	}

	type settings struct {
		Policies []entry `yaml:"policies"`
	}

	together := make(map[string]*entry) // by preset, because loading one takes time

	for _, p := range builtIn(t) {
		shown := 0

		for _, part := range strings.Split(p.Markdown(), "```yaml\n")[1:] {
			code, _, _ := strings.Cut(part, "\n```\n")
			if !strings.HasPrefix(code, "policies:") {
				continue // the rule, which is a part of a policy
			}

			var s settings

			if err := yaml.Unmarshal([]byte(code), &s); err != nil || len(s.Policies) != 1 {
				t.Fatalf("%s: %v\n%s", p.Name, err, code)
			}

			shown++

			one := &s.Policies[0]
			if all := together[one.Preset]; all != nil {
				maps.Copy(all.Params, one.Params)
				all.Except = append(all.Except, one.Except...)
			} else {
				together[one.Preset] = &entry{one.Preset, maps.Collect(maps.All(one.Params)), one.Except}
			}
		}

		if want := 1 + min(len(p.Params), 1); shown != want {
			t.Errorf("the page of %s shows %d settings, want %d", p.Name, shown, want)
		}
	}

	for preset, all := range together {
		code, err := yaml.Marshal(settings{[]entry{*all}})
		if err != nil {
			t.Fatal(err)
		}

		if _, err := file.Parse(file.Options{Models: anyModel}, preset, code); err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
}

// The policy files in docs/policies.md load, and their examples hold.
func TestFilesInTheGuideToPoliciesLoad(t *testing.T) {
	t.Parallel()

	guide, err := os.ReadFile("docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}

	loaded := 0

	for _, part := range strings.Split(string(guide), "\n    policies:\n")[1:] {
		code := "policies:\n"

		for line := range strings.Lines(part) {
			if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "    ") {
				break
			}

			code += strings.TrimPrefix(line, "    ")
		}

		loaded++

		if _, err := file.Parse(file.Options{Models: anyModel}, "docs/policies.md", []byte(code)); err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}

	if loaded < 4 {
		t.Errorf("only %d policy files were found in the guide", loaded)
	}
}

// anyModel is a host that has every model.
func anyModel(string) (model.Model, error) { return scripted.New(), nil }

// builtInOnce loads the presets once for all tests, which do not change them.
var builtInOnce = sync.OnceValues(func() ([]file.Page, error) { return file.BuiltIn(file.Options{}) })

func builtIn(t *testing.T) []file.Page {
	t.Helper()

	pages, err := builtInOnce()
	if err != nil {
		t.Fatal(err)
	}

	return pages
}

// policyPages are the files of docs/policies.
func policyPages(t *testing.T) map[string][]byte {
	t.Helper()

	files := make(map[string][]byte)
	index := bytes.NewBufferString(pagesHead)

	for _, p := range builtIn(t) {
		name := p.Name + ".md"
		if files[name] != nil {
			t.Errorf("two built-in policies have the name %s", p.Name)
		}

		files[name] = []byte(p.Markdown() + pagesNote)

		presets := make([]string, len(p.Presets))
		for i, m := range p.Presets {
			presets[i] = m.Preset
		}

		fmt.Fprintf(index, "| [%s](%s) | %s | %s | %s |\n", p.Name, name, strings.Join(presets, ", "), p.Then,
			strings.ReplaceAll(strings.Join(strings.Fields(p.Doc), " "), "|", `\|`))
	}

	index.WriteString(pagesNote)
	files["README.md"] = index.Bytes()

	return files
}

// writePages regenerates docs/policies.
func writePages(t *testing.T, files map[string][]byte) {
	t.Helper()

	if err := os.RemoveAll(pagesDir); err != nil {
		t.Fatal(err)
	}

	if err := os.MkdirAll(pagesDir, 0o755); err != nil {
		t.Fatal(err)
	}

	for name, page := range files {
		if err := os.WriteFile(filepath.Join(pagesDir, name), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
