package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/schema"
)

// read makes a value of a JSON text.
func read(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return value
}

func compile(t testing.TB, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(raw))
	if err != nil {
		t.Fatalf("%.200s: %v", raw, err)
	}
	return s
}

func TestWhatDoesNotFitIsExplained(t *testing.T) {
	for name, c := range map[string]struct{ schema, value, want, withValue string }{
		"a value of any type may be the whole":   {`{"type":"string"}`, `"x"`, "", ""},
		"a wrong type":                           {`{"type":"string"}`, `5`, "it: want string, got integer", "it: want string, got integer 5"},
		"a wrong type that is not repeated":      {`{"type":"string"}`, `{"a":1}`, "it: want string, got object", "it: want string, got object"},
		"one of several types":                   {`{"type":["string","null"]}`, `true`, "it: want null or string, got boolean", "it: want null or string, got boolean true"},
		"a choice":                               {`{"enum":["a",1]}`, `"b"`, `it: must be one of "a", 1`, `it: must be one of "a", 1, got "b"`},
		"a choice, and an object came":           {`{"enum":["a",1]}`, `{}`, `it: must be one of "a", 1`, `it: must be one of "a", 1, got object`},
		"a bound":                                {`{"minimum":3}`, `2.5`, "it: must be at least 3", "it: must be at least 3, got 2.5"},
		"a pattern":                              {`{"pattern":"^x"}`, `"y"`, "it: must match the pattern ^x", `it: must match the pattern ^x, got "y"`},
		"a length":                               {`{"maxLength":1}`, `"ab"`, "it: must have at most 1 characters, has 2", "it: must have at most 1 characters, has 2"},
		"one that is missing":                    {`{"required":["a"]}`, `{}`, `it: the property "a" is missing`, `it: the property "a" is missing`},
		"one that is missing, with its type":     {`{"required":["a"],"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`, `{}`, `it: the property "a", a string, is missing`, `it: the property "a", a string, is missing`},
		"two that are missing":                   {`{"required":["a","b"]}`, `{}`, `it: the property "a" is missing, and so is "b"`, `it: the property "a" is missing, and so is "b"`},
		"three that are missing":                 {`{"required":["a","b","c"]}`, `{}`, `it: the property "a" is missing, and so are "b", "c"`, `it: the property "a" is missing, and so are "b", "c"`},
		"one too many":                           {`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, `it: there is no property "b": use "a"`, `it: there is no property "b": use "a"`},
		"two too many":                           {`{"additionalProperties":false}`, `{"c":1,"b":1}`, `it: there are no properties "b", "c": there is none`, `it: there are no properties "b", "c": there is none`},
		"a place below":                          {`{"items":{"properties":{"a":{"items":{"type":"null"}}}}}`, `[{},{"a":[null,1]}]`, "[1].a[1]: want null, got integer", "[1].a[1]: want null, got integer 1"},
		"a place in a tree":                      {`{"properties":{"n":{"type":"integer"},"next":{"$ref":"#"}}}`, `{"next":{"next":{"n":"x"}}}`, "next.next.n: want integer, got string", `next.next.n: want integer, got string "x"`},
		"types of alternatives":                  {`{"anyOf":[{"$ref":"#/$defs/s"},{"type":"null"}],"$defs":{"s":{"type":"string"}}}`, `1`, "it: want null or string, got integer", "it: want null or string, got integer 1"},
		"the nearest alternative":                {`{"anyOf":[{"required":["b"]},{"properties":{"a":{"type":"null"}}}]}`, `{"a":1}`, "a: want null, got integer (or one of the other alternatives)", "a: want null, got integer 1 (or one of the other alternatives)"},
		"choices that contradict each other":     {`{"enum":[1],"const":2}`, `2`, "it: nothing is expected here: leave it out", "it: nothing is expected here: leave it out"},
		"no choice at all":                       {`{"enum":[]}`, `2`, "it: nothing is expected here: leave it out", "it: nothing is expected here: leave it out"},
		"types that contradict each other":       {`{"type":"string","allOf":[{"type":"null"}]}`, `null`, "it: want string, got null", "it: want string, got null"},
		"the first in the order of the names":    {`{"additionalProperties":{"type":"null"}}`, `{"c":1,"a":1,"b":1}`, "a: want null, got integer", "a: want null, got integer 1"},
		"nothing about items if an object came":  {`{"allOf":[{"unevaluatedItems":false}],"unevaluatedProperties":false}`, `{"a":1}`, "a: nothing is expected here: leave it out", "a: nothing is expected here: leave it out"},
		"a number with more digits than a float": {`{"const":9007199254740993}`, `9007199254740992`, "it: must be one of 9007199254740993", "it: must be one of 9007199254740993, got 9007199254740992"},
		"text that cannot be seen":               {`{"type":"null"}`, `"a\n\u202eb"`, "it: want null, got string", `it: want null, got string "a??b"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := compile(t, c.schema)
			for range 5 {
				wrong, err := s.Check(read(t, c.value))
				switch {
				case err != nil:
					t.Fatal(err)
				case wrong == nil && c.want != "":
					t.Fatal("it fits")
				case wrong != nil && wrong.Explain("it") != c.want:
					t.Fatalf("%s, want %s", wrong.Explain("it"), c.want)
				case wrong != nil && wrong.ExplainWithValue("it") != c.withValue:
					t.Fatalf("%s, want %s", wrong.ExplainWithValue("it"), c.withValue)
				}
			}
		})
	}
}

