package gateway_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// Nobody waits for an opinion that does not count, also where an answer was ended by
// another policy and came at once.
func TestABlockedAnswerDoesNotWaitForShadows(t *testing.T) {
	waits := make(chan struct{})
	set, err := policy.NewSet(
		policy.Definition{Name: "no", Applies: policy.KindsOf(llm.ToolCall), Policy: &policy.Policy{Judge: func(context.Context, *policy.Subject) policy.Verdict {
			return policy.Verdict{Action: policy.BlockEndTurn, Reason: "not today"}
		}}},
		policy.Definition{Name: "slow", Applies: policy.KindsOf(llm.Content), Mode: policy.Shadow, Waits: true, Policy: &policy.Policy{Judge: func(ctx context.Context, _ *policy.Subject) policy.Verdict {
			select {
			case <-waits:
			case <-ctx.Done():
				t.Error("the client waits until nobody can answer any more")
			}
			return policy.Verdict{Action: policy.Allow}
		}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	sent := reply(wire.Anthropic, true, []llm.Block{{Kind: llm.Content, Text: "some words"}, {Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: `{"command":"ls"}`}}, sluicetest.BuildOptions{})
	sent.Stream = false // its end comes with its last bytes
	b := newBench(t, func(c *gateway.Config) { c.Policies = policy.NewLive(set) }, sent)
	conn := b.dial()
	b.send(conn, wire.Anthropic, true)
	var got []byte
	for piece := make([]byte, 4096); !bytes.Contains(got, []byte("not today")); {
		n, err := conn.Read(piece)
		if got = append(got, piece[:n]...); err != nil {
			t.Fatalf("%v after %s", err, got)
		}
	}
	close(waits)
}
