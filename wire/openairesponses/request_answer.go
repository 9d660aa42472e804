package openairesponses

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// answer writes one turn, each item as the provider's original JSON if it is unchanged.
//
// A provider that stores its answers knows their items by their ids, and refuses
// reasoning without the item that followed it, or an item without the reasoning before
// it ("provided without its required following item"). So the ids of an answer are
// written all or none: all if each of its items is unchanged; none if one of them was
// changed, has no Raw, is of another dialect or has an id that is invalid or was used
// before, or if the request says "store": false and ids mean nothing. An item with a
// changed text never claims the id of the original.
//
// Without ids, reasoning is written if it has encrypted content and left out otherwise;
// calls that the provider executed can only be referred to by id, and are left out.
func (w *requestWriter) answer(messages []llm.Message) {
	var pieces []piece
	for i := range messages {
		m := &messages[i]
		switch m.Role {
		case llm.System, llm.User, llm.Assistant, llm.ToolRole:
		default:
			w.Refusef("unknown role %q: use system, user, assistant or tool", m.Role)
			return
		}
		pieces = w.divide(pieces, m)
	}
	named := w.named(pieces)
	sent := pieces[:0]
	for i := range pieces {
		if w.sends(&pieces[i], named) {
			sent = append(sent, pieces[i])
		}
	}
	// Reasoning without a following item is refused.
	for n := len(sent); n > 0 && sent[n-1].blocks[0].Kind == llm.Thinking; n-- {
		sent = sent[:n-1]
	}
	for i := range sent {
		w.piece(&sent[i], named)
	}
}

// sends reports whether a piece is written at all.
func (w *requestWriter) sends(p *piece, named bool) bool {
	b := p.blocks[0]
	switch {
	case isSaid(b):
		// An empty text is refused.
		p.blocks = slices.DeleteFunc(p.blocks, func(b *llm.Block) bool { return b.Kind != llm.Opaque && b.Text == "" })
		return len(p.blocks) > 0
	case b.Kind == llm.Thinking:
		return named || b.Signature != "" // an id alone is no proof unless all are written
	case b.Kind == llm.ServerTool && p.own != nil && !named:
		w.unsent[b.ID] = true
		return false
	default:
		return true
	}
}

// named reports whether the provider knows all items by their ids.
func (w *requestWriter) named(pieces []piece) bool {
	if !w.stored {
		return false
	}
	ids := map[string]bool{}
	reasons, nameless := false, false
	for i := range pieces {
		p := &pieces[i]
		if !p.counts {
			continue
		}
		if p.own == nil || !p.legalID() || w.used[p.id] || ids[p.id] {
			return false
		}
		reasons = reasons || p.blocks[0].Kind == llm.Thinking
		if nameless = nameless || p.id == ""; p.id != "" {
			ids[p.id] = true
		}
	}
	if reasons && nameless {
		return false
	}
	maps.Copy(w.used, ids)
	return true
}

// piece is what becomes an item: neighbouring texts, results, or one block.
type piece struct {
	role   llm.Role
	blocks []*llm.Block
	// own is the provider's JSON, nil if it does not match the blocks.
	own []byte
	// id is the item's in it.
	id string
	// counts: it is an item of the model's answer, which the provider knows.
	counts bool
}

// legalID reports whether the API could have assigned the id. It refuses others.
func (p *piece) legalID() bool {
	if p.id == "" {
		return true
	}
	prefix := ""
	switch b := p.blocks[0]; {
	case isSaid(b):
		prefix = "msg"
	case b.Kind == llm.Thinking:
		prefix = "rs"
	case b.Type == itemFunctionCall:
		prefix = "fc"
	}
	return len(p.id) <= maxID && strings.HasPrefix(p.id, prefix) && request.IsPlain(p.id)
}

// divide appends the pieces of a message.
func (w *requestWriter) divide(pieces []piece, m *llm.Message) []piece {
	from := len(pieces)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if n := len(pieces); n > from && continues(pieces[n-1].blocks, b) {
			pieces[n-1].blocks = append(pieces[n-1].blocks, b)
		} else if b.Kind != llm.Thinking || ours(b) {
			pieces = append(pieces, piece{role: m.Role, blocks: []*llm.Block{b}})
		}
	}
	for i := from; i < len(pieces); i++ {
		p := &pieces[i]
		b := p.blocks[0]
		if p.role != llm.Assistant || request.IsResult(b) || b.Kind == llm.Opaque && !isSaid(b) {
			continue
		}
		p.counts = true
		if isSaid(b) && w.unchangedMessage(p.blocks) || !isSaid(b) && w.unchanged(b) {
			p.own = b.Raw
			p.id = idOf(b.Raw)
		}
		if b.Kind == llm.ToolCall && (b.ID == "" || w.ids.Call(b.ID) != b.ID) {
			p.own = nil // its id is mapped
		}
	}
	return pieces
}

// continues reports whether a block belongs to the piece with these blocks.
// Neighbouring texts are one message, unless they came as two.
func continues(blocks []*llm.Block, b *llm.Block) bool {
	last := blocks[len(blocks)-1]
	if isSaid(last) {
		return isSaid(b) && last.ID == b.ID && request.TypeOf(b.Raw) != itemMessage
	}
	return request.IsResult(last) && request.IsResult(b)
}

// ours reports whether thinking can be of this dialect. Chat Completions has the same
// type for it, without an id or a signature.
func ours(b *llm.Block) bool {
	return (b.Type == "" || b.Type == itemReasoning) && (b.Signature != "" || b.ID != "")
}

