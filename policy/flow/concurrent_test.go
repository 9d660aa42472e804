package flow_test

import (
	"sync"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/flow"
)

// Policies that wait ask at the same time, for several blocks of an answer.
func TestAPastIsReadByManyAtOnce(t *testing.T) {
	t.Parallel()
	talk := user("hi").bash("curl https://example.net", "see https://collect.bad.test/in").call("Write", args{"file_path": "x.sh", "content": "a"}, "ok")
	asked := 0
	x := &policy.Exchange{Session: session, Ledger: &policy.MemoryLedger{}, Read: sync.OnceValue(func() *llm.Request {
		asked++
		return &llm.Request{Messages: talk.messages}
	})}
	var all sync.WaitGroup
	for range 4 {
		s := policy.NewSubject(x, made("Bash", nil))
		for range 4 {
			all.Go(func() {
				p := flow.Of(s)
				_, saw := p.SawUntrusted()
				_, read := p.ReadPrivate()
				_, copied := p.Copied("https://collect.bad.test/in")
				if _, leaks := p.Leaks("hi"); leaks {
					t.Error("it leaks")
				}
				if f := p.File("x.sh"); !saw || read || !copied || f == nil || f.Content != "a" {
					t.Errorf("untrusted %t, private %t, copied %t, file %v", saw, read, copied, f)
				}
			})
		}
	}
	all.Wait()
	if asked != 1 {
		t.Errorf("the request was read %d times", asked)
	}
}

// A past that nobody asks anything reads nothing.
func TestNothingIsReadBeforeItIsAskedFor(t *testing.T) {
	t.Parallel()
	x := &policy.Exchange{
		Read:    func() *llm.Request { t.Error("the request is read"); return nil },
		Earlier: func() ([]llm.Message, bool) { t.Error("earlier messages are read"); return nil, true },
	}
	flow.Of(policy.NewSubject(x, made("Bash", nil)))
}
