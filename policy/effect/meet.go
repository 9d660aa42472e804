package effect

import (
	"path"
	"slices"
	"strings"
)

// meets reports whether the pattern and a path can be the same or, if wide, the
// pattern can be inside the path.
func (p *pattern) meets(o *object, wide bool, at Place) bool {
	switch p.begin {
	case anywhere:
		return o.meetsAnywhere(p.elements)
	case atWork:
		return p.atWork(o, wide, at)
	case atHome:
		elements := o.elements()
		if o.inHome && (!o.wild || !slices.ContainsFunc(elements[:o.home], isWild)) {
			return o.meets(elements[o.home:], p.elements, wide)
		}
		if o.begin != atRoot || !o.wild && !wide { // it is in no home, and contains none
			return false
		}
		if at.Home != "" && o.meetsIn(o.homeOf(at), p.elements, wide) {
			return true
		}
		for _, home := range homeDirs {
			if o.meetsIn(home, p.elements, wide) {
				return true
			}
		}
		return false
	default:
		return o.begin == atRoot && o.meets(o.elements(), p.elements, wide)
	}
}

// in are the elements of a pattern in a directory.
func in(dir []string, elements []element) []element { return append(newElements(dir), elements...) }

// named is a path whose catch-all wildcards match no specific name: that "*.go" or
// "**" could also match ".env" is not evidence for it. It is nil if the path has none.
func named(object []string) []string {
	if !slices.ContainsFunc(object, everything) {
		return nil
	}
	names := slices.Clone(object)
	for i := range names {
		if everything(names[i]) {
			names[i] = "\x00"
		}
	}
	return names
}

// homeDirs are where people's homes are.
var homeDirs = [][]element{
	newElements([]string{"home", "*"}), newElements([]string{"Users", "*"}), newElements([]string{"root"}),
	newElements([]string{"?:", "Users", "*"}), newElements([]string{"mnt", "?", "Users", "*"}),
}

// atWork is meets for a pattern in the working directory.
func (p *pattern) atWork(o *object, wide bool, at Place) bool {
	object, begins := o.elements(), o.begin
	switch {
	case begins == atWork:
		up := 0
		for up < len(object) && object[up] == ".." {
			up++
		}
		if up > 0 {
			return wide && up == len(object)
		}
		return o.meets(object, p.elements, wide)
	case begins == atRoot && at.Cwd != "" && IsAbs(at.Cwd):
		if rest, ok := cutElements(object, at.Cwd); ok && !o.wild { // the common case: it is inside
			return o.meets(rest, p.elements, wide)
		}
		return o.meetsIn(o.workOf(at), p.elements, wide)
	case begins == atHome && strings.HasPrefix(at.Cwd, "~"):
		return o.meets(object, in(split(nil, at.Cwd[1:]), p.elements), wide)
	default:
		return false
	}
}

// mostSteps bounds the work for two patterns that are crafted to be slow. Beyond
// it they are assumed to meet.
const mostSteps = 4000

// meets reports whether the rest of the path and of a pattern can match the
// same. If it is wide, the pattern may also be inside the path.
func (o *object) meets(elements []string, pattern []element, wide bool) bool {
	steps := mostSteps
	if !o.wild {
		return meeting(elements, pattern, wide, (*element).is, &steps)
	}
	return meeting(elements, pattern, wide, (*element).alike, &steps)
}

// meetsIn is meets for a pattern in a directory, which has no **.
func (o *object) meetsIn(dir, pattern []element, wide bool) bool {
	steps := mostSteps
	if !o.wild {
		return meetingIn(o.elements(), dir, pattern, wide, (*element).is, &steps)
	}
	return meetingIn(o.elements(), dir, pattern, wide, (*element).alike, &steps)
}

func meetingIn(object []string, dir, pattern []element, wide bool, alike func(e *element, name string) bool, steps *int) bool {
	for len(dir) > 0 {
		if *steps--; *steps < 0 {
			return true
		}
		switch {
		case len(object) == 0:
			return wide
		case object[0] == "**":
			if meetingIn(object[1:], dir, pattern, wide, alike, steps) {
				return true
			}
			dir = dir[1:]
		case !alike(&dir[0], object[0]):
			return false
		default:
			object, dir = object[1:], dir[1:]
		}
	}
	return meeting(object, pattern, wide, alike, steps)
}

// homeOf and workOf are the elements of the home and of the working directory,
// which are the same for all patterns.
func (o *object) homeOf(at Place) []element {
	if o.homeDir == nil {
		o.homeDir = newElements(split(nil, at.Home))
	}
	return o.homeDir
}

func (o *object) workOf(at Place) []element {
	if o.workDir == nil {
		o.workDir = newElements(split(nil, at.Cwd))
	}
	return o.workDir
}

// meetsAnywhere is meets for a pattern that may be anywhere: an element of the
// path without a name does not match one. That "*.py" could also match
// "sitecustomize.py" is not evidence for it.
func (o *object) meetsAnywhere(pattern []element) bool {
	steps := mostSteps
	if !o.wild {
		return meeting(o.elements(), pattern, false, (*element).is, &steps)
	}
	if o.names == nil {
		o.names = named(o.elements())
	}
	names := o.names
	if names == nil { // not kept: it would have o point to itself, and so be on the heap
		names = o.elements()
	}
	return meeting(names, pattern, false, (*element).alikeNamed, &steps)
}

