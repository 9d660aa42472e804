package decode

import "testing"

func TestTexts(t *testing.T) {
	inflate := func(s string) (string, bool) { return Inflate(s, 100) }
	for _, c := range []struct {
		how      func(string) (string, bool)
		in, want string
		ok       bool
	}{
		{Base64, "cm0gLXJm", "rm -rf", true},
		{Base64, "cm0g\nLXJm==", "rm -rf", true},
		{Base64, "-_8", "\xfb\xff", true},
		{Base64, "!", "", false},
		{Base32, "NBUQ====", "hi", true},
		{Hex, "72 6d", "rm", true},
		{Rot13, "ez -es", "rm -rf", true},
		{Percent, "%72m", "rm", true},
		{Percent, "%u0072%6d%u00", "rm%u00", true},
		{Percent, "%", "", false},
		{inflate, "\x78\x9c\x2b\xca\x05\x00\x01\x53\x00\xe0", "rm", true},
		{inflate, "none", "", false},
	} {
		if got, ok := c.how(c.in); ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %q, %v", c.in, got, ok)
		}
	}
	if got := UTF16("r\x00m\x00"); got != "rm" {
		t.Errorf("UTF-16: %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct{ from, size, want string }{
		{"2", "", "cdef"}, {"", "2", "ab"}, {"-2", "", "ef"}, {"1", "-2", "bcd"}, {"-9", "2", "ab"}, {"9", "1", ""}, {"4", "9", "ef"}, {"1", "-9", ""},
	} {
		if got, ok := Cut("abcdef", c.from, c.size); got != c.want || !ok {
			t.Errorf("from %q as long as %q: %q", c.from, c.size, got)
		}
	}
	for _, c := range [][2]string{{"x", ""}, {"1", "x"}} {
		if got, ok := Cut("abcdef", c[0], c[1]); ok {
			t.Errorf("from %q as long as %q: %q", c[0], c[1], got)
		}
	}
}

func TestEscapes(t *testing.T) {
	for _, c := range []struct {
		how      Escaping
		in, want string
	}{
		{Usual, `r\x6d\u0020\55\q`, "rm -q"},
		{Usual, `r\u{6d}\e`, "rm\x1b"},
		{Usual, "r\\\nm\\\r\n", "rm"},
		{Usual, `\x00rm\xg`, `rm\xg`},
		{Keeping, `C:\dir\"`, `C:\dir"`},
		{Quotes, `\x41\'\\`, `\x41'\`},
		{JavaScript, `r\x6d\e\a\x`, "rmeax"},
		{JavaScript, `\ud83d\ude00\u{1f600}`, "\U0001f600\U0001f600"},
		{JavaScript, `\0`, "\x00"},
		{JavaScript, `\`, `\`},
	} {
		if got := Escapes(c.in, c.how); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
