// Package contradict makes answers of providers that say two things at once: an
// item that begins as a message and ends as a call, two calls under one index, a
// name that changes, a member twice. Clients read such answers in different ways,
// and whoever guards clients must let none of them find a call that was not judged.
//
//	a := contradict.New(sluicetest.OpenAIResponses, seed)
//	send(a.SSE()) // or a.Body(), if a.Plan.Whole
//
// The same seed gives the same answer. It is made of blocks (texts, thinking,
// calls of every type, what the provider ran, opaque ones), to which up to four of
// the contradictions in [All] are done.
//
// # What to assert
//
// A call that no client may get has a forbidden text in its arguments or a
// forbidden name. A policy blocks it if [Marked] finds the text or [MarkedName]
// the name; both also find a piece, however the answer was cut. Nothing else in an
// answer has such a text, so what leaves a guard must not either: not in a call,
// not in a copy of one, not in a member that nobody knows. What the provider has
// run itself never has one, because that passes.
//
// In an answer that is WellFormed every other call, and everything that is said,
// must leave once: each has a token of its own.
//
// # Making a failure small
//
// An answer comes from a [Plan], which is data. Leave out blocks and steps as long
// as the rest still fails.
package contradict
