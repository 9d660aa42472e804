package call

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestLettersInEscapesAreWrittenPlainly(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"b"}`:                        `{"a":"b"}`,
		`{"\u0061":"\u0062\u0063"}`:        `{"a":"bc"}`,
		`{"a":"\u0024out"}`:                `{"a":"$out"}`,
		`{"a":"\\u0062"}`:                  `{"a":"\\u0062"}`, // a backslash and what follows it
		`{"a":"\\\u0062"}`:                 `{"a":"\\b"}`,
		`{"a":"\"\u0062\""}`:               `{"a":"\"b\""}`,
		`{"a":"\u0022\u005c\u0000\u007f"}`: `{"a":"\u0022\u005c\u0000\u007f"}`,
		`{"a":"\u00e9\u4e2d\ud83d\ude00"}`: `{"a":"\u00e9\u4e2d\ud83d\ude00"}`,
		`\u00`:                             `\u00`,
		`\u006`:                            `\u006`,
		`\u00zz\u0061`:                     `\u00zza`,
		`\`:                                `\`,
		`\u0061\`:                          `a\`,
	} {
		if got := plainly(text); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}

func FuzzPlainly(f *testing.F) {
	for _, text := range []string{`{"\u0061":"\u0062\\\u0063"}`, `"\u005c\u0022"`, `\u00`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plainly(text)
		if again := plainly(got); again != got && json.Valid([]byte(text)) {
			t.Fatalf("%q, and again %q", got, again)
		}
		var a, b any
		if json.Unmarshal([]byte(text), &a) != nil {
			return
		}
		if err := json.Unmarshal([]byte(got), &b); err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%q means %v, written plainly %q: %v, %v", text, a, got, b, err)
		}
	})
}
