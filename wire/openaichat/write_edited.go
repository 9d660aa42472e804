package openaichat

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// amended returns a chunk with edited texts as the upstream would have sent it:
// the strings say the new texts, and what repeats the old ones token by token
// says nothing. Annotations stay: they name sources and places, not words. It
// reports false if an edit has no place in the payload.
func amended(c *stream.Chunk) (*stream.Chunk, bool) {
	if !plan.Editable(c) {
		return nil, false
	}
	var changes []plan.Change
	for i := range c.Events {
		ev := &c.Events[i]
		if !ev.Edited || ev.Type == stream.EventStart {
			continue
		}
		if at := ev.Span; at.Start < 0 || at.Start >= len(c.Raw) || c.Raw[at.Start] != '"' {
			return nil, false
		}
		changes = append(changes, plan.Text(ev.Span, ev.Data))
	}
	if len(changes) == 0 {
		return c, true
	}
	return plan.Amend(c, append(changes, repeats(c.Raw, changes)...))
}

// repeats lists the changes that empty the copies of changed texts.
func repeats(raw []byte, texts []plan.Change) []plan.Change {
	starts := make([]int, len(texts))
	for i := range texts {
		starts[i] = texts[i].At.Start
	}
	slices.Sort(starts)
	var changes []plan.Change
	silence := func(m *member) { changes = append(changes, plan.Change{At: m.value, Value: []byte("null")}) }
	top := membersOf(raw, llm.Span{End: len(raw)})
	for i := range top {
		if top[i].name == "__verbose" { // what a server in its debug mode knows
			silence(&top[i])
		}
	}
	choices := find(top, "choices")
	if choices == nil {
		return changes
	}
	for _, at := range elementsOf(raw, choices.value) {
		first, _ := slices.BinarySearch(starts, at.Start)
		if first == len(starts) || starts[first] >= at.End {
			continue
		}
		members := membersOf(raw, at)
		for i := range members {
			switch m := &members[i]; m.name {
			case "logprobs", "token_ids", "content_filter_offsets":
				silence(m)
			}
		}
	}
	return changes
}

// clear removes a text of which nothing is left from all copies of the
// payload.
func (p *payload) clear(e *elem, ev *stream.Event) {
	p.drop(e, ev)
	p.pieces[ev.Span.Start].copy = -1
}
