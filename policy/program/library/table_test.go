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
		"a: {likes: b}":                                        `x.yaml:1:5: call a: a call has no key "likes" (did you mean "like"?); the keys are on, if, args, named, effects, gives, hook, like`,
		"a: {like: b}\nb: {like: a}":                           `x.yaml:1:11: call a: there is no call "b" to be like`,
		"a: {hook: x}":                                         `x.yaml:1:11: call a: there is no hook "x"`,
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
