package shell_test

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// effectsOf are the effects of a command in words, without repetitions.
func effectsOf(r *invocation.Reading) []string {
	list := []string{}
	for i := range r.Effects {
		list = append(list, r.Effects[i].String())
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestExamplesOfTheCatalogueHaveTheEffectsTheySay(t *testing.T) {
	c := command.Builtin()
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	seen := map[*command.Program]bool{}
	for _, name := range c.Names() {
		p := c.Program(name)
		if seen[p] {
			continue
		}
		seen[p] = true
		if len(p.Examples()) == 0 {
			t.Errorf("%s:%d: %s has no examples", p.File, p.Line, p.Names[0])
		}
		for _, x := range p.Examples() {
			r := shell.Read(x.Run, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
			want := slices.Sorted(slices.Values(x.Want))
			if got := effectsOf(&r); !slices.Equal(got, want) {
				t.Errorf("%s:%d: %s\n got %q\nwant %q", p.File, x.Line, x.Run, got, want)
			}
			if x.Unknown && !slices.Contains(r.Unknown, invocation.Subcommand) && !slices.Contains(r.Unknown, invocation.Variable) {
				t.Errorf("%s:%d: %s is not unknown, but %q", p.File, x.Line, x.Run, r.Unknown)
			}
		}
	}
}

func TestOrdersOfTheCatalogueAreRead(t *testing.T) {
	orders, examples, err := command.Builtin().CheckOrders()
	if err != nil {
		t.Fatal(err)
	}
	ways := follow.Ways()
	for i := range orders {
		if !slices.Contains(ways, orders[i].As) {
			t.Errorf("orders.yaml:%d: nothing reads a text as %q", orders[i].Line, orders[i].As)
		}
	}
	for _, x := range examples {
		r := shell.Read(x.Run, invocation.Setting{Place: effect.Place{Cwd: "/home/u/project", Home: "/home/u"}})
		want := slices.Sorted(slices.Values(x.Want))
		if got := effectsOf(&r); !slices.Equal(got, want) {
			t.Errorf("orders.yaml:%d: %s\n got %q\nwant %q", x.Line, x.Run, got, want)
		}
	}
}
