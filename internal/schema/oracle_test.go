package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// A complete validator, which has no bounds, agrees with the bounded one.
func TestChecksAgreeWithACompleteValidator(t *testing.T) {
	fits, wrong := 0, 0
	for seed := range uint64(400) {
		f, w := agree(t, seed)
		fits, wrong = fits+f, wrong+w
	}
	if fits < 200 || wrong < 200 {
		t.Errorf("%d fit and %d do not: too few to say anything", fits, wrong)
	}
}

func FuzzChecksAgreeWithACompleteValidator(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) { agree(t, seed) })
}

// agree compares the two on a schema and a few values, and counts those that fit and
// those that do not.
func agree(t *testing.T, seed uint64) (fits, wrong int) {
	t.Helper()
	g := &generator{rand.New(rand.NewPCG(seed, 7))}
	words := g.schema(3)
	words["$defs"] = map[string]any{"0": g.schema(1), "1": g.schema(1)}
	raw, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	s := compile(t, string(raw))
	for range 4 {
		value, err := json.Marshal(g.object(3))
		if err != nil {
			t.Fatal(err)
		}
		want, usable := oracle(raw, value)
		if !usable {
			continue
		}
		v, err := s.Check(read(t, string(value)))
		switch {
		case err != nil:
			t.Fatalf("%s\n%s\n%v", raw, value, err)
		case (v == nil) != want:
			t.Fatalf("schema %s\nvalue  %s\nfits %v, but it is said that %v", raw, value, want, v)
		case want:
			fits++
		default:
			wrong++
		}
	}
	return fits, wrong
}

// oracle asks the complete validator.
func oracle(raw, value []byte) (fits, usable bool) {
	defer func() {
		if recover() != nil {
			usable = false // it says some things by panicking
		}
	}()
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return false, false
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return false, false
	}
	var view any
	if err := json.Unmarshal(value, &view); err != nil {
		return false, false
	}
	return resolved.Validate(view) == nil, true
}

// generator makes schemas and values that have a chance to fit.
type generator struct{ *rand.Rand }

func (g *generator) name() string { return string(rune('a' + g.IntN(3))) }

func (g *generator) value(depth int) any {
	switch n := g.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return g.IntN(2) == 0
	case n == 2:
		return g.IntN(5)
	case n == 3:
		return float64(g.IntN(10)) / 2
	case n < 6 || depth == 0:
		return []string{"", "x", "xy", "xyz", "é"}[g.IntN(5)]
	case n == 6:
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth - 1)
		}
		return list
	default:
		return g.object(depth - 1)
	}
}

func (g *generator) object(depth int) map[string]any {
	m := map[string]any{}
	for range g.IntN(4) {
		m[g.name()] = g.value(depth)
	}
	return m
}

func (g *generator) schema(depth int) map[string]any {
	s := map[string]any{}
	for range 1 + g.IntN(2) {
		g.keyword(s, depth)
	}
	return s
}

func (g *generator) sub(depth int) any {
	if g.IntN(10) == 0 {
		return g.IntN(3) > 0
	}
	if depth == 0 {
		return map[string]any{"type": []string{"string", "number", "integer", "array", "object", "boolean", "null"}[g.IntN(7)]}
	}
	return g.schema(depth - 1)
}

func (g *generator) subs(depth int) []any {
	list := make([]any, 1+g.IntN(3))
	for i := range list {
		list[i] = g.sub(depth)
	}
	return list
}

func (g *generator) named(depth int) map[string]any {
	m := map[string]any{}
	for range 1 + g.IntN(3) {
		m[g.name()] = g.sub(depth)
	}
	return m
}

func (g *generator) keyword(s map[string]any, depth int) {
	switch g.IntN(24) {
	case 0, 1, 2, 3:
		s["properties"] = g.named(depth)
	case 4:
		s["required"] = []string{g.name()}
	case 5:
		s["additionalProperties"] = g.sub(depth)
	case 6:
		s["patternProperties"] = map[string]any{"^[" + g.name() + "-z]": g.sub(depth)}
	case 7:
		s["items"] = g.sub(depth)
	case 8:
		s["prefixItems"] = g.subs(depth)
	case 9:
		s["contains"], s["minContains"], s["maxContains"] = g.sub(depth), g.IntN(2), 1+g.IntN(2)
	case 10:
		s["allOf"] = g.subs(depth)
	case 11:
		s["anyOf"] = g.subs(depth)
	case 12:
		s["oneOf"] = g.subs(depth)
	case 13:
		s["not"] = g.sub(depth)
	case 14:
		s["if"], s["then"], s["else"] = g.sub(depth), g.sub(depth), g.sub(depth)
	case 15:
		s["enum"] = []any{g.value(1), g.value(1), g.value(1)}
	case 16:
		s["minimum"], s["exclusiveMaximum"] = g.IntN(3), 1+g.IntN(4)
	case 17:
		s["minLength"], s["maxLength"] = g.IntN(2), 1+g.IntN(3)
	case 18:
		s["pattern"] = []string{"^x", "y$", "^$", "."}[g.IntN(4)]
	case 19:
		s["minProperties"], s["maxProperties"] = g.IntN(2), 1+g.IntN(3)
	case 20:
		s["minItems"], s["uniqueItems"] = g.IntN(2), g.IntN(2) == 0
	case 21:
		s["dependentRequired"] = map[string]any{g.name(): []string{g.name()}}
	case 22:
		s["unevaluatedProperties"] = g.sub(0)
	case 23:
		s["propertyNames"] = map[string]any{"enum": []string{"a", "b"}}
	}
	if depth == 2 && g.IntN(6) == 0 {
		s["$ref"] = "#/$defs/" + strconv.Itoa(g.IntN(2))
	}
}
