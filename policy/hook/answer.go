package hook

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// What is kept of an answer: characters of the reason and of each note, and
// notes.
const (
	maxReason = 500
	maxNote   = 200
	maxNotes  = 16
)

// answer is an endpoint's decision, sanitized for display.
type answer struct {
	action policy.Action
	reason string
	notes  []string
}

// AnswerError is an answer with status 200 that is not a decision.
type AnswerError struct {
	// Reason says what is wrong with it.
	Reason string
	// Answer is the beginning of it, on one line.
	Answer string
}

// Error includes both.
func (e *AnswerError) Error() string {
	text := "the answer cannot be used: " + e.Reason
	if e.Answer != "" {
		text += fmt.Sprintf(": %q", e.Answer)
	}
	return text
}

func unusable(reason, text string) *AnswerError {
	return &AnswerError{Reason: reason, Answer: decisions.OneLine(text, 120)}
}

// readAnswer parses a decision: one JSON object with an action that hooks may
// use, and no unknown members.
func readAnswer(text []byte) (answer, error) {
	fail := func(reason string) (answer, error) { return answer{}, unusable(reason, string(text)) }
	if len(text) == 0 || !utf8.Valid(text) || jsonscan.Classify(text) != jsonscan.ShapeObject {
		return fail("it is not exactly one JSON object")
	}
	// A map, because a struct would also accept "Action".
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return fail("it is not exactly one JSON object")
	}
	var a answer
	var action string
	var notes []string
	for name, raw := range members {
		switch name {
		case "action":
			if !isText(raw, &action) {
				return fail("its action is not a text")
			}
		case "reason":
			if !isText(raw, &a.reason) {
				return fail("its reason is not a text")
			}
		case "notes":
			if raw[0] != '[' || !isTexts(raw, &notes) {
				return fail("its notes are not a list of texts")
			}
		default:
			return fail("it has other members than action, reason and notes")
		}
	}
	var ok bool
	if a.action, ok = actions[action]; !ok {
		return fail("its action is not allow, annotate, ask, block, block feedback, block end_turn or abort")
	}
	a.reason = decisions.OneLine(a.reason, maxReason)
	for _, note := range notes[:min(len(notes), maxNotes)] {
		if line := decisions.OneLine(note, maxNote); line != "" {
			a.notes = append(a.notes, line)
		}
	}
	return a, nil
}

// actions are those that an endpoint may use. It cannot rewrite.
var actions = map[string]policy.Action{
	policy.Allow.String():         policy.Allow,
	policy.Annotate.String():      policy.Annotate,
	policy.Ask.String():           policy.Ask,
	policy.Block.String():         policy.Block,
	policy.BlockFeedback.String(): policy.BlockFeedback,
	policy.BlockEndTurn.String():  policy.BlockEndTurn,
	policy.Abort.String():         policy.Abort,
}

func isText(raw json.RawMessage, into *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, into) == nil
}

// isTexts parses a list of strings, rejecting null.
func isTexts(raw json.RawMessage, into *[]string) bool {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return false
	}
	for _, element := range list {
		var text string
		if !isText(element, &text) {
			return false
		}
		*into = append(*into, text)
	}
	return true
}
