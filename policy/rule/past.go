package rule

import (
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/flow"
)

// pastView is what the conversation saw and did before the call.
type pastView view

// nothingBefore is the past of a subject about which nothing is known.
var nothingBefore = policy.NewSubject(nil, llm.Block{})

func (p *pastView) past() *flow.Past {
	if p.subject == nil {
		return flow.Of(nothingBefore)
	}
	return flow.Of(p.subject)
}
