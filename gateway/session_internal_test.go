package gateway

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy"
)

// Conditions see the names of the clients that the gateway distinguishes.
func TestClientsAreThoseThatPoliciesKnow(t *testing.T) {
	t.Parallel()

	for _, client := range clientNames {
		if !slices.Contains(policy.Clients(), client[1]) {
			t.Errorf("policy.Clients does not have %s", client[1])
		}
	}
}
