package llm

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// Reasons why a call's arguments cannot be read as one JSON object. A policy that gets
// one of them must not guess how a client would read the call.
var (
	// ErrArgumentsTruncated: the arguments end in the middle.
	ErrArgumentsTruncated = errors.New("llm: arguments stop in the middle of the JSON")
	// ErrArgumentsInvalid: the arguments are not JSON.
	ErrArgumentsInvalid = errors.New("llm: arguments are not JSON")
	// ErrArgumentsDuplicateKeys: an object has a key twice, so two parsers may read two
	// different calls.
	ErrArgumentsDuplicateKeys = errors.New("llm: arguments have an object with a duplicate key")
	// ErrArgumentsNotObject: the arguments are JSON but not an object.
	ErrArgumentsNotObject = errors.New("llm: arguments are JSON but not an object")
)

// CheckArguments reports whether raw is one JSON object that can be read in only one
// way. The empty string means {}. The error is one of the Err values above.
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

// ParseArguments returns a call's arguments parsed, with numbers as json.Number so that
// no digit is lost. The error is one of the Err values above; nothing is returned with
// it, because any reading would be a guess.
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
