package follow

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/invocation"
)

// AnyInterpreter reads the texts that a program is given whose name is not known, by the options
// with which interpreters are given one: "$TOOL" -c 'text'. Each interpreter that has the option
// may be meant, and a shell. What they cannot make sense of is no reason for doubt, as it is for
// somebody else.
func AnyInterpreter(a *invocation.Act) {
	unknown, strange := a.R.Reading.Unknown, a.R.Reading.Strange
	for _, name := range slices.Sorted(maps.Keys(Interpreters)) {
		in := Interpreters[name]
		l := readLine(a, in)
		for _, at := range l.programs {
			if a.R.Pay(invocation.StepCost + len(at.text)) {
				Program(a, in, l.looped(at.text), at.word, l.arguments())
			}
		}
		if m := l.Value("module"); m != "" && l.programs == nil {
			module(a, m, l.Behind("module"))
		}
	}
	a.R.Reading.Unknown, a.R.Reading.Strange = unknown, strange
	for _, text := range After(a, "-c") {
		if strings.Contains(text, " ") {
			a.Script(text)
		}
	}
}
