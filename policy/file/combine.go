package file

import (
	"fmt"
	"slices"
	"strings"
)

// NothingJudged is how a warning ends if no policies are loaded at all.
const NothingJudged = "nothing is judged"

const (
	// DefaultPreset is in force wherever policies are loaded, unless it is left
	// out explicitly: a file of your own adds to it.
	DefaultPreset = "recommended"
	// NoPreset leaves DefaultPreset out: `preset: none` in a file, or the path
	// preset:none.
	NoPreset = "none"
)

// combine makes one list of policies from all sources. It is the one place that
// decides which presets are in force, so that every host does the same:
// DefaultPreset, unless a source names it or a preset that includes its policies, or
// says NoPreset. Files that name the same preset tune it together.
func (l *loader) combine(loaded *Loaded) {
	refs := l.references()
	none, rest := split(refs, func(r *reference) bool { return r.name == NoPreset })
	basis, _ := split(rest, func(r *reference) bool { return l.library.has(r.name, DefaultPreset, nil) })
	for _, ref := range none {
		switch {
		case !ref.plain():
			ref.fail(ref.where, "", "preset: none means no policies, so there is nothing to set", "write nothing but `preset: none`")
		case len(basis) > 0:
			ref.fail(ref.where, "", "the preset "+DefaultPreset+" is left out here, but "+basis[0].place()+" names the preset "+basis[0].name, "remove one of the two")
		}
		if loaded.LeftOut == "" {
			loaded.LeftOut = ref.place()
		}
	}
	for _, ref := range rest {
		off := ref.disabledBy()
		switch {
		case off == nil:
		case !slices.Contains(basis, ref):
			off.warn(off.where, "", "the preset "+off.name+" is disabled, so none of its policies is in force", "use mode: shadow to observe it, or except for single policies")
		case loaded.LeftOut == "": // which is said wherever policies are loaded
			loaded.LeftOut, loaded.disabled = off.place(), true
		}
	}
	if len(none) == 0 && len(basis) == 0 && !l.alone && l.library.open(DefaultPreset) != nil {
		d := l.library.named(DefaultPreset)
		d.entries[0].preset.implied = true
		// A file that adds to the preset counts as naming it, too.
		d.short = slices.ContainsFunc(l.documents, func(own *document) bool { return own.short })
		l.documents = slices.Insert(l.documents, 0, d)
	}
	if len(l.documents) == 0 && len(l.report.problems) == 0 {
		l.report.add(Problem{File: "policies", Message: "no file is named", Suggestion: "name a file, or preset:NAME"})
	}
	for _, d := range l.documents {
		l.uses = append(l.uses, l.library.uses(d, level{})...)
		loaded.name(d)
	}
}

// references are the presets that sources name, each preset once: settings in a later
// source are merged into the first. Naming one twice in one file is a mistake, which
// is reported where it is expanded.
func (l *loader) references() []*reference {
	var list []*reference
	for _, d := range l.documents {
		kept := d.entries[:0:0]
		for _, e := range d.entries {
			if e.preset != nil {
				i := slices.IndexFunc(list, func(r *reference) bool {
					return r.name == e.preset.name && r.source != d.source && r.name != NoPreset
				})
				if i >= 0 {
					list[i].again = append(list[i].again, e.preset)
					continue
				}
				list = append(list, e.preset)
			}
			kept = append(kept, e)
		}
		d.entries = kept
	}
	return list
}

func split(list []*reference, first func(*reference) bool) (yes, no []*reference) {
	for _, r := range list {
		if first(r) {
			yes = append(yes, r)
		} else {
			no = append(no, r)
		}
	}
	return yes, no
}

// named is a document for a preset named by a path.
func (l *library) named(name string) *document {
	s := &source{name: presetPrefix + name, report: l.report}
	return &document{source: s, entries: []entry{{preset: &reference{source: s, name: name, where: place{1, 1}}}}}
}

// has reports whether a preset is another, or includes it.
func (l *library) has(name, wanted string, open []string) bool {
	switch d := l.open(name); {
	case name == NoPreset || d == nil || slices.Contains(open, name):
		return false
	case name == wanted:
		return true
	default:
		return slices.ContainsFunc(d.entries, func(e entry) bool {
			return e.preset != nil && l.has(e.preset.name, wanted, append(open, name))
		})
	}
}

// name adds a source to those in force.
func (l *Loaded) name(d *document) {
	add := func(source string) {
		if !slices.Contains(l.Sources, source) {
			l.Sources = append(l.Sources, source)
		}
	}
	for _, e := range d.entries {
		if e.preset != nil && e.preset.name != "" && e.preset.name != NoPreset && e.preset.disabledBy() == nil {
			add(presetPrefix + e.preset.name)
		}
	}
	if !strings.HasPrefix(d.name, presetPrefix) {
		add(d.name)
	}
}

// disabledBy is the reference that switches a preset off: this one, or one in a later
// file. It is nil if none does.
func (ref *reference) disabledBy() *reference {
	if ref.mode == disabled {
		return ref
	}
	for _, r := range ref.again {
		if r.mode == disabled {
			return r
		}
	}
	return nil
}

// leftOut says that the preset is left out, and what remains.
func (l *Loaded) leftOut() string {
	text := "the preset " + DefaultPreset + " is left out (preset: none), and "
	if l.disabled {
		text = "the preset " + DefaultPreset + " is disabled (mode: disabled), and "
	}
	n := 0
	for i := range l.Policies {
		if l.Policies[i].Mode != disabled.String() {
			n++
		}
	}
	switch n {
	case 0:
		return text + "there are no other policies: " + NothingJudged
	case 1:
		return text + "only 1 other policy is loaded"
	default:
		return fmt.Sprintf("%sonly %d other policies are loaded", text, n)
	}
}

// Note is the note of the set with the location that it refers to, empty if
// there is none.
func (l *Loaded) Note() string {
	if l.LeftOut == "" {
		return l.Set.Note()
	}
	return l.LeftOut + ": " + l.Set.Note()
}

// renaming says what to do about a policy that has the same name.
func (u *use) renaming() string {
	if u.preset == "" {
		return "give it a name of its own"
	}
	return "give it a name of its own; to change the preset's, write `preset: " + u.preset + "` with params or except"
}
