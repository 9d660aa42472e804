package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// minutes writes messages down, one word for each: who speaks, and what.
func minutes(messages []llm.Message) string {
	words := make([]string, len(messages))
	for i, m := range messages {
		var said []string
		for _, b := range m.Blocks {
			switch b.Kind {
			case llm.ToolCall:
				said = append(said, b.Name+b.Arguments)
			default:
				said = append(said, b.Text)
			}
		}
		words[i] = string(m.Role) + ":" + strings.Join(said, "+")
	}
	return strings.Join(words, " ")
}

// keptIn is what is kept of a conversation, which must be one that every provider takes back.
func keptIn(t *testing.T, kept *memory.Memory, id string) string {
	t.Helper()
	c, err := kept.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := sluicetest.ValidateHistories(c.Messages); err != nil {
		t.Errorf("what is kept of %q cannot be sent: %v", id, err)
	}
	return minutes(c.Messages)
}

// spokenBy builds a message of one text.
func spokenBy(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
}

// insideLoop are the two ways in which a memory works inside of the loop.
func insideLoop(t *testing.T, test func(t *testing.T, cfg agent.Config)) {
	t.Helper()
	for _, noHistory := range []bool{false, true} {
		t.Run(fmt.Sprintf("history %t", !noHistory), func(t *testing.T) {
			test(t, agent.Config{
				Memory: newMemory(t), Remember: agent.MemoryConfig{Order: agent.InsideLoop},
				Loop: agent.LoopConfig{NoHistory: noHistory},
			})
		})
	}
}

// A memory advisor without a memory, and a memory without a repository, are refused when they are made.
func TestBehaviour079NoMemoryIsRefused(t *testing.T) {
	t.Parallel()
	_, err := agent.NewMemory(nil, agent.MemoryConfig{})
	wantError(t, err, "there is no memory")
	_, err = memory.New(nil, memory.Options{})
	wantError(t, err, "no repository")
	_, err = agent.New(agent.Config{Model: scripted.New(), Remember: agent.MemoryConfig{KeepQuestion: true}})
	wantError(t, err, "there is no Memory")
}

// No default conversation can be configured, because everyone who forgot the id would share it: only requests name
// conversations.
func TestDifferent080ThereIsNoDefaultConversation(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	r := newRig(t, agent.Config{Memory: kept}, scripted.Round{scripted.Text("Hello.")})
	if _, err := r.Call(t.Context(), &agent.Request{Text: "hi"}); !errors.Is(err, agent.ErrNoConversation) {
		t.Errorf("the error is %v", err)
	}
	for name, touch := range map[string]func() error{
		"Get":   func() error { _, err := kept.Get(t.Context(), ""); return err },
		"Add":   func() error { _, err := kept.Add(t.Context(), "", 0, spokenBy(llm.User, "hi")); return err },
		"Clear": func() error { return kept.Clear(t.Context(), "") },
	} {
		if err := touch(); !errors.Is(err, memory.ErrNoConversation) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	r.wants(0, "")
}

// A memory is outside of the tool loop by default, otherwise at its order, and never the outermost or innermost element.
func TestBehaviour081DefaultAndCustomOrder(t *testing.T) {
	t.Parallel()
	for order, want := range map[int]int{0: agent.OutsideLoop, agent.InsideLoop: agent.InsideLoop, 7: 7, -7: -7} {
		m, err := agent.NewMemory(newMemory(t), agent.MemoryConfig{Order: order})
		if err != nil || m.Order() != want {
			t.Errorf("%d: it stands at %d, want %d: %v", order, m.Order(), want, err)
		}
	}
	for _, order := range []int{agent.Outermost, agent.Innermost} {
		_, err := agent.NewMemory(newMemory(t), agent.MemoryConfig{Order: order})
		wantError(t, err, "Outermost or Innermost")
	}
	for order, want := range map[int]string{0: "memory, tool loop", agent.InsideLoop: "tool loop, memory"} {
		r := newRig(t, agent.Config{Memory: newMemory(t), Remember: agent.MemoryConfig{Order: order}})
		var names []string
		for _, a := range r.Advisors() {
			names = append(names, a.Name())
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("the chain is %s, want %s", got, want)
		}
	}
}

// A request that names no conversation ends with an error before the model is asked, wherever the memory is.
func TestBehaviour082ARequestWithoutAConversationFails(t *testing.T) {
	t.Parallel()
	bothPaths(t, func(t *testing.T, ask func(*agent.Client, *agent.Request) (*agent.Result, error)) {
		for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
			repo := memory.NewInMemory()
			kept, err := memory.New(repo, memory.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: order, KeepQuestion: true}}, scripted.Round{scripted.Text("Hello.")})
			result, err := ask(r.Client, &agent.Request{Text: "hi"})
			if result == nil {
				t.Fatalf("there is no result: %v", err)
			}
			if !errors.Is(err, agent.ErrNoConversation) || result.Reason != agent.Failed || result.Kept != 0 {
				t.Errorf("ended with %q and %v, %d kept", result.Reason, err, result.Kept)
			}
			r.wants(0, "")
			if ids, err := repo.IDs(t.Context()); err != nil || len(ids) != 0 {
				t.Errorf("there are conversations %q: %v", ids, err)
			}
		}
	})
}

