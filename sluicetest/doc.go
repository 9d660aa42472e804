// Package sluicetest is the public test kit of Sluice: it builds streams of the
// four dialects, damages them on the way, and judges what comes out as a strict
// official client would.
//
// # Judging a stream
//
// Code that writes a stream hands the bytes that a client would receive to
// [Validate], or to the function of one format:
//
//	if err := sluicetest.ValidateAnthropic(recorder.Body.Bytes()); err != nil {
//		t.Error(err) // anthropic: payload 7: block-overlap: block 1 starts while block 0 is open
//	}
//
// A stream is legal if it is one whole answer: every rule of its format kept,
// with a good end, or with a failure told in the format's own way. The error is
// a *[Violation] with the number of the payload and the name of the rule.
// [Inspect] says what the client understood, such as its calls, texts and
// finish, and leaves it to the caller what to think of a stream that just stops.
// [ValidateBody] and [InspectBody] do the same for responses that are not
// streamed. [Options] has the few rules on which providers differ.
//
// The validators share no code with the packages that read and write the
// dialects, so a mistake there cannot hide itself here.
//
// # Building a stream
//
// [Build] turns blocks into the payloads that a provider would send, [SSE] puts
// them into an event stream, and [RandomBlocks] invents blocks that have broken
// parsers before. Three lines make a property test:
//
//	r := rand.New(rand.NewPCG(seed, 0))
//	blocks := sluicetest.RandomBlocks(r, sluicetest.Anthropic)
//	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r})
//
// What is decoded from the payloads must be the blocks again, however they were
// cut. [Quirks] add legal habits of real providers: pings, padding, interleaved
// calls.
//
// # Damaging it on the way
//
// [Chopped] and [OneByte] read bytes in unkind pieces, [CutAt] breaks the
// connection.
//
// # Trying policies
//
// [Enforcement] lets policies judge built or recorded answers as a host would and
// tells what a client gets: the bytes, what a strict client understood, and the
// verdicts. EachForm tries an answer in every dialect, streamed in several ways
// and as a body.
//
// Nothing here keeps global state; all functions are safe for concurrent use as
// long as a *rand.Rand is not shared.
package sluicetest
