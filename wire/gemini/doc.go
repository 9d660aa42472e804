// Package gemini reads and writes Google's Gemini API: generateContent and
// streamGenerateContent, as the Gemini API and Vertex AI speak them.
//
// # The dialect
//
// A stream is a list of partial answers of one form, one in each server-sent
// event (or in each element of one JSON array, which a host cuts up itself):
//
//	{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hel"}]}}],"usageMetadata":{...}}
//	{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"lo"}]},"finishReason":"STOP"}]}
//
// Parts are appended and never numbered. Nothing marks where a block starts or ends, so
// the decoder infers it: neighbouring text parts of one kind (the answer, or thoughts)
// are one block, however many payloads they span; any other part is a block of its own.
// A function call is whole in its part, except on Vertex, where its arguments can
// arrive in pieces with the path they belong to (partialArgs); the pieces become the
// arguments when the call ends. Signatures (thoughtSignature) belong to the part they
// come with.
//
// There is no finish reason for "waiting for tool results": a candidate that stops with
// a call in it does. And there is no last event: the end of the stream is the end, and
// a regular one only if every candidate has sent its finishReason, or if the prompt was
// blocked and there are no candidates.
//
// A non-streaming response has the form of a chunk. [Decoder.DecodeWhole] is for hosts
// that know that they have one.
//
// # What is refused
//
// The decoder reads what providers send, and refuses what two parsers could read
// differently, because then a client could execute another call than the one that was
// judged: duplicate members, members that differ from a known one only in case, parts
// that are two things at once, pieces of arguments that overwrite each other.
//
// # Writing
//
// A [Writer] passes unedited payloads on unchanged and edits others in place. A removed
// part is cut out of its payload; a payload that becomes empty is not sent; inserted
// text is a chunk of its own, before the first call. A changed call loses its
// signature, which was made for another one. The finish stays: STOP is right with and
// without calls.
package gemini
