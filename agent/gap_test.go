package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// Text before a call is hidden by FinalBuffered, shown by FinalLive with a mark that lets a client discard it, and shown by All with the call.
func TestGapPreambleOfACall(t *testing.T) {
	t.Parallel()
	for mode, want := range map[agent.StreamMode]string{
		agent.FinalBuffered: "text round_end final",
		agent.FinalLive:     "thinking text round_end text round_end final",
		agent.All:           "thinking text tool_start tool_delta tool_end round_end tool_result text round_end final",
	} {
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: mode}},
			scripted.Round{scripted.Thinking("I should look it up."), scripted.Text("Let me look that up for you."), scripted.Call("look", `{"city":"somewhere far away"}`)},
			scripted.Round{scripted.Text("It is sunny there.")})
		events, result := r.watch("How is it?")
		if got := spell(events); got != want {
			t.Errorf("%s: seen %q, want %q", mode, got, want)
		}
		// A client that discards the text of rounds that turn out to call has the answer.
		var answer string
		for _, ev := range events {
			switch {
			case ev.Type == agent.EventText:
				answer += ev.Text
			case ev.Type == agent.EventRoundEnd && ev.Answer.HasCalls():
				answer = ""
			}
		}
		if answer != "It is sunny there." || result.Text() != answer {
			t.Errorf("%s: the answer is %q, and the result says %q", mode, answer, result.Text())
		}
		if letters(result.Messages) != "CRA" || result.Messages[0].Blocks[1].Text != "Let me look that up for you." {
			t.Errorf("%s: added %+v", mode, result.Messages)
		}
	}
}

// The first piece of the final answer is shown when the model produces it in All and FinalLive, and when the model has
// finished in FinalBuffered.
func TestGapTimeToTheFirstPiece(t *testing.T) {
	t.Parallel()
	for mode, want := range map[agent.StreamMode]time.Duration{agent.All: 0, agent.FinalLive: 0, agent.FinalBuffered: 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: mode}}, scripted.Round{scripted.Call("look", "{}")},
				scripted.Round{scripted.Text("One."), scripted.Pause(time.Second), scripted.Text("Two."), scripted.Pause(time.Second)})
			start := time.Now()
			first := time.Duration(-1)
			for ev, err := range r.Run(t.Context(), &agent.Request{Text: "How is it?"}).Events() {
				if err != nil {
					t.Fatal(err)
				}
				if ev.Type == agent.EventText && first < 0 {
					first = time.Since(start)
				}
			}
			if first != want {
				t.Errorf("%s: the first piece came after %v, want %v", mode, first, want)
			}
		})
	}
}

// A payload that has both text and a call loses neither: the text is shown if the mode shows it, the call is run, and both
// are remembered.
func TestGapPayloadWithTextAndCall(t *testing.T) {
	t.Parallel()
	for mode, want := range map[agent.StreamMode]string{agent.FinalBuffered: "Fine.", agent.FinalLive: "Look. Fine.", agent.All: "Look. Fine."} {
		var l ledger
		m := chatModel(
			append([]string{chatDelta(`{"content":"Look. ","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"look","arguments":"{}"}}]}`)}, chatEnd("tool_calls")...),
			append([]string{chatDelta(`{"content":"Fine."}`)}, chatEnd("stop")...))
		client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{l.tool("look", "sunny")}, Loop: agent.LoopConfig{Stream: mode}})
		if err != nil {
			t.Fatal(err)
		}
		run := client.Run(t.Context(), &agent.Request{Text: "How is it?"})
		events, err := eventsOf(run)
		if err != nil || spoken(events) != want || l.ran() != "look{}" {
			t.Errorf("%s: said %q, ran %q, %v", mode, spoken(events), l.ran(), err)
		}
		if said := run.Result().Messages[0]; len(said.Blocks) != 2 || said.Blocks[0].Text != "Look. " || said.Blocks[1].ID != "1" {
			t.Errorf("%s: remembered %+v", mode, said)
		}
	}
}

