// Package witness parses the output for a client a second time, as the most lenient
// client would, and reports any tool call in it that no policy allowed.
//
//	w := witness.New(wire.OpenAIResponses, false)
//	w.Allow(&block)             // what a policy let pass, in its final form
//	err := w.Read(bytes)        // what the writer made of the answer
//
// A writer is built so that nothing unjudged is sent. The witness does not trust it: it
// shares no code with the decoders and writers, does not track blocks, and treats as a
// call whatever any known client treats as one:
//
//   - whole calls anywhere in a payload, in the shape of any dialect, also beside
//     other members, under repeated or differently cased keys, in unknown events;
//   - calls in pieces, found by index, by id, by position and, where a piece names
//     none of these, by order; with the name that came first, the one that came
//     last and all of them joined;
//   - the name that an item began with, together with the body it ended with.
//
// Every reading must be a call that was allowed: the same name, and arguments that are
// the same text or the same JSON, or a prefix of that text while a call is still
// growing. Anything else is an [UnjudgedError].
package witness
