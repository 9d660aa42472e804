// Package llm is the vocabulary of Sluice: what a model was asked and what it
// answered, in words that belong to no provider.
//
// A [Request] holds [Message] values and [Tool] declarations. A Message, like a
// [Response], is a list of [Block] values: content, thinking, refusals, tool
// calls, tool results, and opaque blocks for everything that has no common
// name. Bytes that a provider signs or that a client may act on (arguments,
// signatures, opaque blocks) are kept exactly as they arrived.
//
// A value that was read from a request body remembers where it stood there as
// a [Span], so that one text can be replaced without touching any other byte.
//
// The package knows nothing of wire formats, streams or policies. All its types
// are plain values; none of them is safe for concurrent modification.
package llm
