package effect

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// Paths is a set of paths, written as patterns:
//
//	/etc/**         /etc and everything in it; so does /etc/
//	/home/*         an element of /home
//	~/.ssh/**       in the client's home
//	.               the client's working directory
//	**/.git         anywhere
//	**              everything
//	?:/Windows/**   on any drive
//	!**/*.pub       but not this one
//	!./**           but not what is in the project, if the working directory is one
//	!!/srv/key      this one, whatever else is taken out
//
// * and ? match within an element of a path, ** as a whole element matches any
// number of them.
type Paths struct {
	in, out patterns
	// work are the exclusions in the working directory.
	work []*pattern
	// kept are the patterns that no exclusion applies to, nil if there are none.
	kept *Paths
	// steps is the cost of looking up a path without wildcards.
	steps int
}

// pattern is one pattern of a set, split into elements.
type pattern struct {
	elements []element
	begin    begin
}

func newPattern(text string) *pattern {
	if dir, ok := strings.CutSuffix(text, "/"); ok && dir != "" && dir != "~" && dir != "." && !strings.HasSuffix(dir, ":") {
		text += "**" // it is no root
	}
	if text == "**" {
		text = "**/**"
	}
	elements, begin := elementsOf(nil, text)
	return &pattern{elements: newElements(elements), begin: begin}
}

// begin says where a path starts.
type begin uint8

const (
	atRoot begin = iota
	atHome
	atWork
	anywhere
	elsewhere // at a variable
)

// NewPaths returns a set of paths.
func NewPaths(list []string) *Paths {
	p := &Paths{}
	var kept []string
	for _, text := range list {
		switch but, ok := strings.CutPrefix(text, "!"); {
		case !ok:
			p.in.add(text)
		case strings.HasPrefix(but, "!"):
			kept = append(kept, strings.TrimLeft(but, "!"))
		case strings.HasPrefix(but, "./"):
			p.work = append(p.work, newPattern(but))
		default:
			p.out.add(but)
		}
	}
	p.steps = 64 + 8*(p.in.unsorted()+p.out.unsorted())
	if len(kept) > 0 {
		p.kept = NewPaths(kept)
		p.steps += p.kept.steps
	}
	return p
}

// patterns are indexed by where they start and by their first element, so that
// only a few are compared with most paths.
type patterns struct {
	all []*pattern
	// byFirst are those whose first element has no wildcard, by their start;
	// those that may be anywhere are indexed by the element after **. firsts is
	// a Bloom filter of these elements.
	byFirst [elsewhere + 1]map[string][]*pattern
	firsts  bloom.Filter
	// names are the last elements of patterns that are just a name with wildcards
	// and may be anywhere, and ends the prefilter for them; others are the rest.
	names  []element
	ends   ends
	others []*pattern
}

func (ps *patterns) add(text string) {
	p := newPattern(text)
	ps.all = append(ps.all, p)
	first := p.elements
	if p.begin == anywhere {
		first = first[1:]
	}
	switch {
	case p.begin == anywhere && len(first) == 1 && isWild(first[0].text):
		ps.names = append(ps.names, first[0])
		ps.ends.add(&first[0])
	case len(first) == 0 || isWild(first[0].text) || p.begin == atWork || strings.Contains(first[0].text, ":"):
		ps.others = append(ps.others, p)
	default:
		if ps.byFirst[p.begin] == nil {
			ps.byFirst[p.begin] = map[string][]*pattern{}
		}
		ps.byFirst[p.begin][first[0].text] = append(ps.byFirst[p.begin][first[0].text], p)
		ps.firsts.Add(first[0].text)
	}
}

// unsorted is how many patterns are compared with every path.
func (ps *patterns) unsorted() int { return len(ps.names) + len(ps.others) }

