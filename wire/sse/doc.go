// Package sse implements the framing of Server-Sent Events (text/event-stream): bytes
// in, payloads out, and the other way round. It knows nothing about the JSON inside the
// events.
//
// # The format in one minute
//
// A body is a sequence of lines. A line is "field: value"; an empty line ends
// the event and dispatches it:
//
//	event: message_start        the event's name, optional
//	data: {"type":"…"}          the payload; several data lines join with LF
//	: keep-alive                a comment, no part of any event
//	                            the empty line dispatches
//
// [Reader] follows the standard to the byte:
//
//   - Lines end in LF, CRLF or CR, in any mixture. One UTF-8 byte order mark at
//     the very start of the body is dropped.
//   - Exactly one space after the colon is dropped, nothing else is trimmed.
//   - A line without a colon is a field with an empty value. Fields other than
//     data and event are ignored; so are id and retry, which only matter to a
//     client that reconnects, and a gateway never replays a model's answer.
//   - An event without any data line dispatches nothing.
//
// # Deviations from the standard
//
// The standard silently drops an event whose final empty line is missing. Some model
// servers omit that line on purpose, and a broken connection omits it too; the two must
// not be confused. So at the end of the body a pending payload is dispatched if it is
// evidently whole, that is [DONE] or valid JSON, and anything else is reported as
// [ErrTruncated]. An error of the underlying reader is never turned into a clean end.
//
// The last line of such a body may lack its line end as well. It counts as a field only
// if it includes its colon: "data" might have become anything.
//
// # Hostile input
//
// One event may not have more than [Options.MaxEvent] bytes of lines; a larger one
// fails with [ErrTooLong] as soon as the excess arrives. Comments are discarded as they
// stream in and can be endless without using memory. The work is linear in the bytes
// read, however they are split into reads. Steady state allocates nothing, except for
// events of about a megabyte and more: their memory is released before the reader waits
// for input again.
//
// # Latency
//
// [Reader.Next] returns an event as soon as the line end of its empty line has
// been read. It never waits for another byte to see whether a CR is half of a
// CRLF, and never reads while a whole event is buffered.
package sse
