package file

import (
	"fmt"
	"slices"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy"
)

// overruled notes examples that a policy lets pass and another one in force blocks:
// examples are tried on their own policy alone, and the strictest verdict wins.
func (l *loader) overruled(active []*use, guards []*guard) {
	for i, u := range active {
		if u.preset != "" {
			continue
		}
		for j := range u.examples {
			e := &u.examples[j]
			if !slices.Contains([]string{policy.Allow.String(), policy.Annotate.String()}, e.want) {
				continue
			}
			b := e.blocks(guards[i])[0]
			var stricter []string
			exempt := ""
			for k, g := range guards {
				other := active[k]
				if k == i || other.mode != enforced {
					continue
				}
				t := g.on(e.exchange, b, other.judge != nil || other.hook != nil)
				if t.action < policy.Ask || t.asked || t.err != nil || t.cause == policy.CauseUnknown {
					continue
				}
				name := other.name
				if other.preset != "" {
					name += " (" + other.preset + ")"
					exempt = "exempt it with `except` of `preset: " + other.preset + "` if it should pass"
				}
				stricter = append(stricter, name)
			}
			if stricter != nil {
				u.report.warn(Problem{
					File: u.source.name, Line: e.where.line, Column: e.where.column, Policy: u.name, Note: true, Suggestion: exempt,
					Message: fmt.Sprintf("the example %s passes this policy, but not %s, in force as well", shown(&b), words.OneOf(stricter)),
				})
			}
		}
	}
}
