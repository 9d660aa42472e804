package policy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/llm"
)

// Question is something that takes time to answer: an asynchronous policy, or a
// person. The host calls Ask concurrently with the stream, several at once, and
// hands what it returns to Engine.Take.
type Question struct {
	r     *ruling
	l     *lane
	round int
	// answer is the number of the exchange's answer it is about, as there are
	// several when the model was told about denials.
	answer int
	// part is the policy that is asked, nil if it is the approver.
	part     *part
	subjects []*Subject
	// of are the rulings on the subjects that are judged together.
	of       []*ruling
	approver Approver
	approval Approval
	deadline time.Duration
	ask      Verdict
}

// Answer is the answer to a question.
type Answer struct {
	question *Question
	verdicts []Verdict
}

// Policy is the name of the policy that asked.
func (q *Question) Policy() string {
	if q.part == nil {
		return q.ask.Policy
	}
	return q.part.def.Name
}

// Person reports whether it is a person who is asked.
func (q *Question) Person() bool { return q.part == nil }

// Ask asks. It returns when there is an answer, the time is up or ctx is done,
// even if the policy or approver ignores its context; that goroutine is then
// abandoned. It may be called from any goroutine.
func (q *Question) Ask(ctx context.Context) Answer {
	ctx, cancel := context.WithTimeout(ctx, q.deadline)
	defer cancel()
	started := time.Now()
	done := make(chan []Verdict, 1)
	go func() { done <- q.run(ctx) }()
	var verdicts []Verdict
	select {
	case verdicts = <-done:
	case <-ctx.Done():
		select {
		case verdicts = <-done: // both at once: an answer is better than none
		default:
			verdicts = q.late(ctx.Err())
		}
	}
	for i := range verdicts {
		verdicts[i].Latency = time.Since(started)
	}
	return Answer{question: q, verdicts: verdicts}
}

// late is the answer where none arrived in time.
func (q *Question) late(err error) []Verdict {
	cause := CauseTimeout
	if !errors.Is(err, context.DeadlineExceeded) {
		cause = CauseError
	}
	if q.part == nil {
		return []Verdict{q.unanswered(err)}
	}
	verdicts := make([]Verdict, len(q.subjects))
	for i := range verdicts {
		verdicts[i] = q.part.failed(cause, err)
	}
	return verdicts
}

func (q *Question) run(ctx context.Context) (verdicts []Verdict) {
	defer func() {
		if x := recover(); x != nil {
			err := fmt.Errorf("policy %s panicked: %v", q.Policy(), x)
			if q.part == nil {
				verdicts = []Verdict{q.unanswered(err)}
				return
			}
			verdicts = make([]Verdict, len(q.subjects))
			for i := range verdicts {
				verdicts[i] = q.part.failed(CausePanic, err)
			}
		}
	}()
	switch {
	case q.part == nil:
		return []Verdict{q.person(ctx)}
	case q.of != nil:
		return q.part.together(q.part.JudgeAll(ctx, q.subjects), len(q.subjects))
	}
	given := make([]Verdict, len(q.subjects))
	for i, s := range q.subjects {
		given[i] = q.part.decided(q.part.Judge(ctx, s))
		if given[i].Cause == CauseError && errors.Is(ctx.Err(), context.DeadlineExceeded) {
			given[i].Cause = CauseTimeout
		}
	}
	return given
}

// together turns what JudgeAll returned into a decision for each call.
func (p *part) together(given []Verdict, calls int) []Verdict {
	verdicts := make([]Verdict, calls)
	for i := range verdicts {
		if len(given) != calls {
			verdicts[i] = p.failed(CauseError, fmt.Errorf("the policy gave %d verdicts on %d calls", len(given), calls))
			continue
		}
		verdicts[i] = p.decided(given[i])
	}
	return verdicts
}

// person asks the approver.
func (q *Question) person(ctx context.Context) Verdict {
	d, err := q.approver.Approve(ctx, q.approval)
	if err != nil {
		return q.unanswered(err)
	}
	v := Verdict{Policy: q.ask.Policy, Reason: q.ask.Reason}
	if d.By != "" {
		v.Notes = append(v.Notes, "by "+d.By)
	}
	if d.Comment != "" {
		v.Notes = append(v.Notes, d.Comment)
	}
	if d.Approved {
		v.Action, v.Cause = Allow, CauseApproved
		return v
	}
	v.Action, v.Cause = Block, CauseDenied
	if d.Comment != "" {
		v.Reason = d.Comment
	}
	return v
}

