package jsonscan

import (
	"bytes"
	"strings"
	"testing"
)

func TestUnquote(t *testing.T) {
	for quoted, want := range map[string]string{
		`""`: "", `"abc"`: "abc", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u00e9\u0041\u20AC"`: "éA€", `"\u0000"`: "\x00",
		`"\ud83d\ude00"`: "😀", `"x\uD83D\uDE00y"`: "x😀y", `"\ud83d"`: "\xed\xa0\xbd", `"\ude00"`: "\xed\xb8\x80",
		`"\ud83d\ud83d\ude00"`: "\xed\xa0\xbd😀", `"\ude00\ud83d"`: "\xed\xb8\x80\xed\xa0\xbd", `"\ud83d\n"`: "\xed\xa0\xbd\n",
		`"\ud83d\u0041"`: "\xed\xa0\xbdA", "\"\xff\xfe\\n\"": "\xff\xfe\n", `"\udbff\udfff"`: "\U0010ffff", `"\ud800\udc00"`: "\U00010000",
		`"` + strings.Repeat("long ", 20) + `\n"`: strings.Repeat("long ", 20) + "\n",
	} {
		if got, ok := Unquote([]byte("dst"), []byte(quoted)); !ok || string(got) != "dst"+want {
			t.Errorf("%s: got %q, %v", quoted, got, ok)
		}
	}
	for _, bad := range []string{``, `"`, `a`, `"a`, `a"`, `"a"b"`, `"a" `, ` "a"`, `"\"`, `"\u12"`, `"\U0041"`, "\"\t\""} {
		if got, ok := Unquote([]byte("dst"), []byte(bad)); ok || string(got) != "dst" {
			t.Errorf("%s: got %q, %v", bad, got, ok)
		}
	}
}

func TestAppendString(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "plain": `"plain"`, "\"\\/": `"\"\\/"`, "\b\f\n\r\t": `"\b\f\n\r\t"`, "\x00\x1f\x7f": `"\u0000\u001f` + "\x7f\"",
		"<>&\u0085\u2028\u2029\u2027": "\"<>&\\u0085\\u2028\\u2029\u2027\"", "é€😀": `"é€😀"`, "\xff": `"\ufffd"`, "a\xe2\x82": `"a\ufffd\ufffd"`, "\ufffd": "\"\ufffd\"",
		"\xed\xa0\xbd": `"\ud83d"`, "\xed\xb8\x80": `"\ude00"`, "\xed\xbf\xbf": `"\udfff"`, "x\xed\xa0\xbd\xed\xb8\x80y": `"x\ud83d\ude00y"`, "\xed\x9f\xbf": "\"\ud7ff\"",
		"\xed\xa0": `"\ufffd\ufffd"`, "12345678\n12345678\"": `"12345678\n12345678\""`,
	} {
		if got := AppendString([]byte("dst"), text); string(got) != "dst"+want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if got := AppendStringBytes(nil, []byte(text)); string(got) != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestAppendStringDoesNotAllocate(t *testing.T) {
	text := strings.Repeat("some \"text\" é\xff\n", 100)
	dst := AppendString(nil, text)
	if n := testing.AllocsPerRun(100, func() { dst = AppendString(dst[:0], text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestJoinSurrogates(t *testing.T) {
	high, low := []byte("a\xed\xa0\xbd"), []byte("\xed\xb8\x80b")
	if r, ok := JoinSurrogates(high, low); !ok || r != '😀' {
		t.Errorf("got %q, %v", r, ok)
	}
	for _, c := range [][2]string{
		{"", ""}, {"a", "b"}, {"\xed\xa0", "\xed\xb8\x80"}, {"\xed\xa0\xbd", "\xed\xb8"}, {"\xed\xb8\x80", "\xed\xa0\xbd"},
		{"\xed\xa0\xbd", "\xed\xa0\xbd"}, {"\xed\xa0\xbdx", "\xed\xb8\x80"}, {"\xed\xa0\xbd", "x\xed\xb8\x80"}, {"\xed\x9f\xbf", "\xed\xb8\x80"},
	} {
		if r, ok := JoinSurrogates([]byte(c[0]), []byte(c[1])); ok || r != 0 {
			t.Errorf("%q: got %q", c, r)
		}
	}
}

func TestSurrogateSplitOverTwoPayloadsSurvives(t *testing.T) {
	first, _ := Unquote(nil, []byte(`"a\ud83d"`))
	second, _ := Unquote(nil, []byte(`"\ude00b"`))
	r, ok := JoinSurrogates(first, second)
	if !ok || r != '😀' {
		t.Fatalf("got %q, %v", r, ok)
	}
	if got := AppendStringBytes(nil, first); !bytes.Equal(got, []byte(`"a\ud83d"`)) {
		t.Errorf("got %s", got)
	}
}
