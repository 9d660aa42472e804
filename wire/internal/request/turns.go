package request

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Turn is a run of messages of one side.
type Turn struct {
	Role llm.Role
	// Blocks point into the request.
	Blocks []*llm.Block
}

// Turns joins neighbouring messages of the same side: users and tools are one side.
// Messages without blocks are dropped.
func Turns(messages []llm.Message) []Turn {
	var turns []Turn
	for i := range messages {
		m := &messages[i]
		role := m.Role
		if role == llm.ToolRole {
			role = llm.User
		}
		for j := range m.Blocks {
			if n := len(turns); n == 0 || turns[n-1].Role != role {
				turns = append(turns, Turn{Role: role})
			}
			last := &turns[len(turns)-1]
			last.Blocks = append(last.Blocks, &m.Blocks[j])
		}
	}
	return turns
}

// CallsLast moves content that follows a call before the first call: some providers
// refuse replayed text after a call. Everything else keeps its order.
func CallsLast(blocks []*llm.Block) []*llm.Block {
	first := slices.IndexFunc(blocks, func(b *llm.Block) bool { return b.Kind == llm.ToolCall })
	if first < 0 {
		return blocks
	}
	out := slices.Clone(blocks[:first])
	var rest []*llm.Block
	for _, b := range blocks[first:] {
		if b.Kind == llm.Content || b.Kind == llm.Refusal {
			out = append(out, b)
		} else {
			rest = append(rest, b)
		}
	}
	return append(out, rest...)
}

// IsResult reports whether a block is a part of the result of a call.
func IsResult(b *llm.Block) bool {
	return b.Kind == llm.ToolResult || b.Kind == llm.Opaque && b.ToolUseID != ""
}

// Result is the result of one call: its texts and what else came with them.
type Result struct {
	// ToolUseID is the id as it is in the blocks.
	ToolUseID string
	Name      string
	Failed    bool
	Parts     []*llm.Block
}

// Results splits the results at the start of blocks into one per call, and returns the
// remaining blocks. Blocks belong together if they answer the same call; without an id,
// if they were read from the same value.
func Results(blocks []*llm.Block) (results []Result, rest []*llm.Block) {
	for i, b := range blocks {
		if !IsResult(b) {
			return results, blocks[i:]
		}
		if n := len(results); n > 0 && together(results[n-1].Parts[0], b) {
			last := &results[n-1]
			last.Parts = append(last.Parts, b)
			last.Failed = last.Failed || b.Failed
			continue
		}
		results = append(results, Result{ToolUseID: b.ToolUseID, Name: b.Name, Failed: b.Failed, Parts: []*llm.Block{b}})
	}
	return results, nil
}

func together(a, b *llm.Block) bool {
	if a.ToolUseID != b.ToolUseID || a.Name != b.Name {
		return false
	}
	return a.ToolUseID != "" || len(a.Raw) > 0 && bytes.Equal(a.Raw, b.Raw) && !a.Span.IsZero() && a.Span == b.Span
}

// Text returns the result's text if it has nothing else.
func (r *Result) Text() (text string, only bool) {
	if len(r.Parts) == 1 && r.Parts[0].Kind == llm.ToolResult {
		return r.Parts[0].Text, true
	}
	return "", false
}

// Unchanged reports whether blocks that were read from raw JSON still match it: then
// the JSON is the better copy, because it has members that no block has.
func Unchanged(blocks []*llm.Block, read []llm.Block) bool {
	return slices.EqualFunc(blocks, read, func(b *llm.Block, r llm.Block) bool {
		return b.Kind == r.Kind && b.ID == r.ID && b.Name == r.Name && b.Text == r.Text && b.Arguments == r.Arguments &&
			b.Signature == r.Signature && b.ToolUseID == r.ToolUseID && b.Type == r.Type && b.Failed == r.Failed
	})
}

// IsObject reports whether raw is one JSON object.
func IsObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{' && jsonscan.Valid(raw) == nil
}

// TypeOf returns the string member type of the object in raw.
func TypeOf(raw []byte) string {
	value, _, ok := jsonscan.Get(raw, "type")
	if !ok {
		return ""
	}
	text, _ := jsonscan.Unquote(nil, value)
	return string(text)
}

// Arguments returns the arguments of a call as the JSON object that a dialect without
// argument strings needs. Free text is wrapped as {"input": text}. ok is false if they
// are not a JSON object.
func Arguments(b *llm.Block) (object []byte, ok bool) {
	if b.Freeform() {
		return append(jsonscan.AppendString([]byte(`{"input":`), b.Arguments), '}'), true
	}
	switch jsonscan.Classify([]byte(b.Arguments)) {
	case jsonscan.ShapeObject, jsonscan.ShapeDuplicate:
	default:
		return nil, false
	}
	if object = bytes.TrimSpace([]byte(b.Arguments)); len(object) == 0 {
		return []byte("{}"), true
	}
	return object, true
}
