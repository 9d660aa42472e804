package sdk

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// A model that repeats a denied call is told a limited number of times: then
// the turn ends, and the client is told. To the client it is one answer
// throughout.
func TestSDKEndsTheTurnOfAModelThatRepeatsItself(t *testing.T) {
	h := newHost(t)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			for _, f := range forms() {
				t.Run(f.name, func(t *testing.T) {
					for _, p := range positions()[:3] { // those where every call is judged
						t.Run(p.name, func(t *testing.T) {
							v := verdict{action: policy.BlockFeedback, feedback: true, outcome: blocked, says: reasonText}
							cell{format: format, form: f, verdict: v, position: p}.repeats(t, h)
						})
					}
				})
			}
		})
	}
}

func (c cell) repeats(t *testing.T, h *host) {
	answer := c.build(c.position.blocks())
	model := &told{next: func() policy.Source { return newSource(answer, c.form.whole) }}
	n := sluicetest.Enforcement{
		Set:     c.verdict.set(t, c.position.judged, c.position.tools, c.form.how),
		Options: policy.Options{Feedback: true},
		Run:     policy.RunOptions{Feedback: model},
	}
	d := c.enforce(t, n, answer)
	got := h.ask(t.Context(), c.format, response{whole: c.form.whole, status: 200, body: d.Bytes})
	texts := strings.Join(got.texts(), "")
	if d.Err != nil || got.err != nil || c.legal(d.Bytes) != nil {
		t.Errorf("the answer ended with %v, the client fails with %v, not legal: %v", d.Err, got.err, c.legal(d.Bytes))
	}
	if rounds := len(model.denied) / len(c.position.tools); rounds != policy.DefaultMaxRounds {
		t.Errorf("the model was told %d times, want %d", rounds, policy.DefaultMaxRounds)
	}
	if n := strings.Count(texts, "[Sluice blocked"); n != len(c.position.tools) {
		t.Errorf("%d texts for %d calls: %q", n, len(c.position.tools), texts)
	}
	if c.position.message != "" && strings.Count(texts, c.position.message) != policy.DefaultMaxRounds+1 {
		t.Errorf("a text of the model is missing: %q", texts)
	}
	if calls := got.calls(); len(calls) > 0 || got.finish != c.finish(false) {
		t.Errorf("the client has the calls %+v and the finish %q", calls, got.finish)
	}
	c.leavesNothing(t, d.Bytes)
	if t.Failed() {
		t.Logf("delivered:\n%s", d.Bytes)
	}
}
