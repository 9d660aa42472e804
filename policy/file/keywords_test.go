package file

import (
	"regexp"
	"strings"
	"testing"
)

func TestWordsThatMatchesNeed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern string
		want          string // "-" for none
	}{
		{"a literal", `InsecureSkipVerify`, "InsecureSkipVerify"},
		{"the longest of a sequence", `\bverify\s*=\s*False\b`, "verify"},
		{"one of each alternative", `(?:alpha|beta)\(`, "alpha( beta("},
		{"alternatives that begin alike", `it\.(?:skip|skipIf)`, "it.skip it.skipIf"},
		{"what a class adds", `[pP]assw`, "passw Passw"},
		{"in a group", `((?:alpha))`, "alpha"},
		{"at least once", `(?:alpha)+`, "alpha"},
		{"with and without what may be missing", `alpha(?:beta)?\(`, "alpha( alphabeta("},
		{"not what may be missing", `(?:alpha\s*)?beta`, "beta"},
		{"an alternative without words", `alpha|\d+`, "-"},
		{"nothing but classes", `[a-z]+\d`, "-"},
		{"three characters", `abc\d`, "-"},
		{"where case does not matter", `(?i)password`, "-"},
		{"what has no case where it does not matter", `(?i)\$_\(1`, "$_(1"},
		{"of any script", `größe`, "größe"},
		{"no expression", `(`, "-"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := keywordsOf([]string{tc.pattern})
			if (w == nil) != (tc.want == "-") {
				t.Fatalf("it has words: %v", w != nil)
			}
			for word := range strings.FieldsSeq(strings.Trim(tc.want, "-")) {
				if !w.in(word) || !w.in("some text before "+word+" and behind") {
					t.Errorf("%q is not among the words", word)
				}
			}
			if w.in("nothing to be seen here") != (w == nil) {
				t.Error("there are other words")
			}
		})
	}
}

// A text with a match always has one of the words.
func FuzzKeywords(f *testing.F) {
	f.Add(`\bverify\s*=\s*False\b|catch\s*\{\s*\}`, "x = verify = False")
	f.Add(`(?i)password|k+ss`, "paſſword K")
	f.Add(`(?:ab|cde){2,3}x`, "abcdex")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 100 {
			return
		}
		re, err := regexp.Compile(pattern)
		if err != nil || re.MatchString("") {
			return
		}
		if re.MatchString(text) && !keywordsOf([]string{pattern}).in(text) {
			t.Errorf("%q matches in %q, and has no word there", pattern, text)
		}
	})
}

// The presets look for nothing that needs more than a glance at most texts.
func TestSignsOfPresetsNeedWords(t *testing.T) {
	t.Parallel()
	l := newLoader(Options{})
	l.read([]string{"preset:recommended"})
	l.combine(&Loaded{})
	signs := 0
	for i := range l.uses {
		u := &l.uses[i]
		if u.find == nil {
			continue
		}
		for j := range u.find.signs {
			for _, pattern := range u.find.signs[j].patterns {
				if w := keywordsOf([]string{pattern}); w == nil || w.step < 3 {
					t.Errorf("%s: %s needs no word of six characters", u.name, pattern)
				}
			}
			signs++
		}
	}
	if signs < 8 {
		t.Errorf("%d signs", signs)
	}
}

func BenchmarkKeywords4KB(b *testing.B) {
	l := newLoader(Options{})
	l.read([]string{"preset:recommended"})
	l.combine(&Loaded{})
	source := strings.Repeat("func (s *Server) handle(w http.ResponseWriter, r *http.Request) error { return s.next.ServeHTTP(w, r) }\n", 41)[:4096]
	for i := range l.uses {
		u := &l.uses[i]
		if u.find == nil || u.find.signs == nil {
			continue
		}
		var all []string
		for j := range u.find.signs {
			all = append(all, u.find.signs[j].patterns...)
		}
		words := keywordsOf(all)
		b.Run(u.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				if words.in(source) {
					b.Fatal("a word")
				}
			}
		})
	}
}
