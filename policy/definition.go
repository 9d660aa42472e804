package policy

import (
	"context"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/stream"
)

// Definition is a policy as it stands in a set: shared by all exchanges and
// never changed.
type Definition struct {
	// Name identifies the policy to people. It must be unique in a set.
	Name string
	// Version identifies the policy's contents; a set's version is made of
	// them. Policies in code that leave it empty are identified by their name.
	Version string
	// Applies are the kinds of blocks the policy is about; none means tool
	// calls. Blocks of an unknown type that carry a call count as tool calls.
	Applies Kinds
	Mode    Mode
	// Waits says that Judge or JudgeAll may take its time: it asks a model, a
	// person or another machine. It is then run beside the stream, for at most
	// Timeout (10 s if zero). A policy that does not wait is run in place and
	// must return at once.
	Waits   bool
	Timeout time.Duration
	// OnError is what a failure, a panic, a timeout or no decision counts as;
	// zero means Block.
	OnError Action
	// Feedback promises that the policy never decides BlockEndTurn, so that
	// allowed calls need not wait for the end of a message.
	Feedback bool
	// Sees says that the policy has See. Policies that only judge are not made
	// before there is something to judge.
	Sees bool
	// Text replaces patterns in content while it streams, and Reason explains
	// it in the records. TextAction is Redact or Rewrite.
	Text       []text.Rule
	TextAction Action
	Reason     string
	// Describe says in a few words what a call would do: "delete ~, and
	// everything in it". It is asked about calls that the policy stops, and what
	// it says stands in notices, denials and records. It must give the same words
	// for the same call, and must leave out secrets; see [Verdict.Attempt] for
	// what the engine makes of them. Nil means that nothing is said.
	Describe func(s *Subject) string
	// New makes the policy's part in one exchange, so that no state is shared
	// between exchanges. It can be nil for policies that only have Text.
	New func(x *Exchange) Policy
	// Policy is the policy's part where it is the same in every exchange and
	// keeps nothing; New is not called then.
	Policy *Policy
}

// Policy is a policy's part in one exchange. Its functions are called one at a
// time per block, but for several blocks at once if the definition says Waits.
// Any of them can be nil.
type Policy struct {
	// Off takes the policy out of this exchange.
	Off bool
	// See is called for every chunk of the answer, which passes on at once. The
	// definition must say Sees.
	See func(chunk *stream.Chunk, state *stream.State)
	// Change returns another form of a held block, before anybody judges it.
	// The changes of a set are made in the set's order.
	Change func(ctx context.Context, s *Subject) Change
	// Conceal takes what Change puts into a call, and keeps from the model, out of a
	// text again: the client sends the call as it was changed with every later request.
	// It is called for each text of such a call where results were changed.
	Conceal func(x *Exchange, text string) string
	// Judge decides about a held block.
	Judge func(ctx context.Context, s *Subject) Verdict
	// Gate, where there is one, and then Asks say in place, before Judge is
	// called, whether the policy has something to say about a block at all. Nil
	// means that it may have. Number is that of the policy at the gate.
	Gate   *Gate
	Number int
	Asks   func(s *Subject) bool
	// JudgeAll decides about all calls of one message that nobody blocked so
	// far, together: one verdict for each. Other verdicts on them still count.
	JudgeAll func(ctx context.Context, calls []*Subject) []Verdict
}

// Gate tells of many policies at once which of them may have something to say about
// a block: mostly few have. All policies of a set should share one; of further ones
// only the first is asked.
type Gate struct {
	// Open returns a set of numbers, with a bit for each of those below 64.
	Open func(s *Subject) uint64
}

// Change is what a policy makes of a block.
type Change struct {
	// Action is Rewrite or Redact, zero if nothing was changed. Block or
	// Abort mean that the block cannot be changed as it should.
	Action Action
	// Text is the new text, or the new arguments of a call.
	Text   string
	Reason string
	Notes  []string
}

// Prompt is the kind under which policies see what a request says beside its tool
// results: instructions, what the user wrote, and what the client repeats of earlier
// answers. No block of an answer has it.
const Prompt = llm.Opaque + 1

// Kinds is a set of kinds of blocks.
type Kinds uint16

// KindsOf returns the set of the given kinds.
func KindsOf(kinds ...llm.Kind) Kinds {
	var set Kinds
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// Has reports whether the set has a kind.
func (k Kinds) Has(kind llm.Kind) bool { return k&(1<<kind) != 0 }

// Func returns the definition of a policy on tool calls that has no state: f
// decides in place about each.
func Func(name string, f func(s *Subject) Verdict) Definition {
	judge := func(_ context.Context, s *Subject) Verdict { return f(s) }
	return Definition{Name: name, Policy: &Policy{Judge: judge}}
}

// WaitFunc returns the definition of a policy on tool calls that takes its
// time: f is run beside the stream and must return when ctx is done.
func WaitFunc(name string, timeout time.Duration, f func(ctx context.Context, s *Subject) Verdict) Definition {
	return Definition{Name: name, Waits: true, Timeout: timeout, Policy: &Policy{Judge: f}}
}
