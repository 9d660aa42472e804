package library

import (
	"strings"
	"testing"
)

func TestDescriptionsHaveNoMistakes(t *testing.T) {
	for language := Python; language <= Cmd; language++ {
		if err := Of(language).Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestMistakesAreSaidWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"a: {args: [p], effects: [{delte: \"{p}\"}]}":          `x.yaml:1:27: call a: there is no operation "delte" (did you mean "delete"?)`,
		"\nb: {gives: \"{p}\"}":                                `x.yaml:2:4: call b: there is no argument "p"`,
		"a: {effects: [{delete: x, if: p sometimes}]}":         `x.yaml:1:31: call a: "p sometimes" is no condition; write "role given", "role true", "role is text" or "role form"`,
		"a: {on: elephant}":                                    `x.yaml:1:9: call a: there is no form "elephant"; the forms are text, list, client, socket, file, name, map, function, process, instance, shell, code, unknown`,
		"a: {likes: b}":                                        `x.yaml:1:5: call a: a call has no key "likes" (did you mean "like"?); the keys are on, if, args, named, effects, gives, like`,
		"a: {like: b}\nb: {like: a}":                           `x.yaml:1:11: call a: there is no call "b" to be like`,
		"a: {effects: [{delete: x, write: y}]}":                `x.yaml:1:27: call a: an effect has one verb; this has delete and write`,
		"a: {effects: [{delete: \"{q}\", if: p given}]}":       `x.yaml:1:4: call a: there is no argument "p"`,
		"a: {args: [p], effects: [{delete: {same: \"{q}\"}}]}": `x.yaml:1:4: call a: there is no argument "q"`,
		"a: [\n":                                `x.yaml:`,
		"a: {args: [p]}\nb: {args: [p]}\na: {}": `x.yaml:3:1: call a: it is described twice, here and at line 1`,
		"examples:\n  - {program: x, wants: y}": `x.yaml:2:18: examples: an example has no key "wants" (did you mean "want"?); the keys are program, want`,
	} {
		table, err := parse("x.yaml", text)
		if err == nil {
			err = table.Check()
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n   says %v\n   want %s", text, err, want)
		}
	}
}

func TestWhatIsNotKnownHolds(t *testing.T) {
	unknown := func(*Condition) (bool, bool) { return false, false }
	for _, list := range [][]Condition{{{Role: "x", Test: True}}, {{Role: "x", Test: True, Not: true}}, nil} {
		if !Holds(list, unknown) {
			t.Errorf("%v does not hold", list)
		}
	}
}

func TestStarsStandForAnything(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"a*", "a", true}, {"a*", "ab", true}, {"a*", "ba", false}, {"*a", "ba", true}, {"*a", "ab", false},
		{"*a*b*", "ab", true}, {"*a*b*", "xaxbx", true}, {"*a*b*", "ba", false}, {"a*b*a", "aba", true}, {"a*a", "a", false}, {"*", "", true},
	} {
		if matches(c.text, c.pattern) != c.want {
			t.Errorf("%q and %q: want %v", c.text, c.pattern, c.want)
		}
	}
	table, err := parse("x.yaml", "get-*thing: {gives: a}\nget-other: {gives: b}\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"get-thing": "a", "get-one-thing": "a", "get-other": "b", "set-thing": ""} {
		got := ""
		if calls := table.Call(name); calls != nil {
			got = calls[0].Gives.Text
		}
		if got != want {
			t.Errorf("%s gives %q, want %q", name, got, want)
		}
	}
}
