package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// maxDirs is how many directories that were fetched are remembered.
const maxDirs = 100

// fetchedDir notes that a directory was fetched as a whole.
func (f *files) fetchedDir(dir string) {
	if len(f.dirs) < maxDirs && !slices.Contains(f.dirs, dir) {
		f.dirs = append(f.dirs, dir)
	}
}

// clones notes the repositories that a call fetches.
func (f *files) clones(c *call.Call, at effect.Place) {
	for i := range c.Commands {
		cmd := &c.Commands[i]
		dir := cloned(cmd)
		if dir == "" {
			continue
		}
		if c.Cwd != "" {
			at.Cwd = c.Cwd
		}
		if cmd.Dir != "" && !effect.IsAbs(dir) {
			dir = cmd.Dir + "/" + dir
		}
		resolved, _ := at.Resolve(dir)
		f.forget(resolved)
		f.fetchedDir(resolved)
		f.unpacked(resolved, "", "git://"+dir)
	}
}

// archive is something that was fetched and unpacked.
type archive struct {
	// dir is where, name how the archive is called, empty if all of the directory
	// is from it; from is its address.
	dir, name, from string
}

// unpacked notes that a directory holds what was fetched, besides what else is in
// it.
func (f *files) unpacked(dir, name, from string) {
	if len(f.archives) < maxDirs {
		f.archives = append(f.archives, archive{dir, path.Base(name), from})
	}
}

// script is a script in something that was fetched as a whole, nil for others and
// if the conversation wrote it itself. Only those that set something up count:
// nobody looks at them before they run.
func (f *files) script(p string) *invocation.File {
	name := path.Base(p)
	if !strings.HasSuffix(name, ".sh") && !strings.HasPrefix(name, "install") && !strings.HasPrefix(name, "setup") || strings.HasSuffix(name, ".py") {
		return nil
	}
	for part := f; part != nil; part = part.older {
		for i := range part.archives {
			a := &part.archives[i]
			below, ok := strings.CutPrefix(p, strings.TrimSuffix(a.dir, "/")+"/")
			if a.dir == "." || a.dir == "" {
				below, ok = p, !strings.HasPrefix(p, "/")
			}
			if !ok {
				continue
			}
			// Where others lie beside it, a directory with its name is meant.
			if first, _, in := strings.Cut(below, "/"); a.name != "." && (!in || len(first) < 2 || !strings.HasPrefix(a.name, first)) {
				continue
			}
			return &invocation.File{Remote: a.from}
		}
	}
	return nil
}

// cloned is the directory into which a command fetches a repository, empty if it
// does not.
func cloned(c *invocation.Command) string {
	if !c.Is("git", "gh", "glab") || c.Remote {
		return ""
	}
	words := c.Operands("b", "branch", "depth", "o", "origin", "c", "config", "u", "upload-pack", "C", "reference", "j", "jobs", "filter", "template")
	switch {
	case c.Name == "git" && c.Sub == "clone":
	case (c.Name == "gh" || c.Name == "glab") && c.Sub == "repo" && len(words) > 1 && words[1] == "clone":
		words = words[1:]
	default:
		return ""
	}
	switch {
	case len(words) < 2:
		return ""
	case len(words) > 2 && !strings.HasPrefix(words[2], "-"):
		return words[2]
	}
	name := strings.TrimSuffix(strings.TrimRight(words[1], "/"), ".git")
	return name[strings.LastIndexAny(name, "/:")+1:]
}

// fetched reports whether something comes from the network.
func fetched(c *call.Call, from string) bool {
	if from == "" || strings.Contains(from, "://") {
		return from != ""
	}
	return slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Verb == effect.Fetch && e.Object == from })
}

// origin reports whether the conversation wrote a file, and whether what is in
// it was fetched.
func (f *files) origin(p string) (fetched, known bool) {
	for part := f; part != nil; part = part.older {
		if own := part.of[p]; own != nil {
			return own.Remote != "" || own.Shown != "", !own.gone
		}
		for _, dir := range part.dirs {
			if within(p, dir) {
				return true, true
			}
		}
	}
	return false, false
}
