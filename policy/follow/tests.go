package follow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// batsTest is the line that begins a test of bats: a block with a name. batsRun is
// its word for running the command that follows.
var (
	batsTest = regexp.MustCompile(`(?m)^[ \t]*@test[ \t].*\{[ \t]*$`)
	batsRun  = regexp.MustCompile(`(?m)^([ \t]*)run[ \t]+(?:(?:-[0-9]+|!|--separate-stderr|--keep-empty-lines|--)[ \t]+)*`)
)

// ofTests leaves out what tests do to databases and, where they say so, to clouds
// that are made for them.
func ofTests(r *invocation.Reader, before int, program string) {
	made := false
	for _, word := range []string{"moto", "mock", "Mock", "localhost", "localstack", "127.0.0.1", "testcontainers", "responses", "vcr", "fake", "stub"} {
		made = made || strings.Contains(program, word)
	}
	for i := before; i < len(r.Reading.Effects); {
		switch e := &r.Reading.Effects[i]; {
		case e.Verb == effect.Drop, e.Verb == effect.Destroy && made:
			r.Reading.Effects = slices.Delete(r.Reading.Effects, i, i+1)
		default:
			i++
		}
	}
}
