package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// A program that reaches an address that is written reaches it where it is not known, too:
// no example of the catalogue loses all that is fetched, sent or connected to when the
// word with the address is a variable.
func TestDestinationsThatAreNotKnownAreNotLeftOut(t *testing.T) {
	c := command.Builtin()
	seen, tried := map[*command.Program]bool{}, 0
	for _, name := range c.Names() {
		p := c.Program(name)
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, x := range p.Examples() {
			for _, word := range strings.Fields(x.Run)[1:] {
				if !strings.Contains(word, "://") && !strings.Contains(word, "@") && !strings.Contains(word, ":") || strings.ContainsAny(word, "'\"$`=|;()<>") || strings.HasPrefix(word, "-") || strings.ContainsAny(x.Run, "'\"") {
					continue
				}
				reached := func(run string) []string {
					r := shell.Read(run, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
					var list []string
					for i := range r.Effects {
						if e := &r.Effects[i]; e.Verb == effect.Fetch || e.Verb == effect.Send || e.Verb == effect.Connect {
							list = append(list, fmt.Sprint(e.Verb))
						}
					}
					slices.Sort(list)
					return slices.Compact(list)
				}
				want := reached(x.Run)
				if len(want) == 0 {
					continue
				}
				without := reached(strings.ReplaceAll(x.Run, " "+word, " ./a"))
				if slices.Equal(want, without) {
					continue // it is not about this word
				}
				tried++
				open := strings.ReplaceAll(x.Run, " "+word, ` "$R"`)
				for _, verb := range want {
					if got := reached(open); !slices.Contains(without, verb) && !slices.Contains(got, verb) {
						t.Errorf("%s:%d: %s does not %s", p.File, x.Line, open, verb)
					}
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("the examples say little: %d", tried)
	}
}
