package scripted

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// player plays one round.
type player struct {
	opts   *Options
	number int
	model  string
	// yield returns false when the consumer has stopped.
	yield   func(stream.Event) bool
	stopped bool
	begun   bool
	blocks  int
	calls   int
	word    string
	reason  llm.FinishReason
}

// put yields an event and reports whether to continue.
func (p *player) put(ev stream.Event) bool {
	p.stopped = p.stopped || !p.yield(ev)
	return !p.stopped
}

// begin reports the model, before anything else.
func (p *player) begin() bool {
	if p.begun {
		return true
	}
	p.begun = true
	return p.put(stream.Event{Type: stream.EventMeta, ID: "scripted_" + strconv.Itoa(p.number), Name: p.model, Block: -1, Index: -1})
}

// play yields the events of a round. The error is how it ends, nil if the answer is
// complete or was stopped.
func (p *player) play(ctx context.Context, round Round) error {
	for i := range round {
		done, err := p.step(ctx, &round[i], cutsAfter(round[i+1:]))
		if err != nil || p.stopped {
			return err
		}
		if done {
			break
		}
	}
	if !p.begin() {
		return nil
	}
	if p.put(stream.Event{Type: stream.EventFinish, Data: []byte(p.word), Reason: p.reason, Block: -1, Index: -1}) {
		p.put(stream.Event{Type: stream.EventDone, Block: -1, Index: -1})
	}
	return nil
}

// cutsAfter reports whether a Cut follows a block, at once or after pauses.
func cutsAfter(rest Round) bool {
	next := slices.IndexFunc(rest, func(s Step) bool {
		return s.kind != stepPause && s.kind != stepNothing && s.kind != stepWhen
	})
	return next >= 0 && rest[next].kind == stepCut
}

func (p *player) step(ctx context.Context, s *Step, cut bool) (done bool, err error) {
	switch s.kind {
	case stepNothing, stepWhen:
		return false, nil
	case stepPause:
		return false, p.opts.Sleep(ctx, s.pause)
	case stepFail:
		return true, p.fail(s.err)
	case stepBlock, stepUsage, stepFinish, stepCut, stepGarbage:
	}
	if !p.begin() {
		return true, nil
	}
	switch s.kind {
	case stepBlock:
		p.block(s.block, cut)
	case stepUsage:
		u := s.usage
		u.Raw = fmt.Appendf(nil, `{"input_tokens":%d,"output_tokens":%d}`, u.Input, u.Output)
		p.put(stream.Event{Type: stream.EventUsage, Usage: &u, Block: -1, Index: -1})
	case stepFinish:
		p.word, p.reason = s.word, s.reason
		return true, nil
	case stepCut:
		return true, stream.ErrIncomplete
	case stepGarbage:
		return true, &stream.ProtocolError{Reason: "the payload is not JSON", Seq: p.blocks, Payload: garbage}
	case stepNothing, stepWhen, stepPause, stepFail:
	}
	return false, nil
}

// garbage is what Garbage sends.
const garbage = `{"garbage":`

func (p *player) fail(err error) error {
	if reported, ok := err.(*stream.ProviderError); ok { //nolint:errorlint // an error that merely wraps one is the caller's own
		p.put(stream.Event{Type: stream.EventError, Err: reported, Block: -1, Index: -1})
	}
	if err == nil {
		return stream.ErrIncomplete
	}
	return err
}

// block yields the events of a block. A truncated one gets half of its text and no end.
func (p *player) block(b llm.Block, cut bool) {
	ev := stream.Event{Kind: b.Kind, Block: p.blocks, Index: p.blocks}
	p.blocks++
	body := b.Text
	if b.Kind == llm.ToolCall {
		p.calls++
		p.word, p.reason = "tool_calls", llm.FinishToolCalls
		if b.ID == "" {
			b.ID = callID(p.number, p.calls)
		}
		body = b.Arguments
	}
	start := ev
	start.Type, start.ID, start.Name = stream.EventStart, b.ID, b.Name
	if !p.put(start) {
		return
	}
	if cut {
		body = body[:boundary(body, len(body)/2)]
	}
	for sent := 0; sent < len(body); {
		n := boundary(body[sent:], p.opts.ChunkSize)
		delta := ev
		delta.Type, delta.Offset, delta.Data = stream.EventDelta, sent, []byte(body[sent:sent+n])
		if !p.put(delta) {
			return
		}
		sent += n
	}
	if cut {
		return
	}
	if b.Signature != "" {
		proof := ev
		proof.Type, proof.Field, proof.Data = stream.EventDelta, stream.Signature, []byte(b.Signature)
		if !p.put(proof) {
			return
		}
	}
	end := ev
	end.Type = stream.EventEnd
	p.put(end)
}

func callID(answer, call int) string { return fmt.Sprintf("call_%d_%d", answer, call) }

// boundary returns the end of the first characters of s that have about n bytes, at
// least one character.
func boundary(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if n == 0 && s != "" {
		_, n = utf8.DecodeRuneInString(s)
	}
	return n
}