// An error in the middle of an answer ends the run with that error; what was done before is stored whole, and the partial
// answer is only in the result.
func TestGapErrorInTheMiddle(t *testing.T) {
	t.Parallel()
	for mode, want := range map[agent.StreamMode]string{agent.FinalBuffered: "", agent.FinalLive: "It is", agent.All: "It is"} {
		kept := newMemory(t)
		r := newRig(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: mode}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("It is"), scripted.Fail(errModel)})
		run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
		events, err := eventsOf(run)
		if !errors.Is(err, errModel) && !strings.Contains(err.Error(), "too much") {
			t.Errorf("%s: the error is %v", mode, err)
		}
		result := run.Result()
		if spoken(events) != want || result.Reason != agent.Failed || result.Text() != "It is" || letters(result.Messages) != "CR" {
			t.Errorf("%s: said %q, ended with %q, %q, %s", mode, spoken(events), result.Reason, result.Text(), letters(result.Messages))
		}
		if got := storedIn(t, kept); got != "UCR" {
			t.Errorf("%s: stored %s", mode, got)
		}
	}
}

// Cancelling in the middle of an answer ends the run at once, and leaves no question without an answer.
func TestGapCancelInTheMiddle(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	r := newRig(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: agent.All}}, scripted.Round{scripted.Text("A long answer that nobody wants to hear to its end.")})
	run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
	var err error
	texts := 0
	for ev, failed := range run.Events() {
		if err = failed; ev.Type == agent.EventText {
			texts++
			run.Cancel(agent.Now)
		}
	}
	if !errors.Is(err, agent.ErrCancelled) || texts != 1 || run.Result().Reason != agent.Cancelled {
		t.Errorf("ended with %q and %v after %d pieces", run.Result().Reason, err, texts)
	}
	if got := storedIn(t, kept); got != "" {
		t.Errorf("stored %s", got)
	}
}

// Cancelling while a tool runs waits for it and keeps what was done: every call has a result, and those that did not start
// say so.
func TestGapCancelWhileAToolRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept := newMemory(t)
		ended := false
		slow := &agent.Tool{Name: "slow", Sequential: true, Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // it needs its time to clean up
			ended = true
			return agent.Output{}, context.Cause(ctx)
		}}
		r := newRig(t, agent.Config{Memory: kept, Tools: []*agent.Tool{slow}, Loop: agent.LoopConfig{Stream: agent.All}}, scripted.Round{scripted.Call("slow", "{}"), scripted.Call("slow", `{"n":2}`)})
		run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
		time.AfterFunc(time.Minute, func() { run.Cancel(agent.Now) })
		_, err := eventsOf(run)
		if !errors.Is(err, agent.ErrCancelled) || !ended || run.Result().Reason != agent.Cancelled {
			t.Errorf("ended with %q and %v, the tool had ended: %t", run.Result().Reason, err, ended)
		}
		texts := resultTexts(run.Result().Messages)
		if len(texts) != 2 || !strings.Contains(texts[0], "cancelled") || !strings.Contains(texts[1], "not run") {
			t.Errorf("the results are %q", texts)
		}
		if got := storedIn(t, kept); got != "UCR" {
			t.Errorf("stored %s", got)
		}
	})
}

