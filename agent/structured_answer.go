package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sluice-project/sluice/llm"
)

// StructuredError says that an answer is not what was asked for.
type StructuredError struct {
	// Text is the last answer, as the model wrote it.
	Text string
	// Problems say what was wrong with each answer, in order. They may quote
	// what the model wrote, but only briefly.
	Problems []string
	// Attempts is how many answers there were. It is 0 in an error of Decode.
	Attempts int

	cause error
}

// Error says what was wrong with the last answer.
func (e *StructuredError) Error() string {
	text := "agent: the answer cannot be used"
	if e.Attempts > 1 {
		text += fmt.Sprintf(", after %d attempts", e.Attempts)
	}
	if n := len(e.Problems); n > 0 {
		text += ": " + e.Problems[n-1]
	}
	if e.cause != nil {
		text += fmt.Sprintf(" (not asked again: %v)", e.cause)
	}
	return text
}

// Unwrap returns why the model was not asked again, nil if the repairs were used up.
func (e *StructuredError) Unwrap() error { return e.cause }

// Decode decodes the answer of a run as a value of T, which is a struct or a map with
// string keys, with the checks of Structured. It also decodes what a tool returned
// directly. The error is a *StructuredError, also for a run that ended without an
// answer, and for a truncated answer even if what is there fits.
func Decode[T any](r *Result) (T, error) {
	var value, none T
	_, check, err := answersOf[T]()
	if err != nil {
		return none, err
	}
	if r == nil {
		return none, &StructuredError{Problems: []string{"there is no result"}}
	}
	switch r.Reason {
	case Done, ReturnedDirectly:
		err = check(r.Text(), &value)
	case Truncated, Filtered, Unfinished:
		err = errors.New(incomplete(r))
	default:
		err = fmt.Errorf("the run ended without an answer: %s", r.Reason)
	}
	if err != nil {
		return none, &StructuredError{Text: r.Text(), Problems: []string{err.Error()}}
	}
	return value, nil
}

// answersOf returns the schema of a type, and a function that decodes an answer
// into it, whose error is for the model.
func answersOf[T any]() (json.RawMessage, func(text string, into *T) error, error) {
	t := reflect.TypeFor[T]()
	if k := t.Kind(); k != reflect.Struct && k != reflect.Map {
		return nil, nil, fmt.Errorf("agent: a model can be asked for a struct or a map with string keys, not for a %s: make it a field of a struct", t)
	}
	raw, schema, err := schemaOf(t)
	if err != nil {
		return nil, nil, fmt.Errorf("agent: a model cannot be asked for a %s: %w", t, err)
	}
	return raw, func(text string, into *T) error {
		text = unfenced(text)
		if text == "" {
			return errors.New("it is empty")
		}
		if err := schema.check(json.RawMessage(text)); err != nil {
			return wrongAnswer(err)
		}
		if err := decodeArguments(json.RawMessage(text), into); err != nil {
			return wrongAnswer(err)
		}
		return nil
	}, nil
}

// wrongAnswer words an error about arguments as one about an answer.
func wrongAnswer(err error) error {
	switch {
	case errors.Is(err, llm.ErrArgumentsTruncated):
		return errors.New("it stops in the middle of the JSON")
	case errors.Is(err, llm.ErrArgumentsDuplicateKeys):
		return errors.New("an object in it has a duplicate key")
	case errors.Is(err, llm.ErrArgumentsNotObject):
		return errors.New("it is JSON, but not an object")
	case errors.Is(err, llm.ErrArgumentsInvalid):
		return errors.New("it is not one JSON object")
	}
	text := err.Error()
	if rest, ok := strings.CutPrefix(text, "the arguments"); ok {
		text = "the answer" + rest
	}
	return errors.New(beginning(text))
}

// incomplete says why an answer is incomplete.
func incomplete(r *Result) string {
	switch r.Reason {
	case Truncated:
		return "the provider cut it off at a limit: allow more tokens"
	case Filtered:
		return "the provider or the model refused to answer"
	default:
		return "the provider ended it before its natural end"
	}
}
