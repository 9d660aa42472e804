package invocation

import (
	"maps"
	"slices"

	"github.com/sluice-project/sluice/policy/project"
)

// OfProject is what is known of a file for those who read files of projects.
func (f *File) OfProject() project.File { return project.File{Content: f.Content, Whole: f.Known} }

// matched is what is known of the files that a pattern stands for, as far as the
// text itself wrote them: any of them may be meant.
func (r *Reader) matched(pattern string) *File {
	if len(r.Wrote) == 0 || !r.Pay(SearchSteps+fileSteps*len(r.Wrote)) {
		return nil
	}
	var all *File
	meant := NewPattern(pattern)
	for _, name := range slices.Sorted(maps.Keys(r.Wrote)) {
		if !meant.Matches(name) {
			continue
		}
		f := r.Wrote[name]
		if !r.Pay(len(f.Content)) {
			break
		}
		if all == nil {
			all = &File{Known: true}
		}
		all.Content += f.Content + "\n"
		all.Known = all.Known && f.Known
		if f.Remote != "" {
			all.Remote = f.Remote
		}
	}
	return all
}

// ParsedAs is a text of YAML and the way in which it was read.
type ParsedAs struct {
	Way  string
	File project.File
}

// ParsedFile is what was read of it.
type ParsedFile struct {
	Steps    project.Steps
	Services []project.Service
	Host     bool
}
