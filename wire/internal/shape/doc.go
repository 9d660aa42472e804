// Package shape is a fast path for payloads that match the one before.
//
// The deltas of a block are nearly the same bytes again and again: only the text, a
// padding string that nobody reads, and the number of the payload differ. A decoder
// that has parsed one of them in full passes it to a [Shape] with those values as
// holes. The next payload with the same bytes around the holes need not be parsed
// member by member.
//
// # Why the result is the same
//
// A hole is one whole value of a JSON document that was parsed in full: a string
// literal or a number that is the value of a member, never a name. A payload matches if
// it has the same bytes before, between and after its holes, and in each hole one whole
// literal of the same type, checked by the same scanner. So it is the learned document
// with other literals in those positions: also valid JSON, with the same members in the
// same order, the same nesting and the same duplicates. A parser that takes nothing
// from a hole but its value cannot decide differently, as long as
//
//   - its own state is the same as after the learned payload, and
//   - none of its decisions depends on the values in the holes, except on whether
//     the text is empty: an empty text never matches.
//
// The decoder must ensure both: it forgets the shape whenever it parses a payload in
// full, and it learns only from a payload that did nothing but append the text to an
// open block.
//
// White space between closing brackets is insignificant in JSON, and one provider pads
// with it. So an end of only brackets and white space may be compared without the white
// space; see [Shape.LooseEnd].
package shape
