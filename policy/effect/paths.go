package effect

import (
	"slices"
	"strings"
)

// Paths is a set of paths, written as patterns:
//
//	/etc/**         /etc and everything in it
//	/home/*         an element of /home
//	~/.ssh/**       in the client's home, whoever that is
//	.               the client's working directory
//	**/.git         wherever it lies
//	?:/Windows/**   on any drive
//	!**/*.pub       but not this one
//	!./**           but not what lies in the project, if the working directory is one
//
// * and ? stay within an element of a path, ** as a whole element stands for any
// number of them.
type Paths struct {
	in, out patterns
	// work are those that are taken out in the working directory.
	work []*pattern
}

// pattern is one pattern of a set, in elements.
type pattern struct {
	elements []string
	begin    begin
}

// begin says where a path begins.
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
	for _, text := range list {
		switch but, ok := strings.CutPrefix(text, "!"); {
		case !ok:
			p.in.add(text)
		case strings.HasPrefix(but, "./"):
			elements, begin := elementsOf(nil, but)
			p.work = append(p.work, &pattern{elements: elements, begin: begin})
		default:
			p.out.add(but)
		}
	}
	return p
}

// patterns are sorted by where they begin and by their first element, so that of
// most paths only a few are looked at.
type patterns struct {
	all []*pattern
	// byFirst are those of a beginning whose first element has no wildcard, of
	// those that may lie anywhere by the element behind **; others the rest.
	byFirst [elsewhere + 1]map[string][]*pattern
	others  [elsewhere + 1][]*pattern
}

func (ps *patterns) add(text string) {
	p := &pattern{}
	p.elements, p.begin = elementsOf(nil, text)
	ps.all = append(ps.all, p)
	first := p.elements
	if p.begin == anywhere {
		first = first[1:]
	}
	if len(first) == 0 || isWild(first[0]) || p.begin == atWork || strings.Contains(first[0], ":") {
		ps.others[p.begin] = append(ps.others[p.begin], p)
		return
	}
	if ps.byFirst[p.begin] == nil {
		ps.byFirst[p.begin] = map[string][]*pattern{}
	}
	ps.byFirst[p.begin][first[0]] = append(ps.byFirst[p.begin][first[0]], p)
}

// meet reports whether one of the patterns meets a path.
func (ps *patterns) meet(o *object, wide bool, at Place) bool {
	if len(ps.all) == 0 {
		return false
	}
	if o.wild || o.begin == atRoot && len(o.elements) < 2 { // it can be, or be around, anything
		return slices.ContainsFunc(ps.all, func(p *pattern) bool { return p.meets(o, wide, at) })
	}
	check := func(begin begin, first string) bool {
		return slices.ContainsFunc(ps.byFirst[begin][first], func(p *pattern) bool { return p.meets(o, wide, at) })
	}
	for _, rest := range ps.others {
		if slices.ContainsFunc(rest, func(p *pattern) bool { return p.meets(o, wide, at) }) {
			return true
		}
	}
	for _, element := range o.elements {
		if check(anywhere, element) {
			return true
		}
	}
	if len(o.elements) > 0 && check(o.begin, o.elements[0]) {
		return true
	}
	switch {
	case !o.inHome:
		return false
	case len(o.home) == 0: // the home itself
		return wide && len(ps.byFirst[atHome]) > 0
	default:
		return check(atHome, o.home[0])
	}
}

// object is a path that is compared with patterns.
type object struct {
	elements []string
	begin    begin
	wild     bool
	// home is the path in somebody's home, where inHome.
	home   []string
	inHome bool
}

// usualDepth is how many elements most paths have at most.
const usualDepth = 12

// objectOf makes the object of a path, with room for its elements.
func objectOf(room []string, path string, at Place) object {
	var o object
	o.elements, o.begin = elementsOf(room, path)
	up := 0
	for o.begin == atWork && up < len(o.elements) && o.elements[up] == ".." {
		up++
	}
	if up >= mostUp && up < len(o.elements) { // so far up there is nothing but the root
		o.elements, o.begin = o.elements[up:], atRoot
	}
	o.wild = isWild(path)
	o.home, o.inHome = locate(o.elements, o.begin, at)
	return o
}

// mostUp is how far a path goes up before it is taken to lead to the root, where
// nobody knows from where it starts.
const mostUp = 4

// locate finds the home in which a path lies, and the path in it.
func locate(e []string, begin begin, at Place) (home []string, inHome bool) {
	if begin == atHome {
		return e, true
	}
	if begin != atRoot {
		return nil, false
	}
	if at.Home != "" && IsAbs(at.Home) {
		if rest, ok := cutElements(e, at.Home); ok {
			return rest, true
		}
	}
	switch {
	case len(e) >= 2 && (e[0] == "home" || strings.EqualFold(e[0], "Users")):
		return e[2:], true
	case len(e) >= 1 && e[0] == "root":
		return e[1:], true
	case len(e) >= 3 && (strings.HasSuffix(e[0], ":") || len(e[0]) == 1) && strings.EqualFold(e[1], "Users"):
		return e[3:], true
	case len(e) >= 4 && (e[0] == "mnt" || e[0] == "cygdrive") && len(e[1]) == 1 && strings.EqualFold(e[2], "Users"): // a disk of Windows, seen from Linux
		return e[4:], true
	}
	return nil, false
}

// cutElements returns what follows a directory in a path.
func cutElements(path []string, dir string) ([]string, bool) {
	n := 0
	for element := range strings.SplitSeq(dir, "/") {
		if element == "" {
			continue
		}
		if n >= len(path) || path[n] != element {
			return nil, false
		}
		n++
	}
	return path[n:], n > 0
}

// wildBytes are those of patterns and of expansions that are not known.
var wildBytes = [256]bool{'*': true, '?': true, '[': true, '{': true, '$': true}