// A tool that panics in a loop with a memory inside gives a failed result next to the others, which the model gets and the
// memory stores.
func TestGapPanicWithAMemoryInside(t *testing.T) {
	t.Parallel()
	cfg := remembering(t, agent.LoopConfig{})
	var l ledger
	cfg.Tools = []*agent.Tool{l.tool("look", "sunny"), {Name: "panics", Run: func(context.Context, agent.Call) (agent.Output, error) { panic("oh no") }}}
	r := newRig(t, cfg, scripted.Round{scripted.Call("panics", "{}"), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	result := r.ask("How is it?")
	texts := resultTexts(r.model.Requests()[1].Messages)
	if len(texts) != 2 || !strings.Contains(texts[0], "oh no") || texts[1] != "sunny" || !result.Messages[1].Blocks[0].Failed || result.Messages[1].Blocks[1].Failed {
		t.Errorf("the model was told %q", texts)
	}
	if got := storedIn(t, cfg.Memory); got != "UCRA" || result.Text() != "Fine." {
		t.Errorf("stored %s, answered %q", got, result.Text())
	}
}

// A direct result with a memory inside leaves the call with its result, and the next turn works.
func TestGapReturnDirectWithAMemoryInside(t *testing.T) {
	t.Parallel()
	cfg := remembering(t, agent.LoopConfig{})
	r := newRig(t, cfg, scripted.Round{scripted.Call("show", "{}")}, scripted.Round{scripted.Text("You saw it.")})
	if result := r.ask("Show me."); result.Reason != agent.ReturnedDirectly || result.Text() != "for you" {
		t.Errorf("ended with %q, %q", result.Reason, result.Text())
	}
	if got := storedIn(t, cfg.Memory); got != "UCR" {
		t.Errorf("stored %s", got)
	}
	if got := r.ask("And?").Text(); got != "You saw it." {
		t.Errorf("answered %q", got)
	}
	if err := sluicetest.ValidateHistories(r.model.Requests()[1].Messages); err != nil {
		t.Errorf("the next turn asks what a provider refuses: %v", err)
	}
}

// Several direct results of one round are all streamed, in the order of the calls, and all remembered.
func TestGapStreamedReturnDirectOfTwoTools(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	var l ledger
	r := newRig(t, agent.Config{Memory: kept, Tools: []*agent.Tool{l.direct("one", "first"), l.direct("two", "second")}},
		scripted.Round{scripted.Call("two", "{}"), scripted.Call("one", "{}")})
	events, result := r.watch("Show me.")
	if spell(events) != "text final" || spoken(events) != "secondfirst" || len(events) != 3 {
		t.Errorf("seen %q: %q in %d events", spell(events), spoken(events), len(events))
	}
	if len(result.Direct) != 2 || result.Text() != "second\nfirst" {
		t.Errorf("returned %q", result.Text())
	}
	c, err := kept.Get(t.Context(), "c")
	if err != nil || !equalStrings(resultTexts(c.Messages), "second", "first") {
		t.Errorf("stored %q, %v", resultTexts(c.Messages), err)
	}
}

// However a run ends, the memory has whole turns and rounds that a provider accepts; the matrix covers every combination,
// this test one position of the memory for each end.
func TestGapMemoryAfterEveryEnd(t *testing.T) {
	t.Parallel()
	for i, e := range endings() {
		s := setting{memory: []string{"outside", "inside"}[i%2], mode: modes()[i%3], path: "stream", parallel: 1}
		o := try(t, e, s)
		if letters(o.stored) != e.stored || o.reason != e.reason {
			t.Errorf("%s: stored %q and ended with %q, want %q and %q", e.name, letters(o.stored), o.reason, e.stored, e.reason)
		}
		if err := sluicetest.ValidateHistories(o.stored); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

// What advisors and tools write into the values of a run in one round is there in the next, and available to the caller
// afterwards.
func TestGapValuesBetweenRounds(t *testing.T) {
	t.Parallel()
	var seen []any
	inside := agent.AdvisorFunc("inside", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		seen = append(seen, req.Values.Get("advisor"), req.Values.Get("tool"))
		req.Values.Set("advisor", req.Round)
		return next(ctx, req)
	})
	tool := &agent.Tool{Name: "look", Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
		seen = append(seen, agent.ValuesOf(ctx).Get("advisor"))
		agent.ValuesOf(ctx).Set("tool", "was here")
		return agent.Output{Text: "sunny"}, nil
	}}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{tool}, Advisors: []agent.Advisor{inside}}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	values := agent.NewValues(map[string]any{"caller": true})
	if _, err := r.Call(t.Context(), &agent.Request{Text: "How is it?", Values: values}); err != nil {
		t.Fatal(err)
	}
	if want := []any{nil, nil, 1, 1, "was here"}; !slices.Equal(seen, want) {
		t.Errorf("seen %v, want %v", seen, want)
	}
	if all := values.All(); all["caller"] != true || all["advisor"] != 2 || all["tool"] != "was here" {
		t.Errorf("left %v", all)
	}
}

// Messages that the hook between rounds adds stay in all later rounds.
func TestGapInjectedMessagesStay(t *testing.T) {
	t.Parallel()
	added := false
	cfg := agent.Config{Loop: agent.LoopConfig{NextInstructions: func(_ context.Context, _ *agent.Request, m []llm.Message) ([]llm.Message, error) {
		if added {
			return m, nil
		}
		added = true
		return append(m, userMessages("Hurry.")...), nil
	}}}
	r := newRig(t, cfg, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if got := letters(r.model.Requests()[2].Messages); got != "UCRUCR" {
		t.Errorf("the third request has %s", got)
	}
}

// Advisors of equal order keep the order in which they were given, in every round, with the model behind them all.
func TestGapAdvisorsOfEqualOrder(t *testing.T) {
	t.Parallel()
	var notes []string
	note := func(name string, order int) agent.Advisor {
		return orderedFunc{agent.AdvisorFunc(name, func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
			notes = append(notes, name)
			return next(ctx, req)
		}), order}
	}
	r := newRig(t, agent.Config{Advisors: []agent.Advisor{note("z", agent.Innermost), note("b", 0), note("a", 0), note("c", 0), note("y", agent.Innermost)}},
		scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	r.ask("How is it?")
	if got := strings.Join(notes, ""); got != "baczybaczy" {
		t.Errorf("asked %s", got)
	}
}

// Of two concurrent turns on one conversation the second to store gets a typed conflict error, loses nothing that it did,
// and stores nothing half.
func TestGapConcurrentTurnsConflict(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	var client *agent.Client
	script := scripted.New(
		scripted.Round{scripted.When(func(req *llm.Request) bool { return req.UserText() == "Other?" }), scripted.Text("Yes.")},
		scripted.Round{scripted.Call("other", "{}")}, scripted.Round{scripted.Text("Fine.")})
	other := &agent.Tool{Name: "other", Run: func(ctx context.Context, _ agent.Call) (agent.Output, error) {
		result, err := client.Call(ctx, &agent.Request{Text: "Other?", Conversation: "c"})
		return agent.Output{Text: result.Text()}, err
	}}
	var err error
	if client, err = agent.New(agent.Config{Model: script, Memory: kept, Tools: []*agent.Tool{other}}); err != nil {
		t.Fatal(err)
	}
	run := client.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
	_, err = eventsOf(run)
	var conflict *memory.ConflictError
	if !errors.As(err, &conflict) || conflict.Conversation != "c" {
		t.Errorf("the error is %v", err)
	}
	result := run.Result()
	if result.Reason != agent.Failed || letters(result.Messages) != "CR" || result.Kept != 0 || !equalStrings(resultTexts(result.Messages), "Yes.") {
		t.Errorf("ended with %q, %s, %d kept", result.Reason, letters(result.Messages), result.Kept)
	}
	if got := storedIn(t, kept); got != "UA" {
		t.Errorf("stored %s", got)
	}
}

// With Serialise, concurrent turns on one conversation wait for each other, and each sees all of those before it.
func TestGapConcurrentTurnsSerialised(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kept := newMemory(t)
		slow := &agent.Tool{Name: "slow", Run: func(context.Context, agent.Call) (agent.Output, error) {
			time.Sleep(time.Second)
			return agent.Output{Text: "sunny"}, nil
		}}
		calls := scripted.Round{scripted.When(func(req *llm.Request) bool { return req.Messages[len(req.Messages)-1].Role == llm.User }), scripted.Call("slow", "{}")}
		says := scripted.Round{scripted.When(func(req *llm.Request) bool { return req.Messages[len(req.Messages)-1].Role != llm.User }), scripted.Text("Fine.")}
		m := scripted.New(calls, says)
		client, err := agent.New(agent.Config{Model: m, Memory: kept, Remember: agent.MemoryConfig{Serialise: true}, Tools: []*agent.Tool{slow}})
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 3)
		for range 3 {
			go func() {
				_, err := client.Call(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
				errs <- err
			}()
		}
		for range 3 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if got := storedIn(t, kept); got != strings.Repeat("UCRA", 3) {
			t.Errorf("stored %s", got)
		}
		lengths := make([]int, 0, 6)
		for _, req := range m.Requests() {
			lengths = append(lengths, len(req.Messages))
		}
		if !slices.Equal(lengths, []int{1, 3, 5, 7, 9, 11}) {
			t.Errorf("the requests have %v messages", lengths)
		}
	})
}

