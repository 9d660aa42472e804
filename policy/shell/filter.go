package shell

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/effect"
)

// filter is what a program prints that changes what it reads.
func (r *reader) filter(a *act, out flow) flow {
	files := func() []string {
		return a.Operands("n", "c", "d", "f", "w", "s", "l", "m", "S", "k", "t", "A", "B", "C", "e")
	}
	if a.Name == "base64" || a.Name == "base32" || a.Name == "basenc" || a.Name == "xxd" || a.Name == "gzip" { // -d is no value there
		files = func() []string { return a.Operands("w", "s", "l", "c", "o", "g", "seek", "wrap") }
	}
	in, known := a.in.text, a.in.known
	switch a.Name {
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "strings", "base64", "base32", "basenc", "xxd", "zcat", "gunzip", "gzip", "rev", "sort":
		list := files()
		if (a.Name == "base64" || a.Name == "xxd") && len(list) > 1 {
			list = list[:1]
		}
		if len(list) > 0 {
			of := r.fromFiles(list)
			in, known = of.text, of.known
			out.sources = merge(out.sources, of.sources)
			if out.remote == "" {
				out.remote = of.remote
			}
		}
	case "grep", "rg", "egrep", "ag":
		out.each = a.picksEach()
		if out.about == "" {
			if words := a.Operands("A", "B", "C", "m", "e"); len(words) > 0 {
				out.about = brackets.Replace(words[0])
			}
		}
		for _, e := range r.reading.Effects[a.first:] {
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = with(out.sources, e.Object)
			}
		}
	case "dd", "sed", "awk", "cut", "jq", "openssl", "gpg", "tar", "zip":
		for _, e := range r.reading.Effects[a.first:] {
			if e.Verb == effect.Read && e.Command == a.number && a.number >= 0 {
				out.sources = with(out.sources, e.Object)
			}
		}
	}
	set := func(s string, ok bool) flow {
		if !ok || len(s) > mostKnown {
			out.hidden = a.Name
			return out
		}
		out.known, out.text = true, s
		return out
	}
	switch a.Name {
	case "head", "tail", "cut":
		if known {
			if s, ok := a.partOf(in); ok {
				return set(s, true)
			}
		}
		if a.Name == "cut" {
			return a.listed(out, known)
		}
		if known {
			return set(in, true)
		}
	case "cat", "bat", "less", "more", "tee", "nl", "sort":
		if known {
			return set(in, true)
		}
	case "tac":
		if known {
			list := strings.Split(strings.TrimSuffix(in, "\n"), "\n")
			slices.Reverse(list)
			return set(strings.Join(list, "\n")+"\n", true)
		}
	case "rev":
		if known {
			list := strings.Split(in, "\n")
			for i := range list {
				list[i] = reversed(list[i])
			}
			return set(strings.Join(list, "\n"), true)
		}
		out.hidden = a.Name
	case "base64", "basenc", "base32", "uuencode":
		if a.decodes() {
			if known {
				return set(unbase64(in))
			}
			out.hidden = a.Name
		}
	case "openssl":
		if slices.Contains(a.Args, "base64") || slices.Contains(a.Args, "-base64") || slices.Contains(a.Args, "-a") {
			if known && a.Has("d") {
				return set(unbase64(in))
			}
		}
		if a.Has("d") || a.Has("-d") {
			out.hidden = a.Name
		}
	case "xxd":
		if a.Has("r") {
			if known {
				return set(unhex(in))
			}
			out.hidden = a.Name
		}
	case "dd":
		if from := attached(a.Args, "if="); len(from) == 1 {
			of := r.fromFiles(from)
			in, known = of.text, of.known
		}
		if known && !slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "of=") }) {
			return set(in, true)
		}
	case "zcat", "gunzip", "gzip", "bzip2", "xz", "zstd", "gpg":
		if a.Name == "zcat" || a.Name == "gunzip" || a.decodes() {
			out.hidden = a.Name
		}
	case "tr":
		if known {
			if s, ok := translate(a, in); ok {
				return set(s, true)
			}
		}
		out.hidden = a.Name
	case "sed":
		if known {
			if s, ok := substitute(a, in); ok {
				return set(s, true)
			}
			out.hidden = a.Name
		}
	case "jq", "gojq":
		if known {
			return set(picked(a, in))
		}
	case "awk", "gawk", "mawk", "nawk":
		out = a.listed(out, known || slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "%c") }))
	}
	if len(a.in.roots) > 0 && !out.known && out.roots == nil && len(files()) == 0 {
		switch a.Name { // what passes a list on passes on what it is about
		case "cat", "sort", "head", "tail", "tee", "tr":
			out.roots, out.hidden = a.in.roots, a.in.hidden
		}
	}
	if len(a.in.roots) > 0 && (a.Name == "sed" || a.Name == "awk" || a.Name == "grep") {
		out.roots, out.hidden = a.in.roots, a.in.hidden
		if dir, ok := strings.CutSuffix(a.in.roots[0], "/*"); ok && a.in.by == "ls" && a.Name == "grep" && isWord(out.about) { // also what is hidden
			out.roots = append(slices.Clip(out.roots), dir+"/."+strings.TrimPrefix(out.about, ".")+"*")
		}
	}
	return out
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// unbase64 decodes as leniently as programs do.
func unbase64(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n", c) {
			return -1
		}
		return c
	}, s)
	s = strings.TrimRight(s, "=")
	for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if b, err := e.DecodeString(s); err == nil && utf8.Valid(b) {
			return string(b), true
		}
	}
	return "", false
}

