package anthropic

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// amended returns a chunk with edited texts as the upstream would have sent it.
// Citations stay: they quote their sources, not the answer. It reports false if
// an edit has no place in the payload.
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
		at, ok := textAt(c, ev)
		if !ok {
			return nil, false
		}
		changes = append(changes, plan.Text(at, ev.Data))
	}
	return plan.Amend(c, changes)
}

// textAt finds the string that carries a piece of a text.
func textAt(c *stream.Chunk, ev *stream.Event) (llm.Span, bool) {
	if ev.Span.Start < 0 || ev.Span.End > len(c.Raw) || ev.Span.Len() <= 0 {
		return llm.Span{}, false
	}
	path := []string{"text"}
	switch {
	case c.Whole:
	case c.Name == blockStart:
		path = []string{"content_block", "text"}
	case c.Name == blockDelta:
		path = []string{"delta", "text"}
	}
	raw, at, ok := jsonscan.Get(ev.Span.In(c.Raw), path...)
	if !ok || raw[0] != '"' {
		return llm.Span{}, false
	}
	return llm.Span{Start: ev.Span.Start + at[0], End: ev.Span.Start + at[1]}, true
}

// isCleared reports whether nothing is left of a text that was edited.
func isCleared(e *plan.Entry) bool { return e.Edited && e.Offset == 0 && !e.Replaced }

// anyCleared reports whether nothing is left of a text of the answer.
func (w *Writer) anyCleared() bool { return slices.ContainsFunc(w.choice.Entries(), isCleared) }
