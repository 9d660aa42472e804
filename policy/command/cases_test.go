package command

import (
	"slices"
	"strings"
	"testing"
)

// calledWith is what a program that is described in YAML does when it is called.
func calledWith(t *testing.T, yaml string, args ...string) *heard {
	t.Helper()
	c, err := Parse("test.yaml", yaml, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &heard{}
	c.Program("tool").Resolve(&Invocation{Name: "tool", Args: args}, h)
	return h
}

func TestAValueIsToldApartByItsForm(t *testing.T) {
	const tool = `
tool:
  flags: {switch: [kept]}
  operands: [setting...]
  cases:
    setting:
      - {is: "alias.{name}=!{line:shell}", effects: [{persist: "alias {name}", if: [--kept]}]}
      - {is: ["{path+}/{name}={value}", "{name}={value}"], unless: [name=off], effects: [{set-variable: "{name}", from: "{value}"}]}
      - {effects: [{read: "{setting}"}]}
`
	for _, c := range []struct {
		args string
		want []string
	}{
		{"alias.x=!rm", []string{"shell rm"}},
		{"--kept ALIAS.x=!rm", []string{"shell rm", "persist alias x"}},
		{"a/b/c=1=2", []string{"set-variable c to 1=2"}},
		{"c=1 d=2", []string{"set-variable c to 1", "set-variable d to 2"}},
		{"off=1", []string{"read off=1"}},
		{"plain", []string{"read plain"}},
	} {
		if got := calledWith(t, tool, strings.Fields(c.args)...).said; !slices.Equal(got, c.want) {
			t.Errorf("%s does %q, want %q", c.args, got, c.want)
		}
	}
}

// A case that may apply counts, and so does the next one.
func TestACaseThatMayApplyHidesNoOther(t *testing.T) {
	const tool = `
tool:
  operands: [kind, name]
  cases:
    name:
      - {if: [kind=soft], effects: [{apply: "{name}"}]}
      - {effects: [{destroy: "{name}"}]}
`
	for kind, want := range map[string][]string{"soft": {"apply x"}, "hard": {"destroy x"}, "$KIND": {"apply x", "destroy x"}} {
		if got := calledWith(t, tool, kind, "x").said; !slices.Equal(got, want) {
			t.Errorf("%s does %q, want %q", kind, got, want)
		}
	}
}

func TestAValueIsToldApartByWhatItSaysAsADocument(t *testing.T) {
	const tool = `
tool:
  operands: [document]
  cases:
    document:
      - {in: Rules, has: ["Days<8 and not Prefix=?*", "Date and not Prefix=?*"], effects: [{destroy: objects, wide: true}]}
      - {has: ["**.Principal=\\*"], effects: [{grant: everybody}]}
      - {has: [lines], take: {line: lines}, effects: [{shell: "{line}"}]}
`
	for document, want := range map[string][]string{
		`{"Rules":[{"Days":1}]}`:                                          {"destroy objects, and everything in it"},
		`{"Rules":[{"Prefix":"","Days":1}]}`:                              {"destroy objects, and everything in it"},
		`{"Rules":[{"Days":1,"Prefix":"a/"},{"Days":30}]}`:                nil,
		`{"Rules":[{"Days":30},{"Date":"x","Prefix":""}]}`:                {"destroy objects, and everything in it"},
		`{"Statement":{"Principal":"*"}}`:                                 {"grant everybody"},
		`{"Statement":[{"principal":["a","*"]}]}`:                         {"grant everybody"},
		`{"Statement":[{"Principal":"\u002a","\ud83d\ude00":1}]}`:         {"grant everybody"},
		`{"Policy":"{\"Statement\":[{\"Principal\":\"*\"}]}"}`:            {"grant everybody"},
		"Statement:\n- Principal: a\n---\nStatement:\n- Principal: '*'\n": {"grant everybody"},
		`{"Statement":[{"Principal":"arn:*"}]}`:                           nil,
		`{"lines":["a","b c"]}`:                                           {"shell a", "shell b c"},
	} {
		if got := calledWith(t, tool, document).said; !slices.Equal(got, want) {
			t.Errorf("%s does %q, want %q", document, got, want)
		}
	}
	if h := calledWith(t, tool, `{"Rules":[{"Days":1,`); !slices.Contains(h.unknown, UnknownValue) {
		t.Errorf("a document that cannot be read is not unknown: %q", h.said)
	}
}

func TestWhatRunsIsMadeOfValues(t *testing.T) {
	const tool = `
tool:
  flags: {value: [exec]}
  operands: [word...]
  after: rest
  effects:
    - {shell: "{exec}[ {word*}]"}
    - {argv: [node, "[{word*}]", "[{rest*}]"], unless: [exec]}
`
	for args, want := range map[string][]string{
		"--exec sh a b": {"shell sh a b"},
		"a b -- c":      {"argv node a b c"},
		"":              {"argv node"},
	} {
		if got := calledWith(t, tool, strings.Fields(args)...).said; !slices.Equal(got, want) {
			t.Errorf("%q runs %q, want %q", args, got, want)
		}
	}
}

func TestMistakesInCasesAreNamed(t *testing.T) {
	for yaml, want := range map[string]string{
		"tool:\n  operands: [a]\n  cases: {a: [{is: \"{b\"}]}\n":                                "a { has no }",
		"tool:\n  operands: [a]\n  cases: {a: [{is: \"{b}{c}\"}]}\n":                            "says where {b} ends",
		"tool:\n  operands: [a]\n  cases: {a: [{of: x}]}\n":                                     "of",
		"tool:\n  operands: [a]\n  cases: {a: [{has: [\"x<y\"]}]}\n":                            "is no number",
		"tool:\n  operands: [a]\n  cases: {a: [{is: \"{b}=1\", effects: [{read: \"{c}\"}]}]}\n": "gives the role {c}",
		"tool:\n  operands: [a]\n  cases: {b: [{effects: [{read: \"{a}\"}]}]}\n":                "gives the role b",
		"tool:\n  operands: [a]\n  effects: [{shell: []}]\n":                                    "needs a text",
	} {
		c, err := Parse("test.yaml", yaml, nil)
		if err == nil {
			err = c.Check()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", yaml, err, want)
		}
	}
}
