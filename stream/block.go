package stream

import (
	"crypto/sha256"
	"encoding/json"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Block is a block of an answer while it arrives. Its text only grows, so the
// strings that Text and Arguments return stay valid and cost nothing to get.
type Block struct {
	kind         llm.Kind
	status       llm.Status
	hinted       bool
	choice       int
	position     int
	index        int
	id, name     string
	providerType string
	toolUseID    string
	initial      string
	body         text
	signature    text
	other        string
	diverged     bool
	renamed      bool
	late         bool // its name came after its beginning
	raw          string
	key          string // made when it is first asked for
	citations    []json.RawMessage
}

// Kind says what the block is for.
func (b *Block) Kind() llm.Kind { return b.kind }

// Key identifies the block within its answer: "CHOICE:POSITION", the numbers that
// Choice and Position return, as in "0:2". It is there from the block's beginning,
// never changes, and no two blocks of an answer share one, which holds for nothing
// that a provider sends: ids can be missing, late or repeated, and indices too. Use
// it to keep something for each block.
func (b *Block) Key() string {
	if b.key == "" {
		var buf [24]byte
		key := append(strconv.AppendInt(buf[:0], int64(b.choice), 10), ':')
		b.key = string(strconv.AppendInt(key, int64(b.position), 10))
	}
	return b.key
}

// ID is the id that a tool result will refer to, or the provider's id of the
// block; empty if the provider gave none, and not always unique: see Key.
func (b *Block) ID() string { return b.id }

// Name is the tool's name, for calls.
func (b *Block) Name() string { return b.name }

// Type is the provider's own word for the block.
func (b *Block) Type() string { return b.providerType }

// ToolUseID is the id of the call that a tool result answers.
func (b *Block) ToolUseID() string { return b.toolUseID }

// Choice is the number of the choice the block belongs to.
func (b *Block) Choice() int { return b.choice }

// Position is the block's place among the blocks of its choice: what
// Event.Block refers to.
func (b *Block) Position() int { return b.position }

// At names the block to a writer.
func (b *Block) At() At { return At{Choice: b.choice, Block: b.position, Kind: b.kind} }

// Index is the provider's own number of the block, -1 if it has none.
func (b *Block) Index() int { return b.index }

// Status says how far the block has come.
func (b *Block) Status() llm.Status { return b.status }

// Ended reports that nothing will be added to the block: it is complete, malformed,
// or was cut. Only a block whose Status is Complete is all that it should be.
func (b *Block) Ended() bool { return b.status != llm.Open }

// Hinted reports that the block seems to have ended, without proof. A late
// delta takes the hint back.
func (b *Block) Hinted() bool { return b.hinted && b.status == llm.Open }

// Text is the text so far; for calls it is the arguments so far. It is empty for a
// text that is not kept.
func (b *Block) Text() string { return b.body.String() }

// Arguments is what the call was given so far, exactly as it arrived. Empty
// means {}.
func (b *Block) Arguments() string { return b.body.String() }

// Signature is the provider's proof that belongs to the block.
func (b *Block) Signature() string { return b.signature.String() }

// Kept reports whether the text is there. A long one need not be, see Limits.Texts;
// Len and Sum tell of it all the same.
func (b *Block) Kept() bool { return b.body.gone == nil }

// Sum returns the SHA-256 of the text or the arguments so far.
func (b *Block) Sum() [sha256.Size]byte {
	if b.body.gone != nil {
		return b.body.gone.total()
	}
	return sha256.Sum256([]byte(b.body.String()))
}

// letGo keeps no more of the text than is needed to tell of it, unless it is one
// that somebody judges.
func (b *Block) letGo() {
	switch b.kind {
	case llm.Content, llm.Thinking, llm.Refusal:
		b.body.letGo()
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
}

// Len is the length of the text or arguments so far.
func (b *Block) Len() int { return b.body.Len() }

// Raw is the block's JSON where the provider sent it as one piece, else empty.
func (b *Block) Raw() string { return b.raw }

// Other returns the other version of the text or arguments where the provider
// told two: the deltas said one thing and its final word another. Text and
// Arguments return the final word, or what was complete first. Both must be
// judged: a client may read either.
func (b *Block) Other() (string, bool) { return b.other, b.diverged }

// Renamed reports whether the block began under another name, or had a part of its name
// when another block began. Name is the last one, but a client may have read the other.
func (b *Block) Renamed() bool { return b.renamed }

// NamedLate reports whether the block began without its name.
func (b *Block) NamedLate() bool { return b.late }

// Value returns the block as a value that owns its data.
func (b *Block) Value() llm.Block {
	v := llm.Block{
		Kind: b.kind, ID: b.id, Name: b.name, Type: b.providerType,
		ToolUseID: b.toolUseID, Status: b.status, Signature: b.Signature(), Citations: slices.Clone(b.citations),
	}
	switch b.kind {
	case llm.ToolCall, llm.ServerTool:
		v.Arguments = b.body.String()
	case llm.Content, llm.Thinking, llm.Refusal, llm.ToolResult, llm.Opaque:
		v.Text = b.body.String()
	}
	if b.raw != "" {
		v.Raw = []byte(b.raw)
	}
	return v
}

// end closes the block and judges what it has become.
func (b *Block) end(status llm.Status) {
	b.body.flush()
	b.signature.flush()
	switch {
	case b.initial == "":
	case b.body.Len() == 0:
		b.body.set(b.initial)
	case b.tellsTwo(b.body.String()):
		// Clients differ: the deltas replace the beginning, or go on from it.
		b.other, b.diverged = b.initial, true
	}
	b.hinted = false
	if status == llm.Incomplete {
		b.status = llm.Incomplete
		return
	}
	b.status = llm.Complete
	if b.kind == llm.ToolCall && (b.name == "" && needsName(b.providerType) || !b.readable()) {
		b.status = llm.Malformed
	}
}

// tellsTwo reports whether the block began with something else than it became.
// The calls of built-in tools begin with a placeholder of their action.
func (b *Block) tellsTwo(final string) bool {
	switch b.kind {
	case llm.ToolCall:
		if !needsName(b.providerType) || b.initial == "{}" {
			return false
		}
	case llm.Content, llm.Refusal:
	default:
		return false
	}
	return !b.diverged && b.initial != "" && b.initial != final
}

// readable reports whether the arguments are what calls of this type carry.
// Duplicate keys are readable JSON; the parsed view tells of them.
func (b *Block) readable() bool {
	if llm.IsFreeform(b.providerType) {
		return true
	}
	return jsonscan.IsObject(b.body.String())
}

// needsName reports whether a call of this provider type is nothing without a
// tool name: the calls of built-in tools are named by their type.
func needsName(providerType string) bool {
	switch providerType {
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		return false
	}
	return true
}

// text is bytes that only grow. A UTF-16 surrogate pair that a provider split
// over two deltas is joined, as a client that concatenates strings would: the
// first half waits in half for the next delta or the end.
type text struct {
	b       strings.Builder
	fixed   string // what set put there, until more is appended
	half    [3]byte
	holding bool
	gone    *gone // what is known of a text that is not kept, nil for all others
}

// gone is what is known of a text that is not kept.
type gone struct {
	size int
	sum  hash.Hash
}

func (g *gone) add(p []byte) {
	g.size += len(p)
	_, _ = g.sum.Write(p) // it never fails
}

func (g *gone) total() (sum [sha256.Size]byte) {
	g.sum.Sum(sum[:0])
	return sum
}

// is reports whether it is this text.
func (g *gone) is(text []byte) bool { return g.size == len(text) && g.total() == sha256.Sum256(text) }

// letGo keeps the text no longer.
func (t *text) letGo() {
	if t.gone != nil {
		return
	}
	g := &gone{sum: sha256.New()}
	g.size = t.Len()
	_, _ = io.WriteString(g.sum, t.String()) // it never fails
	t.b, t.fixed, t.gone = strings.Builder{}, "", g
}

// write adds bytes.
func (t *text) write(p []byte) {
	if t.gone != nil {
		t.gone.add(p)
		return
	}
	t.b.Write(p)
}

func (t *text) String() string {
	if t.fixed != "" {
		return t.fixed
	}
	return t.b.String()
}

func (t *text) Len() int {
	if t.gone != nil {
		return t.gone.size
	}
	return len(t.fixed) + t.b.Len()
}

func (t *text) append(p []byte) {
	if len(p) == 0 {
		return
	}
	if t.fixed != "" {
		t.b.WriteString(t.fixed)
		t.fixed = ""
	}
	if t.holding {
		t.holding = false
		if r, ok := jsonscan.JoinSurrogates(t.half[:], p); ok {
			var joined [utf8.UTFMax]byte
			t.write(joined[:utf8.EncodeRune(joined[:], r)])
			p = p[3:]
		} else {
			t.write(t.half[:])
		}
	}
	// 0xED begins every surrogate; nothing else pays for more than this look.
	if n := len(p); n >= 3 && p[n-3] == 0xED && p[n-2] >= 0xA0 && p[n-2] <= 0xAF {
		t.holding = true
		copy(t.half[:], p[n-3:])
		p = p[:n-3]
	}
	if t.gone != nil {
		t.gone.add(p)
		return
	}
	// Pieces are small, and what begins with one will have more: growing from a
	// few bytes would cost an allocation for each doubling. What comes whole is
	// larger and gets what it needs.
	if n := t.b.Len(); n+len(p) > t.b.Cap() && (n > 0 || len(p) <= smallPiece) {
		room := len(p)
		switch {
		case n < firstRoom && n+len(p) <= firstRoom:
			room = firstRoom - n
		case n < secondRoom:
			room = max(secondRoom-n, len(p))
		}
		// Grow doubles, append would not: a byte is moved once on average.
		t.b.Grow(room)
	}
	t.b.Write(p)
}

const (
	// smallPiece is the length of a text's first piece that others will follow.
	smallPiece = 32
	// firstRoom is the room that a text in pieces gets at first, enough for the
	// arguments of most calls, and secondRoom what it gets then.
	firstRoom  = 128
	secondRoom = 512
)

// flush gives up waiting for the second half of a pair.
func (t *text) flush() {
	if t.holding {
		t.holding = false
		t.write(t.half[:])
	}
}

// set puts s in the place of everything, without a copy.
func (t *text) set(s string) { *t = text{fixed: s} }
