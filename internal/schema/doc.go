// Package schema compares JSON values with JSON schemas and says, in words for a
// model, what does not fit.
//
// A schema is compiled once and then used by any number of goroutines:
//
//	s, err := schema.Compile(raw)
//	...
//	wrong, err := s.Check(value) // of encoding/json, with numbers as json.Number
//	switch {
//	case err != nil: // it could not be said whether it fits
//	case wrong != nil:
//		tell(wrong.Explain("the arguments"))
//	}
//
// # Neither side is trusted
//
// Schemas come from clients and servers, values from models. Compile takes time and
// memory linear in the size of a schema, and refuses those that are too large or too
// deep, that refer to another document, or that cannot be understood. A schema may
// refer to itself where each turn is about a smaller part of the value, as one of a
// tree does; one that goes in a circle about the same value, or that multiplies until
// nothing could be compared with it, is refused. Check counts its steps and gives up
// at a limit. Patterns are those of Go's regexp package, which take linear time: a
// schema with look-around or back-references is one that cannot be understood.
//
// # What is compared
//
// All words of the drafts from 4 to 2020-12 that are about values, except dynamic
// references, which are refused. "format" and what only describes are not enforced,
// as JSON schema has it. Types in capitals, "nullable" and numbers in strings, as some
// providers write them, are understood. A word whose value makes no sense for it, such
// as "required": true, says nothing. Numbers are equal however they are written;
// integers keep all their digits in "enum" and "const", and bounds are as exact as a
// float64.
//
// # What is explained
//
// One thing: the first that is wrong, in an order that is always the same. It is told
// with the place where it is, with what is expected there, and with what came instead.
// An explanation has at most 600 characters, all of which can be seen. Explain repeats
// no value, ExplainWithValue the beginning of one.
package schema
