package stream

// Limits bound what one answer may make its reader keep. The zero value means
// the defaults.
type Limits struct {
	// Blocks is the most blocks in an answer, over all its choices.
	Blocks int
	// Choices is the most choices in an answer.
	Choices int
	// Bytes is the most text, arguments, signatures and raw blocks that an
	// answer may accumulate.
	Bytes int
	// Texts, where it is set, is after how much of that the text of content,
	// thinking and refusals is no longer kept, for readers whom only calls concern:
	// of a text that grows on only the length and the hash are, see Block.Kept.
	Texts int
}

// The defaults of Limits.
const (
	DefaultMaxBlocks  = 10_000
	DefaultMaxChoices = 128
	DefaultMaxBytes   = 256 << 20
)

// maxWord bounds names and ids that arrive in pieces. Real ones have at most a
// few hundred bytes; one that grows without end would cost its square.
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
