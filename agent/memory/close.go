package memory

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Unknown is the text of the result that Close gives to a call without one.
const Unknown = "No result of this call is known: it may have been executed or not."

// Close turns a history into one that every provider accepts, even if it was
// written by a program that was stopped in the middle or was careless:
//
//   - a call without a result gets a failed one that says Unknown;
//   - a result without a call before it is left out, and so is a second one;
//   - messages that say nothing are left out;
//   - system messages come first.
//
// Results must follow their calls before anybody else speaks; a later one
// belongs to no call. The results of tools that the provider executes are in
// its own messages and stay as they are.
//
// The given list is not changed; if it is in order, it is returned.
func Close(messages []llm.Message) []llm.Message {
	p := pairing{out: make([]llm.Message, 0, len(messages)+1), complete: true}
	for _, m := range messages {
		if m.Role == llm.System && !IsEmpty(m) {
			p.changed = p.changed || messages[len(p.out)].Role != llm.System
			p.out = append(p.out, m)
		}
	}
	for i, m := range messages {
		switch {
		case IsEmpty(m):
			p.changed = true
		case m.Role != llm.System:
			p.add(m, messages[i+1:])
		}
	}
	p.settle()
	if !p.changed {
		return messages
	}
	return p.out
}

// dropOrphans leaves out results without a call. Calls without a result are
// kept, because theirs may still come.
func dropOrphans(messages []llm.Message) []llm.Message {
	p := pairing{out: make([]llm.Message, 0, len(messages))}
	for i, m := range messages {
		p.add(m, messages[i+1:])
	}
	return p.out
}

// IsEmpty reports whether a message is empty: it has no blocks, or only blocks of blank
// text. Providers reject a history with such a message.
func IsEmpty(message llm.Message) bool {
	for i := range message.Blocks {
		b := &message.Blocks[i]
		text := b.Kind == llm.Content || b.Kind == llm.Thinking || b.Kind == llm.Refusal
		if !text || strings.TrimSpace(b.Text) != "" || b.Signature != "" || len(b.Raw) > 0 {
			return false
		}
	}
	return true
}

// isResult reports whether a block is part of the result of a call: its text,
// or an image that came with it.
func isResult(b *llm.Block) bool {
	return b.Kind == llm.ToolResult || b.Kind == llm.Opaque && b.ToolUseID != ""
}

// pairing matches calls and results, message by message. It looks at each block
// once, whatever the history is.
type pairing struct {
	out []llm.Message
	// complete adds results where there are none.
	complete bool
	changed  bool

	// calls are those since the last results, in order; the assistant may have
	// made them in several messages.
	calls    []call
	answered bool
	// awaited is true when results are known to follow the assistant's
	// remaining messages.
	awaited bool
	// byKey finds calls that may be unanswered. Loose is where to look next for
	// a call without an id.
	byKey map[key]queue
	loose int
}

type call struct {
	id, name string
	answered bool
	// next is the next call with the same key, none if there is no other.
	next int
}

// queue is the first and the last of the calls with one key.
type queue struct{ first, last int }

// none is the index of no call.
const none = -1

// key is how a result refers to its call: by its id or, if calls have none, by
// the name of the tool.
type key struct{ id, name string }

func keyOf(id, name string) key {
	if id != "" {
		name = ""
	}
	return key{id, name}
}

// add processes the next message; rest are those after it.
func (p *pairing) add(m llm.Message, rest []llm.Message) {
	if m.Role == llm.Assistant {
		if p.answered || len(p.calls) > 0 && !hasCalls(&m) && !p.expects(rest) {
			p.settle()
		}
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == llm.ToolCall {
				p.call(b)
			}
		}
		p.out = append(p.out, m)
		return
	}
	blocks, speaks := p.results(m.Blocks)
	if speaks {
		p.settle()
	}
	if len(blocks) != len(m.Blocks) {
		p.changed = true
		if len(blocks) == 0 {
			return
		}
		m.Blocks = blocks
	}
	p.out = append(p.out, m)
}

