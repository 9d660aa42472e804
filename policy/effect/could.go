package effect

import (
	"slices"
	"strings"
)

// Could reports whether an effect on a path that touches none of the paths could do
// so for all that is known: a part of the path is not known, a wildcard in it may
// match one of them, or it is a directory and a pattern that may be anywhere is
// looked for, so that it can be inside. It is about what the text leaves open, not
// about what else may be the case on the disk: that a name is a link, say.
func (p *Paths) Could(path string, wide bool, at Place) bool {
	if path == "" || len(path) > MaxPlace {
		return path != ""
	}
	expands := Expands(path)
	if !expands && !wide && !isWild(path) {
		return false
	}
	var o object
	o.set(path, at)
	if !expands && (p.leavesOut(&o, wide, at) || p.isWork(&o, at)) {
		return false
	}
	elements := possible(o.elements(), o.begin)
	for _, pattern := range p.in.all {
		if pattern.could(elements, o.begin, wide, at) {
			return true
		}
	}
	return p.kept != nil && p.kept.Could(path, wide, at)
}

// MayBe reports whether a path with wildcards or parts that are not known may be one that
// the patterns match: of ~/.s*/id and ~/.ssh/**, it may.
func (p *Paths) MayBe(path string, at Place) bool {
	if len(path) > MaxPlace {
		return true
	}
	if !isWild(path) && !Expands(path) {
		return false
	}
	var o object
	o.set(path, at)
	elements := possible(o.elements(), o.begin)
	return slices.ContainsFunc(p.in.all, func(pattern *pattern) bool { return pattern.could(elements, o.begin, false, at) })
}

// possible are the elements of a path in which what is not known is a wildcard. It
// may contain slashes: of "a$X" all that is known is that it begins with a.
func possible(path []string, at begin) []string {
	list := make([]string, 0, len(path)+2)
	for i, element := range path {
		cut := strings.IndexAny(element, "$`")
		if cut < 0 && (i > 0 || at != elsewhere) {
			list = append(list, element)
			continue
		}
		if cut > 0 {
			list = append(list, element[:cut]+"*")
		}
		list = append(list, "**")
	}
	return list
}

// could reports whether the pattern can match a path, or be inside it if it is wide.
func (p *pattern) could(path []string, begins begin, wide bool, at Place) bool {
	inside := path
	if wide {
		inside = slices.Concat(path, []string{"**"})
	}
	meets := func(elements []element) bool {
		steps := mostSteps
		return meeting(inside, elements, false, (*element).alike, &steps)
	}
	switch {
	case p.begin == anywhere, begins == elsewhere, p.begin == begins:
		return meets(p.elements)
	case p.begin == atHome && begins == atRoot:
		if at.Home != "" && meets(in(split(nil, at.Home), p.elements)) {
			return true
		}
		for _, home := range homeDirs {
			if steps := mostSteps; meetingIn(inside, home, p.elements, false, (*element).alike, &steps) {
				return true
			}
		}
		return false
	case p.begin == atWork && begins == atRoot && IsAbs(at.Cwd):
		return meets(in(split(nil, at.Cwd), p.elements))
	case p.begin == atRoot && begins == atHome && at.Home != "":
		inside = append(split(nil, at.Home), inside...)
		return meets(p.elements)
	default:
		return false
	}
}

// known is a path up to what is not known of it: its last directory that is.
func known(path string) (dir string, ok bool) {
	cut := strings.IndexAny(path, "$`{")
	if cut < 0 {
		return path, true
	}
	cut = strings.LastIndexByte(path[:cut], '/')
	return path[:max(cut, 0)], cut > 0
}
