package agent

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// settle makes the buffered events match the answer as it is now. Hooks and advisors
// may have changed it since its pieces arrived, and what is shown must equal the
// result.
func (h *roundBuffer) settle(a *Answer) {
	h.seal()
	if h.noCalls {
		h.kept = slices.DeleteFunc(h.kept, isCall)
	}
	if a == nil || h.mode == All || h.matches(a) {
		return
	}
	at := slices.IndexFunc(h.kept, h.isOf)
	if at < 0 {
		at = len(h.kept)
	}
	before := slices.Clone(h.kept[:at])
	h.kept = slices.Concat(before, h.unshown(a), slices.DeleteFunc(h.kept[at:], h.isOf))
}

// isOf reports whether an event is a piece of the answer. Others belong to earlier
// answers that an advisor asked for, or to none.
func (h *roundBuffer) isOf(ev Event) bool {
	piece := ev.Type == EventText || ev.Type == EventThinking || ev.Type == EventRefusal
	return (piece || isCall(ev)) && (h.round.Type == 0 || ev.Round == h.round.Round)
}

func isCall(ev Event) bool {
	return ev.Type == EventToolStart || ev.Type == EventToolDelta || ev.Type == EventToolEnd
}

// matches reports whether the buffered events match the answer. How its text is split
// into pieces does not matter.
func (h *roundBuffer) matches(a *Answer) bool {
	for _, kind := range []llm.Kind{llm.Content, llm.Thinking, llm.Refusal} {
		if h.mode == FinalBuffered && !h.says(a.Blocks, kind) {
			return false
		}
	}
	next := 0 // the block from which on the next call is
	for i := range h.kept {
		ev := &h.kept[i]
		if ev.Type != EventToolEnd || !h.isOf(*ev) {
			continue
		}
		if next = nextOf(a.Blocks, llm.ToolCall, next); next == len(a.Blocks) || ev.Call == nil || !sameCall(ev.Call, &a.Blocks[next]) {
			return false
		}
		next++
	}
	return h.noCalls || nextOf(a.Blocks, llm.ToolCall, next) == len(a.Blocks)
}

// says reports whether the pieces of a kind add up to the blocks of that kind.
func (h *roundBuffer) says(blocks []llm.Block, kind llm.Kind) bool {
	next, left := 0, "" // of the block before next
	for i := range h.kept {
		ev := &h.kept[i]
		if ev.Type != pieceOf(kind) || !h.isOf(*ev) {
			continue
		}
		for text := ev.Text; text != ""; {
			for left == "" {
				if next = nextOf(blocks, kind, next); next == len(blocks) {
					return false
				}
				left = blocks[next].Text
				next++
			}
			n := min(len(text), len(left))
			if text[:n] != left[:n] {
				return false
			}
			text, left = text[n:], left[n:]
		}
	}
	for ; left == "" && next < len(blocks); next++ {
		if blocks[next].Kind == kind {
			left = blocks[next].Text
		}
	}
	return left == ""
}

// nextOf is the index of the first block of a kind, starting at an index.
func nextOf(blocks []llm.Block, kind llm.Kind, from int) int {
	for from < len(blocks) && blocks[from].Kind != kind {
		from++
	}
	return from
}

// unshown returns the events of an answer that have not been shown yet, one piece for each
// block.
func (h *roundBuffer) unshown(a *Answer) []Event {
	var events []Event
	for i := range a.Blocks {
		b := &a.Blocks[i]
		ev := Event{Type: pieceOf(b.Kind), Round: a.Round, Block: i, Text: b.Text}
		if h.round.Type != 0 {
			ev.Round = h.round.Round
		}
		switch {
		case ev.Type != 0 && h.mode == FinalBuffered && b.Text != "":
			events = append(events, ev)
		case b.Kind == llm.ToolCall && !h.noCalls:
			call := *b
			ev.Text, ev.ID, ev.Name = "", b.ID, b.Name
			start, delta, end := ev, ev, ev
			start.Type = EventToolStart
			delta.Type, delta.Text = EventToolDelta, b.Arguments
			end.Type, end.Call = EventToolEnd, &call
			if events = append(events, start); b.Arguments != "" {
				events = append(events, delta)
			}
			events = append(events, end)
		}
	}
	return events
}

// pieceOf is the type of the events that carry the text of a kind of block, 0 if
// there is none.
func pieceOf(kind llm.Kind) EventType {
	switch kind {
	case llm.Content:
		return EventText
	case llm.Thinking:
		return EventThinking
	case llm.Refusal:
		return EventRefusal
	default:
		return 0
	}
}
