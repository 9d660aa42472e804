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

var errDisk = errors.New("the disk is on fire")

// flaky is a repository in which one call fails.
type flaky struct {
	memory.Repository

	fails, calls int
	failed       string
}

func (f *flaky) fail(what string) error {
	f.calls++
	if f.calls == f.fails {
		f.failed = what
		return fmt.Errorf("%s: %w", what, errDisk)
	}
	return nil
}

func (f *flaky) Load(ctx context.Context, id string) (memory.Conversation, error) {
	if err := f.fail("load"); err != nil {
		return memory.Conversation{}, err
	}
	return f.Repository.Load(ctx, id)
}

func (f *flaky) Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	if err := f.fail("append"); err != nil {
		return 0, err
	}
	return f.Repository.Append(ctx, id, at, messages)
}

func (f *flaky) Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	if err := f.fail("replace"); err != nil {
		return 0, err
	}
	return f.Repository.Replace(ctx, id, at, messages)
}

// Whichever call of a repository fails, the run ends with that error, its result has all that was done, and what is stored is whole.
func TestARepositoryThatFailsAtEveryCall(t *testing.T) {
	t.Parallel()
	for _, inside := range []bool{false, true} {
		for _, keep := range []bool{false, true} {
			for name, window := range map[string]memory.Window{"all": memory.All(), "messages": memory.Messages(3)} {
				t.Run(fmt.Sprintf("inside %t, question first %t, window %s", inside, keep, name), func(t *testing.T) {
					t.Parallel()
					failures := map[string]int{}
					for fails := 1; ; fails++ {
						what := failAt(t, fails, inside, keep, window)
						if what == "" {
							break
						}
						failures[what]++
					}
					if failures["load"] == 0 || failures["append"] == 0 || (name == "messages") != (failures["replace"] > 0) {
						t.Errorf("failed at %v", failures)
					}
				})
			}
		}
	}
}

// failAt runs two turns in which one call to the repository fails, and returns
// which.
func failAt(t *testing.T, fails int, inside, keep bool, window memory.Window) string {
	t.Helper()
	repo := &flaky{Repository: memory.NewInMemory(), fails: fails}
	kept, err := memory.New(repo, memory.Options{Window: window})
	if err != nil {
		t.Fatal(err)
	}
	cfg := agent.Config{Memory: kept, Remember: agent.MemoryConfig{KeepQuestion: keep}}
	if inside {
		cfg.Remember.Order = agent.InsideLoop
	}
	always := func(*llm.Request) bool { return true }
	last := func(role llm.Role) scripted.Step {
		return scripted.When(func(req *llm.Request) bool { return req.Messages[len(req.Messages)-1].Role == role })
	}
	r := newRig(t, cfg, scripted.Round{last(llm.User), scripted.Call("look", "{}")}, scripted.Round{scripted.When(always), scripted.Text("Fine.")})
	for range 2 {
		ranBefore := r.ran()
		run := r.Run(t.Context(), &agent.Request{Text: "How is it?", Conversation: "c"})
		events, err := eventsOf(run)
		result := run.Result()
		broke := repo.failed != "" && err != nil
		if broke != (repo.calls >= fails && result.Reason == agent.Failed) {
			t.Errorf("call %d (%s): the error is %v, ended with %q", fails, repo.failed, err, result.Reason)
		}
		stored, problem := repo.Repository.Load(t.Context(), "c")
		if problem != nil {
			t.Fatal(problem)
		}
		if err := sluicetest.ValidateHistories(stored.Messages); err != nil {
			t.Errorf("call %d (%s): stored what a provider refuses: %v", fails, repo.failed, err)
		}
		if !broke {
			continue
		}
		if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "the memory cannot be") {
			t.Errorf("call %d (%s): the error is %v", fails, repo.failed, err)
		}
		if strings.Contains(spell(events), "final") {
			t.Errorf("call %d (%s): the run has a final event, and fails", fails, repo.failed)
		}
		// What tools did is reported, whether it could be stored or not.
		if did := r.ran() != ranBefore; did != strings.HasPrefix(letters(result.Messages), "CR") {
			t.Errorf("call %d (%s): a tool ran: %t; added %s", fails, repo.failed, did, letters(result.Messages))
		}
		if result.Answer != nil && !result.Answer.HasCalls() && letters(result.Messages) != "CRA" {
			t.Errorf("call %d (%s): the model had answered, and the result has %s", fails, repo.failed, letters(result.Messages))
		}
		return repo.failed
	}
	return repo.failed
}
