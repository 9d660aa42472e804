// Package llm defines the vocabulary of Sluice: requests to models and their answers,
// independent of any provider.
//
// A [Request] holds [Message] values and [Tool] declarations. A Message, like a
// [Response], is a list of [Block] values: content, thinking, refusals, tool calls,
// tool results, and opaque blocks for everything without a common name. Bytes that a
// provider signs or that a client may act on (arguments, signatures, opaque blocks) are
// kept exactly as they arrived.
//
// A value read from a request body remembers its position as a [Span], so that one text
// can be replaced without touching any other byte.
//
// The package knows nothing of wire formats, streams or policies. All its types
// are plain values; none of them is safe for concurrent modification.
package llm
