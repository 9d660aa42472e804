package file

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/text"
)

func TestOnlyTheStringsThatChangeAreWrittenAgain(t *testing.T) {
	t.Parallel()
	replace := func(s string) string { return strings.ReplaceAll(s, "x", `"`) }
	for document, want := range map[string]string{
		`{}`:                                 `{}`,
		` { "a" : "b" } `:                    ` { "a" : "b" } `,
		`{"a":"x"}`:                          `{"a":"\""}`,
		`{"x":"x"}`:                          `{"x":"\""}`,
		`{"x" : {"x"	:["x","\u0078"]}}`:      `{"x" : {"x"	:["\"","\""]}}`,
		`{"a":"\u00e4","b":"\ud83d\ude00x"}`: `{"a":"\u00e4","b":"😀\""}`,
		`{"a":"\ud800x"}`:                    `{"a":"\ud800\""}`,
		`"x"`:                                `"\""`,
		`["x","y"]`:                          `["\"","y"]`,
		``:                                   ``,
	} {
		if got, err := eachString(document, replace); err != nil || got != want {
			t.Errorf("%s became %s, %v, want %s", document, got, err, want)
		}
	}
	if _, err := eachString(`{"a":"x`, replace); err == nil {
		t.Error("what is not JSON was changed")
	}
}

// The strings of the changed document are those of the first, each changed.
func FuzzEachString(f *testing.F) {
	f.Add(`{"a":"x", "x": ["xx", 1, {"y":"\u0078"}]}`)
	f.Add(`"\ud83d\ude00x\\\""`)
	f.Fuzz(func(t *testing.T, document string) {
		change := func(s string) string { return strings.ReplaceAll(s, "x", "\"\\\n") }
		same, err := eachString(document, func(s string) string { return s })
		if err == nil && same != document {
			t.Fatalf("without a change %q became %q", document, same)
		}
		changed, err := eachString(document, change)
		if err != nil || document == "" {
			return
		}
		if strings.Contains(document, `\u`) || strings.ToValidUTF8(document, "") != document {
			if jsonscan.Valid([]byte(changed)) != nil {
				t.Fatalf("%q became %q, which is no JSON", document, changed)
			}
			return // encoding/json reads lone surrogates as another character
		}
		var before, after any
		if json.Unmarshal([]byte(document), &before) != nil {
			return // deeper or larger than it reads
		}
		if err := json.Unmarshal([]byte(changed), &after); err != nil {
			t.Fatalf("%q became %q: %v", document, changed, err)
		}
		if want := mapped(before, change); !reflect.DeepEqual(after, want) {
			t.Fatalf("%q became %q, want %v", document, changed, want)
		}
	})
}

func mapped(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = mapped(v[i], change)
		}
	case map[string]any:
		for key := range v {
			v[key] = mapped(v[key], change)
		}
	}
	return value
}

// A member that is set has its value, and all others keep theirs.
func FuzzSetMember(f *testing.F) {
	f.Add(`{"a":1, "b" : {"a":2} }`, "a")
	f.Add(` { } `, `"`)
	f.Add(``, "x")
	f.Fuzz(func(t *testing.T, document, name string) {
		if llm.CheckArguments(document) != nil || strings.ToValidUTF8(document+name, "") != document+name || strings.Contains(document, `\u`) {
			return
		}
		before, err := llm.ParseArguments(document)
		if err != nil {
			return
		}
		got := string(setMember([]byte(document), name, []byte(`[true]`)))
		after, err := llm.ParseArguments(got)
		if err != nil {
			t.Fatalf("%q became %q: %v", document, got, err)
		}
		before[name] = []any{true}
		if !reflect.DeepEqual(after, before) {
			t.Fatalf("%q became %q", document, got)
		}
	})
}

func BenchmarkManyStrings(b *testing.B) {
	chain, err := text.Compile(text.Rule{Name: "x", Patterns: []string{`sk-\w{20,}`}, Replacement: "[key]"})
	if err != nil {
		b.Fatal(err)
	}
	g := &guard{chain: chain, quick: anyOf([]string{`sk-\w{20,}`}), action: policy.Redact}
	arguments := `{"a":["a"` + strings.Repeat(`,"a"`, 1<<18-8) + `]}`
	s := policy.NewSubject(nil, llm.Block{Kind: llm.ToolCall, Name: "T", Arguments: arguments})
	p := &part{guard: g}
	b.SetBytes(int64(len(arguments)))
	for b.Loop() {
		if _, _, err := p.other(s); err != nil {
			b.Fatal(err)
		}
	}
}

// A text is ruled out only if nothing is found in it.
func FuzzRulesOut(f *testing.F) {
	patterns := []string{`(?i)sk-\w{2,}`, `^a|b$`, `\bword\b`, `(?s)x.y`, `\pL{3}\d`}
	chain, err := text.Compile(text.Rule{Name: "x", Patterns: patterns, Replacement: "!"})
	if err != nil {
		f.Fatal(err)
	}
	g := &guard{chain: chain, quick: anyOf(patterns)}
	for _, text := range []string{"", "SK-12", "a", "cb", "a word", "x\ny", "äöü1", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if found := chain.Find(text); g.rulesOut(text) && len(found) > 0 || len(text) <= short && !g.rulesOut(text) && len(found) == 0 {
			t.Errorf("%q is ruled out: %t, found %v", text, g.rulesOut(text), found)
		}
	})
}
