package command

import (
	"slices"
	"strings"
	"testing"
)

// Every name of an option stands for all others, in every command that has it.
func TestFlagsHaveAllTheirNames(t *testing.T) {
	t.Parallel()

	tried := 0
	for _, name := range Builtin().Names() {
		p := Builtin().Program(name)
		if p.syntax.slash || p.syntax.oneDash {
			continue
		}
		for _, one := range p.flags {
			for _, option := range one.names {
				got := p.FlagNames(nil, option)
				for _, other := range one.names {
					dashed := "--" + other
					if len(other) == 1 {
						dashed = "-" + other
					}
					if other != option && len(p.match(&line{})) == 0 && p.every[option] == one && !slices.Contains(got, dashed) {
						t.Errorf("%s: -%s is not known as %s: %v", name, option, dashed, got)
					}
				}
			}
			tried++
		}
	}
	if tried < 1000 {
		t.Errorf("only %d options were tried", tried)
	}
}

func TestFlagNames(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct{ line, option, want string }{
		{"git push origin", "--force", "-f --forc"},
		{"git push origin", "force", "-f --forc"},
		{"git -C x push", "f", "--force --forc"},
		{"git push", "--no-such", ""},
		{"rm x", "-r", "-R --recursive"},
		{"rm --recurs x", "-r", "-R --recursive --recurs"},
		{"rm -- --recurs", "-r", "-R --recursive"},
		{"kubectl get pods", "namespace", "-n"},
		{"docker run x", "env", "-e"},
		{"terraform -var=x plan", "verbose", ""},
	} {
		words := strings.Fields(tc.line)
		got := strings.Join(Builtin().Program(words[0]).FlagNames(words[1:], tc.option), " ")
		if got != tc.want {
			t.Errorf("%s: %s: got %q, want %q", tc.line, tc.option, got, tc.want)
		}
	}
}
