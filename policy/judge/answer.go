package judge

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/internal/decisions"
	"github.com/sluice-project/sluice/stream"
)

// Limits on an answer: bytes including its thinking, and blocks, and how many
// characters of its reason are shown.
const (
	maxAnswer       = 256 << 10
	maxAnswerBlocks = 64
	maxReason       = 300
)

// AnswerError is an answer that is not an opinion.
type AnswerError struct {
	// Reason says what is wrong with it.
	Reason string
	// Answer is the beginning of it, on one line.
	Answer string

	lasting bool // the same question would get the same answer
}

// Error includes both.
func (e *AnswerError) Error() string {
	text := "the model's answer cannot be used: " + e.Reason
	if e.Answer != "" {
		text += fmt.Sprintf(": %q", e.Answer)
	}
	return text
}

func unusable(reason, answer string) *AnswerError {
	return &AnswerError{Reason: reason, Answer: decisions.OneLine(answer, 120)}
}

// finalText returns the text of a model's answer, without thinking.
func finalText(state *stream.State) (string, error) {
	if !state.Complete() || len(state.Choices()) == 0 {
		return "", unusable("it has no end", "")
	}
	choice := state.Choices()[0]
	if reason, lasting := unfinished(choice.Finish()); reason != "" {
		return "", &AnswerError{Reason: reason, lasting: lasting}
	}
	var text strings.Builder
	for _, b := range choice.Blocks() {
		block := b.Value()
		switch block.Kind {
		case llm.Content:
			if block.Status != llm.Complete {
				return "", unusable("it was cut", block.Text)
			}
			text.WriteString(block.Text)
		case llm.Refusal:
			return "", &AnswerError{Reason: "the model refused", Answer: decisions.OneLine(block.Text, 120), lasting: true}
		case llm.ToolCall, llm.ServerTool, llm.ToolResult:
			return "", unusable("it calls a tool", block.Name)
		case llm.Thinking, llm.Opaque: // not said to anybody
		}
	}
	return text.String(), nil
}

// unfinished says why an answer that ended this way is not usable, empty if it is.
func unfinished(f llm.FinishReason) (reason string, lasting bool) {
	switch f {
	case llm.FinishLength:
		return "it was cut at its limit: raise MaxTokens", true
	case llm.FinishFiltered:
		return "it was refused or filtered", true
	case llm.FinishToolCalls, llm.FinishPaused, llm.FinishBadCall:
		return "it waits for a tool", false
	case llm.FinishFailed:
		return "the provider gave up", false
	case llm.FinishNone, llm.FinishStop, llm.FinishOther:
	}
	return "", false
}

// readAnswer reads an opinion on the question with the given id. The text must
// be one JSON object with exactly the members id, risk and reason.
func readAnswer(text, id string) (risk float64, reason string, err error) {
	object := unfenced(strings.TrimSpace(text))
	if object == "" {
		return 0, "", unusable("it is empty", text)
	}
	if !utf8.ValidString(object) || jsonscan.Classify([]byte(object)) != jsonscan.ShapeObject {
		return 0, "", unusable("it is not exactly one JSON object", text)
	}
	// A map, because a struct would also accept "Risk".
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		return 0, "", unusable("it is not exactly one JSON object", text)
	}
	for name := range members {
		if name != "id" && name != "risk" && name != "reason" {
			return 0, "", unusable("it has other members than id, risk and reason", text)
		}
	}
	var repeated string
	if !isText(members["id"], &repeated) || repeated != id {
		return 0, "", unusable("it does not have the id of the question", text)
	}
	// The type of the value is checked by its text: null and "0.5" are not numbers.
	risk, err = strconv.ParseFloat(string(members["risk"]), 64)
	if err != nil || !(risk >= 0 && risk <= 1) {
		return 0, "", unusable("its risk is not a number from 0 to 1", text)
	}
	if !isText(members["reason"], &reason) {
		return 0, "", unusable("its reason is not a text", text)
	}
	return risk + 0, reason, nil // + 0 for -0
}

func isText(raw json.RawMessage, into *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, into) == nil
}

// unfenced removes a code fence around the whole text.
func unfenced(text string) string {
	const fence = "```"
	inner, opened := strings.CutPrefix(text, fence)
	inner, closed := strings.CutSuffix(inner, fence)
	if !opened || !closed {
		return text
	}
	if len(inner) >= 4 && strings.EqualFold(inner[:4], "json") {
		inner = inner[4:]
	}
	return strings.TrimSpace(inner)
}