func unhex(s string) (string, bool) {
	s = strings.Map(func(c rune) rune {
		if strings.ContainsRune("0123456789abcdefABCDEF", c) {
			return c
		}
		return -1
	}, s)
	b, err := hex.DecodeString(s)
	return string(b), err == nil
}

// mostSet is how long a set of characters may be.
const mostSet = 256

// translate is what tr makes of a text.
func translate(a *act, in string) (string, bool) {
	words := a.Operands()
	for _, w := range words {
		if len(w) > mostSet || !a.r.pay(len(in)) {
			return "", false
		}
	}
	if a.Has("d") && len(words) == 1 {
		set := spell(words[0])
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune(set, c) {
				return -1
			}
			return c
		}, in), true
	}
	if len(words) != 2 || a.Has("c") || a.Has("C") {
		return "", false
	}
	from, to := []rune(spell(words[0])), []rune(spell(words[1]))
	if len(to) == 0 {
		return "", false
	}
	return strings.Map(func(c rune) rune {
		if i := slices.Index(from, c); i >= 0 {
			return to[min(i, len(to)-1)]
		}
		return c
	}, in), true
}

// decodes reports whether a program that writes things in another way is told to
// write them in plain.
func (a *act) decodes() bool {
	return a.Has("d") || a.Has("D") || a.Has("--decode") || a.Has("-decode") || a.Has("r")
}

// classes are the named sets of characters.
var classes = strings.NewReplacer("[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:space:]", " \t\n")

// brackets are put into a pattern so that it does not find itself: [s]luice.
var brackets = strings.NewReplacer("[", "", "]", "")

// spell writes the ranges of a set out: a-c is abc.
func spell(set string) string {
	set = ansi(classes.Replace(set))
	var b strings.Builder
	runes := []rune(set)
	for i := 0; i < len(runes); i++ {
		if i+2 < len(runes) && runes[i+1] == '-' && runes[i] <= runes[i+2] && runes[i+2]-runes[i] < 256 {
			for c := runes[i]; c <= runes[i+2]; c++ {
				b.WriteRune(c)
			}
			i += 2
			continue
		}
		b.WriteRune(runes[i])
	}
	return b.String()
}

// substitute is what a single s/a/b/ of literal texts makes of a text.
func substitute(a *act, in string) (string, bool) {
	words := a.Operands()
	script := a.Flag("e")
	if script == "" && len(words) > 0 {
		script = words[0]
	}
	if len(script) < 4 || script[0] != 's' {
		return "", false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || strings.ContainsAny(parts[0], `.*[]\^$+?()|`) || strings.ContainsAny(parts[1], `\&`) || parts[0] == "" {
		return "", false
	}
	n := 1
	if strings.Contains(parts[2], "g") {
		n = -1
	}
	if len(in)*(1+len(parts[1])) > mostKnown {
		return "", false
	}
	list := strings.Split(in, "\n")
	for i := range list {
		list[i] = strings.Replace(list[i], parts[0], parts[1], n)
	}
	return strings.Join(list, "\n"), true
}

// isWord reports whether a pattern is a word.
func isWord(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}
