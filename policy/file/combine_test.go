package file_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// files writes policy files and returns their paths; preset:NAME stays as it is.
func files(t *testing.T, sources ...string) []string {
	t.Helper()
	dir := t.TempDir()
	paths := make([]string, len(sources))
	for i, source := range sources {
		if paths[i] = source; strings.HasPrefix(source, "preset:") && !strings.Contains(source, "\n") {
			continue
		}
		paths[i] = filepath.Join(dir, string(rune('a'+i))+".yaml")
		if err := os.WriteFile(paths[i], []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

const (
	oneOfOurs = "policies: [{name: ours, when: 'call.name == \"x\"', then: block}]\n"
	another   = "policies: [{name: another, when: 'call.name == \"y\"', then: block}]\n"
)

// Whatever sources are named, recommended is in force unless one of them says aloud
// that it is not.
func TestFilesAddToThePresetThatIsInForce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		sources []string
		want    policy.Action // of rm -rf ~
		inForce string        // with the names of files
		leftOut string
	}{
		{"nothing", nil, policy.BlockEndTurn, "preset:recommended", ""},
		{"a file", []string{oneOfOurs}, policy.BlockEndTurn, "preset:recommended a.yaml", ""},
		{"two files", []string{oneOfOurs, another}, policy.BlockEndTurn, "preset:recommended a.yaml b.yaml", ""},
		{"the preset and a file", []string{"preset:recommended", oneOfOurs}, policy.BlockEndTurn, "preset:recommended b.yaml", ""},
		{"a file and the preset", []string{oneOfOurs, "preset:recommended"}, policy.BlockEndTurn, "a.yaml preset:recommended", ""},
		{"a file that tunes it", []string{"policies:\n  - preset: recommended\n    params: {git.protected: [x]}\n"}, policy.BlockEndTurn, "preset:recommended a.yaml", ""},
		{"a file that names it in short", []string{"preset: recommended\n" + oneOfOurs}, policy.BlockEndTurn, "preset:recommended a.yaml", ""},
		{"another preset that has it", []string{"preset:paranoid", oneOfOurs}, policy.BlockEndTurn, "preset:paranoid b.yaml", ""},
		{"another in a file", []string{"policies: [{preset: paranoid}]\n"}, policy.BlockEndTurn, "preset:paranoid a.yaml", ""},
		{"shadow takes its place", []string{"policies: [{preset: shadow}]\n"}, policy.Allow, "preset:shadow a.yaml", ""},
		{"disabled", []string{"policies:\n  - preset: recommended\n    mode: disabled\n"}, policy.Allow, "a.yaml", "a.yaml:2"},
		{"disabled in a later file", []string{"preset: recommended\n", "policies:\n  - preset: recommended\n    mode: disabled\n"}, policy.Allow, "a.yaml b.yaml", "b.yaml:2"},
		{"disabled with another preset", []string{"policies:\n  - preset: paranoid\n    mode: disabled\n"}, policy.Allow, "a.yaml", "a.yaml:2"},
		{"none", []string{"preset:none"}, policy.Allow, "", "preset:none"},
		{"none and a file", []string{"preset:none", oneOfOurs}, policy.Allow, "b.yaml", "preset:none"},
		{"a file and none", []string{oneOfOurs, "preset:none"}, policy.Allow, "a.yaml", "preset:none"},
		{"a file that says none", []string{"policies: [{preset: none}]\n"}, policy.Allow, "a.yaml", "a.yaml:1"},
		{"a file that says none at its top", []string{"preset: none\n" + oneOfOurs}, policy.Allow, "a.yaml", "a.yaml:1"},
		{"a file that says nothing else", []string{"preset: none\n"}, policy.Allow, "a.yaml", "a.yaml:1"},
		{"one of two files says none", []string{oneOfOurs, "preset: none\n" + another}, policy.Allow, "a.yaml b.yaml", "b.yaml:1"},
		{"both say none", []string{"preset: none\n" + oneOfOurs, "preset:none"}, policy.Allow, "a.yaml", "a.yaml:1"},
		{"a policy that is disabled", []string{"policies: [{name: ours, then: block, mode: disabled}]\n"}, policy.BlockEndTurn, "preset:recommended a.yaml", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			paths := files(t, tc.sources...)
			loaded, err := file.Load(file.Options{}, paths...)
			if err != nil {
				t.Fatal(err)
			}
			got := loaded.Set.Decide(t.Context(), nil, shell("rm -rf ~"), policy.Options{})
			if got.Verdict.Action != tc.want {
				t.Errorf("rm -rf ~: %s, want %s", got.Verdict.Action, tc.want)
			}
			var inForce []string
			for _, source := range loaded.Sources {
				inForce = append(inForce, filepath.Base(source))
			}
			if got := strings.Join(inForce, " "); got != tc.inForce {
				t.Errorf("in force are %q, want %q", got, tc.inForce)
			}
			if got := filepath.Base(loaded.LeftOut); loaded.LeftOut != "" && got != tc.leftOut || (loaded.LeftOut == "") != (tc.leftOut == "") {
				t.Errorf("it is left out by %q, want %q", loaded.LeftOut, tc.leftOut)
			}
			if noted := loaded.Set.Note() != ""; noted != (tc.leftOut != "") {
				t.Errorf("the note is %q", loaded.Set.Note())
			}
			if shadowed, err := loaded.Set.Shadowed(); err != nil || shadowed.Note() != loaded.Set.Note() {
				t.Errorf("in shadow the note is %q, %v", shadowed.Note(), err)
			}
		})
	}
}

