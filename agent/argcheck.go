package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sluice-project/sluice/llm"
)

// argumentSchema is a schema that arguments are compared with. Schemas can come from
// anyone: what comparing costs is known beforehand, and bounded.
type argumentSchema struct {
	resolved *jsonschema.Resolved
	// plain says that fault finds all that can be wrong, which is quicker.
	plain bool
	// weight is the most steps that one byte of arguments can cost.
	weight int
}

// The limits of a schema, and of comparing arguments with it.
const (
	longestSchema   = 256 << 10
	deepestSchema   = 64
	heaviestSchema  = 20_000
	mostComparisons = 200_000_000
)

// compileSchema makes a schema ready. The error says why it cannot be.
func compileSchema(raw json.RawMessage) (schema *argumentSchema, err error) {
	if len(raw) > longestSchema {
		return nil, fmt.Errorf("%w: it has %d bytes, and at most %d can be", errUnusable, len(raw), longestSchema)
	}
	var document map[string]any
	if err := json.Unmarshal(raw, &document); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	w := weighing{document: document}
	weight := w.weigh(document, 0)
	if w.err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, w.err)
	}
	defer func() {
		// The library says some things about schemas by panicking.
		if problem := recover(); problem != nil {
			schema, err = nil, fmt.Errorf("%w: %v", errUnusable, problem)
		}
	}()
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnusable, err)
	}
	return &argumentSchema{resolved: resolved, plain: isPlain(document), weight: weight}, nil
}

// isPlain reports whether a schema has only the words that fault knows.
func isPlain(schema map[string]any) bool {
	for word, value := range schema {
		switch word {
		case "type", "required", "minimum", "maximum", "minItems", "maxItems", "enum",
			"description", "title", "default", "examples", "format", "contentEncoding":
		case "additionalProperties", "items":
			if sub, ok := value.(map[string]any); ok && !isPlain(sub) || !ok && (word == "items" && value != true) {
				return false
			}
		case "properties":
			properties, _ := value.(map[string]any)
			for _, property := range properties {
				if sub, ok := property.(map[string]any); ok && !isPlain(sub) || !ok && property != true {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// weighing finds out what comparing with a schema can cost.
type weighing struct {
	document map[string]any
	refs     []string // that lead to where we are
	total    int
	err      error
}

// weigh counts the values of a schema, with all that it refers to, as often as it
// does.
func (w *weighing) weigh(value any, depth int) int {
	if w.total++; w.err == nil && (depth > deepestSchema || w.total > heaviestSchema) {
		w.err = errors.New("it is too deep, too large, or refers to itself")
	}
	if w.err != nil {
		return 0
	}
	weight := 1
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			weight += w.weigh(member, depth+1)
			text, isText := member.(string)
			switch {
			case !isText:
				if key == "patternProperties" {
					patterns, _ := member.(map[string]any)
					for source := range patterns {
						weight += w.pattern(source)
					}
				}
			case key == "$ref":
				weight += w.referred(text, depth)
			case key == "$dynamicRef" || key == "$recursiveRef":
				w.err = errors.New("it has dynamic references")
			case key == "pattern":
				weight += w.pattern(text)
			}
		}
	case []any:
		for _, item := range v {
			weight += w.weigh(item, depth+1)
		}
	}
	return weight
}

// referred weighs what a reference stands for.
func (w *weighing) referred(ref string, depth int) int {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || slices.Contains(w.refs, ref) {
		w.err = errors.New("it refers to itself or to another document")
		return 0
	}
	var value any = w.document
	for _, step := range strings.Split(pointer, "/")[1:] {
		object, _ := value.(map[string]any)
		value = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	if pointer != "" && pointer[0] != '/' || value == nil {
		w.err = errors.New("it refers to something that it does not have")
		return 0
	}
	w.refs = append(w.refs, ref)
	defer func() { w.refs = w.refs[:len(w.refs)-1] }()
	return w.weigh(value, depth+1)
}

// pattern weighs a regular expression: a byte can cost as many steps as it has.
func (w *weighing) pattern(source string) int {
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil || len(source) > 1000 {
		w.err = errors.New("it has a regular expression that is unknown or too long")
		return 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		w.err = errors.New("it has a regular expression that is unknown")
		return 0
	}
	w.total += len(program.Inst)
	return len(program.Inst)
}

// check compares arguments with the schema. The error is for the model: it says which
// property is wrong, what was expected and what is there.
func (s *argumentSchema) check(raw json.RawMessage) (err error) {
	arguments, err := llm.ParseArguments(string(raw))
	if err != nil {
		return err
	}
	if len(raw) > mostComparisons/max(s.weight, 1) {
		return errors.New("the arguments are too long to be compared with the schema")
	}
	for name, value := range arguments {
		if arguments[name], err = plain(value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if s.plain {
		if text := fault(s.resolved.Schema(), arguments, nil); text != "" {
			return errors.New(text)
		}
		return nil
	}
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the arguments cannot be compared with the schema: %v", problem)
		}
	}()
	if err := s.resolved.Validate(arguments); err != nil {
		return errors.New(explain(s.resolved.Schema(), arguments, err))
	}
	return nil
}

// plain returns a value as the library knows it: it takes a json.Number for a
// string.
func plain(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		f, err := v.Float64()
		if err != nil || math.IsInf(f, 0) {
			return nil, fmt.Errorf("the number %s is too large", beginning(v.String()))
		}
		return f, nil
	case []any:
		for i := range v {
			if v[i], err = plain(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range v {
			if v[name], err = plain(v[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}
