// Package shape recognises a payload that is like the one before it.
//
// The deltas of a block are nearly the same bytes again and again: all that
// differs is the piece of text, a padding string that nobody reads, and the
// number of the payload. A decoder that has read one of them in full shows it
// to a [Shape] with those values as holes. The next payload that has the same
// bytes around the holes need not be read member by member.
//
// # Why that is the same as reading it in full
//
// A hole is one whole value of a JSON document that was read in full: a string
// literal or a number that is the value of a member, never a name. A payload
// matches if it has the same bytes before, between and after its holes, and in
// each hole one whole literal of the same type, checked by the same scanner. So
// it is the learned document with other literals in those places: also valid
// JSON, with the same members in the same order, equally nested, the same
// duplicates. A reader that takes nothing from a hole but its value cannot
// decide differently, as long as
//
//   - its own state is as it was after the learned payload, and
//   - no decision of it depends on the values in the holes, except on whether
//     the text is empty: an empty text never matches.
//
// Both are for the decoder to see to: it forgets the shape whenever it reads a
// payload in full, and it learns only from a payload that did nothing but
// append the text to an open block.
//
// White space between closing brackets means nothing in JSON, and a provider
// pads with it. So an end of brackets and white space only may be compared
// without the white space; see [Shape.LooseEnd].
package shape
