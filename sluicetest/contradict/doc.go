// Package contradict generates answers that contradict themselves: an item that starts
// as a message and ends as a call, two calls under one index, a name that changes, a
// duplicate member. Clients read such answers in different ways, and a gateway must not
// let any of them find a call that was not judged.
//
//	a := contradict.New(sluicetest.OpenAIResponses, seed)
//	send(a.SSE()) // or a.Body(), if a.Plan.Whole
//
// The same seed gives the same answer. It consists of blocks (texts, thinking, calls of
// every type, calls that the provider executed, opaque ones), to which up to four of
// the contradictions in [All] are applied.
//
// # What to assert
//
// A forbidden call has a marked text in its arguments or a marked name. A policy denies
// it if [Marked] finds the text or [MarkedName] the name; both also find a piece,
// however the answer was split. Nothing else in an answer has such a mark, so a
// gateway's output must not either: not in a call, not in a copy of one, not in an
// unknown member. What the provider has executed itself never has one, because that
// passes.
//
// In a WellFormed answer every other call, and every text, must be passed on once: each
// has a token of its own.
//
// # Shrinking a failure
//
// An answer is generated from a [Plan], which is data. Remove blocks and steps as long
// as the rest still fails.
package contradict
