package policy

import (
	"context"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/stream"
)

// Definition is a policy as a member of a set: shared by all exchanges and
// never changed.
type Definition struct {
	// Name identifies the policy to people. It must be unique in a set.
	Name string
	// Version identifies the policy's contents; a set's version is derived from
	// those of its policies. Policies in code that leave it empty are
	// identified by their name.
	Version string
	// Decides identifies what the policy decides: two versions that differ only in their
	// wording have the same. Empty means that the version says so.
	Decides string
	// Applies are the kinds of blocks the policy applies to; empty means tool
	// calls. Blocks of an unknown type that carry a call count as tool calls.
	Applies Kinds
	Mode    Mode
	// Waits says that Judge or JudgeAll may block: it asks a model, a person or
	// another machine. It then runs concurrently with the stream, for at most
	// Timeout (10 s if zero). A policy that does not wait is called
	// synchronously and must return at once.
	Waits   bool
	Timeout time.Duration
	// OnError is the action for a failure, a panic, a timeout or a missing
	// decision; zero means Block.
	OnError Action
	// Feedback promises that the policy never decides BlockEndTurn, so that
	// allowed calls need not wait for the end of a message.
	Feedback bool
	// Sees says that the policy has a See function. Policies that only judge
	// are not instantiated before there is something to judge.
	Sees bool
	// Text replaces patterns in content while it streams, and Reason explains
	// that in the records. TextAction is Redact or Rewrite.
	Text       []text.Rule
	TextAction Action
	Reason     string
	// Describe says in a few words what a call would do: "delete ~, and
	// everything in it". It is called for calls that the policy stops, and its
	// text appears in notices, denials and records. It must return the same text
	// for the same call and must leave out secrets; see [Verdict.Attempt] for how
	// the engine sanitizes it. If it is nil, nothing is said.
	Describe func(s *Subject) string
	// New makes the policy's instance for one exchange, so that exchanges share
	// no state. It can be nil for policies that only have Text.
	New func(x *Exchange) Policy
	// Policy is the policy's instance where it is stateless and the same in
	// every exchange; New is not called then.
	Policy *Policy
}

// Policy is a policy's instance in one exchange. Its functions are called one
// at a time per block, but concurrently for several blocks if the definition
// says Waits. Any of them can be nil.
type Policy struct {
	// Off takes the policy out of this exchange.
	Off bool
	// See is called for every chunk of the answer, which passes on at once. The
	// definition must say Sees.
	See func(chunk *stream.Chunk, state *stream.State)
	// Change returns another form of a held block, before any policy judges it.
	// The changes of a set are applied in the set's order.
	Change func(ctx context.Context, s *Subject) Change
	// Conceal takes what Change puts into a call, and keeps from the model, out of a
	// text again: the client sends the call as it was changed with every later request.
	// It is called for each text of such a call where results were changed.
	Conceal func(x *Exchange, text string) string
	// Judge decides about a held block.
	Judge func(ctx context.Context, s *Subject) Verdict
	// Gate, if set, and then Asks are called synchronously before Judge: they
	// tell whether the policy can have anything to say about a block. Nil means
	// that it can. Number is the policy's number at the gate.
	Gate   *Gate
	Number int
	Asks   func(s *Subject) bool
	// JudgeAll decides about all calls of one message that are not blocked so
	// far: one verdict for each. Other verdicts on them still count.
	JudgeAll func(ctx context.Context, calls []*Subject) []Verdict
}

// Gate is a prefilter shared by many policies: it tells in one call which of them
// can have anything to say about a block, which is usually few. All policies of a
// set should share one; if there are several, only the first is asked.
type Gate struct {
	// Open returns a bit set of policy numbers below 64.
	Open func(s *Subject) uint64
}

// Change is the result of a policy's change to a block.
type Change struct {
	// Action is Rewrite or Redact, zero if nothing was changed. Block or Abort
	// mean that the block could not be changed as required, and Cause may say why.
	Action Action
	Cause  Cause
	// Text is the new text, or the new arguments of a call.
	Text   string
	Reason string
	Notes  []string
}

// Prompt is the kind of everything a request says apart from its tool results:
// instructions, what the user wrote, and earlier answers that the client repeats. No
// block of an answer has it.
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

// Func returns the definition of a stateless policy on tool calls: f decides
// synchronously about each.
func Func(name string, f func(s *Subject) Verdict) Definition {
	judge := func(_ context.Context, s *Subject) Verdict { return f(s) }
	return Definition{Name: name, Policy: &Policy{Judge: judge}}
}

// WaitFunc returns the definition of an asynchronous policy on tool calls: f
// runs concurrently with the stream and must return when ctx is done.
func WaitFunc(name string, timeout time.Duration, f func(ctx context.Context, s *Subject) Verdict) Definition {
	return Definition{Name: name, Waits: true, Timeout: timeout, Policy: &Policy{Judge: f}}
}
