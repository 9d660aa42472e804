package witness

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// Witness checks one answer as it is sent. It is not safe for concurrent use.
type Witness struct {
	format  wire.Format
	whole   bool
	allowed allowed
	lines   lines

	// Growing calls, by how a client finds them.
	byIndex    map[int64]*piece
	byPosition []*piece
	// skipped is the number of blocks of an Anthropic message that started before the
	// witness was enabled, -1 while unknown.
	skipped  int64
	byID     map[string]*piece
	byChoice map[string]*piece  // Chat: choice and index, id or nothing
	last     map[int64]*piece   // by choice
	partial  map[int64]*partial // Gemini, by candidate

	touched []*piece           // grown since the last check
	open    map[int64][]*piece // grown since their end was last checked, by choice
}

// New returns a witness for an answer in a dialect: an event stream, or one whole body.
func New(format wire.Format, whole bool) *Witness {
	return &Witness{format: format, whole: whole, skipped: -1}
}

// UnjudgedError reports a tool call in the output that no policy allowed. Its text does
// not quote the arguments.
type UnjudgedError struct {
	// Name is the tool's name as a client would read it, Place its position. Text from
	// the answer in Place is short and quoted, because it is printed.
	Name, Place string
}

func (e *UnjudgedError) Error() string {
	return fmt.Sprintf("the answer was stopped: a call of %q (%s) was about to leave that no policy has allowed; this is a bug in Sluice, please report it", clip(e.Name), e.Place)
}

func clip(s string) string {
	if len(s) > 64 {
		return s[:64] + "..."
	}
	return s
}

// quoted returns a word of the answer in a form that is safe to print.
func quoted(s string) string { return strconv.Quote(clip(s)) }

// Allow records that a policy allowed a block, in its final form. Blocks that are
// neither calls nor unknown are ignored.
func (w *Witness) Allow(b *llm.Block) {
	switch b.Kind {
	case llm.ToolCall:
		w.allowed.add(nameOf(b.Name, b.Type), b.Arguments)
	case llm.Opaque:
	default:
		return
	}
	if len(b.Raw) > 0 {
		if n, ok := parse(b.Raw); ok {
			visit(n, func(c call) { w.allowed.add(c.name, c.arguments) })
		}
	}
}

// Read checks the next output. It returns an *UnjudgedError if a client could read a
// call in it that was not allowed; then nothing of p may be sent.
func (w *Witness) Read(p []byte) error {
	if w.whole {
		return w.payload("body", p)
	}
	var failure error
	w.lines.split(p, func(name string, payload []byte) {
		if failure == nil {
			failure = w.payload(name, payload)
		}
	})
	if failure == nil {
		failure = w.grown()
	}
	return failure
}

// payload reads one payload.
func (w *Witness) payload(event string, raw []byte) error {
	if len(w.byChoice) == 0 && !mayCall(raw) && !mayCall([]byte(event)) {
		return nil // the finish ends growing calls of the choices
	}
	n, ok := parse(raw)
	if !ok {
		return nil // [DONE], a comment, or nothing that a client could read
	}
	switch w.format {
	case wire.OpenAIChat:
		return w.chat(n)
	case wire.OpenAIResponses:
		return w.responses(event, n)
	case wire.Anthropic:
		return w.anthropic(event, n)
	case wire.Gemini:
		return w.gemini(n)
	}
	return w.wholes(n, "body")
}

// mayCall is a prefilter: it reports false for payloads that cannot contain a call.
// Keys can be escaped, so escapes count as a match.
func mayCall(raw []byte) bool {
	for i, c := range raw {
		for _, word := range hints[c] {
			if len(raw)-i >= len(word) && bytes.EqualFold(raw[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// hints are words of which every call contains one, by their first byte.
var hints = func() (by [256][][]byte) {
	for _, word := range []string{
		"call", "tool", "function", "arguments", "input", "args", "partial_json", "content_block", "operation", "action",
		"message_start", `\u00`, `\u017f`, `\u212a`, "\u017f", "\u212a", // an s and a k to clients that ignore case
	} {
		first := word[0]
		by[first] = append(by[first], []byte(word))
		if first >= 'a' {
			by[first-'a'+'A'] = append(by[first-'a'+'A'], []byte(word))
		}
	}
	return by
}()

// wholes checks all whole calls in a value.
func (w *Witness) wholes(n *node, place string) error {
	var failure error
	visit(n, func(c call) {
		if failure == nil && !w.allowed.is(c.name, c.arguments) {
			failure = &UnjudgedError{Name: c.name, Place: place}
		}
	})
	return failure
}
