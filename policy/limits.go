package policy

import (
	"fmt"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// Limits bound how much the engine keeps for an exchange. The zero value means
// the defaults.
type Limits struct {
	// Block is the maximum size of the text or arguments of a held block, and
	// of text that is held back because a pattern may still match. A larger
	// block is blocked, a larger text withheld.
	Block int
	// Exchange is the maximum size of the text and arguments of all held blocks
	// of an exchange together. A block that exceeds it is blocked.
	Exchange int
	// Queue is the maximum memory of queued payloads. Beyond it the answer is
	// aborted.
	Queue int
	// Rounds is how often the model may be told about denials in one exchange.
	// After that the turn ends.
	Rounds int
}

// The defaults of Limits.
const (
	DefaultMaxBlock    = 1 << 20
	DefaultMaxExchange = 4 << 20
	DefaultMaxQueue    = 64 << 20
	DefaultMaxRounds   = 3
)

// MaxTexts is how much text an answer may have before its texts are no longer kept,
// where no policy reads them: further text leaves at once and only its length and
// hash are kept. Calls are always kept.
const MaxTexts = 1 << 20

func (l Limits) withDefaults() Limits {
	if l.Block <= 0 {
		l.Block = DefaultMaxBlock
	}
	if l.Exchange <= 0 {
		l.Exchange = DefaultMaxExchange
	}
	if l.Queue <= 0 {
		l.Queue = DefaultMaxQueue
	}
	if l.Rounds <= 0 {
		l.Rounds = DefaultMaxRounds
	}
	return l
}

// grow accounts for the growth of a held block.
func (e *Engine) grow(r *ruling, ev *stream.Event) {
	if r.over || ev.Type == stream.EventHint || ev.Type == stream.EventUnknown {
		return
	}
	size := r.block.Len()
	if r.block.Kind() == llm.Opaque {
		size += len(r.block.Raw())
	}
	e.body += size - r.size
	r.size = size
	var limit *LimitError
	switch {
	case r.size > e.opts.Limits.Block:
		limit = &LimitError{What: "bytes of one held block", Limit: e.opts.Limits.Block}
	case e.body > e.opts.Limits.Exchange:
		limit = &LimitError{What: "bytes of held blocks in one exchange", Limit: e.opts.Limits.Exchange}
	default:
		return
	}
	r.over = true
	e.body -= r.size
	e.forget(r)
	r.votes = append(r.votes, Verdict{Action: Block, Policy: enginePolicy, Cause: CauseLimit, Reason: limit.reason(), Err: limit})
}

// LimitError says that an exchange exceeded one of the engine's limits.
type LimitError struct {
	What  string
	Limit int
}

// Error names the limit.
func (e *LimitError) Error() string { return "policy: " + e.reason() }

func (e *LimitError) reason() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }
