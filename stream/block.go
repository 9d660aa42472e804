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

// Block is a block of an answer while it arrives. Its text only grows, so the strings
// that Text and Arguments return stay valid and are not copies.
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
	late         bool // the name arrived after the start
	unclear      bool
	raw          string
	key          string // created on first use
	citations    []json.RawMessage
}

// Kind says what the block is for.
func (b *Block) Kind() llm.Kind { return b.kind }

// Key identifies the block within its answer: "CHOICE:POSITION", the numbers that
// Choice and Position return, as in "0:2". It is set from the start of the block, never
// changes and is unique within an answer. Nothing that a provider sends has these
// properties: ids and indices can be missing, late or repeated. Use it to associate
// data with a block.
func (b *Block) Key() string {
	if b.key == "" {
		var buf [24]byte
		key := append(strconv.AppendInt(buf[:0], int64(b.choice), 10), ':')
		b.key = string(strconv.AppendInt(key, int64(b.position), 10))
	}
	return b.key
}

// ID is the id that a tool result will refer to, or the provider's id of the block;
// empty if the provider sent none, and not always unique: see Key.
func (b *Block) ID() string { return b.id }

// Name is the tool's name, for calls.
func (b *Block) Name() string { return b.name }

// Type is the provider's own type of the block.
func (b *Block) Type() string { return b.providerType }

// ToolUseID is the id of the call that a tool result answers.
func (b *Block) ToolUseID() string { return b.toolUseID }

// Choice is the number of the choice the block belongs to.
func (b *Block) Choice() int { return b.choice }

// Position is the block's position among the blocks of its choice; Event.Block refers
// to it.
func (b *Block) Position() int { return b.position }

// At returns the block's address for a writer.
func (b *Block) At() At { return At{Choice: b.choice, Block: b.position, Kind: b.kind} }

// Index is the provider's own index of the block, -1 if it has none.
func (b *Block) Index() int { return b.index }

// Status says how much of the block has arrived.
func (b *Block) Status() llm.Status { return b.status }

// Ended reports whether nothing more will be added to the block: it is complete,
// malformed or truncated. Only a block with the status Complete is whole.
func (b *Block) Ended() bool { return b.status != llm.Open }

// Hinted reports whether the block seems to have ended, without proof. A late delta
// revokes the hint.
func (b *Block) Hinted() bool { return b.hinted && b.status == llm.Open }

// Text is the text so far; for calls, the arguments so far. It is empty if the text is
// not kept.
func (b *Block) Text() string { return b.body.String() }

// Arguments are the call's arguments so far, exactly as they arrived. Empty means {}.
func (b *Block) Arguments() string { return b.body.String() }

// Signature is the provider's signature of the block.
func (b *Block) Signature() string { return b.signature.String() }

// Kept reports whether the text is kept. A long one may not be, see Limits.Texts; Len
// and Sum are valid either way.
func (b *Block) Kept() bool { return b.body.digest == nil }

// Sum returns the SHA-256 of the text or the arguments so far.
func (b *Block) Sum() [sha256.Size]byte {
	if b.body.digest != nil {
		return b.body.digest.total()
	}
	return sha256.Sum256([]byte(b.body.String()))
}

