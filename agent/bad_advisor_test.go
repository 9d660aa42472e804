package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// sequence is what an advisor makes of the sequence of the rest of its chain.
type sequence func(next agent.Events, yield func(agent.Event, error) bool)

// strange is an advisor that makes what it likes of the sequence.
func strange(order int, f sequence) agent.Advisor {
	return orderedFunc{agent.AdvisorFunc("strange", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) { f(next(ctx, req), yield) }
	}), order}
}

// ends counts what must happen once at the end of every run.
type ends struct {
	kept             *memory.Memory
	finalised, onEnd int
}

// misbehaving is an agent with a strange advisor, inside or outside of the loop, and a tool round.
func misbehaving(t *testing.T, order int, f sequence) (*rig, *ends) {
	t.Helper()
	e := &ends{kept: newMemory(t)}
	outermost := orderedFunc{agent.AdvisorFunc("end", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		req.OnEnd(func() { e.onEnd++ })
		return next(ctx, req)
	}), agent.Outermost}
	cfg := agent.Config{
		Memory: e.kept, Remember: agent.MemoryConfig{Serialise: true},
		Advisors: []agent.Advisor{outermost, strange(order, f)},
		Loop:     agent.LoopConfig{Stream: agent.All, Finalise: func(context.Context, *agent.Result, error) error { e.finalised++; return nil }},
	}
	return newRig(t, cfg, scripted.Round{scripted.Text("Look."), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")}), e
}

// places are where an advisor can stand: outside of everything, and inside the loop.
func places() map[string]int { return map[string]int{"outside": agent.Outermost + 1, "inside": 0} }

// An advisor that does not keep to its contract ends the run with an error; nothing hangs, and what must happen at the end happens.
func TestAdvisorsThatMisbehave(t *testing.T) {
	t.Parallel()
	errStrange := errors.New("strange")
	for name, tc := range map[string]struct {
		do   sequence
		want error
	}{
		"nothing at all": {func(agent.Events, func(agent.Event, error) bool) {}, agent.ErrNoFinal},
		"no final event": {func(next agent.Events, yield func(agent.Event, error) bool) {
			for ev, err := range next {
				if ev.Type != agent.EventFinal && !yield(ev, err) {
					return
				}
			}
		}, agent.ErrNoFinal},
		"a final event without a result": {func(_ agent.Events, yield func(agent.Event, error) bool) {
			yield(agent.Event{Type: agent.EventFinal}, nil)
		}, agent.ErrNoFinal},
		"an error first": {func(_ agent.Events, yield func(agent.Event, error) bool) {
			yield(agent.Event{}, errStrange)
		}, errStrange},
		"an event with an error": {func(_ agent.Events, yield func(agent.Event, error) bool) {
			yield(agent.Event{Type: agent.EventFinal, Final: &agent.Result{Reason: agent.Done}}, errStrange)
		}, errStrange},
	} {
		for place, order := range places() {
			t.Run(name+", "+place, func(t *testing.T) {
				t.Parallel()
				r, e := misbehaving(t, order, tc.do)
				run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
				events, err := eventsOf(run)
				if !errors.Is(err, tc.want) || strings.Contains(spell(events), "final") {
					t.Errorf("seen %q, the error is %v, want %v", spell(events), err, tc.want)
				}
				if run.Result() == nil || run.Result().Reason != agent.Failed {
					t.Errorf("the result is %+v", run.Result())
				}
				e.check(t, order)
			})
		}
	}
}

// check checks that a run has ended as every run must, and that its conversation is free.
func (e *ends) check(t *testing.T, order int) {
	t.Helper()
	if e.onEnd != 1 || e.finalised > 1 || order == 0 && e.finalised != 1 {
		t.Errorf("ended %d times, finalised %d times", e.onEnd, e.finalised)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	unlock, err := e.kept.Lock(ctx, "c")
	if err != nil {
		t.Fatalf("somebody still has the conversation: %v", err)
	}
	unlock()
}

// Two final events are one: the run ends with the first outside, and once in any case.
func TestTwoFinalEventsAreOne(t *testing.T) {
	t.Parallel()
	for place, order := range places() {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			r, e := misbehaving(t, order, func(next agent.Events, yield func(agent.Event, error) bool) {
				for ev, err := range next {
					if !yield(ev, err) || ev.Type == agent.EventFinal && !yield(ev, err) {
						return
					}
				}
			})
			events, result := r.watch("How is it?")
			finals := 0
			for _, ev := range events {
				if ev.Type == agent.EventFinal {
					finals++
				}
			}
			if finals != 1 || result.Text() != "Fine." || e.finalised != 1 || e.onEnd != 1 {
				t.Errorf("%d final events, answered %q, finalised %d times", finals, result.Text(), e.finalised)
			}
			r.wants(2, "look{}")
		})
	}
}

