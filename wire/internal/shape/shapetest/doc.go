// Package shapetest checks that a decoder with the shape fast path decodes the same as
// one that parses every payload in full. It is for the tests of the dialects: [Same]
// compares two decoders, [Vary] mutates streams slightly.
package shapetest