// The conversation is the one that the request names, or that an advisor further out took from the values of the run, and
// no other is touched.
func TestBehaviour083TheConversationIsTheRequests(t *testing.T) {
	t.Parallel()
	kept := newMemory(t)
	named := orderedFunc{agent.AdvisorFunc("named", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
		if user, ok := req.Values.Get("user").(string); ok {
			req = req.Clone()
			req.Conversation = user
		}
		return next(ctx, req)
	}), agent.OutsideLoop - 1}
	r := newRig(t, agent.Config{Memory: kept, Advisors: []agent.Advisor{named}},
		scripted.Round{scripted.Text("1.")}, scripted.Round{scripted.Text("2.")}, scripted.Round{scripted.Text("3.")})
	for _, req := range []*agent.Request{
		{Text: "a", Conversation: "ann"},
		{Text: "b", Values: agent.NewValues(map[string]any{"user": "bob"})},
		{Text: "c", Conversation: "ann"},
	} {
		if _, err := r.Call(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	if got := keptIn(t, kept, "ann"); got != "user:a assistant:1. user:c assistant:3." {
		t.Errorf("ann has %s", got)
	}
	if got := keptIn(t, kept, "bob"); got != "user:b assistant:2." {
		t.Errorf("bob has %s", got)
	}
	if got := minutes(r.model.Requests()[1].Messages); got != "user:b" {
		t.Errorf("bob's model got %s", got)
	}
}

// The question is stored together with the first thing that follows it, so that a failed run leaves no unanswered one; with
// KeepQuestion it is stored before the model is asked, and stays.
func TestDifferent084TheQuestionIsStoredWithItsAnswer(t *testing.T) {
	t.Parallel()
	for _, order := range []int{agent.OutsideLoop, agent.InsideLoop} {
		for _, keep := range []bool{false, true} {
			t.Run(fmt.Sprintf("order %d, keep %t", order, keep), func(t *testing.T) {
				t.Parallel()
				kept := newMemory(t)
				var during []string
				look := agent.AdvisorFunc("look", func(ctx context.Context, req *agent.Request, next agent.Next) agent.Events {
					c, err := kept.Get(ctx, "c")
					if err != nil {
						t.Error(err)
					}
					during = append(during, letters(c.Messages))
					return next(ctx, req)
				})
				r := newRig(t, agent.Config{Memory: kept, Remember: agent.MemoryConfig{Order: order, KeepQuestion: keep}, Advisors: []agent.Advisor{look}},
					scripted.Round{scripted.Fail(errModel)},
					scripted.Round{scripted.Call("look", "{}")}, scripted.Round{scripted.Text("Fine.")})
				failed, err := r.Call(t.Context(), &agent.Request{Text: "one", Conversation: "c"})
				if !errors.Is(err, errModel) || failed == nil {
					t.Fatalf("the result is %v: %v", failed, err)
				}
				before, afterFailure := "", ""
				if keep {
					before, afterFailure = "U", "user:one"
				}
				if got := keptIn(t, kept, "c"); got != afterFailure || failed.Kept != len(before) {
					t.Errorf("the failed run left %q, and says that it kept %d messages", got, failed.Kept)
				}
				second := r.ask("two")
				// The rounds of a run are stored when they are whole.
				want := []string{before, before + before, before + "UCR"}
				if !equalStrings(during, want...) {
					t.Errorf("while the model was asked %q were stored, want %q", during, want)
				}
				whole := strings.TrimSpace(afterFailure + " user:two assistant:look{} tool:sunny assistant:Fine.")
				if got := keptIn(t, kept, "c"); got != whole || second.Kept != 4 {
					t.Errorf("stored %q, want %q; %d kept", got, whole, second.Kept)
				}
			})
		}
	}
}
