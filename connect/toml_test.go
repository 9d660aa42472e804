package connect

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTOMLIsReadAsFarAsItMatters(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, want string }{
		"nothing":             {"", `{}`},
		"comments":            {"# a\n\n  # b\r\na = 'x' # c\r\n", `{"a":"x"}`},
		"strings":             {`a = "q\"\u00e9\n" ` + "\nb = 'c:\\x'", `{"a":"q\"é\n","b":"c:\\x"}`},
		"long strings":        {"a = \"\"\"\none \\\n   two\"\"\"\nb='''\n'x'\n'''", `{"a":"one two","b":"'x'\n"}`},
		"quotes at the end":   {`a = """x"""""`, `{"a":"x\"\""}`},
		"tables":              {"[a.\"b.c\"]\nd='1'\n[ e ]\nf='2'", `{"a":{"b.c":{"d":"1"}},"e":{"f":"2"}}`},
		"dotted keys":         {"a.b . c='1'\na.d='2'", `{"a":{"b":{"c":"1"},"d":"2"}}`},
		"inline tables":       {"a={b='1', c={d=true},}\n", `{"a":{"b":"1","c":{"d":"true"}}}`},
		"arrays":              {"a=[ 'x',\n # y\n [1, 2], {b=1} , ]\nc='1'", `{"a":"[ 'x',\n # y\n [1, 2], {b=1} , ]","c":"1"}`},
		"numbers and dates":   {"a=1_000\nb=-1.5e3\nc=1979-05-27T07:32:00Z\nd=false\ne=1979-05-27 07:32:00", `{"a":"1_000","b":"-1.5e3","c":"1979-05-27T07:32:00Z","d":"false","e":"1979-05-27 07:32:00"}`},
		"arrays of tables":    {"[[a]]\nb='1'\n[[a]]\nb='2'\n[a.c]\nd='3'", `{"a":{"b":"2","c":{"d":"3"}}}`},
		"a table in parts":    {"[a.b]\nc='1'\n[a]\nd='2'", `{"a":{"b":{"c":"1"},"d":"2"}}`},
		"a byte order mark":   {"\ufeffa='1'", `{"a":"1"}`},
		"no end of the line":  {"a='1' b='2'", "line 1"},
		"no end of a string":  {"a='1'\nb=\"x\nc='2'", "line"},
		"no value":            {"a=", "expected a value"},
		"a bare word":         {"a=word", "expected a value"},
		"no key":              {"='1'", "expected a key"},
		"no end of an array":  {"a=[1,", "expected a value"},
		"a value as table":    {"a='1'\n[a.b]", "not a table"},
		"an escape of nobody": {`a="\q"`, "no escape"},
		"half an escape":      {`a="\u00"`, "inside an escape"},
		"too deep":            {"a=" + strings.Repeat("[", 100), "deeper"},
		"too many parts":      {strings.Repeat("a.", 100) + "a=1", "parts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseTOML([]byte(tc.text))
			if err != nil {
				if strings.HasPrefix(tc.want, "{") || !strings.Contains(err.Error(), tc.want) {
					t.Fatalf("want %s, got %v", tc.want, err)
				}
				return
			}
			if text, _ := json.Marshal(got); string(text) != tc.want {
				t.Errorf("got %s, want %s", text, tc.want)
			}
		})
	}
}

func FuzzSettingsFilesCannotHurt(f *testing.F) {
	for _, seed := range []string{"a='1'\n[b.c]\nd=[1,{e=2}]", `a="""x\` + "\n" + `"""""`, `{"a":1,/*x*/"b":[2,],} // c`, "{\"a\"/", `"\`, "A=b\nexport C='d'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if config, err := parseTOML([]byte(text)); err == nil && config == nil {
			t.Error("neither a table nor an error")
		}
		_ = parseTOMLValue(text)
		// What is JSON stays as it is.
		var before, after any
		if json.Unmarshal([]byte(text), &before) == nil {
			if err := json.Unmarshal(plainJSON([]byte(text)), &after); err != nil {
				t.Errorf("%q is no longer JSON: %v", text, err)
			}
		}
		if plain := plainJSON([]byte(text)); len(plain) > len(text) {
			t.Error("longer than it was")
		}
	})
}
