package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// explain says what is wrong with arguments: in the words of a person for what
// models often get wrong, always the same for the same arguments, and otherwise in
// those of the library.
func explain(schema *jsonschema.Schema, arguments map[string]any, err error) string {
	if text := fault(schema, arguments, nil); text != "" {
		return text
	}
	text := err.Error()
	for {
		// The way to what is wrong begins at the root.
		rest, ok := strings.CutPrefix(text, "validating ")
		path, said, found := strings.Cut(rest, ": ")
		if !ok || !found {
			return text
		}
		if !strings.HasPrefix(said, "validating ") {
			return path + ": " + said
		}
		text = said
	}
}

// where is a place in the arguments: nil is the arguments themselves.
type where struct {
	outer *where
	name  string
	index int // of an item, if there is no name
}

func (w *where) String() string {
	if w == nil {
		return "the arguments"
	}
	text := ""
	for ; w != nil; w = w.outer {
		step := shortened(w.name)
		if w.name == "" {
			step = "[" + strconv.Itoa(w.index) + "]"
		}
		if text != "" && text[0] != '[' {
			step += "."
		}
		text = step + text
		if len(text) > 200 {
			return "…" + text
		}
	}
	return text
}

// fault finds the first thing that is wrong, "" if it is none of the usual ones.
func fault(s *jsonschema.Schema, value any, at *where) string {
	if s == nil {
		return ""
	}
	got := kindOf(value)
	if !allows(s, got) && (got != "integer" || !allows(s, "number")) {
		return fmt.Sprintf("%s: want %s, got %s", at, wanted(s), shown(value, got))
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return jsonschema.Equal(e, value) }) {
		return fmt.Sprintf("%s: want one of %s, got %s", at, shortJSON(s.Enum), shown(value, got))
	}
	switch v := value.(type) {
	case map[string]any:
		return faultOfObject(s, v, at)
	case []any:
		return faultOfList(s, v, at)
	case int64:
		return faultOfNumber(s, float64(v), at)
	case float64:
		return faultOfNumber(s, v, at)
	}
	return ""
}

// allows reports whether values of a type may be there.
func allows(s *jsonschema.Schema, kind string) bool {
	if s.Types != nil {
		return slices.Contains(s.Types, kind)
	}
	return s.Type == "" || s.Type == kind
}

// wanted are the types of the values that may be there.
func wanted(s *jsonschema.Schema) string {
	if s.Types != nil {
		return strings.Join(s.Types, " or ")
	}
	return s.Type
}

func faultOfObject(s *jsonschema.Schema, value map[string]any, at *where) string {
	for _, name := range s.Required {
		if _, ok := value[name]; !ok {
			want := ""
			if p := s.Properties[name]; p != nil && p.Type != "" {
				want = ", a " + p.Type + ","
			}
			return fmt.Sprintf("%s: the property %q%s is missing", at, name, want)
		}
	}
	closed := isNever(s.AdditionalProperties)
	// In order, so that the same is told each time.
	names := make([]string, 0, 8)
	for name := range value {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		property, known := s.Properties[name]
		switch {
		case !known && closed && len(s.PatternProperties) == 0:
			return fmt.Sprintf("%s: there is no property %q: %s", at, shortened(name), properties(s))
		case !known && len(s.PatternProperties) == 0:
			property = s.AdditionalProperties
		}
		if text := fault(property, value[name], &where{outer: at, name: name}); text != "" {
			return text
		}
	}
	return ""
}

// isNever reports whether a schema is false.
func isNever(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && reflect.ValueOf(*s.Not).IsZero()
}

func faultOfList(s *jsonschema.Schema, value []any, at *where) string {
	switch {
	case s.MinItems != nil && len(value) < *s.MinItems:
		return fmt.Sprintf("%s: want at least %d items, got %d", at, *s.MinItems, len(value))
	case s.MaxItems != nil && len(value) > *s.MaxItems:
		return fmt.Sprintf("%s: want at most %d items, got %d", at, *s.MaxItems, len(value))
	case s.Items == nil:
		return ""
	}
	for i, item := range value {
		if text := fault(s.Items, item, &where{outer: at, index: i}); text != "" {
			return text
		}
	}
	return ""
}

func faultOfNumber(s *jsonschema.Schema, value float64, at *where) string {
	switch {
	case s.Minimum != nil && value < *s.Minimum:
		return fmt.Sprintf("%s: want at least %v, got %v", at, *s.Minimum, value)
	case s.Maximum != nil && value > *s.Maximum:
		return fmt.Sprintf("%s: want at most %v, got %v", at, *s.Maximum, value)
	default:
		return ""
	}
}

// properties says which there are.
func properties(s *jsonschema.Schema) string {
	if len(s.Properties) == 0 {
		return "there is none"
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	return "use " + shortened(strings.Join(names, ", "))
}

// shown is a value with its type, as much as is worth repeating.
func shown(value any, kind string) string {
	switch kind {
	case "null", "object", "array":
		return kind
	default:
		return kind + " " + shortJSON(value)
	}
}

func shortJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "what has no form in JSON"
	}
	return shortened(string(text))
}

// shortened is the beginning of a text that may be of any length.
func shortened(s string) string {
	const most = 100
	if len(s) <= most {
		return strings.ToValidUTF8(s, "?")
	}
	return strings.ToValidUTF8(s[:most], "?") + "…"
}

// kindOf is the type of a value in the words of schemas.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v != math.Trunc(v) {
			return "number"
		}
		return "integer"
	default:
		return "integer"
	}
}
