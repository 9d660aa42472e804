package policy

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
)

// splitsCall reports whether a payload of an event stream carries a part of a call and a
// character at which some clients end a line: they would go on without the payload, and
// run another call than the one that was judged.
func splitsCall(c *stream.Chunk) bool {
	return !c.Whole && slices.ContainsFunc(c.Events, isOfCall) && stream.HasLineEnds(c.Raw)
}

// isOfCall includes blocks of unknown types, which may be judged as calls.
func isOfCall(ev stream.Event) bool { return ev.Kind == llm.ToolCall || ev.Kind == llm.Opaque }
