package gateway

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire/sse"
)

// couldBeAnswer reports whether a client that ignores the status could take the body
// of an error for an answer, or find a call in it. The body is read in every way in
// which clients read answers: as one JSON value, as events, and line by line. A body
// that cannot be read could be one.
func couldBeAnswer(body []byte, encoding string) bool {
	plain, err := decoded(bytes.NewReader(body), encoding)
	if err != nil {
		return true
	}
	defer func() { _ = plain.Close() }()
	text, err := io.ReadAll(io.LimitReader(plain, maxError+1))
	if err != nil || len(text) > maxError || bytes.IndexByte(text, 0) >= 0 { // some read UTF-16 unasked
		return true
	}
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if jsonscan.Valid(text) == nil {
		return holdsAnswer(text)
	}
	return eventsHoldAnswer(text) || linesHoldAnswer(text)
}

const byteOrderMark = "\ufeff"

// eventsHoldAnswer reads a text as events. If it begins like a stream, whatever in it
// is not an error could be an answer.
func eventsHoldAnswer(text []byte) bool {
	events := sse.NewReader(bytes.NewReader(text), sse.Options{})
	for {
		ev, err := events.Next()
		if err != nil {
			return !errors.Is(err, io.EOF) && !errors.Is(err, sse.ErrTruncated)
		}
		if said := bytes.TrimSpace(ev.Data); valueHoldsAnswer(said) {
			return true
		} else if _, _, isError := jsonscan.Get(said, "error"); !isError && len(said) > 0 && said[0] == '{' {
			return true
		}
	}
}

// linesHoldAnswer looks for JSON values in a text: each on a line of its own, whatever
// precedes it, or one over several lines.
func linesHoldAnswer(text []byte) bool {
	for line := range bytes.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		if valueHoldsAnswer(line) {
			return true
		}
	}
	return valueHoldsAnswer(text)
}

// valueHoldsAnswer checks the JSON value at the beginning of a text, if there is one.
// Some parsers read what there is of a broken value, so a broken one must not mention
// calls.
func valueHoldsAnswer(text []byte) bool {
	at := bytes.IndexAny(text, "{[")
	if at < 0 {
		return false
	}
	value := text[at:]
	if jsonscan.Valid(value) == nil {
		return holdsAnswer(value)
	}
	plain := bytes.ToLower(bytes.ReplaceAll(value, []byte("_"), nil))
	for _, word := range []string{"toolcall", "functioncall", "tooluse", `"arguments"`, `"input"`, `\u`} {
		if bytes.Contains(plain, []byte(word)) {
			return true
		}
	}
	return false
}

// answerMembers are where the dialects have their answers.
var answerMembers = []string{"choices", "content", "output", "candidates", "response", "message", "delta", "item"}

// holdsAnswer reports whether a JSON value has a call in it at any depth, or is an
// answer or has one in a list or another object.
func holdsAnswer(value []byte) bool { return policy.HoldsCall(value) || isAnswerIn(value, 3) }

func isAnswerIn(value []byte, levels int) bool {
	var s jsonscan.Scanner
	s.Reset(value)
	found := false
	within := func(raw []byte) { found = found || levels > 0 && isAnswerIn(raw, levels-1) }
	switch s.Kind() {
	case jsonscan.Array:
		s.Array()
		for s.Elem() {
			within(s.Raw())
		}
	case jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			isError := string(key) == "error" // the provider's description, in any form
			member := false
			for _, name := range answerMembers {
				member = member || strings.EqualFold(string(key), name)
			}
			raw := s.Raw()
			if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' || isError {
				continue
			}
			found = found || member
			within(raw)
		}
	default:
	}
	return found
}
