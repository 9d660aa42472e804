// Package recording reads answers that were saved to files: what was said, in
// which blocks, how it ended and what was unusual about it.
//
// A recording can be a raw event stream (SSE), one JSON payload per line, a JSON
// array of payloads, or one whole non-streaming response. [Inspect] finds out
// which, and in which wire format, and returns a [Report]; [Recode] writes the
// recording as an event stream.
package recording
