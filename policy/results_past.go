package policy

import (
	"iter"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Results are the texts of all tool results of the conversation up to the answer,
// those of earlier turns first: as they arrived, before any policy changed them,
// and split as [Engine.JudgeRequest] shows them to policies. A text can occur
// twice. Nothing from another exchange is among them.
func (x *Exchange) Results() iter.Seq[string] {
	return func(yield func(string) bool) {
		if x.Earlier != nil {
			earlier, _ := x.Earlier() // what is missing has no results
			if !eachResult(earlier, yield) {
				return
			}
		}
		if asked := x.Asked(); asked != nil {
			eachResult(asked.Messages, yield)
		}
	}
}

// Prompts are the texts of the conversation up to the answer that are not tool
// results: instructions, messages and the arguments of calls, as they arrived. A text
// can occur twice. Nothing from another exchange is among them.
func (x *Exchange) Prompts() iter.Seq[string] {
	return func(yield func(string) bool) {
		if x.Earlier != nil {
			earlier, _ := x.Earlier()
			if !eachPrompt(earlier, yield) {
				return
			}
		}
		if asked := x.Asked(); asked != nil {
			_ = eachPrompt([]llm.Message{{Blocks: asked.System}}, yield) && eachPrompt(asked.Messages, yield)
		}
	}
}

// eachPrompt yields the texts of messages that are not results. It reports
// whether more are wanted.
func eachPrompt(messages []llm.Message, yield func(string) bool) bool {
	for m := range messages {
		for i := range messages[m].Blocks {
			b := &messages[m].Blocks[i] //nolint:gosec // both indices are of the ranges above
			switch {
			case b.Kind == llm.Content || b.Kind == llm.Refusal, b.Kind == llm.ToolCall && b.Freeform():
				if !yield(said(b)) {
					return false
				}
			case b.Kind == llm.ToolCall && jsonscan.Valid(jsonscan.View(b.Arguments)) == nil:
				var p prompt
				p.collect(jsonscan.View(b.Arguments), llm.Span{End: len(b.Arguments)}, true)
				for _, text := range p.texts {
					if !yield(text) {
						return false
					}
				}
			}
		}
	}
	return true
}

// eachResult yields the texts of the results in messages. It reports whether more
// are wanted.
func eachResult(messages []llm.Message, yield func(string) bool) bool {
	for m := range messages {
		var last []byte
		for i := range messages[m].Blocks {
			b := &messages[m].Blocks[i]
			again := sameMemory(b.Raw, last) // one item can be many blocks, and is read once
			last = b.Raw
			for _, text := range textsOfResult(b, again) {
				if !yield(text) {
					return false
				}
			}
		}
	}
	return true
}

// textsOfResult are the texts of a block that is a tool result, or that holds one
// next to the call as the provider's own tools do. known: its Raw was read
// before.
func textsOfResult(b *llm.Block, known bool) (texts []string) {
	isResult := b.Kind == llm.ToolResult || b.Kind == llm.Opaque && b.ToolUseID != ""
	if isResult && b.Text != "" {
		texts = append(texts, b.Text)
	}
	if known || b.Kind != llm.ServerTool && b.Kind != llm.Opaque && !isResult || jsonscan.Valid(b.Raw) != nil {
		return texts
	}
	at := llm.Span{End: len(b.Raw)}
	of := membersOf(b.Raw, at)
	r, whole := resultAt(b.Raw, at, &of)
	if !whole && isResult { // a part of a result
		r.collect(b.Raw, at, false)
	}
	return append(texts, r.texts...)
}

func sameMemory(a, b []byte) bool {
	return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
}