// piece writes a piece, with or without the provider's id.
func (w *requestWriter) piece(p *piece, named bool) {
	b := p.blocks[0]
	switch {
	case request.IsResult(b):
		w.results(p.blocks)
	case isSaid(b) && p.own != nil:
		w.exact("the Raw of a message", p.own, named)
	case isSaid(b):
		w.said(p.role, p.blocks)
	case p.role != llm.Assistant && b.Kind != llm.Opaque:
		w.Refusef("a block of kind %s is in a message of role %s: only the assistant can have those", b.Kind, p.role)
	case b.Kind == llm.Thinking:
		w.reasoning(b, p.own, named)
	case b.Kind == llm.ToolCall:
		w.call(b, p.own, named)
	case b.Kind == llm.ServerTool && p.own == nil:
		w.Refusef("a call that another provider executed (%s) cannot be expressed", b.Name)
	case b.Kind == llm.ServerTool:
		w.exact("the Raw of an item", p.own, named)
	case b.Kind == llm.Opaque:
		w.own(b)
	default:
		w.Refusef("the dialect has no blocks of kind %s", b.Kind)
	}
}

// exact writes the provider's JSON of an item byte for byte, or without its id.
func (w *requestWriter) exact(what string, raw []byte, named bool) {
	if !named && jsonscan.Classify(raw) != jsonscan.ShapeDuplicate {
		raw = withoutID(raw)
	}
	w.Exact(what, raw)
}

// idOf returns the id of an item.
func idOf(raw []byte) string {
	value, _, _ := jsonscan.Get(raw, "id")
	id, _ := jsonscan.Unquote(nil, value)
	return string(id)
}

// withoutID returns an object without its member id.
func withoutID(raw []byte) []byte {
	if _, _, has := jsonscan.Get(raw, "id"); !has {
		return raw
	}
	var s jsonscan.Scanner
	s.Reset(raw)
	s.Object()
	out := []byte{'{'}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if string(key) == "id" {
			s.Skip()
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsonscan.AppendString(out, string(key)), ':')
		out = append(out, s.Raw()...)
	}
	return append(out, '}')
}

// unchanged reports whether the blocks' Raw is an item of this dialect and matches the
// fields.
func (w *requestWriter) unchanged(blocks ...*llm.Block) bool {
	m, ok := readItem(blocks[0].Raw)
	return ok && request.Unchanged(blocks, m.Blocks)
}

// unchangedMessage reports whether the Raw of the first block is a message of the
// assistant that matches the blocks. Adjacent parts of one kind are one block. A
// message without a text cannot be sent.
func (w *requestWriter) unchangedMessage(blocks []*llm.Block) bool {
	m, ok := readItem(blocks[0].Raw)
	if !ok || m.Role != llm.Assistant || len(m.Blocks) == 0 || request.TypeOf(blocks[0].Raw) != itemMessage {
		return false
	}
	at, rest := 0, blocks[0].Text
	for i := range m.Blocks {
		part := &m.Blocks[i]
		if part.Kind != blocks[at].Kind {
			if at++; rest != "" || at == len(blocks) {
				return false
			}
			rest = blocks[at].Text
		}
		var ok bool
		b := blocks[at]
		if rest, ok = strings.CutPrefix(rest, part.Text); !ok || b.Kind != part.Kind || b.Kind == llm.Opaque || b.Text == "" || b.ID != part.ID {
			return false
		}
	}
	return rest == "" && at == len(blocks)-1
}

// readItem parses a standalone item.
func readItem(raw []byte) (llm.Message, bool) {
	if raw = bytes.TrimSpace(raw); !request.IsObject(raw) {
		return llm.Message{}, false
	}
	r := &requestReader{body: raw, req: &llm.Request{}}
	m, err := r.item(llm.Span{End: len(raw)})
	return m, err == nil
}

func (w *requestWriter) reasoning(b *llm.Block, own []byte, named bool) {
	if own != nil {
		w.exact("the Raw of reasoning", own, named)
		return
	}
	w.Open('{')
	w.String("type", itemReasoning)
	w.Key("summary")
	w.Open('[')
	if b.Text != "" {
		w.part("summary_text", "text", b.Text)
	}
	w.Close(']')
	w.String("encrypted_content", b.Signature)
	w.Close('}')
}

func (w *requestWriter) call(b *llm.Block, own []byte, named bool) {
	id := w.ids.Call(b.ID)
	if own != nil {
		if b.Type != itemFunctionCall {
			w.outputs[b.ID] = b.Type + "_output"
		}
		// Without a call_id the result refers to the id.
		_, _, called := jsonscan.Get(own, "call_id")
		w.exact("the Raw of a call", own, named || !called)
		return
	}
	if b.Name == "" || strings.HasSuffix(b.Type, "_call") && b.Type != itemFunctionCall && !b.Freeform() {
		w.Refusef("a call of type %q can only be written as its own Raw, which is missing", b.Type)
		return
	}
	typ, member, arguments := itemFunctionCall, "arguments", b.Arguments
	if b.Freeform() {
		typ, member = itemCustomCall, "input"
		w.outputs[b.ID] = "custom_tool_call_output"
	} else if arguments == "" {
		arguments = "{}"
	}
	w.Open('{')
	w.String("type", typ)
	w.String("call_id", id)
	w.String("name", b.Name)
	w.String(member, arguments)
	w.Close('}')
}
