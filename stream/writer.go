package stream

import (
	"crypto/rand"
	"errors"

	"github.com/sluice-project/sluice/llm"
)

// What a writer answers when it is asked for something no legal stream can
// hold. Nothing was written then.
var (
	// ErrAlreadySent: a part of the block has left, so its fate is decided.
	ErrAlreadySent = errors.New("stream: a part of the block has already been sent")
	// ErrTooLate: the dialect has no place left for an insertion: a tool call
	// was sent, or the choice has finished.
	ErrTooLate = errors.New("stream: the dialect has no place for this any more")
	// ErrNotWritable: the block has no form in this dialect, or is of a kind
	// that only the provider can make (signed thinking, server tools).
	ErrNotWritable = errors.New("stream: the dialect has no form for this block")
	// ErrGap: a part of a call was left out or reordered by the caller, so
	// that what follows would be another call. The answer must fail.
	ErrGap = errors.New("stream: a part of a tool call is missing")
)

// Writer writes one answer in one dialect and cannot write an illegal one,
// whatever it is asked for. It is fed, never blocks and owns no goroutine. It
// appends to dst what goes to the client, framing included, and returns the
// extended slice.
//
// A stream that nobody edits leaves as the payload bytes that came. From the
// first edit on (Replace, Insert, Continue, or a chunk that was left out,
// repeated or reordered) the writer re-encodes what the edit touches: indices
// and sequence numbers stay contiguous, every copy of a text says the same,
// the finish fits the blocks. Everything else still leaves as it came.
type Writer interface {
	// Write writes a chunk of the current upstream answer.
	Write(dst []byte, c *Chunk) ([]byte, error)
	// Replace decides that a block is written as with instead; with no blocks
	// it is removed. It must be decided before any chunk with a part of the
	// block is written, else ErrAlreadySent. Content that replaces a call goes
	// where the dialect wants inserted text: before the first call that stays.
	Replace(at At, with ...llm.Block) error
	// Insert writes blocks of Sluice's own into a choice: as early as the
	// dialect allows from now on, which may be a later Write.
	Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error)
	// Continue says that the next chunks are of another upstream answer which
	// goes on with the same client response. The end of the first must not
	// have been written.
	Continue(dst []byte) ([]byte, error)
	// Terminate ends the answer now. If everything sent is whole it ends like
	// an answer that came to its natural end; if a block is open, it ends as
	// an error, because nobody may act on half a block.
	Terminate(dst []byte) ([]byte, error)
	// Fail ends the answer with an error of the dialect.
	Fail(dst []byte, cause error) ([]byte, error)
	// Keepalive writes the dialect's sign of life, which is part of no block.
	Keepalive(dst []byte) []byte
	// Edited reports whether something was edited, settled or replaced, so that
	// what leaves is no longer only what came.
	Edited() bool
}

// At names a block of the upstream answer.
type At struct {
	Choice, Block int
	// Kind is the block's kind, zero if the caller does not know it. A writer
	// that has not seen the block needs it to put content that replaces a call
	// before the calls that stay.
	Kind llm.Kind
}

// WriterOptions are what every dialect's writer can be told.
type WriterOptions struct {
	// Force re-encodes every payload instead of passing unedited ones as they
	// came: what a provider did unusually becomes usual.
	Force bool
	// Whole says that the answer will come as one non-streaming response:
	// nothing is written before it, Insert and Replace wait for it. Terminate
	// and Fail write a whole body too, and there are no signs of life. If the
	// answer streams all the same, it is written as a stream.
	Whole bool
	// Settle makes the writer write what was read, instead of the bytes that
	// came, from the first ambiguous payload on. A host that judges blocks must
	// set it: a client must get the call that was judged and no other.
	Settle bool
	// Ordered says that the caller sends every chunk, and those of one choice in
	// their order; chunks of different choices may pass each other. Without it a
	// chunk that comes out of its turn may have left a part of a call out, and a
	// free-form call, of which nothing else proves that it is whole, ends in an
	// error.
	Ordered bool
	// NewID makes the unique part of ids that the writer must give; nil means
	// random ones.
	NewID func() string
}

// ID returns a new id with the given prefix.
func (o *WriterOptions) ID(prefix string) string {
	if o.NewID != nil {
		return prefix + o.NewID()
	}
	return prefix + rand.Text()
}
