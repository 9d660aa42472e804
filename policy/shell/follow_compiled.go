package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isCompiled reports whether a program is made of a file by a compiler.
func isCompiled(source string) bool {
	switch path.Ext(source) {
	case ".c", ".cc", ".cpp", ".cxx", ".m", ".rs", ".go", ".zig", ".swift", ".nim", ".hs", ".d", ".cr", ".ml", ".f90", ".pas", ".v", ".kt":
		return true
	}
	return false
}

// compiles notes the program that a compiler makes of files of the conversation:
// whoever runs that runs what stands in them.
func (a *act) compiles() {
	for _, source := range a.few(a.Operands("o", "I", "L", "l", "D", "out", "crate-type", "edition")) {
		if !isCompiled(source) || a.r.file(a.path(source)) == nil {
			continue
		}
		to := a.Flag("o")
		if to == "" {
			to = strings.Join(append(a.after("-o", "--out"), attached(a.Args, "-o", "--out:", "-femit-bin=", "--out=")...), "")
		}
		if to == "" {
			to = strings.TrimSuffix(path.Base(source), path.Ext(source))
			if a.Is("cc", "c++", "tcc", "gcc", "g++", "clang", "clang++") {
				to = "a.out"
			}
		}
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: a.path(source)})
		return
	}
}

// buildsGo is compiles for Go, which makes a program of a directory.
func (a *act) buildsGo() {
	to := a.Flag("o")
	if a.Sub != "build" || to == "" {
		return
	}
	for _, p := range a.few(append(a.Operands("o", "ldflags", "tags", "gcflags", "p", "mod"), ".")) {
		if path.Ext(p) != ".go" {
			p = path.Join(p, "main.go")
		}
		if a.r.file(a.path(p)) != nil {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: a.path(p)})
			return
		}
	}
}

// madeByRule reads what make makes without being told how: x of x.c.
func (r *reader) madeByRule(a *act, dir string) {
	for _, goal := range a.few(a.Operands("C", "f", "I", "o", "W", "l", "directory", "file", "makefile")) {
		if !isWord(goal) {
			continue
		}
		for _, ending := range [...]string{".c", ".cc", ".cpp"} {
			if p := path.Join(dir, goal) + ending; r.file(a.path(p)) != nil {
				a.argv([]string{"cc", "-o", path.Join(dir, goal), p})
			}
		}
	}
}

// zipsApp notes the program that python -m zipapp makes of a directory.
func (a *act) zipsApp(args []string) {
	c := Command{Args: args}
	words := c.Operands("o", "output", "p", "python", "m", "main")
	if len(words) == 0 {
		return
	}
	to := c.Flag("o") + c.Flag("output")
	if to == "" {
		to = strings.TrimSuffix(words[0], "/") + ".pyz"
	}
	a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: a.path(path.Join(words[0], "__main__.py"))})
}

// startedBy are the program that a script begins with and the words that it is
// given before the script's name.
func startedBy(content, runner string) []string {
	first, _, _ := strings.Cut(content, "\n")
	words := []string{runner}
	rest, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return words
	}
	seen := false
	for word := range strings.FieldsSeq(rest) {
		switch {
		case seen && len(words) < mostReadings:
			words = append(words, word)
		case baseName(word) == runner:
			seen = true
		}
	}
	return words
}
