package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Chmod says who may use a file. The mode is the content of the effect.
func Chmod(a *invocation.Act, in *command.Reading) {
	modes := in.Values("mode")
	for _, reference := range in.Values("reference") {
		if isSetID(reference) {
			reference = "u+s"
		}
		modes = append(modes, reference)
	}
	var taken []byte // -x is a mode
	for _, option := range in.Options() {
		if len(option) == 1 && strings.IndexByte("rwxXstugoa", option[0]) >= 0 {
			taken = append(taken, option[0])
		}
	}
	if len(taken) > 0 {
		modes = append(modes, "-"+string(taken))
	}
	for _, p := range in.Values("path") {
		for _, mode := range modes {
			follow.ModeOf(a, p, mode, in.Has("recursive"), !in.Has("recursive") && isDirectories(a, p))
		}
	}
}

// isDirectories reports whether a path is that of a directory, as it is written, or
// stands for directories alone: each search of the text is for these.
func isDirectories(a *invocation.Act, p string) bool {
	if !strings.Contains(p, "**") {
		return strings.HasSuffix(p, "/")
	}
	searched := false
	for i := range a.R.Reading.Commands {
		c := &a.R.Reading.Commands[i]
		if c.Name != "find" {
			continue
		}
		if at := slices.Index(c.Args, "-type"); at < 0 || at+1 == len(c.Args) || c.Args[at+1] != "d" || slices.Contains(c.Args, "-o") {
			return false
		}
		searched = true
	}
	return searched
}

// Chattr gives files attributes and takes them away: +i, -i.
func Chattr(a *invocation.Act, in *command.Reading) {
	var how strings.Builder
	for _, added := range in.Values("attribute") {
		how.WriteString("+" + added)
	}
	for _, option := range in.Options() {
		if len(option) == 1 && strings.IndexByte("RVf+", option[0]) < 0 {
			how.WriteString("-" + option)
		}
	}
	a.Attributes(how.String(), in.Has("R"), in.Values("path"))
}

// isSetID reports whether a program of the machine runs as its owner, whoever
// calls it.
func isSetID(p string) bool {
	return command.Builtin().In("setuid-programs", invocation.BaseName(p)) && (strings.Contains(p, "/") || p == "sudo")
}

// Owned notes that files of the machine become somebody else's.
func Owned(a *invocation.Act, in *command.Reading) {
	for _, owner := range append(in.Values("owner"), in.Values("reference")...) {
		guard.Takes(a, owner, in.Values("path"))
	}
}
