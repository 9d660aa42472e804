package policy

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// touch is what a chunk concerns.
type touch struct {
	lanes []*lane
	gates []*ruling
	// spans are its parts of texts that are replaced as they stream; pending is
	// true when one of them is not settled, or is edited.
	spans   []span
	pending bool
	// dropped: it contains nothing but parts of blocks that exceeded a limit.
	dropped bool
	ping    bool
	failed  bool
	// finished: a choice finished with this chunk.
	finished bool
}

func (t *touch) lane(l *lane) {
	if !slices.Contains(t.lanes, l) {
		t.lanes = append(t.lanes, l)
	}
}

func (t *touch) gate(r *ruling) {
	if r.touched != t {
		r.touched = t
		t.gates = append(t.gates, r)
	}
}

// done clears the marks.
func (t *touch) done() {
	for _, r := range t.gates {
		r.touched = nil
	}
}

// take processes a chunk that concerns a policy, or that arrives while others
// wait.
func (e *Engine) take(ctx context.Context, c *stream.Chunk, st *stream.State, out *stream.Output) error {
	e.choices = len(st.Choices())
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
	t.done()
	var waits *item
	switch {
	case t.failed:
		return e.providerFailed(c, st, out)
	case t.dropped:
	case len(t.gates) > 0 || t.pending || e.waitsBehind(t):
		if t.ping {
			// It waits its turn, and the client gets a keepalive now.
			if err := out.Keepalive(); err != nil {
				return err
			}
		}
		waits = e.enqueue(c, t)
		if e.queue.bytes > e.opts.Limits.Queue {
			return e.abort(abortVerdict(&LimitError{What: "bytes of queued payloads", Limit: e.opts.Limits.Queue}), out)
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
		return nil // it cannot change anything that is decided
	}
	e.judgeHinted(ctx, st)
	e.judgeCompleted(ctx, st, waits)
	return e.proceed(ctx, out)
}

// waitsBehind reports whether what is touched has a queue in front of it.
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

// event processes one event.
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
			return nil
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
		if r.decided && ev.Type == stream.EventWhole && ev.Field == stream.Body {
			return r.late(c, ev)
		}
		e.grow(r, ev)
		return nil
	}
	t.dropped = false
	if r.text != nil {
		r.text.take(e, t, c, r, i)
	}
	return nil
}

// late processes a final value that arrives after the verdict: the client gets
// the text that was judged, and nothing else can have a second version.
func (r *ruling) late(c *stream.Chunk, ev *stream.Event) error {
	if string(ev.Data) == r.block.Text() || !r.verdict.Action.Passes() {
		return nil
	}
	if !isText(ev.Kind) {
		return nil // the writer keeps the call that was judged
	}
	ev.Data, ev.Edited, c.Edited = []byte(r.final().Text), true, true
	return nil
}

// judgeHinted lets asynchronous policies start early: a block that seems to
// have ended usually has.
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

// judgeCompleted judges the blocks that this chunk proves complete.
func (e *Engine) judgeCompleted(ctx context.Context, st *stream.State, waits *item) {
	for _, b := range st.Completed() {
		r := e.lane(b.Choice()).ruling(b.Position())
		if r != nil {
			r.complete = true
		}
		if r != nil && r.held {
			e.conclude(ctx, r)
			continue
		}
		if r != nil {
			e.look(ctx, r)
		}
		if over := (ended{b, r, e.observe(ctx, b)}); waits != nil {
			waits.ended = append(waits.ended, over)
		} else {
			e.recordEnded(over, true)
		}
	}
}

// look lets shadow policies judge a block that passes, and ends its text.
func (e *Engine) look(ctx context.Context, r *ruling) {
	if e.looked.Has(r.block.Kind()) {
		e.judge(ctx, r)
	}
	if r.text != nil {
		e.endText(r)
		return
	}
	r.verdict, r.decided, r.released = Verdict{Action: Allow}, true, true
	if r.block.Kind() == llm.Opaque && !r.asCall {
		r.verdict = Verdict{Action: Annotate, Policy: enginePolicy, Reason: unknownType}
	}
}

// proceed carries out what was decided and sends what may leave.
func (e *Engine) proceed(ctx context.Context, out *stream.Output) error {
	if v := e.aborting(); v != nil {
		return e.abort(*v, out)
	}
	e.denials = nil // what came since may have changed it
	for _, l := range e.lanes {
		if err := e.advance(ctx, l, out); err != nil {
			return err
		}
	}
	if v := e.aborting(); v != nil { // those who judge together may have decided it
		return e.abort(*v, out)
	}
	return e.release(out)
}

// providerFailed ends an answer that the provider reported as failed: what was
// held is incomplete and never leaves.
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
