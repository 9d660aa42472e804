package stream

import (
	"crypto/rand"
	"errors"

	"github.com/sluice-project/sluice/llm"
)

// Errors of a writer that is asked for something no valid stream can contain. Nothing
// was written then.
var (
	// ErrAlreadySent: a part of the block was already sent, so it can no longer be
	// replaced.
	ErrAlreadySent = errors.New("stream: a part of the block has already been sent")
	// ErrTooLate: the dialect does not allow an insertion any more: a tool call was
	// sent, or the choice has finished.
	ErrTooLate = errors.New("stream: too late: the dialect no longer allows an insertion here")
	// ErrNotWritable: the block cannot be expressed in this dialect, or is of a kind
	// that only the provider can create (signed thinking, server tools).
	ErrNotWritable = errors.New("stream: the dialect cannot express this block")
	// ErrGap: the caller dropped or reordered a part of a call, so that the rest would
	// be a different call. The answer must fail.
	ErrGap = errors.New("stream: a part of a tool call is missing")
)

// Writer writes one answer in one dialect and never writes an invalid one, whatever it
// is asked for. It does no I/O and starts no goroutine. It appends the output for the
// client to dst, framing included, and returns the extended slice.
//
// An unedited stream is passed on byte for byte. From the first edit on (Replace,
// Insert, Continue, or a chunk that was dropped, repeated or reordered) the writer
// re-encodes what the edit affects: indices and sequence numbers stay contiguous, every
// copy of a text agrees, the finish reason fits the blocks. Everything else is still
// passed on unchanged.
type Writer interface {
	// Write writes a chunk of the current upstream answer.
	Write(dst []byte, c *Chunk) ([]byte, error)
	// Replace makes the writer write the given blocks instead of a block; with none,
	// the block is removed. It must be called before any chunk with a part of the block
	// is written, else it returns ErrAlreadySent. Content that replaces a call goes
	// where the dialect requires inserted text: before the first remaining call.
	Replace(at At, with ...llm.Block) error
	// Insert adds blocks to a choice as early as the dialect allows from now on, which
	// may be in a later Write.
	Insert(dst []byte, choice int, blocks ...llm.Block) ([]byte, error)
	// Continue declares that the next chunks belong to another upstream answer, which
	// continues the same client response. The end of the first must not have been
	// written.
	Continue(dst []byte) ([]byte, error)
	// Terminate ends the answer now. If everything sent is whole, it ends like a normal
	// answer; if a block is open, it ends with an error, because nobody may act on half
	// a block.
	Terminate(dst []byte) ([]byte, error)
	// Fail ends the answer with an error of the dialect.
	Fail(dst []byte, cause error) ([]byte, error)
	// Keepalive writes the dialect's keepalive, which is part of no block.
	Keepalive(dst []byte) []byte
	// Edited reports whether anything was edited, settled or replaced, so that the
	// output differs from the input.
	Edited() bool
}

// At addresses a block of the upstream answer.
type At struct {
	Choice, Block int
	// Kind is the block's kind, zero if the caller does not know it. A writer that has
	// not seen the block needs it to put content that replaces a call before the
	// remaining calls.
	Kind llm.Kind
}

// WriterOptions are the options of every dialect's writer.
type WriterOptions struct {
	// Force re-encodes every payload instead of passing unedited ones on unchanged,
	// which normalises a provider's deviations.
	Force bool
	// Whole says that the answer will arrive as one non-streaming response: nothing is
	// written before it, and Insert and Replace take effect with it. Terminate and Fail
	// write a whole body too, and there are no keepalives. If the answer streams
	// nevertheless, it is written as a stream.
	Whole bool
	// Settle makes the writer re-encode the answer as it was decoded from the first
	// ambiguous payload on, instead of passing the original bytes on. A host that
	// judges blocks must set it: a client must get the call that was judged and no
	// other.
	Settle bool
	// Ordered promises that the caller sends every chunk, and those of one choice in
	// order; chunks of different choices may overtake each other. Without it a chunk
	// out of order may mean that a part of a call was dropped, and a free-form call,
	// which nothing else proves to be whole, ends with an error.
	Ordered bool
	// NewID generates the unique part of ids that the writer must assign; nil means
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
