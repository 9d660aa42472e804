// Package stream reads answers as they arrive: payload by payload, in blocks.
//
// A host feeds the payloads of one answer to a [Processor]. Its [Decoder], which
// knows the dialect, turns each payload into a [Chunk] with [Event] values; the
// [State] keeps what has arrived as [Block] values; a [Handler] sees every chunk
// together with the state and decides what goes to its [Output], whose [Writer]
// cannot write an illegal stream.
//
//	bytes -> Decoder -> Chunk{Events} -> State -> Handler -> Output -> Writer -> bytes
//
// # Blocks and their ends
//
// A block is content, thinking, a refusal, a tool call, a server tool, a tool
// result or opaque. Several can be open at once, and one chunk can complete
// several: [State.Completed] is a list. A block is complete when its end is
// proven: by the explicit end that some dialects have, or by the finish of its
// choice. In dialects without explicit ends the start of the next block is a
// hint ([State.Hinted]); a judge may start on it, but later chunks may still
// revoke it.
//
// The state reads to the dialect's end, not to the finish reason: usage, errors
// and repeated finish reasons follow it. A stream that ends before that is an
// [ErrIncomplete], and the blocks that were open are incomplete. An error that
// the provider reports inside the stream is a [ProviderError].
//
// # Cost
//
// Feeding a delta in steady state allocates nothing, time and memory are linear
// in the number of bytes, and everything that grows is bounded by [Limits].
package stream