// A call to a tool that does not exist is answered with the names of those that do, and the run goes on.
func TestGapUnknownTool(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("lock", "{}"), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
	result := r.ask("How is it?")
	texts := resultTexts(r.model.Requests()[1].Messages)
	if len(texts) != 2 || !strings.Contains(texts[0], `no tool "lock"`) || !strings.Contains(texts[0], "look, show") || texts[1] != "sunny" {
		t.Errorf("the model was told %q", texts)
	}
	if result.Text() != "Fine." || !result.Messages[1].Blocks[0].Failed || result.Rounds[0].Ran != 1 {
		t.Errorf("answered %q, ran %d", result.Text(), result.Rounds[0].Ran)
	}
	r.wants(2, "look{}")
}

// The final hook is called exactly once however a run ends, with the reason, the messages and the error that the caller
// gets.
func TestGapFinaliseOnEveryEnd(t *testing.T) {
	t.Parallel()
	for _, e := range endings() {
		ctx, cancel := context.WithCancelCause(t.Context())
		var run *agent.Run
		do := func() {
			if e.safe != 0 {
				run.Cancel(e.safe)
			} else {
				cancel(agent.ErrCancelled)
			}
		}
		var (
			times    int
			result   agent.Result
			finalErr error
		)
		cfg := agent.Config{Model: &cancelling{scripted.New(e.rounds...), e.cancelAfter, do}, Tools: matrixTools(do)}
		if e.loop != nil {
			e.loop(&cfg.Loop)
		}
		cfg.Loop.Finalise = func(ctx context.Context, r *agent.Result, err error) error {
			if ctx.Err() != nil {
				t.Errorf("%s: the hook's context is done", e.name)
			}
			times++
			result, finalErr = *r, err
			return nil
		}
		client, err := agent.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		run = client.Run(ctx, &agent.Request{Text: "How is it?"})
		_, err = eventsOf(run)
		cancel(nil)
		if times != 1 || result.Reason != e.reason || run.Result().Reason != e.reason || !errors.Is(finalErr, err) {
			t.Errorf("%s: called %d times with %q and %v; the run ended with %q and %v", e.name, times, result.Reason, finalErr, run.Result().Reason, err)
		}
		if letters(result.Messages) != letters(run.Result().Messages) {
			t.Errorf("%s: the hook saw %s, the result has %s", e.name, letters(result.Messages), letters(run.Result().Messages))
		}
	}
}

