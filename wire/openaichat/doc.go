// Package openaichat reads and writes OpenAI Chat Completions, the dialect that
// most providers and local servers speak, each a little differently.
//
// # The dialect
//
// An answer is a sequence of payloads, each with a list of choices; a choice has
// a delta, which adds to the message, and in the end a finish_reason. The
// payload [DONE] ends the stream. There are no explicit begins and ends of
// blocks:
//
//   - Text (content, reasoning_content or reasoning, refusal) is a run of deltas
//     of one kind. The first delta of another kind proves that it has ended; a
//     later run is a new block. Empty deltas begin and end nothing; white space
//     is text.
//   - A tool call is a run of entries of tool_calls. The beginning of another
//     block is a hint that it has ended; only the finish proves it, because
//     calls may interleave. That its arguments can be parsed proves nothing.
//   - The finish ends a choice, not the stream: usage, a second finish, an error
//     and [DONE] follow it.
//
// A non-streaming answer has a message instead of a delta and is read as a
// stream that arrives in one payload.
//
// # Which call an entry belongs to
//
// An entry has an index and, on the call's first delta, an id. Servers leave out
// either, repeat ids, change them, or number every call 0. The rules, per
// choice:
//
//	A  The id is known: that call. Unless the entry has a name and an unbound index
//	   that differs from the call's: then two calls share an id, a new call.
//	B  The id is unknown: a new call, to which the index is bound from now on.
//	   Unless the entry has no name and its index is bound: then the id merely
//	   changes from delta to delta.
//	C  No id, a bound index: that call. Unless the entry has a name, the call
//	   has one too and its arguments are a closed JSON object: a new call.
//	D  No id, an unbound index: a new call; its name may come later.
//	E  Neither id nor index: a new call if the entry and the last call have a
//	   name, otherwise the last call goes on.
//
// A call that is under way and gets another name or id, or without an index its id or
// name again, is Ambiguous: some clients begin a call at every id or name, or ignore what
// has another id. Such a call is written whole. So are calls that interleave: some clients
// ignore the index, and add each piece to the call that began last. With an index other
// calls keep their bytes. There are exceptions, where a client that reads only some of the
// pieces would still see a call: arguments that begin anew after the id or name was
// repeated, or come before them, and pieces behind the first entry of a delta. Clients
// that join repeated names read [stream.Chunk.Joined].
//
// What a provider did unusually is listed by [Decoder.Deviations]. Where two
// readers could see two answers (a member twice, arguments that are a number, a
// name that changes after arguments have come) the answer fails instead.
//
// # Writing
//
// A [Writer] passes payloads as they came until something is edited. From then
// on it takes pieces out of payloads, puts chunks of its own between them, and
// numbers the calls; a payload in which nothing changes still leaves as its
// bytes. With the option Force every answer leaves as OpenAI itself would send
// it. What replaces or is inserted leaves in chunks of its own, whose id, model
// and created are those of the first payload.
package openaichat
