package file_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

func TestAPresetStandsForItsPolicies(t *testing.T) {
	t.Parallel()
	loaded := must(t, testPresets(), `
policies:
  - {name: first, then: annotate}
  - preset: basic
  - {name: last, then: annotate}
`)
	want := []string{"first", "git-safety", "no-curl", "no-keys", "last"}
	if got := loaded.Set.Names(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	p := loaded.Policies[1]
	if p.File != "preset:basic" || p.Line != 8 || p.Preset != "basic" || p.Mode != "enforce" || p.Then != "block end_turn" ||
		p.OnUnknown != "block" || p.OnError != "block end_turn" || !slices.Equal(p.Applies, []string{"tool_call"}) || p.Version == "" {
		t.Errorf("got %+v", p)
	}
}

func TestWhatTheUserOfAPresetSays(t *testing.T) {
	t.Parallel()
	admin := &policy.Exchange{Key: policy.Key{Groups: []string{"admins"}}}
	push, pushTopic, curl := "git push --force origin main", "git push --force origin topic", "curl x"
	for _, tc := range []struct {
		name, entry string
		exchange    *policy.Exchange
		command     string
		want        policy.Action
	}{
		{"nothing", `{preset: basic}`, nil, push, policy.BlockEndTurn},
		{"nothing about another branch", `{preset: basic}`, nil, pushTopic, policy.Allow},
		{"a parameter", `{preset: basic, params: {git.protected: [topic]}}`, nil, pushTopic, policy.BlockEndTurn},
		{"a parameter takes the place of the default", `{preset: basic, params: {git.protected: [topic]}}`, nil, push, policy.Allow},
		{"a parameter of a preset in a preset", `{preset: outer, params: {git.protected: [topic]}}`, nil, pushTopic, policy.BlockEndTurn},
		{"a parameter that the outer preset sets", `{preset: outer}`, nil, "git push --force origin release", policy.BlockEndTurn},
		{"an empty list", `{preset: basic, params: {git.protected: []}}`, nil, push, policy.Allow},
		{"an exception that holds", `{preset: basic, except: [{policy: git-safety, when: '"admins" in key.groups'}]}`, admin, push, policy.Allow},
		{"an exception that does not hold", `{preset: basic, except: [{policy: git-safety, when: '"admins" in key.groups'}]}`, nil, push, policy.BlockEndTurn},
		{"an exception of another policy", `{preset: basic, except: [{policy: git-safety, when: "true"}]}`, admin, curl, policy.BlockEndTurn},
		{"an exception about the call", `{preset: basic, except: [{policy: no-curl, when: 'call.commands.exists(c, c.args.exists(a, a == "x"))'}]}`, nil, curl, policy.Allow},
		{"an exception that is unknown", `{preset: basic, except: [{policy: no-curl, when: 'session.cwd == "/"'}]}`, nil, curl, policy.BlockEndTurn},
		{"one of two exceptions", `{preset: basic, except: [{policy: no-curl, when: 'session.cwd == "/"'}, {policy: no-curl, when: '"admins" in key.groups'}]}`, admin, curl, policy.Allow},
		{"an exception with a parameter", `{preset: basic, except: [{policy: no-curl, when: 'params.most == 5'}]}`, nil, curl, policy.Allow},
		{"an exception of a policy in a preset in a preset", `{preset: outer, except: [{policy: no-curl, when: "true"}]}`, nil, curl, policy.Allow},
		{"shadow", `{preset: basic, mode: shadow}`, nil, push, policy.Allow},
		{"disabled", `{preset: basic, mode: disabled}`, nil, push, policy.Allow},
		{"enforce does not enforce what is in shadow", `{preset: watch, mode: enforce}`, nil, push, policy.Allow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			loaded := must(t, testPresets(), "policies:\n  - "+tc.entry+"\n")
			got := loaded.Set.Decide(t.Context(), tc.exchange, shell(tc.command), policy.Options{})
			if got.Verdict.Action != tc.want {
				t.Errorf("got %s (%s), want %s", got.Verdict.Action, got.Verdict.Reason, tc.want)
			}
		})
	}
}

func TestAnExceptionAboutTheTextHoldsTheContent(t *testing.T) {
	t.Parallel()
	loaded := must(t, testPresets(), `
policies:
  - preset: basic
    except: [{policy: no-keys, when: 'text.startsWith("public")'}]
`)
	for text, want := range map[string]string{
		"public sk-12345678": "public sk-12345678",
		"secret sk-12345678": "secret [key]",
	} {
		got := loaded.Set.Decide(t.Context(), nil, say(1, text), policy.Options{})
		if got.Out != want {
			t.Errorf("%q was delivered as %q, want %q", text, got.Out, want)
		}
	}
}

func TestAPolicyOfAPresetCanWaitForItsParameters(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]policy.Action{"[]": policy.Allow, "[rm]": policy.BlockEndTurn} {
		loaded := must(t, testPresets(), "policies: [{preset: optional, params: {denied: "+params+"}}]")
		if got := loaded.Set.Decide(t.Context(), nil, shell("rm x"), policy.Options{}); got.Verdict.Action != want {
			t.Errorf("denied: %s: got %s, want %s", params, got.Verdict.Action, want)
		}
	}
}

func TestFilesAndPresetsAreLoadedInOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	for path, name := range map[string]string{a: "one", b: "two"} {
		if err := os.WriteFile(path, []byte("policies: [{name: "+name+", then: block}]"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := file.Load(testPresets(), b, "preset:watch", a)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"two", "git-safety", "no-curl", "no-keys", "one"}
	if got := loaded.Set.Names(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if p := loaded.Policies[1]; p.Mode != "shadow" || p.Preset != "watch" || p.File != "preset:basic" {
		t.Errorf("got %+v", p)
	}
	if p := loaded.Policies[4]; p.File != a || p.Line != 1 {
		t.Errorf("got %+v", p)
	}
}

func TestProblemsOfSeveralFilesAreToldTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "b.yaml"), filepath.Join(dir, "a.yaml")
	for _, path := range []string{a, b} {
		if err := os.WriteFile(path, []byte("policies: [{name: same, then: blok}]"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := file.Load(testPresets(), a, b)
	want := a + ":1:31: policy same: then is \"blok\", which is not a valid value: did you mean block?\n" +
		b + ":1:12: policy same: another policy has the same name: " + a + ":1: give it a name of its own\n" +
		b + ":1:31: policy same: then is \"blok\", which is not a valid value: did you mean block?"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestEveryPresetOfThePackageLoads(t *testing.T) {
	t.Parallel()
	o := file.Options{Thorough: true, Models: func(string) (model.Model, error) { return scripted.New(), nil }}
	for _, name := range file.Presets(o) {
		loaded, err := file.Load(o, "preset:"+name)
		if err != nil {
			t.Errorf("%s:\n%v", name, err)
			continue
		}
		if loaded.Examples == 0 {
			t.Errorf("%s has no examples", name)
		}
	}
}

func TestPresetsAreListed(t *testing.T) {
	t.Parallel()
	o := file.Options{Presets: fstest.MapFS{"b.yaml": {}, "a.yaml": {}, "x.txt": {}}}
	if got := file.Presets(o); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %v", got)
	}
	if got := file.Presets(file.Options{}); !slices.Contains(got, "shadow") {
		t.Errorf("the embedded presets are %v, want shadow among them", got)
	}
}
