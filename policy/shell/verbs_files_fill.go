package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// isEndless reports whether what is read there never ends.
func isEndless(p string) bool {
	return p == "/dev/zero" || p == "/dev/urandom" || p == "/dev/random" || p == "/dev/full"
}

// fillVerbs are programs that print without end, beside what else they do.
var fillVerbs = map[string]verb{"yes": fillsDisk, "cat": fillsDisk, "tac": fillsDisk, "mkfile": allocatesAll, "fallocate": allocatesAll}

// fillsDisk notes that output without end is put into a file.
func fillsDisk(a *act) {
	if len(a.Writes) == 0 || a.Name != "yes" && !slices.ContainsFunc(a.Args, isEndless) || a.isTimed() {
		return
	}
	for _, p := range a.Writes {
		if !strings.HasPrefix(p, "/dev/") && !isNoFile(p) && !unknown(p) {
			a.does(effect.Exhaust, "disk of "+p)
			return
		}
	}
}

// isTimed reports whether something ends the command before long.
func (a *act) isTimed() bool {
	return strings.Contains(a.Text, "timeout") || strings.Contains(a.Text, "ulimit") || strings.Contains(a.Text, "&")
}

// allocatesAll notes files of a size that no disk has to spare.
func allocatesAll(a *act) {
	size := a.Flag("l") + a.Flag("length")
	if a.Name == "mkfile" {
		size = a.firstArg()
		for _, arg := range a.Args {
			if !strings.HasPrefix(arg, "-") {
				size = arg
				break
			}
		}
	}
	digits := strings.TrimRight(size, "bBiI")
	unit := strings.TrimLeft(digits, "0123456789")
	n := len(digits) - len(unit)
	switch strings.ToLower(unit) {
	case "t", "p", "e":
	case "g":
		n -= 3 // thousands of them
	case "":
		n -= 12
	default:
		return
	}
	if n > 0 {
		a.does(effect.Exhaust, "disk")
	}
}
