package policies

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// errLeft: nobody listens any more.
var errLeft = errors.New("policies: the consumer has left")

// errOutside is a guard that stands where tools have run before it sees their calls.
var errOutside = errors.New("policies: the guard stands outside of the tool loop: give it an Order inside of it")

// watch is a guard while one request to the model is answered. All of it but
// questions happens on the goroutine of the range.
type watch struct {
	*Guard

	ctx   context.Context //nolint:containedctx // it is the one call that it is for
	yield func(agent.Event, error) bool
	set   *policy.Set
	x     *policy.Exchange
	// round is the number of the request, and loops says that a tool loop stands
	// outside, which counts them and tells the model of denials.
	round int
	loops bool
	// hearing is the answer at hand, nil between answers.
	hearing *hearing
	beside  beside
	// judged is the answer that was judged last, and blocks what it was then.
	judged *agent.Answer
	blocks []llm.Block
}

func newWatch(ctx context.Context, g *Guard, req *agent.Request, yield func(agent.Event, error) bool) *watch {
	w := &watch{Guard: g, ctx: ctx, yield: yield, set: g.live.Load(), round: req.Round, loops: req.Round > 0}
	w.x = &policy.Exchange{Request: asked(req), Session: g.cfg.Session, Key: g.cfg.Key, Ledger: g.cfg.Ledger}
	if w.x.Session.ID == "" {
		w.x.Session.ID = req.Conversation
	}
	return w
}

// asked is a request as policies see it.
func asked(req *agent.Request) *llm.Request {
	r := &llm.Request{
		Model: req.Model, Messages: req.Messages, Stream: true,
		MaxTokens: req.MaxTokens, Temperature: req.Temperature, Extra: req.Extra,
	}
	if req.System != "" {
		r.System = []llm.Block{{Kind: llm.Content, Text: req.System}}
	}
	for _, t := range req.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return r
}

// engine returns an engine for one answer.
func (w *watch) engine(h *hearing) *policy.Engine {
	opts := policy.Options{
		Format: leavesAtOnce, Approver: w.cfg.Approver, AskFor: w.cfg.AskFor,
		Feedback: w.loops, Keep: h.keep, Limits: w.cfg.Limits,
	}
	if opts.Approver == nil {
		opts.Approver = &person{&w.beside, w.cfg.Asks, w.loops}
	}
	opts.Record = func(r *policy.Record) {
		if r = h.recorded(r); w.cfg.Record != nil {
			w.cfg.Record(r)
		}
	}
	return policy.NewEngine(w.set, w.x, opts)
}

// hear returns the hearing of the answer at hand.
func (w *watch) hear() *hearing {
	if w.hearing == nil {
		w.hearing = newHearing(w.set)
		w.hearing.engine = w.engine(w.hearing)
	}
	return w.hearing
}

