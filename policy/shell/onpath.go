package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Puts remembers a file that is written where shells look for programs: whoever
// calls it needs no path.
func (r *reader) Puts(p string) {
	dir, name := path.Split(p)
	if !strings.HasSuffix(dir, "bin/") || !effect.IsAbs(p) && !strings.HasPrefix(p, "~") || r.Set.Cwd != "" && strings.HasPrefix(p, r.Set.Cwd+"/") {
		return
	}
	if r.OnPath == nil {
		r.OnPath = map[string]string{}
	}
	r.OnPath[name] = p
}

// ahead runs a file that was put where the shell looks for programs of that name,
// or that PATH puts before them.
func (r *reader) ahead(a *invocation.Act, called string) bool {
	if strings.Contains(called, "/") {
		return false
	}
	if p := r.OnPath[called]; p != "" && r.Wrote[p] != nil {
		follow.RunFile(&r.Reader, a, p)
		return true
	}
	dirs := a.Env["PATH"]
	if v, ok := r.Scope.Vars["PATH"]; ok && dirs == "" && len(v.Texts) > 0 {
		dirs = v.Texts[0].As
	}
	if dirs == "" {
		return false
	}
	n := 0
	for dir := range strings.SplitSeq(dirs, ":") {
		if n++; n > follow.MostReadings {
			break
		}
		if dir == "" || strings.HasPrefix(dir, "$PATH") {
			continue
		}
		if p, _ := a.At.Resolve(dir + "/" + called); r.File(p) != nil {
			follow.RunFile(&r.Reader, a, p)
			return true
		}
	}
	return false
}

// pathDirs are where programs of one's own are put.
var pathDirs = [...]string{"/usr/local/bin/", "~/.local/bin/", "~/bin/"}

// putBefore runs a program that nobody knows and that an earlier call put where
// shells look for programs.
func (r *reader) putBefore(a *invocation.Act, called string) {
	if a.Remote || strings.ContainsAny(called, "/\\ ") || invocation.Unknown(called) || !r.HasFiles() {
		return
	}
	for _, dir := range pathDirs {
		if p, _ := a.At.Resolve(dir + called); r.File(p) != nil {
			follow.RunFile(&r.Reader, a, p)
			return
		}
	}
}
