package flow

import (
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// Linked reports whether a call of the conversation may have made another name for
// something. It looks for the words of those that do, however they are quoted, and
// for what could stand for one, so it is quick and says yes too often; of a
// history that is missing it knows nothing.
func (p *Past) Linked() bool {
	h := p.history
	h.onceLinked.Do(func() {
		if h.x == nil {
			return
		}
		asked := h.x.Asked()
		if asked == nil {
			return
		}
		if h.x.Earlier != nil {
			earlier, _ := h.x.Earlier()
			h.linked = anyLink(earlier)
		}
		h.linked = h.linked || anyLink(asked.Messages)
	})
	return h.linked || h.linkedBefore(p.before)
}

// linkedBefore is Linked for the blocks of the answer, each of which is looked at
// once as long as they come in their order.
func (h *history) linkedBefore(before []llm.Block) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := &h.links
	if !isBeginning(last.before, before) {
		if isBeginning(before, last.before) && !last.found {
			return false
		}
		last.before, last.found = nil, false
	}
	last.found = last.found || mayLink(before[len(last.before):])
	last.before = before
	return last.found
}

func anyLink(messages []llm.Message) bool {
	for i := range messages {
		if messages[i].Role == llm.Assistant && mayLink(messages[i].Blocks) {
			return true
		}
	}
	return false
}

func mayLink(blocks []llm.Block) bool {
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != llm.ToolCall && b.Kind != llm.ServerTool {
			continue
		}
		if strings.ContainsAny(b.Arguments, "$`%") || strings.Contains(b.Arguments, `\u00`) { // a word may be hidden in it
			return true
		}
		for _, word := range [...]string{"ln", "link", "junction", "cp"} {
			if spells(b.Arguments, word) || spells(b.Name, word) {
				return true
			}
		}
	}
	return false
}

// spells reports whether a word stands in a text, in letters of either case, with
// or without quotes and backslashes between them: l”n.
func spells(text, word string) bool {
	for i := range len(text) {
		n := 0
		for j := i; j < len(text) && n < len(word); j++ {
			switch c := text[j]; {
			case c|0x20 == word[n]:
				n++
			case n > 0 && strings.IndexByte("'\"\\^", c) >= 0:
			default:
				j = len(text)
			}
		}
		if n == len(word) {
			return true
		}
	}
	return false
}