// run asks the rest of the chain and passes on what may be seen.
func (w *watch) run(req *agent.Request, next agent.Next) error {
	req, err := w.judgeResults(req) // which shows policies the request as it came
	if err != nil {
		return err
	}
	if req, err = w.judgePrompts(req); err != nil {
		return err
	}
	req = req.Clone()
	req.OnCut(w.cut)
	for ev, err := range next(w.ctx, req) {
		if err == nil {
			err = w.take(ev)
		} else if h := w.hearing; h != nil {
			_ = h.engine.Fail(err, h.out) // what was held never leaves
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end ends what is open, however it was left.
func (w *watch) end() {
	w.beside.end()
	if w.hearing != nil {
		w.hearing.end()
		w.hearing = nil
	}
}

// take takes in an event of the chain.
func (w *watch) take(ev agent.Event) error {
	switch ev.Type {
	case agent.EventAsk: // somebody waits for the answer
		return w.pass(ev)
	case agent.EventToolResult:
		return errOutside
	case agent.EventRoundEnd:
		if err := w.conclude(ev.Answer, ev.Round); err != nil {
			return err
		}
		return w.pass(ev)
	case agent.EventFinal:
		if err := w.final(ev); err != nil {
			return err
		}
		return w.pass(ev)
	default:
		h := w.hear()
		if err := w.catchUp(h); err != nil {
			return err
		}
		return w.went(h, h.take(w.ctx, ev))
	}
}

// catchUp takes in the answers that are there.
func (w *watch) catchUp(h *hearing) error {
	for {
		select {
		case a := <-w.beside.answers:
			if err := w.went(h, h.engine.Take(w.ctx, a, h.out)); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

func (w *watch) pass(ev agent.Event) error {
	if !w.yield(ev, nil) {
		return errLeft
	}
	return nil
}

// went passes on what an engine let go, and lets its questions be asked.
func (w *watch) went(h *hearing, err error) error {
	if left := w.drain(h); left != nil {
		return left
	}
	if err != nil {
		return err
	}
	for n := w.beside.ask(w.ctx, h.engine.Questions()); n > 0 && w.cfg.Approver == nil; n-- {
		select {
		case q := <-w.beside.asks:
			if err := w.tell(h, q); err != nil {
				return err
			}
		case <-w.ctx.Done():
			return context.Cause(w.ctx)
		}
	}
	return nil
}

// drain passes on what may be seen.
func (w *watch) drain(h *hearing) error {
	for i := range h.ready {
		if err := w.pass(h.ready[i]); err != nil {
			return err
		}
	}
	clear(h.ready)
	h.ready = h.ready[:0]
	return nil
}

// tell tells of a question to a person.
func (w *watch) tell(h *hearing, q asking) error {
	b := h.block(q.position)
	if w.cfg.Asks == Interrupts {
		if b != nil {
			b.ask = q.ask
		}
		return nil
	}
	ev := agent.Event{Type: agent.EventAsk, Round: cmp.Or(h.round, w.round), Block: -1, ID: q.ask.Call.ID, Name: q.ask.Call.Name, Ask: q.ask}
	if b != nil && !q.ofRequest {
		ev.Block = b.number
	}
	return w.pass(ev)
}

// conclude ends an answer: everything in it is judged, and what is remembered and
// run is what the policies made of it.
func (w *watch) conclude(answer *agent.Answer, round int) error {
	h := w.hear()
	if h.round == 0 {
		h.round = round
	}
	if err := w.went(h, h.finish(w.ctx, answer)); err != nil {
		return err
	}
	for h.engine.Pending()+h.engine.Shadowing() > 0 {
		if err := w.await(h); err != nil {
			return err
		}
	}
	if err := w.went(h, h.tellModel()); err != nil {
		return err
	}
	if h.engine.Waiting() {
		err := stream.ErrIncomplete // nothing is left to wait for
		return errors.Join(err, h.engine.Fail(err, h.out))
	}
	w.hearing = nil
	h.end()
	if answer != nil {
		h.apply(answer)
		w.judged, w.blocks = answer, slices.Clone(answer.Blocks)
	}
	return nil
}

// await waits for an answer to a question.
func (w *watch) await(h *hearing) error {
	select {
	case a := <-w.beside.answers:
		return w.went(h, h.engine.Take(w.ctx, a, h.out))
	case <-w.ctx.Done():
		return context.Cause(w.ctx)
	}
}

// final judges what a result has that no round told. An advisor further in may have
// answered by itself.
func (w *watch) final(ev agent.Event) error {
	var answer *agent.Answer
	if ev.Final != nil {
		answer = ev.Final.Answer
	}
	if w.hearing == nil && (answer == nil || answer == w.judged && slices.EqualFunc(answer.Blocks, w.blocks, same)) {
		return nil
	}
	if err := w.conclude(answer, ev.Round); err != nil || answer == nil {
		return err
	}
	said := llm.Message{Role: llm.Assistant}
	for _, b := range answer.Blocks {
		if b.Kind != llm.ToolCall {
			said.Blocks = append(said.Blocks, b)
		}
	}
	if ev.Final.Messages = nil; len(said.Blocks) > 0 {
		ev.Final.Messages = []llm.Message{said}
	}
	return nil
}

// cut takes out of an answer that never came to its end what was not let go.
func (w *watch) cut(answer *agent.Answer) {
	if w.hearing != nil {
		w.hearing.cut(answer)
	}
}
