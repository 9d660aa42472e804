package gemini

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/plan"
)

// amended returns a chunk with edited texts as the upstream would have sent it.
// It reports false if an edit has no place in the payload.
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
		if ev.Span.Start < 0 || ev.Span.End > len(c.Raw) || ev.Span.Len() <= 0 {
			return nil, false
		}
		raw, at, ok := jsonscan.Get(ev.Span.In(c.Raw), "text")
		if !ok || raw[0] != '"' {
			return nil, false
		}
		changes = append(changes, plan.Text(llm.Span{Start: ev.Span.Start + at[0], End: ev.Span.Start + at[1]}, ev.Data))
	}
	return plan.Amend(c, changes)
}
