package agent_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

// A stream without calls is the model's own: its pieces in order, its end, and nothing is run.
func TestBehaviour023AStreamWithoutCallsIsTheModels(t *testing.T) {
	t.Parallel()
	text := "A longer answer that comes in several pieces, all of them in order."
	for _, mode := range modes() {
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: mode}}, scripted.Round{scripted.Text(text)})
		events, result := r.watch("How is it?")
		if spell(events) != "text round_end final" || spoken(events) != text || len(events) < 5 {
			t.Errorf("%s: seen %q in %d events: %q", mode, spell(events), len(events), spoken(events))
		}
		if result.Text() != text {
			t.Errorf("%s: the result says %q", mode, result.Text())
		}
		r.wants(1, "")
	}
}

// By default only the final answer of a run with tools is shown.
func TestBehaviour024OnlyTheFinalAnswerIsSeen(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("Let me look."), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Sunny.")})
	events, result := r.watch("How is it?")
	if spell(events) != "text round_end final" || spoken(events) != "Sunny." {
		t.Errorf("seen %q: %q", spell(events), spoken(events))
	}
	for _, ev := range events {
		if ev.Round != 2 {
			t.Errorf("%s is of round %d", ev.Type, ev.Round)
		}
	}
	if result.Text() != "Sunny." {
		t.Errorf("the result says %q", result.Text())
	}
	r.wants(2, "look{}")
}

// What is shown of rounds with tools is one setting with three values instead of a flag; its zero value is FinalBuffered,
// which does what the flag's default did.
func TestDifferent025TheZeroModeIsFinalBuffered(t *testing.T) {
	t.Parallel()
	var mode agent.StreamMode
	if mode != agent.FinalBuffered || mode.String() != "final-buffered" || (agent.LoopConfig{}).Stream != agent.FinalBuffered {
		t.Errorf("the zero mode is %s", mode)
	}
}

// Setting FinalBuffered is the same as setting nothing; it is what setting the flag to false was.
func TestDifferent026FinalBufferedCanBeNamed(t *testing.T) {
	t.Parallel()
	script := []scripted.Round{{scripted.Call("look", "{}")}, {scripted.Text("Sunny.")}}
	unset, _ := newRig(t, agent.Config{}, script...).watch("How is it?")
	set, _ := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.FinalBuffered}}, script...).watch("How is it?")
	if spell(unset) != spell(set) || len(unset) != len(set) {
		t.Errorf("seen %q and %q", spell(unset), spell(set))
	}
}

// There is no second name for hiding calls: FinalLive hides them as FinalBuffered does, but shows text as it arrives.
func TestDifferent027FinalLiveHidesCallsToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.FinalLive}}, scripted.Round{scripted.Text("Let me look."), scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Sunny.")})
	events, _ := r.watch("How is it?")
	if got := spell(events); got != "text round_end text round_end final" {
		t.Errorf("seen %q", got)
	}
}

// With the mode All the calls of each round are shown with their results, and then the answer; the tool runs once.
func TestBehaviour028AllShowsEveryRound(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.All}}, scripted.Round{scripted.Call("look", `{"at":1}`)}, scripted.Round{scripted.Text("Sunny.")})
	events, _ := r.watch("How is it?")
	if got := spell(events); got != "tool_start tool_delta tool_end round_end tool_result text round_end final" {
		t.Errorf("seen %q", got)
	}
	at := slices.IndexFunc(events, func(ev agent.Event) bool { return ev.Type == agent.EventToolResult })
	if ev := events[at]; ev.Round != 1 || ev.Call.Arguments != `{"at":1}` || ev.Result.Text != "sunny" || ev.Result.ToolUseID != ev.Call.ID || ev.Result.Failed {
		t.Errorf("the result is %+v", ev)
	}
	r.wants(2, `look{"at":1}`)
}

// The end of a stream has the sum of the tokens of all rounds; the end of each round has its own.
func TestBehaviour029TheEndOfAStreamTellsTheSum(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: agent.All}}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, scripted.Round{scripted.Text("Sunny."), scripted.Usage(1, 2)})
	events, _ := r.watch("How is it?")
	last := events[len(events)-1]
	if u := last.Final.Usage; last.Type != agent.EventFinal || u.Input != 11 || u.Output != 22 {
		t.Errorf("the end says %+v", u)
	}
	var ends []int64
	for _, ev := range events {
		if ev.Type == agent.EventRoundEnd {
			ends = append(ends, ev.Answer.Usage.Input, ev.Answer.Usage.Output)
		}
	}
	if !slices.Equal(ends, []int64{10, 20, 1, 2}) {
		t.Errorf("the rounds cost %v", ends)
	}
}

// Tokens are reported only with the ends of rounds and of the run; pieces of text have none and keep their order around
// them.
func TestBehaviour030PiecesOfTextTellNoUsage(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)},
		scripted.Round{scripted.Text("One. "), scripted.Usage(1, 2), scripted.Text("Two.")})
	events, result := r.watch("How is it?")
	if spoken(events) != "One. Two." {
		t.Errorf("said %q", spoken(events))
	}
	for _, ev := range events {
		if ev.Type == agent.EventText && (ev.Answer != nil || ev.Final != nil) {
			t.Errorf("a piece of text tells %+v", ev)
		}
	}
	if result.Usage.Input != 11 || result.Usage.Output != 22 {
		t.Errorf("cost %+v", result.Usage)
	}
}

