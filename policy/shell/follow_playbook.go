package shell

import (
	"path"
	"strings"
)

// playbooks reads the tasks of playbooks: the commands in them, and what they
// say shall be absent, where that is a directory with much in it.
func (r *reader) playbooks(a *act) {
	for _, p := range a.few(a.Args) {
		if ext := path.Ext(p); ext != ".yml" && ext != ".yaml" {
			continue
		}
		r.followed(a, anyOf(listed), "", p)
		f := r.file(a.path(p))
		if f == nil || !strings.Contains(f.Content, "absent") {
			continue
		}
		for task := range strings.SplitSeq(f.Content, "\n    - ") {
			if !strings.Contains(task, "absent") || !strings.Contains(task, "file:") {
				continue
			}
			for _, key := range [...]string{"path:", "path=", "dest:", "dest="} {
				_, value, ok := strings.Cut(task, key)
				if !ok {
					continue
				}
				if value = strings.TrimLeft(value, ` "'`); value == "" {
					continue
				}
				value = value[:len(value)-len(strings.TrimLeft(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~"))]
				if strings.HasPrefix(value, "/") && strings.Count(value, "/") <= 2 || value == "~" {
					a.deletes(true, value)
				}
			}
		}
	}
}
