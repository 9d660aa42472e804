package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
)

// edits are what hooks and advisors may make of an answer.
func edits() map[string]func(a *agent.Answer) {
	content := func(a *agent.Answer, with string) {
		for i := range a.Blocks {
			if b := &a.Blocks[i]; b.Kind == llm.Content {
				b.Text = with
			}
		}
	}
	return map[string]func(a *agent.Answer){
		"nothing":        func(*agent.Answer) {},
		"another text":   func(a *agent.Answer) { content(a, "changed!") },
		"a longer text":  func(a *agent.Answer) { content(a, "my secret is safe") },
		"a shorter text": func(a *agent.Answer) { content(a, "my") },
		"no text":        func(a *agent.Answer) { content(a, "") },
		"no blocks":      func(a *agent.Answer) { a.Blocks = nil },
		"other blocks": func(a *agent.Answer) {
			a.Blocks = []llm.Block{{Kind: llm.Content, Text: "new"}, {Kind: llm.Content, Text: " text"}}
		},
		"a text before": func(a *agent.Answer) {
			a.Blocks = slices.Insert(a.Blocks, 0, llm.Block{Kind: llm.Content, Text: "note: "})
		},
		"a text behind": func(a *agent.Answer) { a.Blocks = append(a.Blocks, llm.Block{Kind: llm.Content, Text: " (note)"}) },
		"no thinking": func(a *agent.Answer) {
			a.Blocks = slices.DeleteFunc(a.Blocks, func(b llm.Block) bool { return b.Kind == llm.Thinking })
		},
		"other thinking":    func(a *agent.Answer) { a.Blocks[0].Text = "hm!" },
		"a refusal instead": func(a *agent.Answer) { a.Blocks = []llm.Block{{Kind: llm.Refusal, Text: "no"}} },
		"another call": func(a *agent.Answer) {
			for _, at := range a.Calls() {
				a.Blocks[at].Arguments = `{"n":"changed"}`
			}
		},
	}
}

// spelled is what is seen of an answer: its pieces by kind, and its calls.
func spelled(events []agent.Event) map[agent.EventType]string {
	said := map[agent.EventType]string{}
	for _, ev := range events {
		switch ev.Type {
		case agent.EventText, agent.EventThinking, agent.EventRefusal, agent.EventToolDelta:
			said[ev.Type] += ev.Text
		case agent.EventToolEnd:
			said[ev.Type] += ev.Call.Name + ev.Call.Arguments
		default:
		}
	}
	return said
}

// textsOf joins the texts of messages.
func textsOf(messages []llm.Message) string {
	text := ""
	for i := range messages {
		for _, b := range messages[i].Blocks {
			if b.Kind == llm.Content {
				text += b.Text
			}
		}
	}
	return text
}

// What a hook or an advisor leaves of an answer is what is seen, where nothing has
// been seen before.
func TestWhatHooksLeaveIsWhatIsSeen(t *testing.T) {
	answers := map[string]scripted.Round{
		"a text":            {scripted.Thinking("hm"), scripted.Text("my secret")},
		"two texts":         {scripted.Thinking("hm"), scripted.Text("my "), scripted.Text("secret")},
		"thinking only":     {scripted.Thinking("hm")},
		"a call for others": {scripted.Thinking("hm"), scripted.Text("my secret"), scripted.CallID("a", "look", `{"n":"my secret"}`)},
	}
	for where, hook := range editingHooks() {
		for _, mode := range modes() {
			for says, round := range answers {
				for what, edit := range edits() {
					cfg := agent.Config{Loop: agent.LoopConfig{Stream: mode, Eligible: func(*agent.Answer) bool { return false }}}
					hook(&cfg, func(a *agent.Answer) {
						if a.Live != (mode != agent.FinalBuffered) && where != "an advisor" {
							t.Errorf("%s, %s: the hook is told that the answer is live: %t", where, mode, a.Live)
						}
						edit(a)
					})
					events, result := newRig(t, cfg, round).watch("?")
					if problem := seenOtherwise(mode, events, result); problem != "" {
						t.Errorf("%s, %s, %s, %s: %s", where, mode, says, what, problem)
					}
				}
			}
		}
	}
}

// editingHooks are the places where an answer can be changed.
func editingHooks() map[string]func(cfg *agent.Config, edit func(*agent.Answer)) {
	return map[string]func(cfg *agent.Config, edit func(*agent.Answer)){
		"an advisor": func(cfg *agent.Config, edit func(*agent.Answer)) { cfg.Advisors = []agent.Advisor{altering(edit)} },
		"After": func(cfg *agent.Config, edit func(*agent.Answer)) {
			cfg.Loop.After = func(_ context.Context, _ *agent.Request, a *agent.Answer) error {
				edit(a)
				return nil
			}
		},
		"Finalise": func(cfg *agent.Config, edit func(*agent.Answer)) {
			cfg.Loop.Finalise = func(_ context.Context, r *agent.Result, _ error) error {
				edit(r.Answer)
				return nil
			}
		},
		"Finalise, in another answer": func(cfg *agent.Config, edit func(*agent.Answer)) {
			cfg.Loop.Finalise = func(_ context.Context, r *agent.Result, _ error) error {
				other := *r.Answer
				other.Blocks = slices.Clone(r.Answer.Blocks)
				r.Answer = &other
				edit(r.Answer)
				return nil
			}
		},
	}
}

