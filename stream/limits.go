package stream

// Limits bound what the reader of one answer must keep in memory. The zero value means
// the defaults.
type Limits struct {
	// Blocks is the maximum number of blocks in an answer, over all choices.
	Blocks int
	// Choices is the maximum number of choices in an answer.
	Choices int
	// Bytes is the maximum total size of text, arguments, signatures and raw blocks in
	// an answer.
	Bytes int
	// Texts, if set, is the number of bytes after which the text of content, thinking
	// and refusals is discarded, for readers that only need calls: of a text that grows
	// further only length and hash are kept, see Block.Kept.
	Texts int
}

// The defaults of Limits.
const (
	DefaultMaxBlocks  = 10_000
	DefaultMaxChoices = 128
	DefaultMaxBytes   = 256 << 20
)

// maxWord bounds names and ids that arrive in pieces. Real ones have at most a few
// hundred bytes; appending to one that grows without end takes quadratic time.
const maxWord = 16 << 10

func (l Limits) withDefaults() Limits {
	if l.Blocks <= 0 {
		l.Blocks = DefaultMaxBlocks
	}
	if l.Choices <= 0 {
		l.Choices = DefaultMaxChoices
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultMaxBytes
	}
	return l
}
