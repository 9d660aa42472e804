// Package recording reads answers that were saved to files: their blocks, how they
// ended and how they deviated from their dialect.
//
// A recording can be a raw event stream (SSE), one JSON payload per line, a JSON array
// of payloads, or one whole non-streaming response. [Inspect] detects which, and the
// wire format, and returns a [Report]; [Recode] writes the recording as an event
// stream.
package recording
