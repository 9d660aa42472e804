package file

import (
	"context"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
)

// restore puts back the secrets that placeholders in a call stand for, where the
// condition says that they belong there. Anywhere else, and where nobody knows
// what a placeholder stands for, the call is blocked: a placeholder must never
// take the place of a real secret, and a secret must never leave by this way.
func (p *part) restore(_ context.Context, s *policy.Subject) policy.Change {
	if len(secret.Placeholders(s.Text())) == 0 {
		return policy.Change{}
	}
	m := p.about(s)
	if m.err != nil {
		return p.failed(m.err)
	}
	if m.outcome != rule.True {
		return policy.Change{Action: policy.Block, Reason: p.reason}
	}
	put := p.vault.Restore
	if hasJSON(&s.Block) {
		put = p.vault.RestoreJSON
	}
	restored, known := put(s.Text())
	if !known {
		return policy.Change{Action: policy.Block, Reason: "a placeholder in this call stands for a secret that is not known any more: read the file again"}
	}
	return policy.Change{Action: policy.Rewrite, Text: restored, Reason: "the secrets were put back"}
}