func isWild(s string) bool {
	for i := range len(s) {
		if wildBytes[s[i]] {
			return true
		}
	}
	return false
}

// elementsOf splits a path and says where it begins. What leads out of a home
// lies among the homes.
func elementsOf(into []string, p string) ([]string, begin) {
	p = strings.ReplaceAll(p, `\`, "/")
	switch {
	case strings.HasPrefix(p, "/"):
		list := split(into, p)
		if len(list) >= 3 && list[0] == "proc" && list[2] == "root" { // the same files by another way
			list = list[3:]
		}
		return list, atRoot
	case hasDrive(p), strings.HasPrefix(p, "?:"):
		return split(into, p), atRoot
	case p == "~" || strings.HasPrefix(p, "~/"):
		list := split(into, p[1:])
		if len(list) > 0 && list[0] == ".." {
			list[0] = "home"
			return list, atRoot
		}
		return list, atHome
	case strings.HasPrefix(p, "~"):
		return split(append(into, "home"), p[1:]), atRoot
	case strings.HasPrefix(p, "**/"):
		return split(into, p), anywhere
	case strings.HasPrefix(p, "$"), strings.HasPrefix(p, "`"), strings.HasPrefix(p, "%"):
		return split(into, p), elsewhere
	default:
		return split(into, p), atWork
	}
}

// mostElements is how deep a path is looked at.
const mostElements = 128

// split appends the elements of a path.
func split(list []string, p string) []string {
	for element := range strings.SplitSeq(p, "/") {
		if element == "" || element == "." || element == "**" && len(list) > 0 && list[len(list)-1] == "**" {
			continue
		}
		if list = append(list, element); len(list) == mostElements {
			break
		}
	}
	return list
}

// Steps is how much work it is to look for a path, in units of about a comparison
// of two names: most patterns begin with a name, and are not looked at for a path
// that begins with another one, but a path with wildcards can be any of them.
func (p *Paths) Steps(path string) int {
	if isWild(path) {
		return 2 * (len(p.in.all) + len(p.out.all))
	}
	steps := 64
	for _, ps := range [...]*patterns{&p.in, &p.out} {
		for _, rest := range ps.others {
			steps += 8 * len(rest)
		}
	}
	return steps
}

// Touches reports whether an effect on its object could touch one of the paths.
// The object may be a pattern itself: rm /e* touches /etc. Where the effect is
// wide, so does what lies around a path.
func (p *Paths) Touches(e *Effect, at Place) bool { return p.touch(e.Object, e.Wide, at) }

// Carries reports whether an effect takes its contents from one of the paths.
func (p *Paths) Carries(e *Effect, at Place) bool { return e.From != "" && p.touch(e.From, e.Wide, at) }

// Has reports whether a path is in the set.
func (p *Paths) Has(path string, at Place) bool { return p.touch(path, false, at) }

// touch takes letters in capitals also for small ones, as disks do that do not
// tell them apart: .CLAUDE/Settings.json is .claude/settings.json there.
func (p *Paths) touch(path string, wide bool, at Place) bool {
	if p.touchAs(path, wide, at) {
		return true
	}
	lower, changed := small(path)
	return changed && p.touchAs(lower, wide, at)
}

// small is a path in small letters. The directory in which macOS has its homes is
// no reason to look twice.
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

func (p *Paths) touchAs(path string, wide bool, at Place) bool {
	var room [usualDepth]string
	o := objectOf(room[:0], path, at)
	if p.leavesOut(&o, wide, at) {
		return false
	}
	if p.in.meet(&o, wide, at) {
		return !p.isWork(&o, at)
	}
	// What deletes everything in a directory touches the directory.
	if n := len(o.elements); n > 0 && everything(o.elements[n-1]) {
		o.elements = o.elements[:n-1]
		o.wild = slices.ContainsFunc(o.elements, isWild)
		o.home, o.inHome = locate(o.elements, o.begin, at)
		return p.in.meet(&o, true, at) && !p.isWork(&o, at)
	}
	return false
}

// isWork reports whether a path was taken out of the set as one of the project.
func (p *Paths) isWork(o *object, at Place) bool {
	for _, out := range p.work {
		if out.within(o, at) {
			return true
		}
	}
	return false
}

// leavesOut reports whether a path was taken out of the set.
func (p *Paths) leavesOut(o *object, wide bool, at Place) bool {
	if !wide && !o.wild {
		return p.out.meet(o, false, at)
	}
	for _, out := range p.out.all {
		if (!wide || len(o.elements) > 0 && isWild(o.elements[len(o.elements)-1])) && out.ends(o.elements) || out.surrounds(o.elements) && out.meets(o, false, at) {
			return true
		}
	}
	return false
}

// ends reports whether a pattern is about all files with an ending, and a path can
// be nothing else: *.pub.
func (p *pattern) ends(object []string) bool {
	n := len(p.elements)
	if p.begin != anywhere || n != 2 || len(object) == 0 {
		return false
	}
	ending, ok := strings.CutPrefix(p.elements[1], "*")
	return ok && ending != "" && !isWild(ending) && strings.HasSuffix(object[len(object)-1], ending)
}

// surrounds reports whether a pattern is a directory with everything in it, and a
// path can lie nowhere else: what is wide or has wildcards stays in it.
func (p *pattern) surrounds(object []string) bool {
	n := len(p.elements) - 1
	return n >= 0 && p.elements[n] == "**" && p.begin != anywhere && len(object) > n && !slices.ContainsFunc(object[:n], isWild)
}

// everything reports whether an element stands for all that is there.
func everything(element string) bool {
	return strings.Trim(element, "*?.{},[]!") == "" && strings.ContainsAny(element, "*?")
}