// meet reports whether one of the patterns meets a path.
func (ps *patterns) meet(o *object, wide bool, at Place) bool {
	elements := o.elements()
	if o.wild || o.begin == atRoot && len(elements) < 2 { // it can be, or contain, anything
		return anyMeets(ps.all, o, wide, at)
	}
	if len(elements) > 0 {
		last := elements[len(elements)-1]
		for i := 0; i < len(ps.names) && ps.ends.may(last); i++ {
			if ps.names[i].is(last) {
				return true
			}
		}
	}
	if anyMeets(ps.others, o, wide, at) {
		return true
	}
	for i, element := range elements {
		if !ps.firsts.May(o.hash(i)) {
			continue
		}
		if anyMeets(ps.byFirst[anywhere][element], o, wide, at) ||
			i == 0 && anyMeets(ps.byFirst[o.begin][element], o, wide, at) ||
			o.inHome && i == o.home && anyMeets(ps.byFirst[atHome][element], o, wide, at) {
			return true
		}
	}
	return o.inHome && o.home == len(elements) && wide && len(ps.byFirst[atHome]) > 0 // the home itself
}

func anyMeets(list []*pattern, o *object, wide bool, at Place) bool {
	for _, p := range list {
		if p.meets(o, wide, at) {
			return true
		}
	}
	return false
}

// Steps is the cost of looking up a path, in units of about one comparison of two
// names: most patterns begin with a name, and are skipped for a path that begins
// with another one, but a path with wildcards can match any of them.
func (p *Paths) Steps(path string) int {
	if isWild(path) {
		n := len(p.in.all) + len(p.out.all)
		if p.kept != nil {
			n += len(p.kept.in.all)
		}
		return 2 * n
	}
	return p.steps
}

// Path is a path that is looked up in sets of paths. It is parsed once for all
// of them.
type Path struct {
	text string
	at   Place
	// as is the path as written and, if different, in lower case.
	as  [2]object
	all int
}

// Set sets it to a path at a place, unless it already is.
func (p *Path) Set(text string, at Place) {
	if p.all > 0 && p.text == text && p.at == at {
		return
	}
	p.text, p.at, p.all = text, at, 1
	p.as[0].set(text, at)
	if lower, changed := small(text); changed {
		p.as[1].set(lower, at)
		p.all = 2
	}
}

// Touched reports whether an effect on a path could touch one of the paths of the
// set. The path may be a pattern itself: rm /e* touches /etc. If the effect is
// wide, a directory that contains a path touches it too. Upper-case letters are
// also tried in lower case, as on case-insensitive disks: .CLAUDE/Settings.json
// is .claude/settings.json there. What an exclusion leaves out as it is written,
// it leaves out: !**/README.md is about README.md, not about readme.md.
func (p *Paths) Touched(by *Path, wide bool) bool {
	written := &by.as[0]
	if p.touches(written, wide, by.at) {
		return true
	}
	if by.all == 1 || !p.touches(&by.as[1], wide, by.at) {
		return false
	}
	return !p.leavesOut(written, wide, by.at) && !p.isWork(written, by.at) || p.kept != nil && p.kept.touches(&by.as[1], wide, by.at)
}

// Touches is Touched for the object of an effect.
func (p *Paths) Touches(e *Effect, at Place) bool {
	var path Path
	path.Set(e.Object, at)
	return p.Touched(&path, e.Wide)
}

// Within reports whether one of the paths is the object of an effect or inside it,
// whether or not the effect is wide: renaming or replacing a directory takes its
// contents with it.
func (p *Paths) Within(e *Effect, at Place) bool {
	var path Path
	path.Set(e.Object, at)
	return p.Touched(&path, true)
}

// Carries reports whether an effect takes its contents from one of the paths.
func (p *Paths) Carries(e *Effect, at Place) bool {
	var path Path
	path.Set(e.From, at)
	return e.From != "" && p.Touched(&path, e.FromWide(at))
}

// FromWide reports whether an effect concerns everything in the place it comes
// from. What git discards in a directory it discards in all of it. For the project
// as a whole that does not count: going back to the last commit is not aimed at
// individual files.
func (e *Effect) FromWide(at Place) bool {
	return e.Wide || e.Verb == Discard && e.From != at.Cwd && !strings.HasPrefix(at.Cwd, strings.TrimSuffix(e.From, "/")+"/")
}

// Has reports whether a path is in the set.
func (p *Paths) Has(path string, at Place) bool {
	return p.Touches(&Effect{Object: path}, at)
}

