package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// Results are stored as a round: the calls and all their results in one write, because providers refuse results alone.
func TestDifferent085ResultsAreStoredWithTheirCalls(t *testing.T) {
	t.Parallel()
	insideLoop(t, func(t *testing.T, cfg agent.Config) {
		repo := &writes{InMemory: memory.NewInMemory()}
		var err error
		if cfg.Memory, err = memory.New(repo, memory.Options{}); err != nil {
			t.Fatal(err)
		}
		r := newRig(t, cfg, scripted.Round{scripted.Call("look", `{"n":1}`), scripted.Call("look", `{"n":2}`)},
			scripted.Round{scripted.Call("look", `{"n":3}`)}, scripted.Round{scripted.Text("Fine.")})
		r.ask("How is it?")
		want := []string{
			`user:How is it? assistant:look{"n":1}+look{"n":2} tool:sunny+sunny`,
			`assistant:look{"n":3} tool:sunny`,
			`assistant:Fine.`,
		}
		if !equalStrings(repo.units, want...) {
			t.Errorf("written were %q, want %q", repo.units, want)
		}
	})
}

// writes is a repository that writes down what is appended to it.
type writes struct {
	*memory.InMemory

	units []string
}

func (w *writes) Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	w.units = append(w.units, minutes(messages))
	return w.InMemory.Append(ctx, id, at, messages)
}

// A question and the results in a second request are stored in order, even if the caller runs the tools and sends only what
// the memory has not stored.
func TestBehaviour086AQuestionAndItsResultsInTwoRequests(t *testing.T) {
	t.Parallel()
	insideLoop(t, func(t *testing.T, cfg agent.Config) {
		r := newRig(t, cfg, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
		r.ask("How is it?")
		if got := keptIn(t, cfg.Memory, "c"); got != "user:How is it? assistant:look{} tool:sunny assistant:Fine." {
			t.Errorf("stored %s", got)
		}
	})
	for _, keep := range []bool{false, true} {
		t.Run(fmt.Sprintf("by hand, keep %t", keep), func(t *testing.T) {
			kept := newMemory(t)
			r := newRig(t, agent.Config{Memory: kept, NoLoop: true, Remember: agent.MemoryConfig{KeepQuestion: keep}},
				scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
			result := r.ask("How is it?")
			if result.Reason != agent.CallsLeft {
				t.Fatalf("ended with %q", result.Reason)
			}
			called := llm.Message{Role: llm.Assistant, Blocks: result.Answer.Blocks}
			all := []llm.Message{spokenBy(llm.User, "How is it?"), called, {Role: llm.ToolRole, Blocks: []llm.Block{
				{Kind: llm.ToolResult, ToolUseID: result.Answer.Blocks[0].ID, Name: "look", Text: "rainy"},
			}}}
			if _, err := r.Call(t.Context(), &agent.Request{Messages: all[result.Kept:], Conversation: "c"}); err != nil {
				t.Fatal(err)
			}
			if got := keptIn(t, kept, "c"); got != "user:How is it? assistant:look{} tool:rainy assistant:Fine." {
				t.Errorf("stored %s", got)
			}
			if got := letters(r.model.Requests()[1].Messages); got != "UCR" {
				t.Errorf("the model got %s", got)
			}
		})
	}
}

// What is both in the request and in the memory is sent once, and what is new is added to the memory.
func TestBehaviour087WhatIsInTheRequestIsNotRepeated(t *testing.T) {
	t.Parallel()
	insideLoop(t, func(t *testing.T, cfg agent.Config) {
		r := newRig(t, cfg, scripted.Round{scripted.Text("Hello.")},
			scripted.Round{scripted.Call("look", `{"n":1}`)}, scripted.Round{scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")})
		r.ask("hi")
		r.ask("How is it?")
		last := `user:hi assistant:Hello. user:How is it? assistant:look{"n":1} tool:sunny assistant:look{"n":2} tool:sunny`
		if got := minutes(r.model.Requests()[3].Messages); got != last {
			t.Errorf("the model got %s, want %s", got, last)
		}
		if got := keptIn(t, cfg.Memory, "c"); got != last+" assistant:Fine." {
			t.Errorf("stored %s", got)
		}
	})
}

// A message that a hook adds to every round does not make the memory send the round's calls twice.
func TestBehaviour087ARemindedRoundIsNotRepeated(t *testing.T) {
	t.Parallel()
	insideLoop(t, func(t *testing.T, cfg agent.Config) {
		cfg.Loop.Before = func(_ context.Context, req *agent.Request) error {
			req.Messages = append(req.Messages, spokenBy(llm.User, fmt.Sprintf("round %d", req.Round)))
			return nil
		}
		r := newRig(t, cfg, scripted.Round{scripted.Call("look", `{"n":1}`)}, scripted.Round{scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")})
		r.ask("How is it?")
		for i, req := range r.model.Requests() {
			if got := takenCallIDs(req.Messages); len(got) != i {
				t.Errorf("request %d has the calls %q: %s", i+1, got, minutes(req.Messages))
			}
			if err := sluicetest.ValidateHistories(req.Messages); err != nil {
				t.Errorf("request %d cannot be sent: %v", i+1, err)
			}
		}
		if got := keptIn(t, cfg.Memory, "c"); strings.Count(got, "look") != 2 {
			t.Errorf("stored %s", got)
		}
	})
}

// A turn that is longer than the window stays whole while older ones are dropped: there is never a result without its call,
// as there is in Spring AI.
func TestDifferent088AWindowNeverLeavesALoneResult(t *testing.T) {
	t.Parallel()
	insideLoop(t, func(t *testing.T, cfg agent.Config) {
		var err error
		if cfg.Memory, err = memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(3)}); err != nil {
			t.Fatal(err)
		}
		r := newRig(t, cfg, scripted.Round{scripted.Text("Hello.")},
			scripted.Round{scripted.Call("look", `{"n":1}`)}, scripted.Round{scripted.Call("look", `{"n":2}`)}, scripted.Round{scripted.Text("Fine.")},
			scripted.Round{scripted.Text("Bye.")})
		r.ask("hi")
		r.ask("How is it?")
		turn := `user:How is it? assistant:look{"n":1} tool:sunny assistant:look{"n":2} tool:sunny`
		for i, want := range []string{
			"user:hi",
			"user:hi assistant:Hello. user:How is it?",
			`user:How is it? assistant:look{"n":1} tool:sunny`,
			turn,
		} {
			if got := minutes(r.model.Requests()[i].Messages); !strings.HasSuffix(got, want) || strings.Count(got, "How is it?") > 1 {
				t.Errorf("request %d is %s, want it to end with %s", i+1, got, want)
			}
		}
		if got := keptIn(t, cfg.Memory, "c"); got != turn+" assistant:Fine." {
			t.Errorf("stored %s", got)
		}
		r.ask("bye")
		if got := keptIn(t, cfg.Memory, "c"); got != "user:bye assistant:Bye." {
			t.Errorf("after the next turn stored %s", got)
		}
	})
}

// System messages of a request come before the history that the memory adds, each once.
func TestBehaviour089SystemMessagesComeFirst(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
			kept := newMemory(t)
			r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: order}},
				scripted.Round{scripted.Text("1.")}, scripted.Round{scripted.Text("2.")})
			for _, text := range []string{"one", "two"} {
				if _, err := ask(r.Client, &agent.Request{Conversation: "c", Messages: []llm.Message{
					spokenBy(llm.System, "Be brief."), spokenBy(llm.User, text),
				}}); err != nil {
					t.Fatal(err)
				}
			}
			second := r.model.Requests()[1].Messages
			if got := minutes(second); got != "system:Be brief. user:one assistant:1. user:two" {
				t.Errorf("order %d: the model got %s", order, got)
			}
			if err := sluicetest.ValidateHistories(second); err != nil {
				t.Errorf("order %d: the second request cannot be sent: %v", order, err)
			}
			if got := keptIn(t, kept, "c"); got != "system:Be brief. user:one assistant:1. user:two assistant:2." {
				t.Errorf("order %d: stored %s", order, got)
			}
		}
	})
}