// panics runs f, which must panic, and returns with what.
func panics(t *testing.T, f func()) (problem any) {
	t.Helper()
	defer func() {
		if problem = recover(); problem == nil {
			t.Error("it did not panic")
		}
	}()
	f()
	return nil
}

// A panic of an advisor, of a model or of the caller's loop is not hidden, but the final steps run first, and the memory is
// unlocked and whole.
func TestPanicsPassAndLeaveNothingOpen(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]sequence{
		"at once": func(agent.Events, func(agent.Event, error) bool) { panic("strange") },
		"in the middle": func(next agent.Events, yield func(agent.Event, error) bool) {
			for ev, err := range next {
				if ev.Type == agent.EventRoundEnd {
					panic("strange")
				}
				if !yield(ev, err) {
					return
				}
			}
		},
	} {
		for place, order := range places() {
			t.Run(name+", "+place, func(t *testing.T) {
				t.Parallel()
				r, e := misbehaving(t, order, do)
				run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
				if problem := panics(t, func() { _, _ = eventsOf(run) }); problem != "strange" {
					t.Errorf("panicked with %v", problem)
				}
				if run.Result() == nil {
					t.Error("there is no result")
				}
				e.check(t, order)
			})
		}
	}
}

// An advisor that keeps yielding after the caller has stopped is stopped by the language; the run has ended as every run
// must.
func TestAnAdvisorThatGoesOnIsStopped(t *testing.T) {
	t.Parallel()
	for place, order := range places() {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			r, e := misbehaving(t, order, func(next agent.Events, yield func(agent.Event, error) bool) {
				for ev, err := range next {
					yield(ev, err)
				}
			})
			run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
			panics(t, func() {
				for range run.Events() {
					break
				}
			})
			if run.Result() == nil || run.Result().Reason != agent.Cancelled {
				t.Errorf("the result is %+v", run.Result())
			}
			e.check(t, order)
		})
	}
}

// An advisor that returns no sequence is an error that names it, and no panic.
func TestAnAdvisorWithoutASequenceIsAnError(t *testing.T) {
	t.Parallel()
	nothing := agent.AdvisorFunc("nothing", func(context.Context, *agent.Request, agent.Next) agent.Events { return nil })
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{nothing}})
	noPanic(t, func() {
		_, err := r.Call(t.Context(), &agent.Request{Text: "How is it?"})
		wantError(t, err, "nothing")
	})
}

// An advisor may ask the rest of its chain several times in one round; all answers are counted, and the last is taken.
func TestAnAdvisorMayAskAgain(t *testing.T) {
	t.Parallel()
	twice := agent.AdvisorFunc("twice", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		return func(yield func(agent.Event, error) bool) {
			for _, err := range next(ctx, req) {
				if err != nil {
					yield(agent.Event{}, err)
					return
				}
			}
			next(ctx, req)(yield)
		}
	})
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{twice}}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(1, 1)}, scripted.Round{scripted.Text("Fine."), scripted.Usage(2, 2)})
	result := r.ask("How is it?")
	if result.Text() != "Fine." || len(result.Rounds) != 2 || result.Usage.Input != 3 || letters(result.Messages) != "A" {
		t.Errorf("answered %q in %d rounds for %d: %s", result.Text(), len(result.Rounds), result.Usage.Input, letters(result.Messages))
	}
	r.wants(2, "")
}

// Decisions of an advisor about blocks that do not exist change nothing.
func TestDecisionsAboutNothingAreIgnored(t *testing.T) {
	t.Parallel()
	cfg := agent.Config{Loop: agent.LoopConfig{After: func(_ context.Context, _ *agent.Request, a *agent.Answer) error {
		for _, at := range []int{-1, 99} {
			a.Deny(at, "no")
			a.Hold(at, agent.NewAsk(llm.Block{}, "p", "r"))
		}
		return nil
	}}}
	r := newRig(t, cfg, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	if got := r.ask("How is it?").Text(); got != "Fine." {
		t.Errorf("answered %q", got)
	}
	r.wants(2, "look{}")
}
