package file

import (
	"context"
	"iter"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
)

// Why a placeholder is not replaced.
const (
	unknownPlaceholder = "a placeholder in this call does not belong to a secret of this conversation: read the file again"
	tooManySecrets     = "a placeholder in this call is not among the latest secrets of this conversation, which has more secrets than are kept: read the file again"
)

// restore puts back the secrets of placeholders in a call, where the condition
// allows it. Anywhere else, and if a placeholder is unknown, the call is
// blocked: a placeholder must never replace a real secret, and a secret must
// never leave this way.
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
	vault := p.secretsOf(s.Exchange)
	put := vault.Restore
	if hasJSON(&s.Block) {
		put = vault.RestoreJSON
	}
	restored, known := put(s.Text())
	switch {
	case known:
		return policy.Change{Action: policy.Rewrite, Text: restored, Reason: "the secrets were put back"}
	case vault.Forgot():
		return policy.Change{Action: policy.Block, Reason: tooManySecrets}
	default:
		return policy.Change{Action: policy.Block, Reason: unknownPlaceholder}
	}
}

// conceal puts the placeholders back into a call that was given its secrets: what
// tools returned is kept from the model, and so is what was put into calls of it.
func (p *part) conceal(x *policy.Exchange, text string) string { return p.secretsOf(x).Conceal(text) }

// vaultKey is the fact under which an exchange keeps the secrets of its texts.
type vaultKey struct{ *secret.Redactor }

// secretsOf are the secrets in the tool results of an exchange and of the
// conversation that it continues, and in its prompts where those are redacted, by
// their placeholders. They are searched when a call has a placeholder, which is rare,
// and are gone with the exchange: a placeholder copied to another exchange is
// worthless.
func (p *part) secretsOf(x *policy.Exchange) *secret.Vault {
	found := x.Fact(vaultKey{p.restores}, func() any {
		vault := secret.NewVault(secret.VaultOptions{})
		take := func(texts iter.Seq[string]) {
			for text := range texts {
				if !noSecretIn(text) {
					p.restores.Collect(text, vault)
				}
			}
		}
		if p.prompted {
			take(x.Prompts())
		}
		take(x.Results())
		return vault
	})
	vault, _ := found.(*secret.Vault)
	return vault
}

// linkPrompts tells the guards that restore secrets whether one of the policies
// redacts them in prompts.
func linkPrompts(active []*use, guards []*guard) {
	prompted := false
	for i, g := range guards {
		prompted = prompted || g.secrets && g.changes() && g.applies.Has(policy.Prompt) && active[i].mode == enforced
	}
	for _, g := range guards {
		g.prompted = prompted
	}
}
