package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// plain are the words that are no flags.
func plain(words []value) []value {
	var out []value
	for i := range words {
		if t := short(words[i].text); !strings.HasPrefix(t, "/") || len(t) > 12 {
			out = append(out, words[i])
		}
	}
	return out
}

// showsFiles is for programs that print the files that they are given, or what
// comes in.
func showsFiles(r *reader, words []value, in value) value {
	files := plain(words)
	if len(files) == 0 {
		return in
	}
	return r.reads(value{list: files})
}

// findstr prints the lines with a text.
func findstr(r *reader, words []value, in value) value {
	given := slices.ContainsFunc(words, func(w value) bool {
		t := strings.ToLower(w.text)
		return strings.HasPrefix(t, "/c:") || strings.HasPrefix(t, "/g:")
	})
	files := plain(words)
	if !given && len(files) > 0 {
		files = files[1:]
	}
	if len(files) == 0 {
		return in
	}
	return r.reads(value{list: files})
}

// find is the one of Windows, which looks for a text, or the other one.
func find(r *reader, words []value, in value) value {
	if len(words) == 0 || words[0].text == "." || slices.ContainsFunc(words, func(w value) bool { return strings.HasPrefix(w.text, "-") }) {
		return r.other(append([]value{literal("find")}, words...), in)
	}
	files := plain(words)
	if len(files) < 2 {
		return in
	}
	return r.reads(value{list: files[1:]})
}

// msbuild runs what its project says.
func msbuild(r *reader, words []value, in value) value {
	for _, w := range plain(words) {
		r.loads(w.text)
	}
	return r.other(append([]value{literal("msbuild")}, words...), in)
}

// fileTypes is assoc and ftype: what opens the files of a kind.
func fileTypes(r *reader, words []value, _ value) value {
	for i := range words {
		if strings.Contains(words[i].text, "=") {
			r.does(effect.Persist, "file type "+words[i].text)
		}
	}
	return value{}
}

// disarmedByText is for programs that protect less if a text is in their line.
func disarmedByText(what, text string) programVerb {
	return func(r *reader, words []value, _ value) value {
		if l := strings.ToLower(line(words)); strings.Contains(l, text) && strings.Contains(l, "disable-feature") {
			r.does(effect.Disarm, what)
		}
		return value{}
	}
}

// winget installs by the manifest that it is given.
func winget(r *reader, words []value, in value) value {
	for _, flag := range []string{"--manifest", "-m"} {
		if m := after(words, flag); m.text != "" {
			r.loads(m.text)
		}
	}
	return r.other(append([]value{literal("winget")}, words...), in)
}
