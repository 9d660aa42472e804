// Package plan tracks, for the writer of a dialect, what happens to each block of the
// upstream answer and how much of it was sent.
//
// It is shared by all writers: replacements set by Replace, insertions that wait for a
// valid position, detection of chunks that the caller dropped, the payload as it would
// be with the edited texts, and whether the finish must be derived because blocks were
// added or removed. How blocks are written is up to the dialect.
package plan
