// Package witness reads what is about to leave for a client once more, as the
// most credulous client would, and tells whether there is a tool call in it that
// no verdict allowed.
//
//	w := witness.New(wire.OpenAIResponses, false)
//	w.Allow(&block)             // what a policy let pass, in its final form
//	err := w.Read(bytes)        // what the writer made of the answer
//
// A writer is built so that nothing unjudged leaves. The witness does not trust
// it: it shares no code with the decoders and writers, keeps no idea of which
// block is which, and takes for a call whatever any known client takes for one:
//
//   - whole calls anywhere in a payload, in the shape of any dialect, also beside
//     other members, under repeated or differently cased keys, in unknown events;
//   - calls in pieces, found by index, by id, by position and, where a piece names
//     none of these, by order; with the name that came first, the one that came
//     last and all of them joined;
//   - the name that an item began with, together with the body it ended with.
//
// Every reading must be a call that was allowed: the same name, and arguments that
// are the same text or the same JSON, or the beginning of that text while a call
// is still growing. Anything else is an [UnjudgedError].
package witness