// A loop without history and without a memory inside is refused when it is built, because the model would get results of calls that it does not know.
func TestGapHistoryOffWithoutAMemory(t *testing.T) {
	t.Parallel()
	loop := agent.LoopConfig{NoHistory: true}
	_, err := agent.New(agent.Config{Model: scripted.New(), Loop: loop})
	wantError(t, err, "there is no memory inside it")
	_, err = agent.New(agent.Config{Model: scripted.New(), Loop: loop, Memory: newMemory(t)})
	wantError(t, err, "there is no memory inside it")
	_, err = agent.New(agent.Config{Model: scripted.New(), Loop: loop, Memory: newMemory(t), Remember: agent.MemoryConfig{Order: agent.InsideLoop}})
	if err != nil {
		t.Errorf("with a memory inside: %v", err)
	}
}

// Many rounds in a stream are numbered in order, each shown once, and cost the same each.
func TestGapManyRoundsInAStream(t *testing.T) {
	t.Parallel()
	const rounds = 30
	script := make([]scripted.Round, 0, rounds+1)
	for range rounds {
		script = append(script, scripted.Round{scripted.Text("Look."), scripted.Call("look", "{}"), scripted.Usage(1, 1)})
	}
	script = append(script, scripted.Round{scripted.Text("Fine."), scripted.Usage(1, 1)})
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.All, Limits: agent.Limits{Identical: -1}}}, script...)
	events, result := r.watch("How is it?")
	perRound := make(map[int]int)
	last := 0
	for _, ev := range events {
		if ev.Round < last {
			t.Fatalf("%s of round %d comes after round %d", ev.Type, ev.Round, last)
		}
		last = ev.Round
		perRound[ev.Round]++
	}
	for n := 2; n <= rounds; n++ {
		if perRound[n] != perRound[1] {
			t.Errorf("round %d has %d events, the first %d", n, perRound[n], perRound[1])
		}
	}
	if last != rounds+1 || len(result.Rounds) != rounds+1 || result.Usage.Input != rounds+1 || letters(result.Messages) != strings.Repeat("CR", rounds)+"A" {
		t.Errorf("the last round is %d, cost %d, added %s", last, result.Usage.Input, letters(result.Messages))
	}
}