// If the last answer reports no usage, that of the earlier rounds is in the final event, which every stream has, and not in
// an additional one.
func TestDifferent031NoAdditionalEventForUsage(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, scripted.Round{scripted.Text("Sunny.")})
	events, _ := r.watch("How is it?")
	if got := spell(events); got != "text round_end final" {
		t.Errorf("seen %q", got)
	}
	if u := events[len(events)-1].Final.Usage; u.Input != 10 || u.Output != 20 {
		t.Errorf("cost %+v", u)
	}
}

// Two runs of one client each have their own sums, and one run cannot be ranged over twice.
func TestBehaviour032RunsShareNoSums(t *testing.T) {
	t.Parallel()
	rounds := []scripted.Round{{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, {scripted.Text("Sunny."), scripted.Usage(1, 2)}}
	r := newRig(t, agent.Config{}, slices.Concat(rounds, rounds)...)
	for range 2 {
		if _, result := r.watch("How is it?"); result.Usage.Input != 11 || result.Usage.Output != 22 || len(result.Rounds) != 2 {
			t.Errorf("cost %+v in %d rounds", result.Usage, len(result.Rounds))
		}
	}
	r.wants(4, "look{} look{}")
	run := r.Run(t.Context(), &agent.Request{Text: "Again?"})
	_, _ = eventsOf(run)
	events, err := eventsOf(run)
	if !errors.Is(err, agent.ErrConsumed) || len(events) != 0 {
		t.Errorf("the second range gave %d events and %v", len(events), err)
	}
	r.wants(5, "look{} look{}")
}

// A stream that ends with a direct result in its second round shows only that result, and its end has the sum.
func TestBehaviour033ADirectResultInAStreamKeepsTheSum(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Call("look", "{}"), scripted.Usage(10, 20)}, scripted.Round{scripted.Call("show", "{}"), scripted.Usage(1, 2)})
	events, _ := r.watch("Show me.")
	if spell(events) != "text final" || spoken(events) != "for you" {
		t.Errorf("seen %q: %q", spell(events), spoken(events))
	}
	if u := events[1].Final.Usage; u.Input != 11 || u.Output != 22 {
		t.Errorf("cost %+v", u)
	}
}

// A direct result is streamed as one piece of text, in every mode, and its tool runs once.
func TestBehaviour034ADirectResultIsStreamedAsText(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: mode}}, scripted.Round{scripted.Call("show", "{}")})
		events, result := r.watch("Show me.")
		texts := 0
		for _, ev := range events {
			if ev.Type == agent.EventText {
				texts++
			}
		}
		if texts != 1 || spoken(events) != "for you" || result.Reason != agent.ReturnedDirectly {
			t.Errorf("%s: %d texts, %q, %q", mode, texts, spoken(events), result.Reason)
		}
		r.wants(1, "show{}")
	}
}

// An agent without a model is refused before there is a stream to range over, whatever else is given.
func TestBehaviour035AnAgentWithoutAModelIsRefused(t *testing.T) {
	t.Parallel()
	var l ledger
	client, err := agent.New(agent.Config{Tools: []*agent.Tool{l.tool("look", "sunny")}, Advisors: []agent.Advisor{&spy{name: "spy"}}})
	wantError(t, err, "no model")
	if client != nil {
		t.Error("there is a client all the same")
	}
}

// A stream without a request is one error and nothing else, and the run has a result.
func TestBehaviour036AStreamWithoutARequestIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{}, scripted.Round{scripted.Text("never")})
	run := r.Run(t.Context(), nil)
	events, err := eventsOf(run)
	wantError(t, err, "the request is nil")
	if len(events) != 0 || run.Result() == nil || run.Result().Reason != agent.Failed {
		t.Errorf("%d events, the result is %+v", len(events), run.Result())
	}
	r.wants(0, "")
}

// The stream of a request without tools passes through the loop unchanged.
func TestBehaviour037AStreamWithoutToolsPasses(t *testing.T) {
	t.Parallel()
	r := newRig(t, agent.Config{Tools: []*agent.Tool{}, Loop: agent.LoopConfig{Stream: agent.All}}, scripted.Round{scripted.Thinking("Hm."), scripted.Text("Fine.")})
	run := r.Run(t.Context(), &agent.Request{Text: "How is it?", MaxTokens: 9})
	events, err := eventsOf(run)
	if err != nil || spell(events) != "thinking text round_end final" || spoken(events) != "Fine." {
		t.Errorf("seen %q: %q, %v", spell(events), spoken(events), err)
	}
	if req := r.model.Requests()[0]; req.MaxTokens != 9 || len(req.Tools) != 0 || !strings.Contains(req.UserText(), "How") {
		t.Errorf("the model was asked %+v", req)
	}
}
