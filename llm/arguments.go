package llm

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Reasons why a call's arguments cannot be read as one JSON object. A policy
// that meets one of them must not guess what a client would make of the call.
var (
	// ErrArgumentsTruncated: the arguments stop in the middle.
	ErrArgumentsTruncated = errors.New("llm: arguments stop in the middle of the JSON")
	// ErrArgumentsInvalid: the arguments are not JSON.
	ErrArgumentsInvalid = errors.New("llm: arguments are not JSON")
	// ErrArgumentsDuplicateKeys: an object names a key twice, so two readers
	// can see two different calls.
	ErrArgumentsDuplicateKeys = errors.New("llm: arguments have an object with a key twice")
	// ErrArgumentsNotObject: the arguments are JSON but not an object.
	ErrArgumentsNotObject = errors.New("llm: arguments are JSON but not an object")
)

// CheckArguments says whether raw can be read as one JSON object in one way
// only. The empty string stands for {}. The error is one of the Err values
// above.
func CheckArguments(raw string) error {
	switch jsonscan.Classify(jsonscan.View(raw)) {
	case jsonscan.ShapeObject:
		return nil
	case jsonscan.ShapeOther:
		return ErrArgumentsNotObject
	case jsonscan.ShapeDuplicate:
		return ErrArgumentsDuplicateKeys
	case jsonscan.ShapeTruncated:
		return ErrArgumentsTruncated
	default:
		return ErrArgumentsInvalid
	}
}

// ParseArguments returns the parsed view of a call's arguments: numbers stay
// json.Number so that no digit is lost. The error is one of the Err values
// above; there is no view then, because any view would be a guess.
func ParseArguments(raw string) (map[string]any, error) {
	if err := CheckArguments(raw); err != nil {
		return nil, err
	}
	data := bytes.TrimSpace([]byte(raw))
	if len(data) == 0 {
		return map[string]any{}, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var view map[string]any
	if err := dec.Decode(&view); err != nil {
		return nil, ErrArgumentsInvalid
	}
	return view, nil
}
