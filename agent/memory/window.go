package memory

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// DefaultMessages is how many messages of a conversation are kept by default.
const DefaultMessages = 100

// Window decides what is kept of a conversation.
//
// The windows of this package forget the oldest first, and always whole turns. A
// turn begins with what a user says and lasts until the user speaks again: the
// answer, its calls, their results, the next answer. So a call and its result
// are kept or forgotten together. The last turn is always kept, even if it alone
// exceeds the limit, because its answer may still be on the way; and so are
// system messages, which come first. Everything else that is kept fits into the
// limit together with them.
type Window interface {
	// Fit returns what is left of messages. It must not change the list or its
	// contents; it may return the same list. An error leaves the conversation
	// as it was.
	Fit(ctx context.Context, messages []llm.Message) ([]llm.Message, error)
}

// All returns a window that forgets nothing.
func All() Window { return all{} }

type all struct{}

func (all) Fit(_ context.Context, messages []llm.Message) ([]llm.Message, error) {
	return messages, nil
}

// Messages returns a window of at most limit messages, system messages included.
// New rejects it if limit is not positive.
func Messages(limit int) Window {
	return &limited{limit: limit, what: "messages", weigh: func(llm.Message) int { return 1 }}
}

// Tokens returns a window of at most limit tokens, system messages included; count
// returns how many a message has. Nil means EstimateTokens. New rejects it if
// limit is not positive.
//
// Count is called for all messages of a conversation each time something is
// added to it.
func Tokens(limit int, count func(llm.Message) int) Window {
	if count == nil {
		count = EstimateTokens
	}
	return &limited{limit: limit, what: "tokens", weigh: count}
}

// EstimateTokens estimates how many tokens a message has, without knowing the
// model: a quarter of its bytes, and 4 for the message and for each block. That
// is close for English and for code; scripts with many bytes per character have
// fewer. An image or a document counts as the text it was sent as, which is too
// much rather than too little.
func EstimateTokens(message llm.Message) int {
	const overhead, bytesPerToken = 4, 4
	tokens := overhead
	for i := range message.Blocks {
		b := &message.Blocks[i]
		said := len(b.ID) + len(b.Name) + len(b.Text) + len(b.Arguments) + len(b.Signature) + len(b.ToolUseID)
		tokens += overhead + (max(said, len(b.Raw))+bytesPerToken-1)/bytesPerToken
	}
	return tokens
}

// limited is a window with a limit on the total weight of messages.
type limited struct {
	limit int
	what  string
	weigh func(llm.Message) int
}

// flawed is a window that may be misconfigured; New checks it.
type flawed interface{ problem() error }

func (w *limited) problem() error {
	if w.limit <= 0 {
		return fmt.Errorf("memory: a window of %d %s keeps nothing: give it a positive limit, or use All", w.limit, w.what)
	}
	return nil
}

func (w *limited) Fit(_ context.Context, messages []llm.Message) ([]llm.Message, error) {
	if err := w.problem(); err != nil {
		return nil, err
	}
	if weight(messages, w.weigh) <= w.limit {
		return messages, nil
	}
	h := divide(messages)
	evicted := h.excess(w.limit, w.weigh)
	if evicted == 0 {
		return messages, nil
	}
	return h.without(evicted), nil
}

// history is a conversation split into turns.
type history struct {
	systems, rest []llm.Message
	// starts are the indexes in rest where turns begin. What comes before the
	// first question is a turn, too.
	starts []int
}

func divide(messages []llm.Message) history {
	front := slices.IndexFunc(messages, func(m llm.Message) bool { return !isSystem(m) })
	if front < 0 {
		return history{systems: messages}
	}
	h := history{systems: messages[:front:front], rest: messages[front:]}
	if slices.ContainsFunc(h.rest, isSystem) {
		h.rest = make([]llm.Message, 0, len(messages))
		for _, m := range messages[front:] {
			if isSystem(m) {
				h.systems = append(h.systems, m)
			} else {
				h.rest = append(h.rest, m)
			}
		}
	}
	for i := range h.rest {
		if i == 0 || asks(&h.rest[i]) {
			h.starts = append(h.starts, i)
		}
	}
	return h
}

// asks reports whether a message begins a turn: a user says something, and does
// not only return the results of calls.
func asks(m *llm.Message) bool {
	if m.Role != llm.User {
		return false
	}
	for i := range m.Blocks {
		if !isResult(&m.Blocks[i]) {
			return true
		}
	}
	return len(m.Blocks) == 0
}

// excess returns how many turns must go so that the rest weighs at most limit.
// The last one never goes.
func (h *history) excess(limit int, weigh func(llm.Message) int) int {
	total, end := weight(h.systems, weigh), len(h.rest)
	// From the newest to the oldest, so that a saturated sum is never
	// subtracted from.
	for i, start := range slices.Backward(h.starts) {
		total = sum(total, weight(h.rest[start:end], weigh))
		if total > limit && i < len(h.starts)-1 {
			return i + 1
		}
		end = start
	}
	return 0
}

func weight(messages []llm.Message, weigh func(llm.Message) int) int {
	total := 0
	for _, m := range messages {
		total = sum(total, weigh(m))
	}
	return total
}

// sum is a saturating addition. A negative weight counts as zero.
func sum(a, b int) int {
	b = max(b, 0)
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// without returns what is left when the first turns are forgotten, with insert
// between the system messages and the rest. If the first remaining question
// came together with results of the turn before, those go with their calls.
func (h *history) without(evicted int, insert ...llm.Message) []llm.Message {
	return slices.Concat(h.systems, insert, dropOrphans(h.rest[h.starts[evicted]:]))
}
