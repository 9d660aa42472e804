// Package params puts the parameters of policies into expressions: params.NAME becomes the
// value that it has, so that types are checked with it, and patterns and lists are prepared
// once.
package params
