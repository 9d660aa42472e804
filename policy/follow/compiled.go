package follow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
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
func compiles(a *invocation.Act) {
	for _, source := range Few(a, a.Operands("o", "I", "L", "l", "D", "out", "crate-type", "edition")) {
		if !isCompiled(source) || a.R.File(a.Path(source)) == nil {
			continue
		}
		to := a.Flag("o")
		if to == "" {
			to = strings.Join(append(After(a, "-o", "--out"), Attached(a.Args, "-o", "--out:", "-femit-bin=", "--out=")...), "")
		}
		if to == "" {
			to = strings.TrimSuffix(path.Base(source), path.Ext(source))
			if a.Is("cc", "c++", "tcc", "gcc", "g++", "clang", "clang++") {
				to = "a.out"
			}
		}
		a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(to), From: a.Path(source)})
		return
	}
}

// buildsGo is compiles for Go, which makes a program of a directory.
func buildsGo(a *invocation.Act) {
	to := a.Flag("o")
	if a.Sub != "build" || to == "" {
		return
	}
	for _, p := range Few(a, append(a.Operands("o", "ldflags", "tags", "gcflags", "p", "mod"), ".")) {
		if path.Ext(p) != ".go" {
			p = path.Join(p, "main.go")
		}
		if a.R.File(a.Path(p)) != nil {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(to), From: a.Path(p)})
			return
		}
	}
}

// zipsApp notes the program that python -m zipapp makes of a directory.
func zipsApp(a *invocation.Act, args []string) {
	c := invocation.Command{Args: args}
	words := c.Operands("o", "output", "p", "python", "m", "main")
	if len(words) == 0 {
		return
	}
	to := c.Flag("o") + c.Flag("output")
	if to == "" {
		to = strings.TrimSuffix(words[0], "/") + ".pyz"
	}
	a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(to), From: a.Path(path.Join(words[0], "__main__.py"))})
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
		case seen && len(words) < MostReadings:
			words = append(words, word)
		case invocation.BaseName(word) == runner:
			seen = true
		}
	}
	return words
}