func (q *Question) unanswered(err error) Verdict {
	return Verdict{
		Action: Block, Policy: q.ask.Policy, Cause: CauseNoAnswer, Err: err,
		Reason: q.ask.Reason + " (it needs approval, and nobody approved it)",
	}
}

// judgeBeside makes questions for the asynchronous policies.
func (e *Engine) judgeBeside(r *ruling) {
	for _, p := range e.later {
		var about []*Subject
		for _, s := range r.versions {
			if p.applies(s) && p.asks(s) {
				about = append(about, s)
			}
		}
		if len(about) == 0 {
			continue
		}
		e.put(&Question{r: r, round: r.round, part: p, subjects: about, deadline: p.def.Timeout * time.Duration(len(about))})
		if p.def.Mode == Shadow {
			r.shadows++
			e.shadowing++
		} else {
			r.waiting++
			e.waiting++
		}
	}
}

// asks reports whether a policy can have anything to say about a block.
func (p *part) asks(s *Subject) bool {
	if p.Gate != nil {
		if s.gate == nil {
			s.gate, s.open = p.Gate, p.Gate.ask(s)
		}
		if s.gate == p.Gate && p.Number < 64 && s.open>>p.Number&1 == 0 {
			return false
		}
	}
	return p.Asks == nil || p.askSafely(s)
}

// ask calls Open. If it panics, all policies are asked.
func (g *Gate) ask(s *Subject) (open uint64) {
	defer func() {
		if recover() != nil {
			open = ^uint64(0)
		}
	}()
	return g.Open(s)
}

// askSafely calls Asks. A policy whose Asks panics is asked, and fails there.
func (p *part) askSafely(s *Subject) (asks bool) {
	defer func() {
		if recover() != nil {
			asks = true
		}
	}()
	return p.Asks(s)
}

// ask makes a question for a person.
func (e *Engine) ask(r *ruling, v Verdict) {
	s := r.versions[0]
	e.describe(&v, r)
	e.put(&Question{
		r: r, round: r.round, approver: e.opts.Approver, deadline: e.opts.AskFor, ask: v,
		approval: Approval{Subject: s, Digest: s.Digest(), Policy: v.Policy, Reason: v.Reason, Attempt: v.Attempt},
	})
	r.waiting++
	e.waiting++
}

// askTogether gives the calls of a message that are not blocked to the policies
// that judge them together.
func (e *Engine) askTogether(ctx context.Context, l *lane) {
	l.asked = true
	var of []*ruling
	var subjects []*Subject
	for _, r := range l.rulings {
		if r != nil && (!r.held || !r.released) && !r.recorded && r.isCall() && r.verdict.Action.Passes() {
			of, subjects = append(of, r), append(subjects, r.versions[0])
		}
	}
	if len(of) == 0 {
		return
	}
	for i := range e.parts {
		p := &e.parts[i]
		if p.JudgeAll == nil || !p.def.Applies.Has(llm.ToolCall) {
			continue
		}
		q := &Question{l: l, part: p, subjects: subjects, of: of, deadline: p.def.Timeout}
		if !p.def.Waits {
			e.count(q, q.run(ctx))
			continue
		}
		if e.put(q); p.def.Mode == Shadow {
			for _, r := range of {
				r.shadows++
			}
			e.shadowing++
			continue
		}
		l.deciding++
		e.waiting++
	}
	for _, r := range of {
		if !r.held && r.left && r.shadows == 0 {
			e.recordEnded(ended{block: r.block, r: r}, true)
		}
	}
}

func (e *Engine) put(q *Question) {
	q.answer = e.rounds
	for _, s := range q.subjects {
		s.detach()
	}
	if q.approval.Subject != nil {
		q.approval.Subject.detach()
	}
	e.questions = append(e.questions, q)
}

func (q *Question) shadow() bool { return q.part != nil && q.part.def.Mode == Shadow }

// Questions returns the questions that have not been returned before. The host
// asks all of them; the answers to questions about discarded blocks are
// ignored.
func (e *Engine) Questions() []*Question {
	list := e.questions
	e.questions = nil
	return list
}

// count counts the verdicts of policies that judge all calls together.
func (e *Engine) count(q *Question, verdicts []Verdict) {
	for i, r := range q.of {
		v := verdicts[i]
		v.Shadow = q.part.def.Mode == Shadow
		if v.Action <= Allow {
			continue
		}
		r.votes = append(r.votes, v)
		if v.Action = e.resolve(v.Action, r); v.Shadow || v.Action <= r.verdict.Action {
			continue
		}
		if v.Action == Ask {
			r.decided = false
			e.ask(r, v)
			continue
		}
		decided := r.decided // not while a person is asked
		e.decide(r, v)
		r.decided = decided || v.Action == Abort
	}
}