func hasCalls(m *llm.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b llm.Block) bool { return b.Kind == llm.ToolCall })
}

// expects reports whether the result of an open call follows the assistant's
// remaining messages, before anybody else speaks.
func (p *pairing) expects(rest []llm.Message) bool {
	if p.awaited {
		return true
	}
	handed := false
	for i := range rest {
		m := &rest[i]
		if m.Role == llm.System || m.Role == llm.Assistant && !handed {
			continue
		}
		if m.Role == llm.Assistant {
			return false
		}
		handed = true
		speaks := false
		for j := range m.Blocks {
			b := &m.Blocks[j]
			speaks = speaks || !isResult(b)
			p.awaited = p.awaited || isResult(b) && (b.ToolUseID == "" || p.waits(b.ToolUseID))
		}
		if p.awaited || speaks {
			break
		}
	}
	return p.awaited
}

func (p *pairing) waits(id string) bool {
	q, ok := p.byKey[keyOf(id, "")]
	return ok && q.first != none
}

func (p *pairing) call(b *llm.Block) {
	if p.byKey == nil {
		p.byKey = make(map[key]queue)
	}
	k, at := keyOf(b.ID, b.Name), len(p.calls)
	p.calls = append(p.calls, call{id: b.ID, name: b.Name, next: none})
	q, ok := p.byKey[k]
	if !ok || q.first == none {
		q.first = at
	} else {
		p.calls[q.last].next = at
	}
	q.last = at
	p.byKey[k] = q
}

// results returns the blocks without the results that answer no call, and
// whether there is anything but results among them.
func (p *pairing) results(blocks []llm.Block) (kept []llm.Block, speaks bool) {
	dropped := 0
	var last *llm.Block
	keep := false
	for i := range blocks {
		b := &blocks[i]
		if !isResult(b) {
			speaks, last, keep = true, nil, true
		} else {
			// Several blocks can be one result.
			part := last != nil && together(last, b)
			switch {
			case part && b.ToolUseID == "":
			case !p.answer(b):
				keep = part && keep
			default:
				keep = true
			}
			last = b
		}
		switch {
		case !keep && dropped == 0:
			kept = append(make([]llm.Block, 0, len(blocks)), blocks[:i]...)
			dropped++
		case !keep:
			dropped++
		case dropped > 0:
			kept = append(kept, *b)
		}
	}
	if dropped == 0 {
		return blocks, speaks
	}
	return kept, speaks
}

func together(a, b *llm.Block) bool {
	if a.ToolUseID != b.ToolUseID || a.Name != b.Name {
		return false
	}
	return a.ToolUseID != "" || len(a.Raw) > 0 && bytes.Equal(a.Raw, b.Raw)
}

// answer finds the call of a result and marks it.
func (p *pairing) answer(b *llm.Block) bool {
	k := keyOf(b.ToolUseID, b.Name)
	for q, ok := p.byKey[k]; ok && q.first != none; {
		at := q.first
		q.first = p.calls[at].next
		p.byKey[k] = q
		if p.mark(at) {
			return true
		}
	}
	if b.ToolUseID != "" {
		return false
	}
	for ; p.loose < len(p.calls); p.loose++ {
		if p.calls[p.loose].id == "" && p.mark(p.loose) {
			return true
		}
	}
	return false
}

func (p *pairing) mark(i int) bool {
	if p.calls[i].answered {
		return false
	}
	p.calls[i].answered, p.answered = true, true
	return true
}

// settle stops waiting for results.
func (p *pairing) settle() {
	var missing []llm.Block
	for _, c := range p.calls {
		if !c.answered && p.complete {
			missing = append(missing, llm.Block{
				Kind: llm.ToolResult, ToolUseID: c.id, Name: c.name, Text: Unknown, Failed: true, Status: llm.Complete,
			})
		}
	}
	if len(missing) > 0 {
		p.out = append(p.out, llm.Message{Role: llm.ToolRole, Blocks: missing})
		p.changed = true
	}
	clear(p.byKey)
	p.calls, p.loose, p.answered, p.awaited = p.calls[:0], 0, false, false
}