// Instructions that already come first stay there, once, and are not stored.
func TestBehaviour090InstructionsStayFirst(t *testing.T) {
	t.Parallel()
	for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
		kept := newMemory(t)
		r := newRig(t, agent.Config{System: "Be brief.", Memory: kept, Remember: agent.MemoryConfig{Order: order}},
			scripted.Round{scripted.Text("1.")}, scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("2.")})
		r.ask("one")
		r.ask("two")
		for i, want := range []string{"user:one", "user:one assistant:1. user:two", "user:one assistant:1. user:two assistant:look{} tool:sunny"} {
			req := r.model.Requests()[i]
			if len(req.System) != 1 || req.System[0].Text != "Be brief." || minutes(req.Messages) != want {
				t.Errorf("order %d: request %d has %+v and %s", order, i+1, req.System, minutes(req.Messages))
			}
		}
		if got := keptIn(t, kept, "c"); strings.Contains(got, "brief") {
			t.Errorf("order %d: stored %s", order, got)
		}
	}
}

// The second request of a conversation has the instructions, the first question and its answer, and the second question, in a call.
func TestBehaviour091ASecondCallHasTheFirst(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	r := newRig(t, agent.Config{System: "Be brief.", Memory: kept}, scripted.Round{scripted.Text("Hello Ann.")}, scripted.Round{scripted.Text("Ann.")})
	if got := r.ask("I am Ann.").Text(); got != "Hello Ann." {
		t.Errorf("answered %q", got)
	}
	if got := r.ask("Who am I?").Text(); got != "Ann." {
		t.Errorf("answered %q", got)
	}
	second := r.model.Requests()[1]
	if got := minutes(second.Messages); got != "user:I am Ann. assistant:Hello Ann. user:Who am I?" || second.System[0].Text != "Be brief." {
		t.Errorf("the second request has %+v and %s", second.System, got)
	}
	if got := keptIn(t, kept, "c"); got != "user:I am Ann. assistant:Hello Ann. user:Who am I? assistant:Ann." {
		t.Errorf("stored %s", got)
	}
}

// The second request of a conversation has the first turn in a stream too, with the answer as one message made of all its pieces.
func TestBehaviour092ASecondStreamHasTheFirst(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		kept := newMemory(t)
		long := strings.Repeat("Hello Ann. ", 10) + "Bye."
		r := newRig(t, agent.Config{System: "Be brief.", Memory: kept, Loop: agent.LoopConfig{Stream: mode}},
			scripted.Round{scripted.Text(long)}, scripted.Round{scripted.Text("Ann.")})
		events, _ := r.watch("I am Ann.")
		if spoken(events) != long || len(events) < 5 {
			t.Errorf("%s: heard %q in %d events", mode, spoken(events), len(events))
		}
		r.watch("Who am I?")
		second := r.model.Requests()[1]
		if got := minutes(second.Messages); got != "user:I am Ann. assistant:"+long+" user:Who am I?" || second.System[0].Text != "Be brief." {
			t.Errorf("%s: the second request has %+v and %s", mode, second.System, got)
		}
		if got := keptIn(t, kept, "c"); got != "user:I am Ann. assistant:"+long+" user:Who am I? assistant:Ann." {
			t.Errorf("%s: stored %s", mode, got)
		}
	}
}
