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

// errLeft: the consumer has left.
var errLeft = errors.New("policies: the consumer has left")

// errOutside is returned for a guard in a position where tools have run before it
// sees their calls.
var errOutside = errors.New("policies: the guard is outside the tool loop: give it an Order inside the loop")

// watch is a guard's state while one request to the model is answered.
// Everything but the questions happens on the range's goroutine.
type watch struct {
	*Guard

	ctx   context.Context //nolint:containedctx // it is the one call that it is for
	yield func(agent.Event, error) bool
	set   *policy.Set
	x     *policy.Exchange
	// round is the number of the request, and loops says that there is a tool
	// loop outside, which counts rounds and tells the model about denials.
	round int
	loops bool
	// answer is the current answer, nil between answers.
	answer     *judgedAnswer
	concurrent concurrent
	// judged is the answer that was judged last, and blocks its blocks at that
	// time.
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
func (w *watch) engine(h *judgedAnswer) *policy.Engine {
	opts := policy.Options{
		Format: leavesAtOnce, Approver: w.cfg.Approver, AskFor: w.cfg.AskFor,
		Feedback: w.loops, Keep: h.keep, Limits: w.cfg.Limits,
	}
	if opts.Approver == nil {
		opts.Approver = &person{&w.concurrent, w.cfg.Asks, w.loops}
	}
	opts.Record = func(r *policy.Record) {
		if r = h.recorded(r); w.cfg.Record != nil {
			w.cfg.Record(r)
		}
	}
	return policy.NewEngine(w.set, w.x, opts)
}

// current returns the state of the current answer.
func (w *watch) current() *judgedAnswer {
	if w.answer == nil {
		w.answer = newJudgedAnswer(w.set)
		w.answer.engine = w.engine(w.answer)
	}
	return w.answer
}

// run asks the rest of the chain and passes on what may be shown.
func (w *watch) run(req *agent.Request, next agent.Next) error {
	req, err := w.judgeResults(req) // policies see the original request
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
		} else if h := w.answer; h != nil {
			_ = h.engine.Fail(err, h.out) // what was held never leaves
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// end ends what is open, however the range was left.
func (w *watch) end() {
	w.concurrent.end()
	if w.answer != nil {
		w.answer.end()
		w.answer = nil
	}
}

// take processes an event of the chain.
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
		h := w.current()
		if err := w.catchUp(h); err != nil {
			return err
		}
		return w.went(h, h.take(w.ctx, ev))
	}
}

// catchUp processes the answers that have arrived.
func (w *watch) catchUp(h *judgedAnswer) error {
	for {
		select {
		case a := <-w.concurrent.answers:
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

// went passes on what an engine released, and starts its questions.
func (w *watch) went(h *judgedAnswer, err error) error {
	if left := w.drain(h); left != nil {
		return left
	}
	if err != nil {
		return err
	}
	for n := w.concurrent.ask(w.ctx, h.engine.Questions()); n > 0 && w.cfg.Approver == nil; n-- {
		select {
		case q := <-w.concurrent.asks:
			if err := w.tell(h, q); err != nil {
				return err
			}
		case <-w.ctx.Done():
			return context.Cause(w.ctx)
		}
	}
	return nil
}

// drain passes on what may be shown.
func (w *watch) drain(h *judgedAnswer) error {
	for i := range h.ready {
		if err := w.pass(h.ready[i]); err != nil {
			return err
		}
	}
	clear(h.ready)
	h.ready = h.ready[:0]
	return nil
}

// tell reports a question to a person.
func (w *watch) tell(h *judgedAnswer, q asking) error {
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

// conclude ends an answer: everything in it is judged, and what is stored and run
// is what the policies made of it.
func (w *watch) conclude(answer *agent.Answer, round int) error {
	h := w.current()
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
	w.answer = nil
	h.end()
	if answer != nil {
		h.apply(answer)
		w.judged, w.blocks = answer, slices.Clone(answer.Blocks)
	}
	return nil
}

// await waits for an answer to a question.
func (w *watch) await(h *judgedAnswer) error {
	select {
	case a := <-w.concurrent.answers:
		return w.went(h, h.engine.Take(w.ctx, a, h.out))
	case <-w.ctx.Done():
		return context.Cause(w.ctx)
	}
}

// final judges the parts of a result that belong to no round. An advisor closer to
// the model may have answered itself.
func (w *watch) final(ev agent.Event) error {
	var answer *agent.Answer
	if ev.Final != nil {
		answer = ev.Final.Answer
	}
	if w.answer == nil && (answer == nil || answer == w.judged && slices.EqualFunc(answer.Blocks, w.blocks, same)) {
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

// cut removes from an answer that never ended what was not released.
func (w *watch) cut(answer *agent.Answer) {
	if w.answer != nil {
		w.answer.cut(answer)
	}
}
