package shell

import "strings"

// gitApply reads the patch on its input, or in a file that the conversation
// wrote, and notes the files that it changes.
func gitApply(a *act, l *line) {
	gitUnchecked(a, l)
	if l.has("check", "stat", "numstat", "summary") {
		return
	}
	patches := []string{a.in.text}
	for _, p := range l.operands {
		content, _ := a.file(p)
		patches = append(patches, content)
	}
	patch := strings.Join(patches, "\n")
	dir := l.value("directory")
	if dir != "" && l.has("unsafe-paths") {
		if a.within(dir, ""); strings.Contains(dir, "..") {
			a.within("/", "") // how far up that is nobody knows
		}
	}
	for text := range strings.Lines(patch) {
		p, ok := strings.CutPrefix(text, "+++ ")
		if !ok {
			continue
		}
		p, _, _ = strings.Cut(strings.TrimSpace(p), "\t")
		p = strings.TrimPrefix(p, "b/")
		if dir != "" {
			p = strings.TrimSuffix(dir, "/") + "/" + p
		}
		a.writes(p)
	}
}
