package policy

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// touch is what a chunk is about.
type touch struct {
	lanes []*lane
	gates []*ruling
	// spans are its parts of texts that are replaced in flight; pending is true
	// when one of them is not settled, or is edited.
	spans   []span
	pending bool
	// dropped: it has nothing but parts of blocks that went over a limit.
	dropped bool
	ping    bool
	failed  bool
	// finished: a choice has finished with it.
	finished bool
}

func (t *touch) lane(l *lane) {
	for _, known := range t.lanes {
		if known == l {
			return
		}
	}
	t.lanes = append(t.lanes, l)
}

func (t *touch) gate(r *ruling) {
	for _, known := range t.gates {
		if known == r {
			return
		}
	}
	t.gates = append(t.gates, r)
}

// take takes in a chunk that concerns a policy, or that comes while others
// wait.
func (e *Engine) take(ctx context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
	t := &e.touched
	*t = touch{
		lanes: t.lanes[:0], gates: t.gates[:0], spans: t.spans[:0],
		dropped: len(c.Events) > 0, ping: len(c.Events) > 0,
	}
	for i := range c.Events {
		if err := e.event(t, c, i, st); err != nil {
			return e.abort(abortVerdict(err), out)
		}
	}
	switch {
	case t.failed:
		return e.providerFailed(c, st, out)
	case t.dropped:
	case len(t.gates) > 0 || t.pending || e.waitsBehind(t):
		if t.ping {
			// It waits its turn, and the client gets a sign of life now.
			if err := out.Keepalive(); err != nil {
				return err
			}
		}
		e.enqueue(c, t)
		if e.queue.bytes > e.opts.Limits.Queue {
			return e.abort(abortVerdict(&LimitError{What: "bytes of payloads that wait", Limit: e.opts.Limits.Queue}), out)
		}
	default:
		for i := range t.spans {
			t.spans[i].edit(c)
		}
		if err := e.out(c, out); err != nil {
			return err
		}
	}
	if !t.finished && len(t.spans) == 0 && len(st.Completed()) == 0 && len(st.Hinted()) == 0 {
		return nil // nothing that is decided can change by it
	}
	e.judgeHinted(ctx, st)
	e.judgeCompleted(ctx, st)
	return e.proceed(ctx, out)
}

// waitsBehind reports whether what is touched has a line in front of it.
func (e *Engine) waitsBehind(t *touch) bool {
	if e.queue.empty() {
		return false
	}
	if len(t.lanes) == 0 || e.queue.common > 0 {
		return true
	}
	for _, l := range t.lanes {
		if len(l.line) > 0 {
			return true
		}
	}
	return false
}

// event takes in one event.
func (e *Engine) event(t *touch, c *stream.Chunk, i int, st *stream.State) error {
	ev := &c.Events[i]
	if ev.Type != stream.EventPing {
		t.ping = false
	}
	switch ev.Type {
	case stream.EventPing, stream.EventMeta, stream.EventUsage, stream.EventDone:
		t.dropped = false
		return nil
	case stream.EventError:
		t.dropped, t.failed = false, true
		return nil
	case stream.EventFinish:
		t.dropped = false
		l := e.lane(ev.Choice)
		l.finished, t.finished = true, true
		t.lane(l)
		return nil
	case stream.EventUnknown:
		if r := e.lane(ev.Choice).ruling(ev.Block); r == nil || !r.held {
			t.dropped = false
			return e.unknownEvent(ev)
		}
	default:
	}
	l := e.lane(ev.Choice)
	t.lane(l)
	r := l.ruling(ev.Block)
	if ev.Type == stream.EventStart {
		r = e.begin(ev, st)
	}
	if r == nil {
		t.dropped = false
		return nil
	}
	if r.held {
		if !r.released {
			t.gate(r)
		}
		t.dropped = t.dropped && r.over && ev.Type == stream.EventDelta
		e.grow(r, ev)
		return nil
	}
	t.dropped = false
	if r.text != nil {
		r.text.take(e, t, c, r, i)
	}
	return nil
}

// grow counts what a held block has grown by.
func (e *Engine) grow(r *ruling, ev *stream.Event) {
	if r.over || ev.Type != stream.EventDelta && ev.Type != stream.EventWhole && ev.Type != stream.EventStart {
		return
	}
	size := r.block.Len()
	if r.block.Kind() == llm.Opaque {
		size += len(r.block.Raw())
	}
	e.body += size - r.size
	r.size = size
	var limit *LimitError
	switch {
	case r.size > e.opts.Limits.Block:
		limit = &LimitError{What: "bytes of one held block", Limit: e.opts.Limits.Block}
	case e.body > e.opts.Limits.Exchange:
		limit = &LimitError{What: "bytes of held blocks in one exchange", Limit: e.opts.Limits.Exchange}
	default:
		return
	}
	r.over = true
	e.body -= r.size
	e.forget(r)
	r.votes = append(r.votes, Verdict{Action: Block, Policy: enginePolicy, Cause: CauseLimit, Reason: limit.reason(), Err: limit})
}

// LimitError is an exchange that went over one of the engine's limits.
type LimitError struct {
	What  string
	Limit int
}

// Error names the limit.
func (e *LimitError) Error() string { return "policy: " + e.reason() }

func (e *LimitError) reason() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// judgeHinted lets those who take their time begin early: a block that seems to
// have ended mostly has.
func (e *Engine) judgeHinted(ctx context.Context, st *stream.State) {
	if !e.waitsForSome {
		return
	}
	for _, b := range st.Hinted() {
		if r := e.lane(b.Choice()).ruling(b.Position()); r != nil && r.held && !r.over && b.Kind() == llm.ToolCall {
			e.judge(ctx, r)
		}
	}
}

// judgeCompleted judges the blocks whose end this chunk proved.
func (e *Engine) judgeCompleted(ctx context.Context, st *stream.State) {
	for _, b := range st.Completed() {
		r := e.lane(b.Choice()).ruling(b.Position())
		switch {
		case r == nil:
			e.recordBlock(b, Verdict{Action: Allow})
		case r.held:
			r.complete = true
			e.conclude(ctx, r)
		default:
			r.complete = true
			e.endText(r)
		}
	}
}

// proceed carries out what was decided and sends what may leave.
func (e *Engine) proceed(ctx context.Context, out *stream.Output) error {
	if v := e.aborting(); v != nil {
		return e.abort(*v, out)
	}
	for _, l := range e.lanes {
		if err := e.advance(ctx, l, out); err != nil {
			return err
		}
	}
	if v := e.aborting(); v != nil { // those who judge together may have said so
		return e.abort(*v, out)
	}
	return e.release(out)
}

// providerFailed ends an answer of which the provider said that it failed: what
// was held is not whole and never leaves.
func (e *Engine) providerFailed(c *stream.Chunk, st *stream.State, out *stream.Output) error {
	waiting := !e.queue.empty()
	only := true
	for i := range c.Events {
		switch c.Events[i].Type {
		case stream.EventError, stream.EventUsage, stream.EventMeta, stream.EventPing, stream.EventDone, stream.EventFinish:
		default:
			only = false
		}
	}
	e.end()
	if waiting || !only {
		return errors.Join(st.Err(), out.Fail(st.Err()))
	}
	return errors.Join(st.Err(), out.Send(c))
}
