package policy

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

// assembly holds the policies' instances for one exchange and the kinds of
// blocks they apply to. It is immutable once made.
type assembly struct {
	parts []part
	// changing are the instances that change blocks, atOnce those that judge
	// them synchronously and later those that judge asynchronously.
	changing, atOnce, later []*part
	// held are the kinds that wait for a verdict; looked those that only shadow
	// policies judge, which pass at once; watched both, and the kinds whose text
	// is replaced as it streams.
	held, looked, watched Kinds
	// sees: a policy looks at every chunk. waitsForSome: a policy is asynchronous.
	sees, waitsForSome bool
	// enforced is true when an enforced policy applies to tool calls: then what
	// cannot be judged must not pass.
	enforced bool
	// together: a policy judges all calls of a message at once; waitsForAll: an
	// enforced one does.
	together, waitsForAll bool
	// onlyFeedback: no enforced policy ends the turn.
	onlyFeedback bool
	// texts replace text as it streams, shadows only look for matches.
	texts, shadows *texts
}

// part is a policy's instance in this exchange.
type part struct {
	def *Definition
	Policy
}

// assemble makes the policies' instances for an exchange.
func (s *Set) assemble(x *Exchange) *assembly {
	a := &assembly{parts: make([]part, 0, len(s.definitions)), onlyFeedback: true}
	var active []int
	for i := range s.definitions {
		p := part{def: &s.definitions[i]}
		p.Policy = p.make(x)
		if p.Off {
			continue
		}
		if len(p.def.Text) > 0 {
			active = append(active, i)
		}
		a.add(p)
	}
	// What a provider runs itself has already happened when it is seen.
	a.held, a.looked = heldOf(a.held), heldOf(a.looked)
	a.watched = a.held | a.looked
	if a.texts, a.shadows = s.textsOf(active); a.texts != nil || a.shadows != nil {
		a.watched |= KindsOf(llm.Content, llm.Refusal)
	}
	return a
}

func heldOf(kinds Kinds) Kinds {
	kinds &^= KindsOf(llm.ServerTool, llm.ToolResult, Prompt)
	if kinds.Has(llm.ToolCall) {
		kinds |= KindsOf(llm.Opaque) // it may carry a call
	}
	return kinds
}

func (a *assembly) add(p part) {
	a.parts = append(a.parts, p) // has capacity for all of them
	own := &a.parts[len(a.parts)-1]
	if p.Change != nil {
		a.changing = append(a.changing, own)
	}
	switch {
	case p.Judge == nil:
	case p.def.Waits:
		a.later = append(a.later, own)
	default:
		a.atOnce = append(a.atOnce, own)
	}
	counts := p.def.Mode == Enforce
	if p.Change != nil || p.Judge != nil || p.JudgeAll != nil {
		if counts {
			a.held |= p.def.Applies
		} else {
			a.looked |= p.def.Applies
		}
		a.enforced = a.enforced || counts && p.def.Applies.Has(llm.ToolCall)
	}
	a.sees = a.sees || p.See != nil
	a.waitsForSome = a.waitsForSome || p.def.Waits
	a.onlyFeedback = a.onlyFeedback && (p.def.Feedback || !counts)
	a.together = a.together || p.JudgeAll != nil
	a.waitsForAll = a.waitsForAll || p.JudgeAll != nil && counts
}

// make makes the policy's instance for an exchange. A policy that panics here cannot judge, so it fails on
// every block.
func (p *part) make(x *Exchange) (made Policy) {
	switch {
	case p.def.Policy != nil:
		return *p.def.Policy
	case p.def.New == nil:
		return Policy{}
	}
	defer func() {
		if r := recover(); r != nil {
			err := fmt.Errorf("policy %s panicked when the exchange began: %v", p.def.Name, r)
			made = Policy{Judge: func(context.Context, *Subject) Verdict {
				return Verdict{Cause: CausePanic, Err: err}
			}}
		}
	}()
	return p.def.New(x)
}
