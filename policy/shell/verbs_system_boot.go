package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// bootVerbs are the programs that keep what a machine starts from, and what its
// locks are.
var bootVerbs = map[string]verb{
	"efibootmgr": bootEntries, "flashrom": flashes, "bootctl": bootLoader, "update-initramfs": startImages, "kernel-install": startImages, "systemd-cryptenroll": wipesSlots, "tpm2_clear": clearsLocks, "startosinstall": reinstalls, "asr": restoresDisk,
}

func bootEntries(a *act) {
	switch l := a.line(valued("b bootnum t timeout o bootorder d disk l loader L label p part n bootnext")); {
	case l.exact("B", "delete-bootnum", "O", "delete-bootorder"):
		a.erases("boot entry " + l.value("b", "bootnum"))
	case l.exact("c", "create"):
		a.persists("boot entry")
	}
}

// flashes writes the firmware of the machine itself. What hangs on a programmer is
// somebody's work.
func flashes(a *act) {
	l := a.line(valued("p programmer w write r read v verify c chip l layout i image"))
	if chip := l.value("p", "programmer"); (chip == "" || strings.HasPrefix(chip, "internal")) && l.exact("E", "erase", "w", "write") {
		a.erases("firmware")
	}
}

func bootLoader(a *act) {
	if a.Sub == "remove" || a.Sub == "unlink" {
		a.erases("boot loader")
	}
}

// startImages are those that a kernel starts with.
func startImages(a *act) {
	switch {
	case a.Name == "update-initramfs" && a.Has("d") && (a.Has("k") && slices.Contains(a.Args, "all") || !a.Has("k")), a.Name == "kernel-install" && a.Sub == "remove" && slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "uname") }):
		a.erases("images that start the machine")
	}
}

func wipesSlots(a *act) {
	if slots := a.Flag("wipe-slot"); slots == "all" || strings.Contains(slots, "password") {
		a.erases("keys of " + lastOf(a.Args))
	}
}

func clearsLocks(a *act) { a.erases("keys of the machine") }

func reinstalls(a *act) {
	if a.Has("eraseinstall") {
		a.erases("disk of the machine")
	}
}

// restoresDisk is asr restore --source x --target y --erase.
func restoresDisk(a *act) {
	if a.Has("erase") {
		a.erases(wordAfter(a.Args, "--target"))
	}
}

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
	return strings.Contains(a.Text, "timeout ") || strings.Contains(a.Text, "ulimit ") || strings.Contains(a.Text, "&")
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

// wordAfter is the word after another one.
func wordAfter(words []string, name string) string {
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	for _, w := range words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value
		}
	}
	return ""
}
