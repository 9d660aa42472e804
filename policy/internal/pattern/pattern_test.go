package pattern

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// Whatever the pattern and the text, a pattern says what package regexp says.
func TestPatternsMatchAsRegexpDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	matched, spared := 0, 0
	for range 4000 {
		source := randomPattern(random, 4)
		re, err := regexp.Compile(source)
		if err != nil {
			continue
		}
		p, err := New(source)
		if err != nil {
			t.Fatal(err)
		}
		for range 12 {
			text := randomText(random)
			want := re.MatchString(text)
			if got := p.Matches(text); got != want {
				t.Fatalf("%q in %q: got %v, want %v", source, text, got, want)
			}
			if want {
				matched++
			} else if !p.CouldMatch(text) {
				spared++
			}
		}
	}
	if matched < 3000 || spared < 3000 {
		t.Errorf("the cases say little: %d match, %d need no regexp", matched, spared)
	}
}

func FuzzPattern(f *testing.F) {
	f.Add(`(?i)drop\s+table|(^|/)id_[a-z]+$`, "DROP table")
	f.Add(`:\s*\(\s*\)\s*\{`, "a: ( ) {")
	f.Add(`(?i)k+s`, "\u212a\u017f")
	f.Add(`^(ab|c)?d[\x80-\xff]`, "abd\xff")
	f.Fuzz(func(t *testing.T, source, text string) {
		if len(source) > 200 {
			return
		}
		re, err := regexp.Compile(source)
		if err != nil {
			return
		}
		p, err := New(source)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Matches(text), re.MatchString(text); got != want {
			t.Fatalf("%q in %q: got %v, want %v", source, text, got, want)
		}
	})
}

func TestPatternsNeedWords(t *testing.T) {
	for _, tc := range []struct {
		source string
		texts  string // those that need no regexp, separated by blanks
		tried  string // those that do
	}{
		{`^(python|node)[0-9.]*$`, "xpython nod", "python3 nodex"},
		{`(?i)drop\s+table`, "DRO drotable", "Drop,TABLE"},
		{`\b(cat|tar)\b.*/dev/(tcp|udp)/`, "cat/dev/tty/ tar", "/dev/tcp/xxxx"},
		{`:\s*\(\s*\)\s*\{`, ":)({ (): :x(){ ::(x){", ":(){"},
		{`(^|/)\.env(\.[^/]+)?$`, "env a.enx", "a.env"},
		{`open\s*\(['"]/etc/`, "open('/et open/etc/", "open('/etc/"},
		{`a{3}`, "aa abaa", "aaa"},
		{`(?i)sky`, "s k", "sky xyxyxy"}, // s and k have forms beyond ASCII
		{`x*`, "", "y"},
	} {
		p, err := New(tc.source)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.FieldsSeq(tc.texts) {
			if p.CouldMatch(text) {
				t.Errorf("%s tries %s", tc.source, text)
			}
		}
		for text := range strings.FieldsSeq(tc.tried) {
			if !p.CouldMatch(text) {
				t.Errorf("%s does not try %s", tc.source, text)
			}
		}
	}
}

func randomPattern(r *rand.Rand, depth int) string {
	leaves := []string{
		"a", "b", "ab", "K", "s", "ß", "é", "abc", "-", "/", `\.`, `\s`, `\s*`, `\s+`, "[a-c]", "[^a]", "[aB]", "[kK]", ".", `\b`, `\B`,
		"^", "$", "x?", "(?i:ka)", "(?i:SB)", "(?m:^a)", "(?m:b$)", `\pL`, "[[:alpha:]]", "a{2,3}", "()", `\x{fffd}`, "[a-z]*", "[ab]+", "(?s:.)*",
	}
	if depth == 0 || r.IntN(4) == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	a, b := randomPattern(r, depth-1), randomPattern(r, depth-1)
	switch r.IntN(8) {
	case 0, 1, 2, 3:
		return a + b
	case 4:
		return "(" + a + "|" + b + ")"
	case 5:
		return "(?:" + a + "|" + b + "|" + randomPattern(r, depth-1) + ")"
	case 6:
		return "(?i:" + a + b + ")"
	default:
		return "(?:" + a + ")" + []string{"*", "+", "?", "{2}", "*?", "{1,2}"}[r.IntN(6)]
	}
}

func randomText(r *rand.Rand) string {
	pieces := []string{"a", "b", "ab", "abc", "A", "B", "k", "K", "\u212a", "s", "S", "\u017f", "ß", "é", "É", "-", "/", ".", " ", "\n", "x", "\xff", "ka", "\ufffd"}
	var b strings.Builder
	for range r.IntN(9) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}
