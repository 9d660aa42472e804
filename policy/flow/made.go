package flow

import (
	"slices"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
)

// notes remembers what a call makes files from, beside what is in them: each of several sources, and
// for directories as a whole.
func (f *files) notes(c *call.Call, e *effect.Effect) (more bool) {
	if e.From == "" {
		if e.Content != "" && !e.Guess && !e.Possible && !appends(c, e) || e.Command < 0 && replaces(c, e.Object) {
			f.made.Anew(e.Object)
		}
		return false
	}
	if fetched(c, e.From) {
		return false
	}
	more, ok := f.made.Note(e)
	if !more && !e.Wide && !e.Guess && !e.Possible && !appends(c, e) && (e.How == "cp" || e.How == "mv" || e.How == "redirection") {
		f.made.Anew(e.Object)
		_, ok = f.made.Note(e)
	}
	f.forgot = f.forgot || !ok
	return more
}

// replaces reports whether a tool writes a file as a whole.
func replaces(c *call.Call, path string) bool {
	return slices.ContainsFunc(c.Contents(), func(content call.Content) bool { return content.Whole && content.Path == path })
}

// MadeFrom returns what the conversation made a file from and, with below, what it put below a
// directory, in one step: [invocation.Reader.Origins] follows it further.
func (p *Past) MadeFrom(path string, below bool) []string {
	h := p.history
	h.read()
	h.mu.Lock()
	defer h.mu.Unlock()
	resolved, _ := h.at.Resolve(path)
	var list []string
	for part := p.reading().files; part != nil; part = part.older {
		for _, from := range part.made.From(resolved, below) {
			if !slices.Contains(list, from) {
				list = append(list, from)
			}
		}
	}
	return list
}