// seenOtherwise says what of a result was seen otherwise.
func seenOtherwise(mode agent.StreamMode, events []agent.Event, result *agent.Result) string {
	seen, left := spelled(events), spelled(eventsFor(result))
	for piece := agent.EventText; piece <= agent.EventToolEnd; piece++ {
		calls := piece == agent.EventToolDelta || piece == agent.EventToolEnd
		live := mode == agent.All || mode == agent.FinalLive && !calls
		if !live && seen[piece] != left[piece] {
			return fmt.Sprintf("%s is seen as %q, and the result has %q", piece, seen[piece], left[piece])
		}
	}
	for _, ev := range events {
		if mode == agent.FinalBuffered && ev.Type == agent.EventRoundEnd && ev.Answer != result.Answer {
			return fmt.Sprintf("the end of the round tells %q, and the result has %q", ev.Answer.Text(), result.Text())
		}
	}
	if text := textsOf(result.Messages); text != result.Answer.Text() {
		return fmt.Sprintf("the messages say %q, and the answer %q", text, result.Text())
	}
	if last := events[len(events)-1]; last.Type != agent.EventFinal || strings.Count(spell(events), "round_end") != 1 {
		return spell(events)
	}
	return ""
}

// eventsFor are the pieces that a result has.
func eventsFor(result *agent.Result) []agent.Event {
	var events []agent.Event
	for i := range result.Answer.Blocks {
		b := &result.Answer.Blocks[i]
		switch b.Kind {
		case llm.Content:
			events = append(events, agent.Event{Type: agent.EventText, Text: b.Text})
		case llm.Thinking:
			events = append(events, agent.Event{Type: agent.EventThinking, Text: b.Text})
		case llm.Refusal:
			events = append(events, agent.Event{Type: agent.EventRefusal, Text: b.Text})
		case llm.ToolCall:
			if result.Reason == agent.CallsLeft {
				events = append(events, agent.Event{Type: agent.EventToolDelta, Text: b.Arguments}, agent.Event{Type: agent.EventToolEnd, Call: b})
			}
		default:
		}
	}
	return events
}

// An answer that no hook changed keeps its pieces.
func TestWhatHooksDoNotChangeIsSeenAsItCame(t *testing.T) {
	round := scripted.Round{scripted.Thinking("hm"), scripted.Text(strings.Repeat("many words of an answer ", 9))}
	var plain []agent.Event
	for _, cfg := range []agent.LoopConfig{{}, {
		After:    func(context.Context, *agent.Request, *agent.Answer) error { return nil },
		Finalise: func(context.Context, *agent.Result, error) error { return nil },
	}} {
		events, _ := newRig(t, agent.Config{Loop: cfg}, round).watch("?")
		if plain == nil {
			plain = events
			continue
		}
		if !slices.EqualFunc(plain, events, func(a, b agent.Event) bool {
			return a.Type == b.Type && a.Text == b.Text && a.Block == b.Block && a.Round == b.Round
		}) {
			t.Errorf("%s and %s", spell(plain), spell(events))
		}
	}
}

// A Finalise that fails, where nothing was seen, leaves nothing to be seen.
func TestNothingIsSeenOfAnAnswerThatFinaliseRefuses(t *testing.T) {
	no, times := errors.New("no"), 0
	r := newRig(t, agent.Config{Loop: agent.LoopConfig{Finalise: func(context.Context, *agent.Result, error) error { times++; return no }}},
		scripted.Round{scripted.Text("my secret")})
	events, err := eventsOf(r.Run(t.Context(), &agent.Request{Text: "?"}))
	if !errors.Is(err, no) || len(events) != 0 || times != 1 {
		t.Errorf("%v after %s, %d times", err, spell(events), times)
	}
}

// If the caller leaves while an answer is shown, Finalise has been called once.
func TestLeavingWhileTheAnswerIsShownFinalisesOnce(t *testing.T) {
	for _, mode := range modes() {
		times := 0
		r := newRig(t, agent.Config{Loop: agent.LoopConfig{Stream: mode, Finalise: func(context.Context, *agent.Result, error) error { times++; return nil }}},
			scripted.Round{scripted.Text("my secret")})
		run := r.Run(t.Context(), &agent.Request{Text: "?"})
		for range run.Events() {
			break
		}
		if times != 1 || run.Result().Reason != agent.Cancelled {
			t.Errorf("%s: %d times, %s", mode, times, run.Result().Reason)
		}
	}
}
