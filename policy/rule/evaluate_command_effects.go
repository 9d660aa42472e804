package rule

import (
	"slices"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// effectsOf are the effects of a command, and of those that it runs.
func (n *node) effectsOf(f *frame, s *span) answer {
	c, a := n.command(f)
	if a != yes {
		return a
	}
	if f.view == nil {
		return unknownOf(anything)
	}
	in := f.view.read()
	if !f.spend(len(in.Commands) + len(in.Effects)) {
		return tooMuch
	}
	first, end := commandsBelow(in, c)
	s.effects = []effect.Effect{}
	for i := range in.Effects {
		e := &in.Effects[i]
		ofIt := first <= e.Command && e.Command < end
		guessed := e.Command < 0 && e.Guess && e.How == c.Name // under an assumption that nobody wrote as a command
		if ofIt || guessed {
			s.effects = append(s.effects, *e)
		}
	}
	if s.more = complete(f.known || !in.Incomplete.Commands, someEffects); s.more != yes || f.known || f.written {
		return yes
	}
	for i := first; i < end; i++ {
		if name := in.Commands[i].Name; slices.Contains(in.Strange, name) && !slices.Contains(s.strange, name) {
			s.strange, s.more = append(s.strange, name), unknownOf(someEffects)
		}
	}
	return yes
}

// commandsBelow are the numbers of a command of a call and of those that it runs, which
// follow it and lie deeper.
func commandsBelow(in *call.Call, c *invocation.Command) (first, end int) {
	for first < len(in.Commands) && &in.Commands[first] != c {
		first++
	}
	for end = first + 1; end < len(in.Commands) && in.Commands[end].Depth > c.Depth; {
		end++
	}
	return first, min(end, len(in.Commands))
}
