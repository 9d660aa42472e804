// Package schema checks JSON values against JSON schemas and explains, in words for a
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
// memory linear in the size of a schema, and refuses schemas that are too large or too
// deep, that refer to another document, or that it does not support. A schema may be
// recursive if each step descends into a smaller part of the value, as for a tree; one
// that recurses on the same value, or whose cost multiplies beyond use, is refused.
// Check counts its steps and gives up at a limit. Patterns are those of Go's regexp
// package, which take linear time: look-around and back-references are not supported.
//
// # What is checked
//
// All keywords of the drafts 4 to 2020-12 that constrain values, except dynamic
// references, which are refused. "format" and annotations are not enforced, as JSON
// schema specifies. Types in upper case, "nullable" and numbers in strings, as some
// providers write them, are supported. A keyword with a value of the wrong type, such
// as "required": true, is ignored. Numbers are equal in any notation; integers keep all
// their digits in "enum" and "const", and bounds have the precision of a float64.
//
// # What is explained
//
// One thing: the first mismatch, in a fixed order, with its position, what is expected
// there and what was found instead. An explanation has at most 600 characters, all of
// them visible. Explain repeats no value, ExplainWithValue the beginning of one.
package schema
