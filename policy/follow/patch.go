package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Patch is a list of differences that is applied to files.
type Patch struct {
	Text string
	// Strip is how many names a path loses in front, -1 for a b/ alone, and Dir what is put
	// before it.
	Strip int
	Dir   string
	// Reverse: what it would take out is put in.
	Reverse bool
}

// patchedFile is what a patch does to one file.
type patchedFile struct {
	before, after string // its names, with what stands before them
	link          bool   // it becomes a link to what is added
	hunks         []patchHunk
}

// patchHunk is a part of a file as it is, and as it will be; added is what is new.
type patchHunk struct{ before, after, added strings.Builder }

// Apply notes the files that a patch changes and what is in them then, and reports whether it
// names any.
func (p *Patch) Apply(a *invocation.Act) bool {
	found := false
	for _, f := range p.files() {
		name := f.after
		switch {
		case name == "":
			continue
		case name == "/dev/null":
			a.DeletesFiles(false, p.path(f.before))
		case f.link:
			if to := strings.TrimSpace(f.added()); to != "" {
				a.Add(effect.Effect{Verb: effect.Link, Object: a.Path(to), From: a.Path(p.path(name))})
			}
			a.WritesFiles(p.path(name))
		default:
			f.write(a, p.path(name))
		}
		found = true
	}
	return found
}

// path is where a file lies that the patch names.
func (p *Patch) path(name string) string {
	rest := name
	for range max(p.Strip, 0) {
		if _, after, ok := strings.Cut(rest, "/"); ok {
			rest = after
		}
	}
	if p.Strip < 0 {
		rest = strings.TrimPrefix(strings.TrimPrefix(name, "b/"), "a/")
	}
	if p.Dir != "" {
		return strings.TrimSuffix(p.Dir, "/") + "/" + rest
	}
	return rest
}

// files reads what a patch does to each file.
func (p *Patch) files() []patchedFile {
	var list []patchedFile
	before, link, inHunk := "", false, false
	for line := range strings.Lines(p.Text) {
		text := strings.TrimRight(line, "\r\n")
		last := len(list) - 1
		switch {
		case strings.HasPrefix(text, "--- "):
			before, inHunk = patchName(text[4:]), false
		case strings.HasPrefix(text, "+++ ") && len(list) < invocation.MostFiles:
			f := patchedFile{before: before, after: patchName(text[4:]), link: link}
			if p.Reverse {
				f.before, f.after = f.after, f.before
			}
			list, before, link, inHunk = append(list, f), "", false, false
		case strings.HasPrefix(text, "diff "):
			link, inHunk = false, false
		case text == "new file mode 120000":
			link = true
		case strings.HasPrefix(text, "@@") && last >= 0:
			list[last].hunks, inHunk = append(list[last].hunks, patchHunk{}), true
		case inHunk && last >= 0 && line != "":
			list[last].hunks[len(list[last].hunks)-1].read(line, p.Reverse)
		}
	}
	return list
}

// patchName is the name of a file in the head of a patch, without the time behind it.
func patchName(text string) string {
	name, _, _ := strings.Cut(text, "\t")
	return strings.Trim(strings.TrimSpace(name), `"`)
}

func (h *patchHunk) read(line string, reverse bool) {
	sign, rest := line[0], line[1:]
	if reverse && (sign == '+' || sign == '-') {
		sign = '+' + '-' - sign
	}
	switch sign {
	case '+':
		h.after.WriteString(rest)
		h.added.WriteString(rest)
	case '-':
		h.before.WriteString(rest)
	case ' ':
		h.before.WriteString(rest)
		h.after.WriteString(rest)
	}
}

// added is what is new in the file.
func (f *patchedFile) added() string {
	var b strings.Builder
	for i := range f.hunks {
		b.WriteString(f.hunks[i].added.String())
	}
	return b.String()
}

// write notes the file with what is known of it behind the patch.
func (f *patchedFile) write(a *invocation.Act, name string) {
	if invocation.IsNoFile(name) {
		return
	}
	before := a.R.File(a.Path(name))
	if f.before == "/dev/null" || before == nil || !before.Known || before.Remote != "" {
		Adds(a, name, f.added(), f.before == "/dev/null")
		return
	}
	content := before.Content
	for i := range f.hunks {
		h := &f.hunks[i]
		old, add := h.before.String(), h.after.String()
		switch {
		case !a.R.Pay(1 + len(content)/16):
			return
		case old != "" && strings.Contains(content, old):
			content = strings.Replace(content, old, add, 1)
		default:
			content = strings.TrimSuffix(content, "\n") + "\n" + h.added.String()
		}
	}
	Adds(a, name, content, true)
}

// Adds notes that a text is put into a file, all of it or beside what is in it.
func Adds(a *invocation.Act, name, text string, whole bool) {
	switch e := (effect.Effect{Verb: effect.Write, Object: a.Path(name)}); {
	case invocation.IsNoFile(name):
	case text == "" || len(text) > invocation.MaxText || invocation.IsDevice(name) || strings.Contains(name, "/**/"):
		a.Put(name, "")
	case whole:
		e.Content = text
		a.Add(e)
	default:
		e.Added = text
		a.Add(e)
	}
}

// Replaces notes that a text takes the place of another in a file, if that is in it: what is in
// the file afterwards is not known.
func Replaces(a *invocation.Act, name, text string) {
	if text == "" || len(text) > invocation.MaxText || invocation.IsNoFile(name) || invocation.IsDevice(name) || strings.Contains(name, "/**/") {
		a.WritesFiles(name)
		return
	}
	a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(name), Added: text, Possible: true})
}

// Added is all that the patch puts into files.
func (p *Patch) Added() string {
	var b strings.Builder
	for _, f := range p.files() {
		b.WriteString(f.added())
	}
	return b.String()
}
