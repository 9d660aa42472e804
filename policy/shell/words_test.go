package shell

import (
	"reflect"
	"strings"
	"testing"
)

// sameWords checks that a text that is read word by word is read as with syntax:
// behind it stands the end of a line, which the one does not know.
func sameWords(t *testing.T, text string) {
	t.Helper()
	got, want := Read(text, place), Read(text+"\n", place)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q is %+v,\nwith syntax %+v", text, got, want)
	}
}

func isWords(text string) bool {
	r := newReader(place, len(text))
	defer r.release()
	r.Src = text
	_, ok := r.plainWords()
	return ok
}

func TestPlainWordsNeedNoSyntax(t *testing.T) {
	for text, want := range map[string]bool{
		"ls": true, "ls -la src": true, "git status --short": true, "go test ./...": true, "curl https://example.com/a:b@c,d+e%20": true, "rm -rf /": true,
		"": false, " ls": false, "ls ": false, "ls  -l": false, "ls\n": false, "ls\t-l": false, "a=b": false, "a b=c": false, "ls ~": false, "ls *": false, "ls #x": false, "a; b": false,
		"a &": false, "a 'b'": false, `a "b"`: false, "a $b": false, "a\\ b": false, "a >b": false, "time ls": false, "if a": false, "export a": false, "é": false, "a {b,c}": false, "[ a ]": false, "! a": false,
		"a" + strings.Repeat(" b", mostPlain/2): false, "ab" + strings.Repeat(" b", mostPlain/2-1): true,
	} {
		if got := isWords(text); got != want {
			t.Errorf("%q is words alone: %v", text, got)
		}
		sameWords(t, text)
	}
}

func TestEverydayWordsAreReadAsWithSyntax(t *testing.T) {
	n := 0
	for _, e := range everyday {
		if isWords(e.text) {
			n++
			sameWords(t, e.text)
		}
	}
	for _, text := range wrapped {
		if isWords(text) {
			n++
			sameWords(t, text)
		}
	}
	if n < 50 {
		t.Errorf("only %d texts are words alone", n)
	}
}

func FuzzWords(f *testing.F) {
	for _, text := range wrapped {
		f.Add(text)
	}
	f.Add("sh -c ls")
	f.Add("exec cat")
	f.Add("cd /tmp")
	f.Fuzz(func(t *testing.T, text string) {
		if isWords(text) {
			sameWords(t, text)
		}
	})
}