// A call and a stream of the same script, in any mode, have the same result and leave the same memory.
func TestGapCallAndStreamAreTheSame(t *testing.T) {
	t.Parallel()
	script := []scripted.Round{
		{scripted.SignedThinking("hm", "c2ln"), scripted.Text("Look."), scripted.Call("look", "{}"), scripted.Call("nothing", "{}"), scripted.Usage(3, 4)},
		{scripted.Call("look", `{"n":2}`), scripted.Usage(5, 6)}, {scripted.Text("Fine."), scripted.Usage(7, 8)},
	}
	var first *agent.Result
	var stored []llm.Message
	check := func(name string, result *agent.Result, kept *memory.Memory) {
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, stored = result, c.Messages
		}
		if !equalMessages(result.Messages, first.Messages) || !equalMessages(c.Messages, stored) || letters(stored) != "UCRCRA" {
			t.Errorf("%s: added %s, stored %s", name, letters(result.Messages), letters(c.Messages))
		}
		if result.Text() != "Fine." || result.Usage.Input != 15 || result.Usage.Output != 18 || result.Kept != 6 || result.Reason != first.Reason {
			t.Errorf("%s: the result is %+v", name, result)
		}
	}
	for _, mode := range modes() {
		for _, path := range []string{"call", "stream"} {
			kept := newMemory(t)
			r := newRig(t, agent.Config{Memory: kept, Loop: agent.LoopConfig{Stream: mode}}, script...)
			var result *agent.Result
			if path == "call" {
				result = r.ask("How is it?")
			} else {
				_, result = r.watch("How is it?")
			}
			check(mode.String()+" "+path, result, kept)
		}
	}
}

// Ids that a model uses for calls in two turns are made unique in what is sent and stored, wherever the memory is.
func TestGapIDsOfTwoTurns(t *testing.T) {
	t.Parallel()
	for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
		kept := newMemory(t)
		call := scripted.Round{scripted.CallID("x", "look", "{}")}
		says := scripted.Round{scripted.Text("Fine.")}
		r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: order}}, call, says, call, says)
		r.ask("How is it?")
		r.ask("And now?")
		c, err := kept.Get(t.Context(), "c")
		if err != nil {
			t.Fatal(err)
		}
		if ids := takenCallIDs(c.Messages); len(ids) != 2 || ids[0] == ids[1] {
			t.Errorf("order %d: the stored ids are %q", order, ids)
		}
	}
}

// A tool that fails returns nothing directly: the model is told, and can try again.
func TestGapReturnDirectOfAToolThatFails(t *testing.T) {
	t.Parallel()
	fails := &agent.Tool{Name: "fails", ReturnDirect: true, Run: func(context.Context, agent.Call) (agent.Output, error) {
		return agent.Output{}, errors.New("no such city")
	}}
	r := newRig(t, agent.Config{Tools: []*agent.Tool{fails}}, scripted.Round{scripted.Call("fails", "{}")}, scripted.Round{scripted.Text("There is no such city.")})
	if result := r.ask("Show me."); result.Reason != agent.Done || len(result.Direct) != 0 || result.Text() != "There is no such city." {
		t.Errorf("ended with %q, %q", result.Reason, result.Text())
	}
	if got := resultTexts(r.model.Requests()[1].Messages); !equalStrings(got, "no such city") {
		t.Errorf("the model was told %q", got)
	}
}