// small is a path in lower case. The directory with the homes on macOS is not
// worth a second lookup.
func small(path string) (lower string, changed bool) {
	from := 0
	if strings.HasPrefix(path, "/Users/") {
		from = len("/Users/")
	}
	for i := from; i < len(path); i++ {
		if 'A' <= path[i] && path[i] <= 'Z' {
			return path[:from] + strings.ToLower(path[from:]), true
		}
	}
	return path, false
}

func (p *Paths) touches(o *object, wide bool, at Place) bool {
	if p.kept != nil && p.kept.touches(o, wide, at) {
		return true
	}
	if p.in.meet(o, wide, at) { // most paths are in no set, so exclusions are checked afterwards
		return !p.leavesOut(o, wide, at) && !p.isWork(o, at)
	}
	// What deletes everything in a directory touches the directory.
	if o.wild && o.n > 0 && everything(o.elements()[o.n-1]) && !p.leavesOut(o, wide, at) {
		dir := *o
		dir.n--
		dir.names = nil
		dir.wild = slices.ContainsFunc(dir.elements(), isWild)
		dir.home, dir.inHome = locate(dir.elements(), dir.begin, at)
		return p.in.meet(&dir, true, at) && !p.isWork(&dir, at)
	}
	return false
}

// isWork reports whether a path was excluded as part of the project.
func (p *Paths) isWork(o *object, at Place) bool {
	for _, out := range p.work {
		if out.within(o, at) {
			return true
		}
	}
	return false
}

// leavesOut reports whether a path is excluded from the set.
func (p *Paths) leavesOut(o *object, wide bool, at Place) bool {
	if slices.ContainsFunc(p.out.all, (*pattern).isAll) {
		return true
	}
	if !wide && !o.wild {
		return p.out.meet(o, false, at)
	}
	elements := o.elements()
	for _, out := range p.out.all {
		if !o.wild && out.isOne() && out.meets(o, false, at) || (!wide || o.n > 0 && isWild(elements[o.n-1])) && out.ends(elements) || out.surrounds(elements) && out.meets(o, false, at) || out.encloses(elements) {
			return true
		}
	}
	return false
}

// isOne reports whether a pattern names one directory, which is then excluded with
// all that is in it.
func (p *pattern) isOne() bool {
	return p.begin != anywhere && p.begin != atWork && !slices.ContainsFunc(p.elements, func(e element) bool { return e.kind != plain })
}

// isAll reports whether a pattern matches everything.
func (p *pattern) isAll() bool { return p.begin == anywhere && len(p.elements) == 1 }

// ends reports whether a pattern matches all files with a suffix, and a path can
// be nothing else: *.pub.
func (p *pattern) ends(object []string) bool {
	n := len(p.elements)
	if p.begin != anywhere || n != 2 || len(object) == 0 {
		return false
	}
	ending, ok := strings.CutPrefix(p.elements[1].text, "*")
	return ok && ending != "" && !isWild(ending) && strings.HasSuffix(object[len(object)-1], ending)
}

// surrounds reports whether a pattern is a directory with everything in it, and a
// path can only be inside it: wide paths and wildcards stay inside.
func (p *pattern) surrounds(object []string) bool {
	n := len(p.elements) - 1
	return n >= 0 && p.elements[n].kind == anyElements && p.begin != anywhere && len(object) > n && !slices.ContainsFunc(object[:n], isWild)
}

// encloses is surrounds for a directory that may be anywhere: **/build/**. Its
// whole name must occur, and nothing after it that may lead out again.
func (p *pattern) encloses(object []string) bool {
	n := len(p.elements) - 1
	if p.begin != anywhere || n < 2 || p.elements[n].kind != anyElements {
		return false
	}
	names := p.elements[1:n]
	for i := 0; i+len(names) <= len(object); i++ {
		if isRun(object[i:], names) && !slices.ContainsFunc(object[i+len(names):], leads) {
			return true
		}
	}
	return false
}

// isRun reports whether a path begins with names, whatever its wildcards match.
func isRun(object []string, names []element) bool {
	for i := range names {
		if isWild(object[i]) || !names[i].alike(object[i]) {
			return false
		}
	}
	return true
}

// everything reports whether an element matches everything in a directory.
func everything(element string) bool {
	return strings.Trim(element, "*?.{},[]!^") == "" && strings.Contains(element, "*")
}