// Aligned asks a model beside the rules of recommended, and does not take their place.
func TestAPresetThatHasNotGotItIsBesideIt(t *testing.T) {
	t.Parallel()
	o := file.Options{Presets: presetsWith(map[string]string{
		"recommended": "policies: [{name: usual, then: block}]",
		"more":        "policies: [{name: more, then: annotate}]",
		"around":      "policies: [{preset: recommended}]",
		"far-around":  "policies: [{preset: around}]",
	})}
	for sources, want := range map[string]string{
		"preset:more":                   "usual more",
		"preset:around":                 "usual",
		"preset:far-around":             "usual",
		"preset:more preset:far-around": "more usual",
		"preset:none preset:more":       "more",
		"":                              "usual",
	} {
		loaded, err := file.Load(o, strings.Fields(sources)...)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(loaded.Set.Names(), " "); got != want {
			t.Errorf("%s: %s, want %s", sources, got, want)
		}
	}
}

// Contradictions are refused: nobody guesses which of two was meant.
func TestWhatContradictsItselfAboutPresetsIsRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		sources []string
		want    string
	}{
		{"left out and named", []string{"preset:none", "preset:recommended"}, "the preset recommended is left out here, but preset:recommended names the preset recommended: remove one of the two"},
		{"left out by one file and tuned by another", []string{"preset: none\n", "policies: [{preset: recommended}]\n"}, "b.yaml:1"},
		{"left out and named through another", []string{"preset: none\n", "preset:paranoid"}, "but preset:paranoid names the preset paranoid"},
		{"none with something to set", []string{"policies: [{preset: none, mode: shadow}]\n"}, "preset: none means no policies"},
		{"a preset twice in one file", []string{"policies: [{preset: recommended}, {preset: recommended}]\n"}, "the preset recommended is already included: "},
		{"the usual and one that has it", []string{"preset:recommended", "preset:shadow"}, "the preset recommended is already included: "},
		{"a preset that there is not", []string{"preset:recommendd", oneOfOurs}, `there is no preset "recommendd": did you mean recommended?`},
		{"a name of the preset's", []string{"policies: [{name: git-safety, then: block}]\n"}, "to change the preset's, write `preset: recommended` with params or except"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if _, err := file.Load(file.Options{}, files(t, tc.sources...)...); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// Several files can tune the same preset: what they say adds up, the later ones on top.
func TestFilesTuneAPresetTogether(t *testing.T) {
	t.Parallel()
	paths := files(t,
		"policies: [{preset: recommended, params: {git.protected: {add: [release]}}, except: [{policy: destructive-files, when: '\"ops\" in key.groups'}]}]\n",
		"preset:recommended",
		"policies: [{preset: recommended, params: {git.protected: {remove: [release], add: [stable]}, egress.allow: [x.example]}}]\n",
		"policies: [{preset: recommended, params: {egress.allow: [y.example]}}]\n")
	pages, err := file.Pages(file.Options{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	value := func(policy, param string) []any {
		for _, p := range pageOf(t, pages, policy).Params {
			if p.Name == param {
				list, _ := p.Value.([]any)
				return list
			}
		}
		t.Fatalf("%s has no parameter %s", policy, param)
		return nil
	}
	if got := value("git-safety", "git.protected"); slices.Contains(got, any("release")) || !slices.Contains(got, any("stable")) || !slices.Contains(got, any("main")) {
		t.Errorf("git.protected is %v", got)
	}
	if got := pageOf(t, pages, "destructive-files").Excepts; len(got) != 1 {
		t.Errorf("exceptions %v", got)
	}
	loaded, err := file.Load(file.Options{}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	if got := loaded.Set.Decide(t.Context(), nil, shell("curl https://y.example"), policy.Options{}); got.Verdict.Action != policy.Allow {
		t.Errorf("a host of the last file: %s", got.Verdict.Action)
	}
	if got := loaded.Set.Decide(t.Context(), nil, shell("curl https://x.example"), policy.Options{}); got.Verdict.Action == policy.Allow {
		t.Errorf("a host of a list that was replaced: %s", got.Verdict.Action)
	}
}
