package fileops

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// makeDirectory is how an empty directory is made: nothing in it runs or is read.
const makeDirectory = "mkdir"

// MakesDirectory is mkdir.
func MakesDirectory(a *invocation.Act, in *command.Reading) {
	directories(a, in.Values("path"))
	for _, p := range in.Values("path") {
		follow.ModeOf(a, p, in.Value("mode"), false, true)
	}
	if !in.Has("parents") { // with -p it may have been there
		for _, p := range in.Values("path") {
			makesDirectories(a, p)
		}
	}
}

// RemovesEmpty is rmdir. Of what a wildcard matches it removes only the directories
// in which there is nothing.
func RemovesEmpty(a *invocation.Act, in *command.Reading) {
	for _, p := range in.Values("path") {
		if dir, name := path.Split(p); strings.ContainsAny(dir+name, "*?[") {
			if !a.Guess {
				a.Add(effect.Effect{Verb: effect.Delete, Object: a.Path(dir + follow.SomeOf)})
			}
			continue
		}
		a.DeletesFiles(false, p)
	}
}

// directories notes that empty directories are made.
func directories(a *invocation.Act, paths []string) {
	for _, p := range paths {
		if !invocation.IsNoFile(p) && !invocation.IsOpen(p) {
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(p), How: makeDirectory, Kind: effect.Directory})
		}
	}
}

// makesDirectories notes that a command fails if a directory is there already: behind it, with
// &&, everything in the directory is the text's own.
func makesDirectories(a *invocation.Act, dir string) {
	if dir == "" || invocation.Unknown(dir) || a.Guess || a.Depth > 0 || a.More || a.Remote || len(a.R.Verified) >= MostVerified {
		return
	}
	a.R.Verified = append(a.R.Verified, invocation.Verified{Path: a.Path(dir), Fact: invocation.Begun})
}
