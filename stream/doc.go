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
// result or something opaque. Several can be open at once, and one chunk can
// complete several: [State.Completed] is a list. A block is complete when its
// complete several: [State.Completed] is a list. A block is complete when its end is
// proven: by the explicit end that some dialects have, or by the finish of its choice.
// In dialects without explicit ends the start of the next block is a hint
// ([State.Hinted]); a policy may start to judge on it, but a later event may revoke it.
//
// The state reads to the end of the dialect's stream, not to the finish reason: usage,
// errors and repeated finishes follow it. Input that ends earlier is [ErrIncomplete],
// and open blocks become incomplete. An error that the provider reports inside the
// stream is a [ProviderError].
//
// # Cost
//
// Feeding a steady-state delta allocates nothing, time and memory are linear in
// the bytes, and everything that grows is bounded by [Limits].
package stream
