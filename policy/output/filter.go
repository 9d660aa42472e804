package output

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// filter is what a program prints that changes what it reads.
func filter(r *invocation.Reader, a *invocation.Act, out invocation.Flow) invocation.Flow {
	files := func() []string {
		return a.Operands("n", "c", "d", "f", "w", "s", "l", "m", "S", "k", "t", "A", "B", "C", "e")
	}
	if a.Name == "base64" || a.Name == "base32" || a.Name == "basenc" || a.Name == "xxd" || a.Name == "gzip" { // -d is no value there
		files = func() []string { return a.Operands("w", "s", "l", "c", "o", "g", "seek", "wrap") }
	}
	in, known := a.In.Text, a.In.Known
	switch a.Name {
	case "cat", "tac", "bat", "less", "more", "nl", "head", "tail", "strings", "base64", "base32", "basenc", "xxd", "zcat", "gunzip", "gzip", "rev", "sort":
		list := files()
		if (a.Name == "base64" || a.Name == "xxd") && len(list) > 1 {
			list = list[:1]
		}
		if len(list) > 0 {
			of := r.Shell.FromFiles(list)
			in, known = of.Text, of.Known
			out.Sources = invocation.Merge(out.Sources, of.Sources)
			if out.Remote == "" {
				out.Remote = of.Remote
			}
		}
	case "grep", "rg", "egrep", "ag":
		out.Each = picksEach(a)
		if out.About == "" {
			if words := a.Operands("A", "B", "C", "m", "e"); len(words) > 0 {
				out.About = guard.Brackets.Replace(words[0])
			}
		}
		for _, e := range r.Reading.Effects[a.First:] {
			if e.Verb == effect.Read && e.Command == a.Number && a.Number >= 0 {
				out.Sources = invocation.With(out.Sources, e.Object)
			}
		}
	case "dd", "sed", "awk", "cut", "jq", "openssl", "gpg", "tar", "zip":
		for _, e := range r.Reading.Effects[a.First:] {
			if e.Verb == effect.Read && e.Command == a.Number && a.Number >= 0 {
				out.Sources = invocation.With(out.Sources, e.Object)
			}
		}
	}
	set := func(s string, ok bool) invocation.Flow {
		if !ok || len(s) > invocation.MostKnown {
			out.Hidden = a.Name
			return out
		}
		out.Known, out.Text = true, s
		return out
	}
	switch a.Name {
	case "head", "tail", "cut":
		if known {
			if s, ok := partOf(a, in); ok {
				return set(s, true)
			}
		}
		if a.Name == "cut" {
			return listed(a, out, known)
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
		out.Hidden = a.Name
	case "base64", "basenc", "base32", "uuencode":
		if decodes(a) {
			if known {
				return set(Unbase64(in))
			}
			out.Hidden = a.Name
		}
	case "openssl":
		if slices.Contains(a.Args, "base64") || slices.Contains(a.Args, "-base64") || slices.Contains(a.Args, "-a") {
			if known && a.Has("d") {
				return set(Unbase64(in))
			}
		}
		if a.Has("d") || a.Has("-d") {
			out.Hidden = a.Name
		}
	case "xxd":
		if a.Has("r") {
			if known {
				return set(unhex(in))
			}
			out.Hidden = a.Name
		}
	case "dd":
		if from := follow.Attached(a.Args, "if="); len(from) == 1 {
			of := r.Shell.FromFiles(from)
			in, known = of.Text, of.Known
		}
		if known && !slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "of=") }) {
			return set(in, true)
		}
	case "zcat", "gunzip", "gzip", "bzip2", "xz", "zstd", "gpg":
		if a.Name == "zcat" || a.Name == "gunzip" || decodes(a) {
			out.Hidden = a.Name
		}
	case "tr":
		if known {
			if s, ok := translate(a, in); ok {
				return set(s, true)
			}
		}
		out.Hidden = a.Name
	case "sed":
		if known {
			if s, ok := substitute(a, in); ok {
				return set(s, true)
			}
			out.Hidden = a.Name
		}
	case "jq", "gojq":
		if known {
			return set(picked(a, in))
		}
	case "awk", "gawk", "mawk", "nawk":
		out = listed(a, out, known || slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "%c") }))
	}
	if len(a.In.Roots) > 0 && !out.Known && out.Roots == nil && len(files()) == 0 {
		switch a.Name { // what passes a list on passes on what it is about
		case "cat", "sort", "head", "tail", "tee", "tr":
			out.Roots, out.Hidden = a.In.Roots, a.In.Hidden
		}
	}
	if len(a.In.Roots) > 0 && (a.Name == "sed" || a.Name == "awk" || a.Name == "grep") {
		out.Roots, out.Hidden = a.In.Roots, a.In.Hidden
		if dir, ok := strings.CutSuffix(a.In.Roots[0], "/*"); ok && a.In.By == "ls" && a.Name == "grep" && follow.IsWord(out.About) { // also what is hidden
			out.Roots = append(slices.Clip(out.Roots), dir+"/."+strings.TrimPrefix(out.About, ".")+"*")
		}
	}
	return out
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// Unbase64 decodes as leniently as programs do.
func Unbase64(s string) (string, bool) {
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
func translate(a *invocation.Act, in string) (string, bool) {
	words := a.Operands()
	for _, w := range words {
		if len(w) > mostSet || !a.R.Pay(len(in)) {
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
func decodes(a *invocation.Act) bool {
	return a.Has("d") || a.Has("D") || a.Has("--decode") || a.Has("-decode") || a.Has("r")
}

// classes are the named sets of characters.
var classes = strings.NewReplacer("[:lower:]", "a-z", "[:upper:]", "A-Z", "[:digit:]", "0-9", "[:space:]", " \t\n")

// spell writes the ranges of a set out: a-c is abc.
func spell(set string) string {
	set = follow.Ansi(classes.Replace(set))
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
func substitute(a *invocation.Act, in string) (string, bool) {
	words := a.Operands()
	script := a.Flag("e")
	if script == "" && len(words) > 0 {
		script = words[0]
	}
	return follow.Substituted(a, in, []string{script})
}
