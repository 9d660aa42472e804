package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/project"
)

// playbooks reads the tasks of playbooks: the commands in them, and what they remove
// where that is a directory with much in it.
func (r *reader) playbooks(a *act) {
	for _, p := range a.few(a.Args) {
		if ext := path.Ext(p); ext != ".yml" && ext != ".yaml" {
			continue
		}
		r.followed(a, r.parsing("playbook", playbookSteps), "", p)
	}
}

// playbookSteps are those of a playbook, without what it removes elsewhere: deep in the
// machine, or in a directory with a name that is put in.
func playbookSteps(f project.File) project.Steps {
	s := project.Playbook(f)
	var wide []project.Removal
	for _, removal := range s.Removals {
		p := removal.Path
		p = p[:len(p)-len(strings.TrimLeft(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~"))] // up to what is put in
		if strings.HasPrefix(p, "/") && strings.Count(p, "/") <= 2 || p == "~" {
			wide = append(wide, project.Removal{Path: p, All: true})
		}
	}
	s.Removals = wide
	return s
}
