// Package shapetest checks that a decoder which reads payloads by their shape
// says the same as one which reads every payload in full. It is for the tests of
// the dialects: [Same] compares two decoders, [Vary] makes streams that are
// nearly right.
package shapetest
