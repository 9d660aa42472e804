package rule

import (
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
)

// mostCauses is how many effects of a call are checked for being causes.
const mostCauses = 32

// Causes returns the effects of a subject's call each of which alone makes the
// condition true, in order: of all that a call would do, what the condition matched.
// There are none if it is true whatever the effects are, or only for several of them
// together.
func (p *Program) Causes(s *policy.Subject) []effect.Effect {
	read := viewOf(s, p.programs).read()
	if len(read.Effects) == 0 || p.exchangeOnly || p.holdsWith(s, read, nil) {
		return nil
	}
	var causes []effect.Effect
	for i := range read.Effects[:min(len(read.Effects), mostCauses)] {
		if p.holdsWith(s, read, read.Effects[i:i+1]) {
			causes = append(causes, read.Effects[i])
		}
	}
	return causes
}

// holdsWith reports whether the condition is true if a call has only these effects.
func (p *Program) holdsWith(s *policy.Subject, read *call.Call, effects []effect.Effect) bool {
	v := newView(s, s.Exchange, p.programs)
	v.reading.once.Do(func() {
		c := &v.reading.call
		c.Name, c.RawName, c.Kind, c.Server, c.Raw = read.Name, read.RawName, read.Kind, read.Server, read.Raw
		c.ServerUnknown = read.ServerUnknown
		c.Commands, c.Reads, c.Writes, c.URLs = read.Commands, read.Reads, read.Writes, read.URLs
		c.SQL, c.Sends, c.Untrusted, c.Cwd, c.Unknown = read.SQL, read.Sends, read.Untrusted, read.Cwd, read.Unknown
		c.Effects = effects
	})
	outcome, _, err := p.match(v)
	return err == nil && outcome == True
}
