package llm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/sluice-project/sluice/llm"
)

func TestArgumentsHaveOneReadingOrNone(t *testing.T) {
	cases := []struct {
		name, raw string
		want      error
	}{
		{"object", `{"a":1}`, nil},
		{"nothing means an empty object", ``, nil},
		{"blanks mean an empty object", " \n", nil},
		{"cut", `{"a":"b`, llm.ErrArgumentsTruncated},
		{"not json", `rm -rf /`, llm.ErrArgumentsInvalid},
		{"two values", `{}{}`, llm.ErrArgumentsInvalid},
		{"array", `[]`, llm.ErrArgumentsNotObject},
		{"null", `null`, llm.ErrArgumentsNotObject},
		{"key twice", `{"a":1,"a":2}`, llm.ErrArgumentsDuplicateKeys},
		{"key twice by escape", `{"a":1,"\u0061":2}`, llm.ErrArgumentsDuplicateKeys},
		{"key twice deep down", `{"a":[{"b":1,"b":2}]}`, llm.ErrArgumentsDuplicateKeys},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			view, err := llm.ParseArguments(c.raw)
			if !errors.Is(err, c.want) || (err == nil) != (view != nil) {
				t.Errorf("view %v, error %v, want %v", view, err, c.want)
			}
		})
	}
}

func TestArgumentsLoseNoDigit(t *testing.T) {
	view, err := llm.ParseArguments(`{"id": 12345678901234567890}`)
	if err != nil || view["id"] != json.Number("12345678901234567890") {
		t.Errorf("view %v, error %v", view, err)
	}
}
