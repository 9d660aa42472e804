package memory

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// merge handles system messages: it returns what stays of the stored messages,
// what is added, and whether that includes new instructions. If so, they come
// first and replace the old ones.
func merge(kept, messages []llm.Message) (stays, added []llm.Message, instructed bool) {
	for _, m := range messages {
		switch {
		case !isSystem(m):
			added = append(added, m)
		case !contains(stays, m):
			stays = append(stays, m)
			instructed = instructed || !contains(kept, m)
		}
	}
	if !instructed {
		return kept, added, false
	}
	for _, m := range kept {
		if !isSystem(m) {
			stays = append(stays, m)
		}
	}
	return stays, added, true
}

// Join appends messages to what is kept of a conversation, as Add would store them:
// system messages come first, and new ones replace the old.
func Join(kept, messages []llm.Message) []llm.Message {
	stays, added, _ := merge(kept, messages)
	return slices.Concat(stays, added)
}

func contains(messages []llm.Message, m llm.Message) bool {
	return slices.ContainsFunc(messages, func(o llm.Message) bool { return Same(o, m) })
}

// Same reports whether two messages are equal, wherever they were read.
func Same(a, b llm.Message) bool {
	return a.Role == b.Role && slices.EqualFunc(a.Blocks, b.Blocks, func(a, b llm.Block) bool {
		return a.Kind == b.Kind && a.ID == b.ID && a.Name == b.Name && a.Text == b.Text && a.Arguments == b.Arguments &&
			a.Signature == b.Signature && a.ToolUseID == b.ToolUseID && a.Type == b.Type && a.Status == b.Status &&
			a.Failed == b.Failed && bytes.Equal(a.Raw, b.Raw)
	})
}
