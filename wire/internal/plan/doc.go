// Package plan keeps, for the writer of a dialect, what is to become of each
// block of the upstream answer and what of it has been sent.
//
// It is the part that all writers share: the fates decided by Replace, the
// insertions that wait for their place, the notice that a caller left a chunk
// out, the payload as it would have come with the texts that were edited, and
// whether the finish must be derived because blocks were added or removed. How
// blocks are written is the dialect's own business.
package plan
