package shell

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

func TestEffectsCarryWhatIsWritten(t *testing.T) {
	at := invocation.Setting{Place: effect.Place{Cwd: "/home/u/p", Home: "/home/u"}}
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
			r := newReader(invocation.Setting{Place: effect.Place{Cwd: "/w"}}, len(text))
			r.Argv(words, invocation.Origin{}, invocation.Flow{Piped: input != "", Known: input != "", Text: input})
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
