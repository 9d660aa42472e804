package file

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
)

// Why explains a policy's verdict on a block, for whoever writes the policy.
type Why struct {
	Policy string `json:"policy"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	// Preset is the preset through which it was included, empty if it is in a
	// file itself.
	Preset string `json:"preset,omitempty"`
	// Note says why there is no more to say: the policy applies to other
	// blocks, or has no condition.
	Note string `json:"note,omitempty"`
	// When is its condition, and Excepts are those under which it does not
	// apply.
	When    *rule.Part   `json:"when,omitempty"`
	Excepts []*rule.Part `json:"excepts,omitempty"`
}

// Why explains the verdicts on a block, which comes after others of the same answer,
// of those policies of the set that of asks for, by their names and the presets
// through which they were included; nil asks for all. Each explanation compiles every
// part of a condition, so ask for what is shown.
func (l *Loaded) Why(x *policy.Exchange, before []llm.Block, b llm.Block, of func(name, preset string) bool) []Why {
	var list []Why
	for i, g := range l.guards {
		u := l.active[i]
		if of != nil && !of(u.name, u.preset) {
			continue
		}
		w := Why{Policy: u.name, File: u.source.name, Line: u.where.line, Preset: u.preset}
		s := policy.NewSubjectAfter(x, before, b)
		switch {
		case !g.applies.Has(b.Kind):
			w.Note = g.explain(x, b)
		case g.when == nil:
			w.Note = g.explain(x, b)
		default:
			w.When = explained(g.when, s)
		}
		if g.applies.Has(b.Kind) {
			for _, e := range g.excepts {
				w.Excepts = append(w.Excepts, explained(e, s))
			}
		}
		list = append(list, w)
	}
	return list
}

// explained is a condition part by part.
func explained(p *rule.Program, s *policy.Subject) *rule.Part {
	part, err := p.Explain(s)
	if err != nil {
		return &rule.Part{Outcome: rule.Unknown, Result: "error", Missing: err.Error()}
	}
	return part
}
