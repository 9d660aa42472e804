package decisions_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

func TestKeysTellListsApart(t *testing.T) {
	lists := [][]string{{}, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"b", "a"}}
	seen := map[decisions.Key][]string{}
	for _, list := range lists {
		k := decisions.KeyOf(list...)
		if other, known := seen[k]; known {
			t.Errorf("%q and %q have one key", list, other)
		}
		seen[k] = list
	}
}

func TestCanonicalArguments(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"keys are sorted", `{"b": 1, "a": {"d": 2, "c": 3}}`, `{"a":{"c":3,"d":2},"b":1}`},
		{"lists are not", `{"a":[2,1]}`, `{"a":[2,1]}`},
		{"numbers stay as written", `{"a":1.0,"b":12345678901234567890,"c":1e2}`, `{"a":1.0,"b":12345678901234567890,"c":1e2}`},
		{"escapes are read", `{"a":"\u0072m <x>"}`, `{"a":"rm <x>"}`},
		{"nothing is an empty object", ``, `{}`},
		{"not JSON", `rm -rf /`, ``},
		{"not an object", `[1]`, ``},
		{"a key twice", `{"a":1,"a":2}`, ``},
		{"cut", `{"a":`, ``},
		{"a lone surrogate would be lost", `{"a":"\ud800"}`, ``},
		{"two keys that would become one", `{"\ud800":1,"\ud801":2}`, ``},
		{"bytes that are not UTF-8 would be lost", "{\"a\":\"\xff\"}", ``},
		{"the character that stands for losses", `{"a":"\ufffd"}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := decisions.Canonical(c.raw)
			if got != c.want || ok != (c.want != "") {
				t.Errorf("%q, %v", got, ok)
			}
		})
	}
}

// What is canonical says the same as what was written, and is its own canonical
// form.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":[{"d":"\u0061","c":1e5}]}`, `{"a":"\ud83d\ude00"}`, "{\"a\":\"\xff\"}", `{"\ud800":1,"\ud801":2}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, ok := decisions.Canonical(raw)
		if !ok {
			return
		}
		before, err := llm.ParseArguments(raw)
		after, again := llm.ParseArguments(text)
		if err != nil || again != nil || !reflect.DeepEqual(before, after) || !json.Valid([]byte(text)) {
			t.Fatalf("%q became %q", raw, text)
		}
		if twice, ok := decisions.Canonical(text); !ok || twice != text {
			t.Fatalf("%q became %q and then %q", raw, text, twice)
		}
	})
}

func TestWordsOfOthersBecomeOneLine(t *testing.T) {
	for _, c := range []struct {
		name, text string
		most       int
		want       string
	}{
		{"as it is", "fine.", 5, "fine."},
		{"nothing", "", 5, ""},
		{"white space", " a\r\n\tb\u2028c\u00a0d ", 20, "a b c d"},
		{"terminal escapes", "a\x1b[31mred\x07", 20, "a[31mred"},
		{"directions and joiners", "a\u202eb\u200bc\ufeffd", 20, "abcd"},
		{"hidden tags", "a\U000e0041\U000e0042b", 20, "ab"},
		{"bytes that are not UTF-8", "a\xff\xfeb", 20, "ab"},
		{"exactly as long as allowed", "äöü", 3, "äöü"},
		{"one too long", "äöüß", 3, "äö…"},
		{"no space before the mark", "ab cdef", 4, "ab…"},
		{"only what shows nothing", "\x00\x01\n", 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decisions.OneLine(c.text, c.most); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\n\x1b[0m b\u202e", 4)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 1 + (most%100+100)%100
		line := decisions.OneLine(text, most)
		hidden := strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) })
		if n := utf8.RuneCountInString(line); n > most || hidden || !utf8.ValidString(line) {
			t.Errorf("%q became %q, %d characters", text, line, n)
		}
	})
}
