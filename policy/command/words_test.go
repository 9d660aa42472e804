package command

import (
	"strings"
	"testing"
)

const copier = `copier:
  syntax: bundled
  flags:
    value: [f file, {if=: source:read}, {of=: target:write}, {+: startup:shell}, {pair: name path:read}, {x: left...}]
    letters: vz
    switch: [0 1 2 3 4 5 6 7 8 9, e expression]
  operands: [{pattern: {unless: [--expression]}}, "path:read..."]
  effects: [{mode: "{file}", content: "{pattern}"}]
  prints: [not -v, --expression]
`

func TestOptionsOfManyFormsAreRead(t *testing.T) {
	p := described(t, strings.Replace(copier, "not -v", "not --v", 1))
	for args, want := range map[string]string{
		"p a b":              "read a; read b",
		"-5 p a":             "read a",
		"-e a b":             "read a; read b",
		"if=a of=b":          "read a; write b",
		"+x p a":             "shell x; read a",
		"--pair n a p b":     "read a; read b",
		"zvf a p b":          "read b; mode a",
		"p a -x b c -v d":    "read a; read d",
		"zvf=a":              "",
		"-f= p b":            "read b; mode =",
		"--unknown -e a b":   "read b; read a", // -e may be its value, and a the pattern
		"q p a":              "read p; read a", // q is not a letter that it has
		"--unknown p a":      "read a",
		"--unknown of=b p a": "write b; read a",
	} {
		if got := strings.Join(resolve(p, strings.Fields(args)...).said, "; "); got != want {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
}

func TestWhatCannotBeToldIsPrinted(t *testing.T) {
	p := described(t, strings.Replace(copier, "not -v", "not --v", 1))
	for args, want := range map[string]bool{"p a": true, "-v p a": false, "-e -v a": true, "--unknown -v p a": true} {
		if got, _ := p.Prints(&Invocation{Name: "copier", Args: strings.Fields(args)}, &heard{}); got != want {
			t.Errorf("%s prints what it reads: %v, want %v", args, got, want)
		}
	}
}

func TestADescriptionAddsToTheOneItIsLike(t *testing.T) {
	c, err := Parse("test.yaml", "_base:\n  operands: [\"path:read...\"]\n  hook: a\nother:\n  like: _base\n  hook: b\nown:\n  like: _base\n  operands: [\"path:write\"]\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"other": "read x; hook a; hook b", "own": "write x; hook a"} {
		if got := strings.Join(resolve(c.Program(name), "x").said, "; "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