func (e *element) alikeNamed(a string) bool {
	switch {
	case a == e.text:
		return true
	case !isWild(a):
		return alike(a, e.text)
	case strings.ContainsAny(a, "{$"):
		return false
	case !wellFormed(a) || e.kind == anyElements || e.text == "*":
		return alike(a, e.text)
	case e.kind == plain || e.kind == otherNames:
		return strings.IndexByte("*?[", a[0]) < 0 && alike(a, e.text)
	default:
		return e.meant(a)
	}
}

// leastEnding is how much of an ending a wildcard must spell to mean it: server.ke*
// means *.key, go.* does not.
const leastEnding = 3

// meant reports whether a name with wildcards plausibly means the names of the
// element, which has stars. It must spell something that these have and others
// have not: that README* could also be README.key is not evidence for it.
func (e *element) meant(a string) bool {
	first, last := strings.IndexAny(a, "*?["), strings.LastIndexAny(a, "*?]")
	head, tail := a[:first], a[last+1:]
	if e.head == "" && hidden(a) || !stems(a, e.text) {
		return false
	}
	for _, part := range e.middle {
		if part != "" {
			return shares(a, part)
		}
	}
	switch {
	case e.head != "":
		return head != ""
	case strings.HasSuffix(tail, e.tail):
		return true
	default:
		for n := leastEnding; n <= len(e.tail); n++ {
			if strings.HasSuffix(head, e.tail[:n]) {
				return true
			}
		}
		return false
	}
}

// shares reports whether a name with wildcards spells a text, or enough of it.
func shares(a, text string) bool {
	for piece := range strings.FieldsFuncSeq(a, func(c rune) bool { return strings.ContainsRune("*?[]", c) }) {
		if strings.Contains(piece, text) || len(piece) > leastEnding && strings.Contains(text, piece) {
			return true
		}
		for n := leastEnding + 1; n < len(text); n++ {
			if strings.HasSuffix(piece, text[:n]) || strings.HasPrefix(piece, text[len(text)-n:]) {
				return true
			}
		}
	}
	return false
}

// wellFormed reports whether the brackets of a name are closed. Those that are not
// are part of it.
func wellFormed(a string) bool {
	if strings.IndexByte(a, '[') < 0 {
		return true
	}
	_, err := path.Match(a, "")
	return err == nil
}

func (e *element) alike(a string) bool { return alike(a, e.text) }

func meeting(object []string, pattern []element, wide bool, alike func(e *element, name string) bool, steps *int) bool {
	for {
		if *steps--; *steps < 0 {
			return true
		}
		switch {
		case len(object) == 0:
			return wide || !slices.ContainsFunc(pattern, func(e element) bool { return e.kind != anyElements })
		case len(pattern) == 0:
			return !slices.ContainsFunc(object, func(e string) bool { return e != "**" })
		case pattern[0].kind == anyElements:
			if meeting(object, pattern[1:], wide, alike, steps) {
				return true
			}
			object = object[1:]
		case object[0] == "**":
			if meeting(object[1:], pattern, wide, alike, steps) {
				return true
			}
			pattern = pattern[1:]
		case !alike(&pattern[0], object[0]):
			return false
		default:
			object, pattern = object[1:], pattern[1:]
		}
	}
}

// alike reports whether two elements can be the same name. A wildcard at the
// beginning does not match a dot. Drives and what is on them are
// case-insensitive.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	wildA, wildB := isWild(a) && (wellFormed(a) || strings.ContainsAny(a, "{$")), strings.ContainsAny(b, "*?[")
	if !wildA && !wildB {
		return sameName(a, b)
	}
	if strings.ContainsAny(a, "{$") { // an expansion that is not known
		return alikeBraces(a, b)
	}
	if wildA && hidden(b) && !hidden(a) || wildB && hidden(a) && !hidden(b) {
		return false
	}
	if wildA {
		if ok, err := path.Match(a, b); ok || err != nil {
			return true
		}
	}
	if wildB {
		if ok, err := path.Match(b, a); ok || err != nil && wildA {
			return true
		}
	}
	return wildA && wildB && stems(a, b)
}

// alikeBraces compares an element that contains an expansion by what is before
// and after it.
func alikeBraces(a, b string) bool {
	first, last := strings.IndexAny(a, "{$"), strings.LastIndexAny(a, "}")
	if first == 0 && (last < 0 || last == len(a)-1) { // nothing of it is known
		return strings.ContainsAny(b, "*?") && !hidden(b)
	}
	return strings.HasPrefix(b, a[:first]) && (last < 0 || strings.HasSuffix(b, a[last+1:]))
}

// stems reports whether two patterns can match the same name, judging by the
// text before their first and after their last wildcard.
func stems(a, b string) bool {
	headA, headB := a[:strings.IndexAny(a, "*?[")], b[:strings.IndexAny(b, "*?[")]
	tailA, tailB := a[strings.LastIndexAny(a, "*?]")+1:], b[strings.LastIndexAny(b, "*?]")+1:]
	return (strings.HasPrefix(headA, headB) || strings.HasPrefix(headB, headA)) &&
		(strings.HasSuffix(tailA, tailB) || strings.HasSuffix(tailB, tailA))
}

// sameName reports whether two names are the same ignoring case, as on drives.
func sameName(a, b string) bool {
	return len(a) == len(b) && strings.EqualFold(a, b) && (a[len(a)-1] == ':' || isWindowsName(b))
}

func hidden(name string) bool { return name != "" && name[0] == '.' }

// isWindowsName reports whether a name is one of the directories of Windows.
func isWindowsName(name string) bool {
	switch strings.ToLower(name) {
	case "windows", "users", "program files", "program files (x86)", "programdata", "system32":
		return true
	}
	return false
}
