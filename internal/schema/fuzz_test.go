package schema_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sluice-project/sluice/internal/schema"
)

func FuzzHostileSchemasAndValues(f *testing.F) {
	for _, c := range [][2]string{
		{`{"type":"object","required":["a"]}`, `{"a":1}`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"b":{"$ref":"#"}}}}}`, `{"b":{"b":{}}}`},
		{`{"anyOf":[{"pattern":"(a|b)*$"},{"enum":[1,[],{}]}],"unevaluatedProperties":false}`, `{"a":[1e400,-0]}`},
		{`{"dependencies":{"a":["b"],"b":{"not":{}}},"items":[{}],"additionalItems":false}`, `{"b":null}`},
		{`{"items":{"anyOf":[{"$ref":"#"},{"allOf":[{"$ref":"#"},{"type":"null"}]}]}}`, `[[[[[[[[[[]]]]]]]]]]`},
		{`{"if":{"contains":{"const":1}},"then":{"uniqueItems":true},"unevaluatedItems":{"$ref":"#"}}`, `[1,1,[2]]`},
		{`{"propertyNames":{"$ref":"#/x~1y"},"x/y":{"maxLength":1},"minProperties":"1"}`, `{"ab":"é"}`},
	} {
		f.Add([]byte(c[0]), []byte(c[1]))
	}
	f.Fuzz(func(t *testing.T, raw, text []byte) {
		s, err := schema.Compile(raw)
		if err != nil {
			if !slices.ContainsFunc([]error{schema.ErrTooLarge, schema.ErrRemote, schema.ErrInvalid, schema.ErrTooMuchWork}, func(e error) bool { return errors.Is(err, e) }) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		if !json.Valid(text) {
			return
		}
		value := read(t, string(text))
		wrong, err := s.Check(value)
		again, err2 := s.Check(value)
		switch {
		case err != nil && (wrong != nil || !errors.Is(err, schema.ErrTooMuchWork)):
			t.Errorf("%v and %v", wrong, err)
		case !errors.Is(err2, err) || (wrong == nil) != (again == nil):
			t.Errorf("%v %v, and then %v %v", wrong, err, again, err2)
		case wrong != nil:
			for i, said := range []string{wrong.Explain("it"), wrong.ExplainWithValue("it")} {
				if said != []string{again.Explain("it"), again.ExplainWithValue("it")}[i] {
					t.Errorf("%s, and then something else", said)
				}
				if len([]rune(said)) > 603 || strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Errorf("%q", said)
				}
			}
		}
	})
}

// Schemas of plain words, from whatever bytes, mean what the complete validator says.
func FuzzPlainSchemasMeanWhatACompleteValidatorSays(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"items":{"type":"number","minimum":1}}},"required":["a"],"additionalProperties":false}`), []byte(`{"a":null,"b":[1,2.5]}`))
	f.Add([]byte(`{"properties":{"a":{"enum":[1,"x",null]},"b":true},"additionalProperties":{"maxItems":1}}`), []byte(`{"a":1.0,"b":{},"c":[]}`))
	f.Add([]byte(`{"properties":{"a":{"anyOf":[{"type":"integer","maximum":3},{"minLength":2}]}},"not":{"required":["b"]}}`), []byte(`{"a":"é"}`))
	// More digits than a float64 has, and exponents, are where the validator is not exact.
	long := regexp.MustCompile(`[0-9.]{15}|\d[eE]`)
	f.Fuzz(func(t *testing.T, raw, text []byte) {
		var words any
		if json.Unmarshal(raw, &words) != nil || !isPlain(words) || long.Match(raw) || long.Match(text) || !json.Valid(text) {
			return
		}
		s, err := schema.Compile(raw)
		if err != nil {
			return
		}
		want, usable := oracle(raw, text)
		if !usable {
			return
		}
		wrong, err := s.Check(read(t, string(text)))
		if err != nil || (wrong == nil) != want {
			t.Errorf("schema %s\nvalue  %s\nfits %v, but it is said that %v %v", raw, text, want, wrong, err)
		}
	})
}

// isPlain reports whether a schema has only words that mean the same to everyone,
// with values as they should be.
func isPlain(words any) bool {
	object, ok := words.(map[string]any)
	if !ok {
		_, ok := words.(bool)
		return ok
	}
	for word, value := range object {
		switch word {
		case "type":
			list, isList := value.([]any)
			if !isList {
				list = []any{value}
			}
			for _, v := range list {
				if !slices.Contains([]any{"object", "array", "string", "number", "integer", "boolean", "null"}, v) {
					return false
				}
			}
			if len(list) == 0 {
				return false
			}
		case "required":
			list, ok := value.([]any)
			if !ok || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
				return false
			}
		case "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength":
			if n, ok := value.(float64); !ok || n < 0 {
				return false
			}
		case "enum":
			if list, ok := value.([]any); !ok || len(list) == 0 {
				return false
			}
		case "title", "description":
			if _, ok := value.(string); !ok {
				return false
			}
		case "additionalProperties", "items", "not":
			if !isPlain(value) {
				return false
			}
		case "anyOf", "oneOf", "allOf":
			list, ok := value.([]any)
			if !ok || len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { return !isPlain(v) }) {
				return false
			}
		case "properties":
			properties, ok := value.(map[string]any)
			if !ok {
				return false
			}
			for _, property := range properties {
				if !isPlain(property) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
