package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// puts remembers a file that is written where shells look for programs: whoever
// calls it needs no path.
func (r *reader) puts(p string) {
	dir, name := path.Split(p)
	if !strings.HasSuffix(dir, "bin/") || !effect.IsAbs(p) && !strings.HasPrefix(p, "~") || r.set.Cwd != "" && strings.HasPrefix(p, r.set.Cwd+"/") {
		return
	}
	if r.onPath == nil {
		r.onPath = map[string]string{}
	}
	r.onPath[name] = p
}

// ahead runs a file that was put where the shell looks for programs of that name,
// or that PATH puts before them.
func (r *reader) ahead(a *act, called string) bool {
	if strings.Contains(called, "/") {
		return false
	}
	if p := r.onPath[called]; p != "" && r.wrote[p] != nil {
		r.runFile(a, p)
		return true
	}
	dirs := a.Env["PATH"]
	if v, ok := r.scope.vars["PATH"]; ok && dirs == "" && len(v.texts) > 0 {
		dirs = v.texts[0].as
	}
	if dirs == "" {
		return false
	}
	n := 0
	for dir := range strings.SplitSeq(dirs, ":") {
		if n++; n > mostReadings {
			break
		}
		if dir == "" || strings.HasPrefix(dir, "$PATH") {
			continue
		}
		if p, _ := a.at.Resolve(dir + "/" + called); r.file(p) != nil {
			r.runFile(a, p)
			return true
		}
	}
	return false
}

// pathDirs are where programs of one's own are put.
var pathDirs = [...]string{"/usr/local/bin/", "~/.local/bin/", "~/bin/"}

// putBefore runs a program that nobody knows and that an earlier call put where
// shells look for programs.
func (r *reader) putBefore(a *act, called string) {
	if a.Remote || strings.ContainsAny(called, "/\\ ") || unknown(called) || !r.hasFiles() {
		return
	}
	for _, dir := range pathDirs {
		if p, _ := a.at.Resolve(dir + called); r.file(p) != nil {
			r.runFile(a, p)
			return
		}
	}
}