func TestAnExplanationIsBounded(t *testing.T) {
	long := strings.Repeat("x\x1b\u202e", 100_000)
	text, _ := json.Marshal(long)
	deep := strings.Repeat(`{"`+strings.Repeat("é", 60)+`":`, 100) + "1" + strings.Repeat("}", 100)
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, `"%d%s":true,`, i, strings.Repeat("n", 100))
	}
	for name, c := range map[string]struct{ schema, value string }{
		"a long text":       {`{"type":"null"}`, string(text)},
		"a long number":     {`{"type":"null"}`, strings.Repeat("9", 100_000)},
		"a long name":       {`{"additionalProperties":false}`, `{` + string(text) + `:1}`},
		"many names":        {`{"additionalProperties":false}`, `{` + many.String() + `"x":1}`},
		"many known names":  {`{"additionalProperties":false,"properties":{` + many.String() + `"y":true}}`, `{"x":1}`},
		"a deep place":      {`{"type":"object","additionalProperties":{"$ref":"#"}}`, deep},
		"a long choice":     {`{"enum":["` + strings.Repeat("y", 100_000) + `"]}`, string(text)},
		"many choices":      {`{"enum":[0` + strings.Repeat(`,"zzzzzzzzzzzz"`, 10_000) + `]}`, string(text)},
		"a long pattern":    {`{"pattern":"^` + strings.Repeat("y", 4000) + `"}`, `"x"`},
		"many types":        {`{"type":["null"` + strings.Repeat(`,"object"`, 10_000) + `]}`, string(text)},
		"a long name again": {`{"propertyNames":{"maxLength":1}}`, `{` + string(text) + `:1}`},
	} {
		t.Run(name, func(t *testing.T) {
			wrong, err := compile(t, c.schema).Check(read(t, c.value))
			if err != nil || wrong == nil {
				t.Fatal(wrong, err)
			}
			for _, said := range []string{wrong.Explain("it"), wrong.ExplainWithValue("it")} {
				if n := len([]rune(said)); n > 603 || strings.ContainsAny(said, "\x1b\u202e") {
					t.Errorf("%d characters: %.100q", n, said)
				}
			}
		})
	}
}

