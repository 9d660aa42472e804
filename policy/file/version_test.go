package file_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

const versioned = `
policies:
  - name: p
    when: call.name == "x" && params.n == 1
    params: {n: 1}
    then: block
    reason: because
`

func TestTheVersionOfAPolicyStandsForWhatItDoes(t *testing.T) {
	t.Parallel()
	version := func(source string) string {
		return must(t, testPresets(), source).Policies[0].Version
	}
	first := version(versioned)
	if len(first) != 16 {
		t.Errorf("the version is %q, want 16 digits", first)
	}
	for _, tc := range []struct {
		name, file string
		same       bool
	}{
		{"the same file", versioned, true},
		{"comments", "# c\npolicies:\n  - name: p # c\n    when: call.name == \"x\" && params.n == 1\n    params: {n: 1}\n    then: block\n    reason: because\n", true},
		{"layout and order of keys", "policies: [{then: 'block', reason: \"because\", params: {\"n\": 1}, name: p,\n when: 'call.name == \"x\" && params.n == 1'}]", true},
		{"aliases", "policies: [{then: block, reason: &r because, params: {n: 1}, name: p, when: 'call.name == \"x\" && params.n == 1'}, {name: q, reason: *r, then: block}]", true},
		{"examples", versioned + "    examples: [{shell: ls, want: allow}]\n", true},
		{"the mode", versioned + "    mode: shadow\n", true},
		{"another reason", versioned + "    on_unknown: allow\n", false},
		{"a parameter", "policies:\n  - {name: p, when: 'call.name == \"x\" && params.n == 1', params: {n: 2}, then: block, reason: because}\n", false},
		{"a text instead of a number", "policies:\n  - {name: p, when: 'call.name == \"x\" && params.n == 1', params: {n: 1, m: \"1\"}, then: block, reason: because}\n", false},
		{"a parameter of the file", "params: {m: 1}" + versioned, false},
	} {
		if got := version(tc.file); (got == first) != tc.same {
			t.Errorf("%s: the version is the same: %t, want %t", tc.name, got == first, tc.same)
		}
	}
}

func TestTheVersionOfAPolicyOfAPresetDependsOnItsUser(t *testing.T) {
	t.Parallel()
	seen := make(map[string]string)
	for _, entry := range []string{
		"{preset: basic}",
		"{preset: basic, params: {git.protected: [a, b]}}",
		"{preset: basic, params: {git.protected: [a b]}}",
		"{preset: basic, params: {most: 6}}",
		"{preset: basic, except: [{policy: git-safety, when: 'key.name == \"a\"'}]}",
		"{preset: basic, except: [{policy: git-safety, when: 'key.name == \"b\"'}]}",
	} {
		version := must(t, testPresets(), "policies: ["+entry+"]").Policies[0].Version
		if other, twice := seen[version]; twice {
			t.Errorf("%s and %s have the same version", entry, other)
		}
		seen[version] = entry
	}
	inShadow := must(t, testPresets(), "policies: [{preset: watch}]").Policies[0].Version
	if _, same := seen[inShadow]; !same {
		t.Error("the preset in shadow has other versions")
	}
}

func TestTheVersionOfASetDependsOnTheOrder(t *testing.T) {
	t.Parallel()
	version := func(source string) string { return must(t, file.Options{}, source).Set.Version() }
	a := version("policies: [{name: a, then: block}, {name: b, then: block}]")
	b := version("policies: [{name: b, then: block}, {name: a, then: block}]")
	c := version("policies: [{name: a, then: block}, {name: b, then: block, mode: shadow}]")
	if a == b || a == c {
		t.Errorf("versions %s %s %s, want three", a, b, c)
	}
}
