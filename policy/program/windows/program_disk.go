package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func formatDrive(r *reader, words []value, _ value) value {
	for i := range words {
		if t := words[i].text; len(t) >= 2 && t[1] == ':' {
			r.does(effect.Format, r.path(t[:2]))
			return value{}
		}
	}
	return value{}
}

func diskpart(r *reader, words []value, in value) value {
	if hasWord(words, "/s") || Erases(in.text+line(in.list)) {
		r.does(effect.Format, "disk")
	}
	return value{}
}

// Erases reports whether a script for diskpart destroys what is on a disk.
func Erases(script string) bool {
	for l := range strings.Lines(strings.ToLower(script)) {
		for _, word := range []string{"clean", "format", "delete", "convert", "create"} {
			if strings.HasPrefix(strings.TrimSpace(l), word) {
				return true
			}
		}
	}
	return strings.Contains(strings.ToLower(script), "clean")
}

func sdelete(r *reader, words []value, _ value) value {
	for i := range words {
		if t := words[i].text; !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "/") {
			r.deletes(hasWord(words, "-s") || hasWord(words, "-r"), words[i])
		}
	}
	return value{}
}

func robocopy(r *reader, words []value, _ value) value {
	from, to := argument(words, 0), argument(words, 1)
	for i := range words {
		words[i].text = short(words[i].text)
	}
	r.startup(line(words))
	contents := r.reads(from)
	for i := 2; i < len(words); i++ { // the files, if not all
		t := words[i].text
		if t == "" || t[0] == '/' {
			break
		}
		contents.taint(r.reads(literal(strings.TrimRight(from.text, `/\`) + "/" + t)))
	}
	if hasWord(words, "/mir") || hasWord(words, "/purge") {
		r.deletes(true, to)
	}
	if hasWord(words, "/move") || hasWord(words, "/mov") {
		r.deletes(true, from)
	}
	r.writes(to, contents)
	return value{}
}

func xcopy(r *reader, words []value, _ value) value {
	var plain []value
	for i := range words {
		if !strings.HasPrefix(words[i].text, "/") {
			plain = append(plain, words[i])
		}
	}
	r.startup(line(words))
	r.writes(argument(plain, 1), r.reads(argument(plain, 0)))
	return value{}
}
