package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// saying is a command with what it does, in the words of said.
type saying struct {
	command, does string
}

// sayEach reads commands as they would run in a project at home.
func sayEach(t *testing.T, rows []saying) {
	t.Helper()
	for _, row := range rows {
		r := Read(row.command, Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}})
		if does := strings.Join(said(r), "; "); does != row.does {
			t.Errorf("%s\n  does %s\n  want %s", row.command, does, row.does)
		}
	}
}

func TestLineTellsFlagsFromOperands(t *testing.T) {
	values := valued("o output d v verbose-to")
	for _, row := range []struct {
		name     string
		args     []string
		how      style
		flags    string
		operands string
	}{
		{"separate values", []string{"-o", "a", "b"}, gnu, "o=a", "b"},
		{"attached values", []string{"-oa", "b"}, gnu, "o=a", "b"},
		{"a value behind an equals sign", []string{"--output=a", "b"}, gnu, "output=a", "b"},
		{"letters in one word", []string{"-xyo", "a", "b"}, gnu, "x= y= o=a", "b"},
		{"a value that looks like a flag", []string{"-o", "-x", "b"}, gnu, "o=-x", "b"},
		{"no value at the end", []string{"b", "-o"}, gnu, "o=", "b"},
		{"dashes end the flags", []string{"-x", "--", "-o", "b"}, gnu, "x=", "-o b"},
		{"a dash is an operand", []string{"-", "-x"}, gnu, "x=", "-"},
		{"the first operand ends the flags", []string{"-x", "run", "-o", "b"}, firstEnds, "x=", "run -o b"},
		{"one dash for long flags", []string{"-output", "a", "-xy", "b"}, oneDash, "output=a xy=", "b"},
		{"flags cut short", []string{"--outp", "a", "b"}, shortens, "output=a", "b"},
		{"flags cut short only where that is allowed", []string{"--outp", "a", "b"}, gnu, "outp=", "a b"},
	} {
		l := cutLine(row.args, values, row.how)
		var flags []string
		for _, o := range l.flags {
			flags = append(flags, o.name+"="+o.value)
		}
		if got := strings.Join(flags, " "); got != row.flags {
			t.Errorf("%s: flags %q, want %q", row.name, got, row.flags)
		}
		if got := strings.Join(l.operands, " "); got != row.operands {
			t.Errorf("%s: operands %q, want %q", row.name, got, row.operands)
		}
	}
}

func TestFlagsThatAreSwitchedOff(t *testing.T) {
	l := cutLine([]string{"--force=false", "--dry"}, nil, shortens)
	if l.has("force") || l.exact("force") {
		t.Error("--force=false is taken for --force")
	}
	if !l.has("dry-run") && l.has("dry-run-x") {
		t.Error("a flag of three letters is taken for a longer one")
	}
}

func TestHostOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.example/a?b":        "x.example",
		"https://u:p@X.example.:8443/": "x.example",
		"x.example":                    "x.example",
		"localhost:3000/x":             "localhost",
		"http://[::1]:80/":             "::1",
		"https://a@b@evil.example/":    "evil.example",
		"https://evil.example#@good":   "evil.example",
		"https://evil.example?@good":   "evil.example",
		"":                             "",
	} {
		if got := hostOf(address); got != want {
			t.Errorf("host of %q is %q, want %q", address, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("-xo a --output=b -- c", 0)
	f.Add("--outp a -o", 7)
	values := valued("o output d")
	f.Fuzz(func(t *testing.T, text string, how int) {
		args := strings.Fields(text)
		l := cutLine(args, values, style(how&7))
		if len(l.operands) > len(args) {
			t.Fatalf("%q has more operands than words", args)
		}
		for _, operand := range l.operands {
			if !slices.Contains(args, operand) {
				t.Fatalf("%q has no word %q", args, operand)
			}
		}
	})
}
