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
// Parts are appended and never numbered. Nothing says where a block begins or
// ends, so the decoder finds it out: neighbouring text parts of one kind (the
// answer, or thoughts) are one block, however many payloads they come in; any
// other part is a block of its own. A function call is whole in its part, except
// on Vertex, where its arguments can come in pieces that name the place they
// belong to (partialArgs); the pieces become the arguments when the call ends.
// Signatures (thoughtSignature) belong to the part they come with.
//
// There is no word for "waiting for tool results": a candidate that stops with a
// call in it does. And there is no last event: the end of the bytes is the end,
// and a good one only if every candidate has said its finishReason, or if the
// prompt was blocked and there are no candidates.
//
// A response that is not streamed has the form of a chunk. [Decoder.DecodeWhole]
// is for hosts that know that they have one.
//
// # What is refused
//
// The decoder reads what providers do, and refuses what two readers could read
// in two ways, because then a client could run another call than the one that
// was judged: members that are there twice or differ from a known one only in
// the case of their letters, parts that are two things at once, pieces of
// arguments that overwrite each other.
//
// # Writing
//
// A [Writer] passes unedited payloads as they are and edits others in place. A
// removed part is cut out of its payload; a payload that says nothing afterwards
// is not sent; a text of Sluice's own is a chunk of its own, before the first
// call. A call that was changed loses its signature, which was given for another
// one. The finish stays as it was: STOP is right with and without calls.
package gemini
