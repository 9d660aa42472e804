package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestOptionsAreToldFromOperands(t *testing.T) {
	u := &usage{values: "fC", attached: "i", long: []string{"file", "directory"}, bundled: true}
	for _, c := range []struct {
		name     string
		args     []string
		operands []string
		value    string // of f or file
	}{
		{"a value in the next word", []string{"-f", "a", "b"}, []string{"b"}, "a"},
		{"a value in the same word", []string{"-fa", "b"}, []string{"b"}, "a"},
		{"a value behind other letters", []string{"-xzf", "a", "b"}, []string{"b"}, "a"},
		{"a value that looks like an option", []string{"-f", "-x", "b"}, []string{"b"}, "-x"},
		{"a long option with its value", []string{"--file=a", "b"}, []string{"b"}, "a"},
		{"a long option and its value", []string{"--file", "a", "b"}, []string{"b"}, "a"},
		{"an abbreviation", []string{"--fil", "a", "b"}, []string{"b"}, "a"},
		{"letters without a dash", []string{"xfC", "a", "dir", "b"}, []string{"b"}, "a"},
		{"an optional value takes no word", []string{"-i", "b"}, []string{"b"}, ""},
		{"the end of the options", []string{"--", "-f", "a"}, []string{"-f", "a"}, ""},
		{"a dash is an operand", []string{"-x", "-"}, []string{"-"}, ""},
		{"an option without its value", []string{"-f"}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := (&act{Command: &Command{Args: c.args}}).given(u)
			if !slices.Equal(g.operands, c.operands) || g.value("f", "file") != c.value {
				t.Errorf("operands %q, value %q; want %q, %q", g.operands, g.value("f", "file"), c.operands, c.value)
			}
		})
	}
}

func TestEffectsCarryWhatIsWritten(t *testing.T) {
	at := Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}
	for _, c := range []struct{ text, object, content string }{
		{"chmod 777 a", "/home/u/p/a", "777"},
		{"chmod -R u+rwX a", "/home/u/p/a", "u+rwX"},
		{"chown root a", "/home/u/p/a", "root"},
		{"chattr -i a", "/home/u/p/a", "-i"},
		{"echo hi | tee a", "/home/u/p/a", "hi\n"},
		{"echo hi | tee -a a", "/home/u/p/a", ""}, // not all of what is in it then
		{"echo '@daily id' | crontab", "crontab", "@daily id\n"},
	} {
		r := Read(c.text, at)
		i := slices.IndexFunc(r.Effects, func(e effect.Effect) bool { return e.Object == c.object })
		if i < 0 || r.Effects[i].Content != c.content {
			t.Errorf("%s: %+v, want content %q", c.text, r.Effects, c.content)
		}
	}
}

// FuzzVerbs gives every program any arguments and any input.
func FuzzVerbs(f *testing.F) {
	for _, args := range []string{"-rf /", "-x -TT", "-c :!id", "--", "-", "s/a/b/e", `{print "x" | "sh"}`, "a b c", "-i", "-o", "host: [::1]:x", "x=|y -e s", "get secret -o", "-ex !x", "\\x"} {
		f.Add(args, "@daily x\n+++ b/a\n")
	}
	names := make([]string, 0, len(verbs))
	for name := range verbs {
		names = append(names, name)
	}
	slices.Sort(names)
	f.Fuzz(func(_ *testing.T, text, input string) {
		words := append([]string{""}, splitAtBlanks(text)...)
		for _, name := range names {
			words[0] = name
			r := newReader(Setting{Place: effect.Place{Cwd: "/w"}}, len(text))
			r.argv(words, origin{}, flow{piped: input != "", known: input != "", text: input})
		}
	})
}

func splitAtBlanks(text string) []string {
	var words []string
	start := 0
	for i := range len(text) + 1 {
		if i == len(text) || text[i] == ' ' {
			words = append(words, text[start:i]) // empty words too
			start = i + 1
		}
	}
	return words
}
