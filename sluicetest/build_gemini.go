package sluicetest

import (
	"strconv"

	"github.com/sluice-project/sluice/llm"
)

const geminiUsage = `{"promptTokenCount":11,"candidatesTokenCount":7,"totalTokenCount":18}`

func (b *builder) gemini() {
	queues := make([][]string, len(b.choices)) // the parts of each candidate
	ended := make([]bool, len(b.choices))
	for i, blocks := range b.choices {
		queues[i] = b.geminiParts(blocks, true)
	}
	for left := len(queues); left > 0; {
		var candidates []string
		first := 0
		if b.Rand != nil {
			first = b.Rand.IntN(len(queues))
		}
		for n := range queues {
			i := (first + n) % len(queues)
			if ended[i] || len(candidates) > 0 && !b.chance(4) {
				continue
			}
			take := min(1, len(queues[i]))
			for take < len(queues[i]) && b.chance(3) {
				take++
			}
			parts := queues[i][:take]
			queues[i] = queues[i][take:]
			finish := ""
			// Without the quirk the finish comes in a payload of its own.
			if len(queues[i]) == 0 && (take == 0 || b.has(QuirkFinishWithDelta)) {
				ended[i] = true
				left--
				finish = strconv.Quote(b.finishWord(b.choices[i], "STOP", "STOP"))
			}
			if b.Error != "" && ended[i] {
				finish = ""
				if len(parts) == 0 {
					continue
				}
			}
			candidates = append(candidates, geminiCandidateJSON(i, parts, finish))
		}
		if len(candidates) > 0 {
			b.out = append(b.out, b.geminiPayload(candidates))
		}
	}
	if b.Error != "" {
		b.out = append(b.out, members("error", members("code", "500", "message", b.quote(b.Error), "status", `"INTERNAL"`)))
	}
}

func (b *builder) geminiPayload(candidates []string) string {
	return members("candidates", array(candidates...), "usageMetadata", geminiUsage,
		"modelVersion", b.quote(b.Model), "responseId", b.quote(b.ID))
}

func geminiCandidateJSON(number int, parts []string, finish string) string {
	content := members("role", `"model"`)
	if len(parts) > 0 {
		content = members("parts", array(parts...), "role", `"model"`)
	}
	return members("content", content, "finishReason", finish, "index", strconv.Itoa(number))
}

// geminiParts returns the parts of a candidate, cut if it streams.
func (b *builder) geminiParts(blocks []llm.Block, cut bool) []string {
	var parts []string
	for i := range blocks {
		block := &blocks[i]
		signature := ""
		if block.Signature != "" {
			signature = b.quote(block.Signature)
		}
		switch block.Kind {
		case llm.Content, llm.Refusal, llm.Thinking:
			thought := ""
			if block.Kind == llm.Thinking {
				thought = "true"
			}
			pieces := []string{block.Text}
			if cut {
				pieces = b.pieces(block.Text)
			}
			for n, piece := range pieces {
				if piece == "" {
					continue
				}
				on := ""
				if n == len(pieces)-1 {
					on = signature
				}
				parts = append(parts, members("text", b.quote(piece), "thought", thought, "thoughtSignature", on))
			}
		case llm.ToolCall:
			id, args := "", b.orEmptyObject(block.Arguments)
			if block.ID != "" {
				id = b.quote(block.ID)
			}
			if block.Arguments == "" {
				args = ""
			}
			parts = append(parts, members("functionCall", members("id", id, "name", b.quote(block.Name), "args", args), "thoughtSignature", signature))
		default:
			parts = append(parts, b.geminiServerPart(block))
		}
	}
	return parts
}

// geminiServerPart writes what the provider ran itself, or an opaque part.
func (b *builder) geminiServerPart(block *llm.Block) string {
	switch {
	case len(block.Raw) > 0:
		return string(block.Raw)
	case block.Kind == llm.ServerTool:
		return members("executableCode", members("language", `"PYTHON"`, "code", b.quote(block.Arguments)))
	case block.Kind == llm.ToolResult:
		return members("codeExecutionResult", members("outcome", `"OUTCOME_OK"`, "output", b.quote(block.Text)))
	default:
		return `{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`
	}
}

func (b *builder) geminiBody() string {
	var candidates []string
	for number, blocks := range b.choices {
		candidates = append(candidates, geminiCandidateJSON(number, b.geminiParts(blocks, false), strconv.Quote(b.finishWord(blocks, "STOP", "STOP"))))
	}
	return b.geminiPayload(candidates)
}
