// Package wire names the wire formats of Sluice and creates the decoder, writer and
// request reader of each.
//
// The work is done in the packages below it: sse frames payloads, openaichat,
// anthropic, openairesponses and gemini each have a Decoder (payloads to
// events), a Writer (events to a legal stream) and a request reader, edit
// changes JSON at spans, and recording reads streams that were saved to files.
//
// A program that knows its dialect uses that dialect's package; one that learns
// it at run time uses a [Format]:
//
//	format, _ := wire.Detect(payload)
//	decoder := format.NewDecoder()
package wire
