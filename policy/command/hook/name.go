package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// longLabel is the length of a part of a name that nobody gives a host: what is
// asked for by it is told to whoever answers.
const longLabel = 40

// manyLabels is from how many dots on a name may carry something in its first
// parts.
const manyLabels = 3

// asksName is for programs that ask for a name: the name itself tells who is
// asked something, if it was made from something.
func asksName(a *invocation.Act, in *command.Reading) {
	name := ""
	made := len(a.Contents("")) > 0
	for _, operand := range follow.Few(a, in.Values("name")) {
		if strings.HasPrefix(operand, "@") || strings.HasPrefix(operand, "+") {
			continue
		}
		if name == "" || strings.Contains(operand, ".") {
			name = operand
		}
		made = made || invocation.Substitutes(operand) || len(invocation.SecretVariables(operand)) > 0 || hasLongLabel(operand)
	}
	if a.More {
		made = made || len(a.In.Roots) == 0 && a.In.Piped && !a.In.Known
	}
	if host := in.Value("host"); host != "" { // who is asked
		name = host
	}
	if made {
		a.SendsTo(invocation.KnownHost(name))
		return
	}
	for _, operand := range follow.Few(a, in.Values("name")) {
		if command.Builtin().In("pings", in.Name) && invocation.IsOutside(operand) {
			a.Add(effect.Effect{Verb: effect.Connect, Kind: effect.Probe, Object: operand})
		}
	}
}

// hasLongLabel reports whether a part of a name is so long, or its parts are so
// many, that it may carry something.
func hasLongLabel(name string) bool {
	long := slices.ContainsFunc(strings.Split(name, "."), func(label string) bool { return len(label) >= longLabel && !invocation.Unknown(label) })
	return long || strings.Count(strings.TrimSuffix(name, "."), ".") >= manyLabels && !strings.HasPrefix(name, "_") && !strings.HasSuffix(name, ".arpa") && strings.Trim(name, "0123456789.") != ""
}
