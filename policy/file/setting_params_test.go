package file_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/policy/file"
)

// presetsWith are presets by name.
func presetsWith(sources map[string]string) fs.FS {
	library := fstest.MapFS{}
	for name, source := range sources {
		library[name+".yaml"] = &fstest.MapFile{Data: []byte(source)}
	}
	return library
}

// valueOf is a parameter of the policy p in a set of presets.
func valueOf(t *testing.T, o file.Options, source, param string) any {
	t.Helper()
	pages, err := file.Pages(o, files(t, source)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pageOf(t, pages, "p").Params {
		if p.Name == param {
			return p.Value
		}
	}
	t.Fatalf("there is no parameter %s", param)
	return nil
}

func TestListsAreExtendedAndShortened(t *testing.T) {
	t.Parallel()
	o := file.Options{Presets: presetsWith(map[string]string{
		"list": `
params: {names: [a, b, c], counts: [1, 2], empty: []}
policies:
  - {name: p, when: 'call.name in params.names || size(params.counts) > 9 || size(params.empty) > 9', then: block}`,
		"outer": "policies: [{preset: list, params: {names: {add: [d], remove: [a]}}}]",
	})}
	for _, tc := range []struct{ name, entry, param, want string }{
		{"nothing", "{preset: list}", "names", "[a b c]"},
		{"added", "{preset: list, params: {names: {add: [x, y]}}}", "names", "[a b c x y]"},
		{"added what is there", "{preset: list, params: {names: {add: [b, x]}}}", "names", "[a b c x]"},
		{"removed", "{preset: list, params: {names: {remove: [b]}}}", "names", "[a c]"},
		{"removed all", "{preset: list, params: {names: {remove: [a, b, c]}}}", "names", "[]"},
		{"both", "{preset: list, params: {names: {add: [x], remove: [a]}}}", "names", "[b c x]"},
		{"numbers", "{preset: list, params: {counts: {add: [3], remove: [1]}}}", "counts", "[2 3]"},
		{"to an empty list", "{preset: list, params: {empty: {add: [x]}}}", "empty", "[x]"},
		{"replaced", "{preset: list, params: {names: [z]}}", "names", "[z]"},
		{"what another preset has set", "{preset: outer}", "names", "[b c d]"},
		{"on top of what another preset has set", "{preset: outer, params: {names: {add: [e], remove: [d]}}}", "names", "[b c e]"},
		{"in the place of what another preset has set", "{preset: outer, params: {names: [z]}}", "names", "[z]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := fmt.Sprint(valueOf(t, o, "policies:\n  - "+tc.entry+"\n", tc.param)); got != tc.want {
				t.Errorf("%s is %s, want %s", tc.param, got, tc.want)
			}
		})
	}
}

func TestWrongChangesOfListsAreRefused(t *testing.T) {
	t.Parallel()
	o := file.Options{Presets: presetsWith(map[string]string{"list": `
params: {names: [alpha, beta], word: x, counts: [1], places: {default: ["/srv/**"], of: paths}}
policies: [{name: p, when: 'call.name in params.names || params.word == "" || size(params.counts) > 9 || call.reads.exists(r, r.glob(params.places))', then: block}]`})}
	for params, want := range map[string]string{
		"names: {remove: [alpa]}":              `names has no "alpa" to remove: did you mean alpha?`,
		"names: {remove: [alpha, alpha2]}":     `names has no "alpha2" to remove`,
		"names: {add: [x], remove: [x]}":       "names both adds and removes x: keep one of the two",
		"names: {}":                            "names has neither add nor remove: write {add: [VALUE]}, {remove: [VALUE]} or both",
		"names: {ad: [x]}":                     `the parameter names has an unknown key "ad"`,
		"names: {add: x}":                      `add of names is the text "x", not a list: write [x]`,
		"names: {add: [1]}":                    "add of names is a list of whole numbers, but must be a list of texts",
		"counts: {remove: [2]}":                `counts has no "2" to remove`,
		"places: {remove: [/opt]}":             `places has no "/opt" to remove`,
		"word: {add: [x]}":                     "word is a text, and only lists have add and remove: write the value itself",
		"names: {add: [[x]]}":                  "a value of add of names is a list",
		"nams: {add: [x]}":                     `the preset has no parameter "nams": did you mean names?`,
		"names: {add: [x], remove: {a: beta}}": "remove of names is a mapping, not a list",
	} {
		t.Run(params, func(t *testing.T) {
			t.Parallel()
			got := problemsOf(t, o, "policies: [{preset: list, params: {"+params+"}}]\n")
			if !strings.Contains(got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}

// Every parameter of the presets that is a list can be extended, and what is added is
// what the version and the policy know of.
func TestEveryListOfThePresetsCanBeExtended(t *testing.T) {
	t.Parallel()
	pages, err := file.Pages(file.Options{}, "preset:recommended")
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string][]any{}
	for i := range pages {
		for _, p := range pages[i].Params {
			if list, ok := p.Value.([]any); ok && len(list) > 0 {
				lists[p.Name] = list
			}
		}
	}
	if len(lists) < 10 {
		t.Fatalf("recommended has %d lists", len(lists))
	}
	var source strings.Builder
	source.WriteString("policies:\n  - preset: recommended\n    params:\n")
	for name, list := range lists {
		fmt.Fprintf(&source, "      %s: {add: [\"zz-added\"], remove: [%q]}\n", name, list[0])
	}
	pages, err = file.Pages(file.Options{}, files(t, source.String())...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		for _, p := range pages[i].Params {
			was, isList := lists[p.Name]
			if now, _ := p.Value.([]any); isList && (len(now) != len(was) || slices.Contains(now, was[0]) || !slices.ContainsFunc(now, func(v any) bool { return strings.HasPrefix(fmt.Sprint(v), "zz-added") })) {
				t.Errorf("%s of %s has %d values, of %d before", p.Name, pages[i].Name, len(now), len(was))
			}
		}
	}
}
