package effect

import (
	"path"
	"slices"
	"strings"
)

// meets reports whether the pattern and a path can be the same, or where it is
// wide the pattern lies in the path.
func (p *pattern) meets(o *object, wide bool, at Place) bool {
	switch p.begin {
	case anywhere:
		if len(p.elements) == 2 && !o.wild { // most: a name that may lie anywhere
			return len(o.elements) > 0 && alike(o.elements[len(o.elements)-1], p.elements[1])
		}
		return meetNamed(o.elements, p.elements)
	case atWork:
		return p.atWork(o, wide, at)
	case atHome:
		if o.inHome && !slices.ContainsFunc(o.elements[:len(o.elements)-len(o.home)], isWild) {
			return meet(o.home, p.elements, wide)
		}
		if o.begin != atRoot || !o.wild && !wide { // it is in no home, and around none
			return false
		}
		if at.Home != "" && meet(o.elements, append(split(nil, at.Home), p.elements...), wide) {
			return true
		}
		for _, home := range homeDirs {
			if meet(o.elements, append(slices.Clip(home), p.elements...), wide) {
				return true
			}
		}
		return false
	default:
		return o.begin == atRoot && meet(o.elements, p.elements, wide)
	}
}

// named is a path in which what stands for everything stands for nothing that
// has a name: that "*.go" or "**" could be ".env" too is no reason to think of it.
func named(object []string) []string {
	if !slices.ContainsFunc(object, everything) {
		return object
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
var homeDirs = [][]string{{"home", "*"}, {"Users", "*"}, {"root"}, {"?:", "Users", "*"}, {"mnt", "?", "Users", "*"}}

// atWork is meets for a pattern in the working directory.
func (p *pattern) atWork(o *object, wide bool, at Place) bool {
	object, begins := o.elements, o.begin
	switch {
	case begins == atWork:
		up := 0
		for up < len(object) && object[up] == ".." {
			up++
		}
		if up > 0 {
			return wide && up == len(object)
		}
		return meet(object, p.elements, wide)
	case begins == atRoot && at.Cwd != "" && IsAbs(at.Cwd):
		if rest, ok := cutElements(object, at.Cwd); ok && !o.wild { // most: it lies there
			return meet(rest, p.elements, wide)
		}
		return meet(object, append(split(nil, at.Cwd), p.elements...), wide)
	case begins == atHome && strings.HasPrefix(at.Cwd, "~"):
		return meet(object, append(split(nil, at.Cwd[1:]), p.elements...), wide)
	default:
		return false
	}
}

// mostSteps bounds the work for two patterns that are made to be slow. Beyond it
// they are taken to meet.
const mostSteps = 4000

// meet reports whether two patterns can stand for the same path. If the first
// one is wide, the path of the second may also lie in that of the first.
func meet(object, pattern []string, wide bool) bool {
	steps := mostSteps
	return meeting(object, pattern, wide, alike, &steps)
}

// meetNamed is meet for a pattern that may lie anywhere: what has no name in the
// path does not stand for one. That "*.py" could be "sitecustomize.py" too is no
// reason to think of it.
func meetNamed(object, pattern []string) bool {
	steps := mostSteps
	return meeting(named(object), pattern, false, alikeNamed, &steps)
}

func alikeNamed(a, b string) bool {
	if a == b {
		return true
	}
	if isWild(a) && (a[0] == '*' || a[0] == '?' || a[0] == '[' || strings.ContainsAny(a, "{$")) {
		return false
	}
	return alike(a, b)
}

func meeting(object, pattern []string, wide bool, alike func(a, b string) bool, steps *int) bool {
	for {
		if *steps--; *steps < 0 {
			return true
		}
		switch {
		case len(object) == 0:
			return wide || onlyStars(pattern)
		case len(pattern) == 0:
			return onlyStars(object)
		case pattern[0] == "**":
			if meeting(object, pattern[1:], wide, alike, steps) {
				return true
			}
			object = object[1:]
		case object[0] == "**":
			if meeting(object[1:], pattern, wide, alike, steps) {
				return true
			}
			pattern = pattern[1:]
		case !alike(object[0], pattern[0]):
			return false
		default:
			object, pattern = object[1:], pattern[1:]
		}
	}
}

func onlyStars(elements []string) bool {
	return !slices.ContainsFunc(elements, func(e string) bool { return e != "**" })
}

// alike reports whether two elements can be the same name. A wildcard at the
// beginning does not stand for a dot. Drives and what is on them have no case.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if star := strings.IndexByte(b, '*'); star >= 0 && !isWild(a) && !isWild(b[star+1:]) && !isWild(b[:star]) { // most patterns
		return len(a) >= len(b)-1 && a[:star] == b[:star] && strings.HasSuffix(a, b[star+1:]) && (star > 0 || !hidden(a))
	}
	wildA, wildB := isWild(a), strings.ContainsAny(b, "*?[")
	if !wildA && !wildB {
		return len(a) == len(b) && strings.EqualFold(a, b) && (a[len(a)-1] == ':' || isWindowsName(b))
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
		if ok, err := path.Match(b, a); ok || err != nil {
			return true
		}
	}
	return wildA && wildB && stems(a, b)
}

// alikeBraces compares an element with an expansion in it by what stands before
// and behind it.
func alikeBraces(a, b string) bool {
	first, last := strings.IndexAny(a, "{$"), strings.LastIndexAny(a, "}")
	if first == 0 && (last < 0 || last == len(a)-1) { // nothing of it is known
		return strings.ContainsAny(b, "*?") && !hidden(b)
	}
	return strings.HasPrefix(b, a[:first]) && (last < 0 || strings.HasSuffix(b, a[last+1:]))
}

// stems reports whether two patterns can stand for the same name, as far as what
// stands before their first and behind their last wildcard tells.
func stems(a, b string) bool {
	headA, headB := a[:strings.IndexAny(a, "*?[")], b[:strings.IndexAny(b, "*?[")]
	tailA, tailB := a[strings.LastIndexAny(a, "*?]")+1:], b[strings.LastIndexAny(b, "*?]")+1:]
	return (strings.HasPrefix(headA, headB) || strings.HasPrefix(headB, headA)) &&
		(strings.HasSuffix(tailA, tailB) || strings.HasSuffix(tailB, tailA))
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