// What cannot be compared with any value is said when the schema is compiled.
func TestSchemasAreTakenUpToTheirLimits(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat(`{"not":`, depth-1) + `{}` + strings.Repeat(`}`, depth-1)
	}
	padded := func(size int) string {
		const head, tail = `{"description":"`, `"}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	for name, c := range map[string]struct {
		schema string
		want   error
	}{
		"as large as can be":               {padded(schema.MaxBytes), nil},
		"too large":                        {padded(schema.MaxBytes + 1), schema.ErrTooLarge},
		"as deep as can be":                {nested(64), nil},
		"too deep":                         {nested(65), schema.ErrTooLarge},
		"references as long as can be":     {chain(499), nil},
		"references that are too long":     {chain(500), schema.ErrTooMuchWork},
		"doubling as often as can be":      {doubling(16), nil},
		"doubling too often":               {doubling(17), schema.ErrTooMuchWork},
		"doubling without end":             {doubling(60), schema.ErrTooMuchWork},
		"itself":                           {`{"$ref":"#"}`, schema.ErrTooMuchWork},
		"two in a circle":                  {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, schema.ErrTooMuchWork},
		"a circle below":                   {`{"properties":{"a":{"not":{"$ref":"#/properties/a"}}}}`, schema.ErrTooMuchWork},
		"a circle through each word":       {`{"if":{"then":{}},"else":{"dependentSchemas":{"a":{"oneOf":[{"$ref":"#"}]}}}}`, schema.ErrTooMuchWork},
		"a tree":                           {`{"properties":{"a":{"$ref":"#"}},"items":{"$ref":"#"},"additionalProperties":{"anyOf":[{"$ref":"#"}]}}`, nil},
		"names of properties are no parts": {`{"propertyNames":{"$ref":"#"}}`, nil},
		"another document":                 {`{"items":{"$ref":"other.json"}}`, schema.ErrRemote},
		"a file":                           {`{"$ref":"file:///etc/passwd"}`, schema.ErrRemote},
		"nothing there":                    {`{"$ref":"#/a/b/0"}`, schema.ErrInvalid},
		"not an item":                      {`{"allOf":[{}],"$ref":"#/allOf/1"}`, schema.ErrInvalid},
		"a dynamic reference":              {`{"$dynamicRef":"#x"}`, schema.ErrInvalid},
		"no JSON":                          {`{`, schema.ErrInvalid},
		"more than one":                    {`{}{}`, schema.ErrInvalid},
		"nothing":                          {``, schema.ErrInvalid},
		"null":                             {`null`, schema.ErrInvalid},
		"many that are true":               {`{"allOf":[true` + strings.Repeat(",true", 40_000) + `]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile([]byte(c.schema))
			if !errors.Is(err, c.want) || (s == nil) != (err != nil) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if err == nil {
				if _, err := s.Check(map[string]any{}); err != nil {
					t.Errorf("it is taken, but %v", err)
				}
			}
		})
	}
}

// chain is a schema of n references, one after the other.
func chain(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/1","$defs":{`)
	for i := range n - 1 {
		fmt.Fprintf(&b, `"%d":{"$ref":"#/$defs/%d"},`, i+1, i+2)
	}
	fmt.Fprintf(&b, `"%d":{}}}`, n)
	return b.String()
}

// doubling is a schema in which every part stands for two of the next.
func doubling(n int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"%d":{"allOf":[{"$ref":"#/$defs/%d"},{"$ref":"#/$defs/%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"%d":{}}}`, n)
	return b.String()
}

func TestValuesAreCheckedUpToALimitOfWork(t *testing.T) {
	brackets := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	nulls := func(n int) string { return "[null" + strings.Repeat(",null", n-1) + "]" }
	for name, c := range map[string]struct {
		schema, value string
		want          error
	}{
		"as many items as can be":    {`{"items":{"type":"null"}}`, nulls(499_999), nil},
		"too many items":             {`{"items":{"type":"null"}}`, nulls(500_000), schema.ErrTooMuchWork},
		"items of which nothing is":  {`{"type":"array"}`, nulls(1_000_000), nil},
		"as deep as can be":          {`{"items":{"$ref":"#"}}`, brackets(250), nil},
		"too deep":                   {`{"items":{"$ref":"#"}}`, brackets(251), schema.ErrTooMuchWork},
		"a tree that doubles":        {`{"items":{"anyOf":[{"allOf":[{"$ref":"#"},{"type":"null"}]},{"$ref":"#"}]}}`, brackets(40), schema.ErrTooMuchWork},
		"a long text and a pattern":  {`{"pattern":"^(a|b|c){1,500}$"}`, `"` + strings.Repeat("a", 100_000) + `"`, schema.ErrTooMuchWork},
		"large items, each but once": {`{"items":{"uniqueItems":true},"allOf":[` + strings.Repeat(`{"items":{"uniqueItems":true}},`, 60) + `{}]}`, `[["` + strings.Repeat("a", 100_000) + `"]]`, schema.ErrTooMuchWork},
	} {
		t.Run(name, func(t *testing.T) {
			wrong, err := compile(t, c.schema).Check(read(t, c.value))
			if !errors.Is(err, c.want) || wrong != nil {
				t.Errorf("%v %v, want %v", wrong, err, c.want)
			}
		})
	}
}