// discardText drops the text and keeps its length and hash, unless the block is one
// that policies judge.
func (b *Block) discardText() {
	switch b.kind {
	case llm.Content, llm.Thinking, llm.Refusal:
		b.body.discard()
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
}

// Len is the length of the text or arguments so far.
func (b *Block) Len() int { return b.body.Len() }

// Raw is the block's JSON if the provider sent it in one piece, else empty.
func (b *Block) Raw() string { return b.raw }

// Other returns the second version of the text or arguments if the provider sent two
// that differ: the deltas and the final value. Text and Arguments return the final
// value, or the one that was complete first. Both must be judged: a client may read
// either.
func (b *Block) Other() (string, bool) { return b.other, b.diverged }

// Renamed reports whether the block started under another name, or had only a part of
// its name when another block started. Name is the last one, but a client may have read
// the other.
func (b *Block) Renamed() bool { return b.renamed }

// NamedLate reports whether the block started without its name.
func (b *Block) NamedLate() bool { return b.late }

// Unclear reports whether clients put the pieces of the block together in different ways:
// some would read another call from them than this one.
func (b *Block) Unclear() bool { return b.unclear }

// Value returns a copy of the block that owns its data.
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

// end closes the block and determines its final status.
func (b *Block) end(status llm.Status) {
	b.body.flush()
	b.signature.flush()
	switch {
	case b.initial == "":
	case b.body.Len() == 0:
		b.body.set(b.initial)
	case b.contradictsInitial(b.body.String()):
		// Clients differ: deltas replace the initial value, or continue it.
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

// contradictsInitial reports whether the block ended with another value than it started
// with. Calls of built-in tools start with a placeholder for their action.
func (b *Block) contradictsInitial(final string) bool {
	switch b.kind {
	case llm.ToolCall:
		if !needsName(b.providerType) || isEmptyObject(b.initial) && b.providerType != "mcp_approval_request" {
			return false // deltas take the place of an empty object, and an approval has none
		}
	case llm.Content, llm.Refusal:
	default:
		return false
	}
	return !b.diverged && b.initial != "" && b.initial != final
}

// readable reports whether the arguments are valid for calls of this type. Duplicate
// keys are valid JSON; parsing the arguments reports them.
func (b *Block) readable() bool {
	if llm.IsFreeform(b.providerType) {
		return true
	}
	return jsonscan.IsObject(b.body.String())
}

// isEmptyObject reports whether JSON is an object without members, however it is spaced.
func isEmptyObject(text string) bool {
	return len(text) >= 2 && text[0] == '{' && text[len(text)-1] == '}' && strings.Trim(text[1:len(text)-1], " \t\r\n") == ""
}

// needsName reports whether a call of this provider type is invalid without a tool
// name: calls of built-in tools are named by their type.
func needsName(providerType string) bool {
	switch providerType {
	case "local_shell_call", "shell_call", "apply_patch_call", "computer_call":
		return false
	}
	return true
}

// text is an append-only buffer. A UTF-16 surrogate pair that a provider split over two
// deltas is joined, as a client that concatenates strings would do: half holds the
// first half until the next delta or the end.
type text struct {
	b       strings.Builder
	fixed   string // the value passed to set, until more is appended
	half    [3]byte
	holding bool
	digest  *digest // length and hash of a text that is not kept, else nil
}

// digest is the length and hash of a text that is not kept.
type digest struct {
	size int
	sum  hash.Hash
}

func (g *digest) add(p []byte) {
	g.size += len(p)
	_, _ = g.sum.Write(p) // never fails
}

func (g *digest) total() (sum [sha256.Size]byte) {
	g.sum.Sum(sum[:0])
	return sum
}

// is reports whether s is the text.
func (g *digest) is(text []byte) bool { return g.size == len(text) && g.total() == sha256.Sum256(text) }

// discard drops the text and keeps its digest.
func (t *text) discard() {
	if t.digest != nil {
		return
	}
	g := &digest{sum: sha256.New()}
	g.size = t.Len()
	_, _ = io.WriteString(g.sum, t.String()) // never fails
	t.b, t.fixed, t.digest = strings.Builder{}, "", g
}

// write appends p.
func (t *text) write(p []byte) {
	if t.digest != nil {
		t.digest.add(p)
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
	if t.digest != nil {
		return t.digest.size
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
	// 0xED starts every surrogate in WTF-8; other text needs no further check.
	if n := len(p); n >= 3 && p[n-3] == 0xED && p[n-2] >= 0xA0 && p[n-2] <= 0xAF {
		t.holding = true
		copy(t.half[:], p[n-3:])
		p = p[:n-3]
	}
	if t.digest != nil {
		t.digest.add(p)
		return
	}
	// A short first piece will be followed by more, and growing from a few bytes would
	// allocate on each doubling. A text that arrives whole is longer and gets exactly
	// what it needs.
	if n := t.b.Len(); n+len(p) > t.b.Cap() && (n > 0 || len(p) <= smallPiece) {
		room := len(p)
		switch {
		case n < firstRoom && n+len(p) <= firstRoom:
			room = firstRoom - n
		case n < secondRoom:
			room = max(secondRoom-n, len(p))
		}
		// Grow doubles, append would not: each byte is copied once on average.
		t.b.Grow(room)
	}
	t.b.Write(p)
}

const (
	// smallPiece is the maximum length of a first piece that more are expected to
	// follow.
	smallPiece = 32
	// firstRoom is the initial capacity of a text that arrives in pieces, enough for
	// the arguments of most calls; secondRoom is the next one.
	firstRoom  = 128
	secondRoom = 512
)

// flush stops waiting for the second half of a surrogate pair.
func (t *text) flush() {
	if t.holding {
		t.holding = false
		t.write(t.half[:])
	}
}

// set replaces the whole text by s, without a copy.
func (t *text) set(s string) { *t = text{fixed: s} }
