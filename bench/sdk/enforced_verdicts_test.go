package sdk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// What the policies say and make of calls.
const (
	policyName = "the-policy"
	reasonText = "use the other tool"
	comment    = "not on my watch"
)

// verdict is one thing that a policy can decide, and what shall come of it.
type verdict struct {
	name   string
	action policy.Action
	// host says what the host offers: a person to ask, and feedback to the
	// model.
	approver policy.Approver
	feedback bool
	// promised: the policy has promised that it never ends a turn.
	promised bool
	// refuses: the model cannot be told after all.
	refuses bool

	outcome outcome
	// says is what the notice of a blocked call must say besides the names.
	says string
}

// outcome is what becomes of a judged call.
type outcome int

const (
	passes   outcome = iota
	replaced         // its arguments are others
	blocked          // replaced by a text
	removed          // the model is told, or will be
	aborted          // the whole answer fails
)

func verdicts() []verdict {
	return []verdict{
		{name: "allow", action: policy.Allow, outcome: passes},
		{name: "allow where feedback is promised", action: policy.Allow, feedback: true, promised: true, outcome: passes},
		{name: "annotate", action: policy.Annotate, outcome: passes},
		{name: "rewrite", action: policy.Rewrite, outcome: replaced},
		{name: "redact", action: policy.Redact, outcome: replaced},
		{name: "ask approved", action: policy.Ask, approver: person(true), outcome: passes},
		{name: "ask denied", action: policy.Ask, approver: person(false), outcome: blocked, says: comment},
		{name: "ask denied with feedback", action: policy.Ask, approver: person(false), feedback: true, outcome: removed, says: comment},
		{name: "ask without approver", action: policy.Ask, outcome: blocked, says: reasonText},
		{name: "block", action: policy.Block, outcome: blocked, says: reasonText},
		{name: "block end_turn", action: policy.BlockEndTurn, outcome: blocked, says: reasonText},
		{name: "block end_turn where feedback is offered", action: policy.BlockEndTurn, feedback: true, outcome: blocked, says: reasonText},
		{name: "block feedback", action: policy.BlockFeedback, feedback: true, outcome: removed, says: reasonText},
		{name: "block feedback as promised", action: policy.BlockFeedback, feedback: true, promised: true, outcome: removed, says: reasonText},
		{name: "block feedback that fails", action: policy.BlockFeedback, feedback: true, refuses: true, outcome: removed, says: reasonText},
		{name: "block feedback where none is offered", action: policy.BlockFeedback, outcome: blocked, says: reasonText},
		{name: "abort", action: policy.Abort, outcome: aborted, says: reasonText},
	}
}

// person decides about everything alike.
type person bool

// Approve decides.
func (p person) Approve(context.Context, policy.Approval) (policy.Decision, error) {
	return policy.Decision{Approved: bool(p), By: "somebody", Comment: comment}, nil
}

// set returns the policies that give the verdict to the named tools and allow
// every other one, and see to it that nothing changes an allowed call.
func (v verdict) set(t *testing.T, judged, all []string, how judging) *policy.Set {
	t.Helper()
	decide := func(s *policy.Subject) policy.Verdict {
		if v.outcome == replaced || !slices.Contains(judged, s.Block.Name) {
			return policy.Verdict{Action: policy.Allow}
		}
		return policy.Verdict{Action: v.action, Reason: reasonText}
	}
	judge := func(_ context.Context, s *policy.Subject) policy.Verdict { return decide(s) }
	if how == beside {
		judge = lastFirst(all, decide)
	}
	mine := policy.Policy{Judge: judge}
	if how == together || how == togetherBeside {
		mine = policy.Policy{JudgeAll: func(_ context.Context, calls []*policy.Subject) []policy.Verdict {
			given := make([]policy.Verdict, len(calls))
			for i, s := range calls {
				given[i] = decide(s)
			}
			return given
		}}
	}
	definitions := []policy.Definition{{
		Name: policyName, Feedback: v.promised, Waits: how == beside || how == togetherBeside, Timeout: time.Minute,
		New: func(*policy.Exchange) policy.Policy { return mine },
	}}
	if v.outcome == replaced {
		definitions = append(definitions, policy.Definition{Name: "the-change", New: func(*policy.Exchange) policy.Policy {
			return policy.Policy{Change: func(_ context.Context, s *policy.Subject) policy.Change {
				if !slices.Contains(judged, s.Block.Name) {
					return policy.Change{}
				}
				return policy.Change{Action: v.action, Text: otherArguments(s.Block.Name), Reason: reasonText}
			}}
		}})
	}
	set, err := policy.NewSet(definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// judging is how a policy decides.
type judging int

const (
	inPlace judging = iota
	// beside: it takes its time, and decides about the last call first.
	beside
	// together: about all calls of a message at once.
	together
	togetherBeside
)

// lastFirst makes a judge that answers on the tools in reverse order, so that
// every verdict has to wait for those before it.
func lastFirst(tools []string, decide func(*policy.Subject) policy.Verdict) func(context.Context, *policy.Subject) policy.Verdict {
	done := make(map[string]chan struct{}, len(tools))
	after := make(map[string]string, len(tools))
	for i, name := range tools {
		done[name] = make(chan struct{})
		if i+1 < len(tools) {
			after[name] = tools[i+1]
		}
	}
	var mu sync.Mutex
	return func(ctx context.Context, s *policy.Subject) policy.Verdict {
		if next, waits := after[s.Block.Name]; waits {
			select {
			case <-done[next]:
			case <-ctx.Done():
				return policy.Verdict{}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if mine, known := done[s.Block.Name]; known {
			select {
			case <-mine:
			default:
				close(mine)
			}
		}
		return decide(s)
	}
}

// The tools. Each has a character of its own in every piece of its arguments,
// so that no piece of a call can leave unnoticed.
var marks = map[string]string{"first_tool": "α", "middle_tool": "β", "last_tool": "γ", "only_tool": "δ", "next_tool": "ε"}

func arguments(tool string) string {
	return strings.ReplaceAll(`{"µ":"µµµ \"µµµ\" µ\\µ","µµ":[1,"µ",null],"µµµ":{"µ":"µ<µ>&µ/µ"}}`, "µ", marks[tool])
}

func otherArguments(tool string) string {
	return fmt.Sprintf(`{"changed":"%s, \"quoted\" é"}`, tool)
}

func callOf(tool string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, ID: "call_" + tool, Name: tool, Arguments: arguments(tool)}
}

// told keeps what a host that offers feedback is told, and has one more answer
// of the model.
type told struct {
	refuses      bool
	next         func() policy.Source
	denied, kept []policy.Denial
}

// Again returns the next answer.
func (f *told) Again(_ context.Context, denials []policy.Denial) (policy.Source, error) {
	f.denied = append(f.denied, denials...)
	if f.refuses {
		return nil, errors.New("the model does not answer")
	}
	return f.next(), nil
}

// Keep keeps the denials.
func (f *told) Keep(denials []policy.Denial) { f.kept = append(f.kept, denials...) }
