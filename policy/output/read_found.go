package output

import (
	"strings"

	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// someHome is the home of somebody, below which something was found.
const someHome = "/home/" + invocation.InSome + "/"

// located stands for the paths that locate finds, anywhere on the machine: those
// with one of its texts in them, in the places where people keep what matters.
func located(a *invocation.Act) []string {
	words := a.Operands("d", "database", "l", "limit", "n", "r", "regexp", "onlyin", "name")
	words = append(words, a.Flag("r")+a.Flag("regexp")+a.Flag("name"))
	var roots []string
	for _, w := range follow.Few(a, words) {
		w = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(w, "$"), "^"), `\`, "")
		if w = strings.TrimPrefix(strings.Trim(w, "*"), "/"); w != "" && len(roots) < MostRoots {
			roots = append(roots, someHome+w, "/etc/"+w)
			if invocation.MayBeKey(w) {
				roots = append(roots, someHome+".ssh/"+w)
			}
			if invocation.IsKeyFile(w) {
				roots = append(roots, someHome+w+"*", someHome+".ssh/"+w+"*")
			}
		}
	}
	return roots
}

// patternName is the wildcard that is equivalent to a regular expression for names: id_*
// for ^id_.
func patternName(expression string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(expression, "^"), "$"), `\.`, ".")
	if strings.HasPrefix(expression, "^") && !strings.HasSuffix(expression, "$") {
		name += "*"
	}
	return name
}

// pathName is the part of a path that find -path or -regex asks for.
func pathName(pattern string) string {
	pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, ".*", "*"), `\.`, ".")
	return strings.TrimRight(strings.TrimLeft(strings.TrimPrefix(pattern, "./"), "*/"), "*/")
}
