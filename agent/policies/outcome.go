package policies

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// tellModel collects the denials of an answer whose calls were all denied, and
// releases the rest of it.
func (h *judgedAnswer) tellModel() error {
	if h.words = h.engine.Denials(); h.words == nil {
		return nil
	}
	err := h.engine.Resume(h.out)
	h.words = nil
	return err
}

// same reports whether two blocks are equal.
func same(a, b llm.Block) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Name == b.Name && a.Text == b.Text && a.Arguments == b.Arguments &&
		a.Signature == b.Signature && a.ToolUseID == b.ToolUseID && a.Type == b.Type && a.Status == b.Status && a.Failed == b.Failed &&
		bytes.Equal(a.Raw, b.Raw) &&
		slices.EqualFunc(a.Citations, b.Citations, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}

// apply turns the answer into what the policies made of it.
func (h *judgedAnswer) apply(answer *agent.Answer) {
	changed := false
	for i, b := range h.final {
		have := &answer.Blocks[i]
		switch {
		case b.with != nil && b.with.Kind == have.Kind:
			have.Text, have.Arguments, have.Raw, have.Citations = b.with.Text, b.with.Arguments, nil, nil
			if b.blocked {
				answer.Withheld = b.with.Text
			}
		case b.with != nil:
			answer.Withheld = b.with.Text
			*have, changed = *b.with, true
		case b.denied && b.refused:
			answer.Refuse(i, b.words)
		case b.denied:
			answer.Deny(i, b.words)
		case b.edited:
			// Sources may quote what was removed from the text.
			have.Text, have.Raw, have.Citations = b.said(), nil, nil
		}
		if b.ask != nil && !b.denied && have.Kind == llm.ToolCall {
			answer.Hold(i, b.ask)
		}
	}
	if changed && answer.Finish == llm.FinishToolCalls && !answer.HasCalls() {
		answer.Finish = llm.FinishStop
	}
}

// cut reduces an answer that never ended to what was released.
func (h *judgedAnswer) cut(answer *agent.Answer) {
	left := make([]llm.Block, 0, len(answer.Blocks))
	for i, have := range answer.Blocks {
		b := h.open[place{i, have.Kind}]
		switch {
		case b == nil || !b.left:
			continue
		case b.with != nil:
			have.Text, have.Arguments, have.Raw, have.Citations = b.with.Text, b.with.Arguments, nil, nil
			have.Kind = b.with.Kind
		case h.mayEdit(b):
			have.Text, have.Raw, have.Citations = b.said(), nil, nil
		}
		left = append(left, have)
	}
	answer.Blocks = left
}

// mayEdit reports whether the text of a block may be replaced as it streams.
func (h *judgedAnswer) mayEdit(b *block) bool {
	return h.rewrites && (b.kind == llm.Content || b.kind == llm.Refusal)
}

// recorded maps a record to the answer's indexes.
func (h *judgedAnswer) recorded(r *policy.Record) *policy.Record {
	if r.Stage != policy.StageAnswer {
		return r
	}
	b := h.block(r.Block)
	if b == nil {
		return r
	}
	r.Block = b.number
	b.refused = r.Verdict.Cause == policy.CauseDenied
	b.blocked = r.Verdict.Action.Blocks()
	if b.ask != nil && r.Verdict.Action.Passes() {
		// Nobody has approved it here: the run waits for that.
		r.Verdict = policy.Verdict{Action: policy.Ask, Policy: b.ask.Policy, Reason: b.ask.Reason}
		r.Delivered, r.Out = false, ""
	}
	return r
}
