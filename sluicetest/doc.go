// Package sluicetest is the public test kit of Sluice: it builds streams of the four
// dialects, damages them in transit, and validates output as a strict official client
// would.
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
// A stream is valid if it is one whole answer: it follows every rule of its format and
// ends normally, or with a failure reported as the format specifies. The error is a
// *[Violation] with the number of the payload and the name of the rule. [Inspect]
// reports what the client understood, such as its calls, texts and finish, and leaves
// it to the caller how to treat a stream that just stops. [ValidateBody] and
// [InspectBody] do the same for non-streaming responses. [Options] has the few rules on
// which providers differ.
//
// The validators share no code with the packages that read and write the dialects, so a
// bug there cannot hide here.
//
// # Judging a history
//
// [ValidateHistory] and [ValidateHistories] check whether the messages of a
// conversation can be sent again, or whether a provider would refuse them: a call
// without a result, an answer of only thinking, a lost signature.
//
//	if err := sluicetest.ValidateHistories(messages); err != nil {
//		t.Error(err) // history: call-unanswered: message 3 block 1: the call "a" has no result directly after it
//	}
//
// [ValidateRequest] checks the body of a request that a test received over HTTP, and
// [StoredItems] simulates the storage of a provider of OpenAI Responses, which refuses
// items that do not come back unchanged.
//
// # Building a stream
//
// [Build] turns blocks into the payloads that a provider would send, [SSE] frames them
// as an event stream, and [RandomBlocks] generates blocks that have broken parsers
// before. Three lines make a property test:
//
//	r := rand.New(rand.NewPCG(seed, 0))
//	blocks := sluicetest.RandomBlocks(r, sluicetest.Anthropic)
//	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{Rand: r})
//
// The payloads must decode to the same blocks, however they were split. [Quirks] add
// valid deviations of real providers: pings, padding, interleaved calls.
//
// # Damaging it in transit
//
// [Chopped] and [OneByte] read bytes in awkward pieces, [CutAt] breaks the connection.
//
// # A faulty upstream
//
// [Upstream] is an HTTP server that answers byte for byte as scripted, to test a proxy,
// a gateway or a client with what real servers do on a bad day:
//
//	reply := sluicetest.Events(stream)
//	reply.Cut = &sluicetest.Cut{At: reply.Event(3)}
//	up := sluicetest.NewUpstream(t, reply)
//
// A [Reply] is plain data, and its faults can be combined. Offsets count bytes of its
// Body as it is on the wire; reply.Event(n) is the offset of event n.
//
//	the fault                                  the reply
//	-----------------------------------------  -----------------------------------------------
//	late header                                Pauses: {At: BeforeHeader, For: d or Until: gate}
//	late first byte, header at once            Pauses: {At: 0, ...}
//	stalled before event n                     Pauses: {At: reply.Event(n), ...}
//	stalled after the last byte                Pauses: {At: len(reply.Body), ...}
//	a pause before every event or piece        Each: {For: d} or {Until: step}
//	split every n bytes                        Piece: n
//	split anywhere, the same each time         Seed: s, with Piece as the longest
//	connection closed without an answer        Cut: {At: BeforeHeader}
//	connection closed at a byte                Cut: {At: n}
//	connection reset at a byte                 Cut: {At: n, How: CutReset}
//	good end for HTTP, answer not finished     Cut: {At: n, How: CutClean}
//	closed after a whole answer                JSON(...) with Cut: {At: len(reply.Body)}
//	bad JSON, garbage, an error event          reply.Insert(n, raw); BuildOptions.Error
//	wrong or no Content-Type                   Header
//	JSON where events were asked for           JSON(200, body)
//	events where JSON was asked for            Events(stream)
//	Content-Length too long, or none           Header "Content-Length": a number, or nil
//	Content-Length too short                   Raw
//	gzip, deflate, br, zstd                    reply.Encoded(name), flushed after each event
//	compression cut or without its end         reply.Encoded(name) with Cut
//	announced as compressed, but is not        Header "Content-Encoding"
//	a huge event                               Forever with Cut: {At: n}
//	endless events, comments, or one event     Forever
//	answer before the request's body is read   Unread
//	informational answers (102, 103)           Informational
//	trailers                                   Trailer
//	redirect to another host                   Status: 307, Header "Location"
//	slow header, byte by byte                  Raw, Piece: 1, Each
//	HTTP/1.0 without a length                  Raw
//	no HTTP at all                             Raw
//
// A pause with a channel needs no sleep in the test: a send to an unbuffered one
// returns when the answer has reached it. [Upstream.Requests] returns what the upstream
// received, and each [Received] reports when its client left. [NewUpstreamTLS] does the
// same over HTTP/2, as far as HTTP/2 has these faults, and [StartUpstream] is for
// programs that are not tests.
//
// For an upstream with a scripted model that gives sensible answers in four dialects,
// see Handler in package model/scripted.
//
// # Trying policies
//
// [Enforcement] lets policies judge built or recorded answers as a host would and
// returns what a client gets: the bytes, what a strict client understood, and the
// verdicts. EachForm runs an answer in every dialect, streamed in several ways and as a
// body.
//
// Nothing here keeps global state; all functions are safe for concurrent use as
// long as a *rand.Rand is not shared.
package sluicetest
