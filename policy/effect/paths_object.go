package effect

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/internal/bloom"
)

// usualDepth is the number of elements that most paths do not exceed.
const usualDepth = 12

// object is a path that is compared with patterns.
type object struct {
	// room has the elements, or long if there are more than usual; hashes are
	// those of the elements in room.
	room   [usualDepth]string
	hashes [usualDepth]bloom.Hash
	long   []string
	n      int
	begin  begin
	wild   bool
	// home is where the part inside somebody's home begins, if inHome.
	home   int
	inHome bool
	// homeDir, workDir and names are what homeOf, workOf and named found.
	homeDir, workDir []element
	names            []string
}

// set initialises it for a path.
func (o *object) set(path string, at Place) {
	if usual := strings.Count(path, "/")+strings.Count(path, `\`) < usualDepth-1; usual {
		list, begin := elementsUp(o.room[:0], path)
		o.n, o.begin, o.long = len(list), begin, nil
		for i := range list {
			o.hashes[i] = bloom.HashOf(list[i])
		}
	} else {
		o.long, o.begin = elementsUp(nil, path)
		o.n = len(o.long)
	}
	o.wild, o.homeDir, o.workDir, o.names = isWild(path), nil, nil, nil
	o.home, o.inHome = locate(o.elements(), o.begin, at)
}

func (o *object) elements() []string {
	if o.long != nil {
		return o.long[:o.n]
	}
	return o.room[:o.n]
}

// hash is the hash of an element.
func (o *object) hash(i int) bloom.Hash {
	if o.long != nil {
		return bloom.HashOf(o.long[i])
	}
	return o.hashes[i]
}

// mostUp is how many levels up a path goes before it is assumed to reach the
// root, if it is not known where it starts.
const mostUp = 4

// elementsUp is elementsOf for a path that may go up that far.
func elementsUp(into []string, path string) ([]string, begin) {
	list, begin := elementsOf(into, path)
	up := 0
	for begin == atWork && up < len(list) && list[up] == ".." {
		up++
	}
	if up >= mostUp && up < len(list) { // so far up there is nothing but the root
		return slices.Delete(list, 0, up), atRoot
	}
	return list, begin
}

// locate finds the home that a path is in, and where the part inside it begins.
func locate(e []string, begin begin, at Place) (home int, inHome bool) {
	if begin == atHome {
		return 0, true
	}
	if begin != atRoot {
		return 0, false
	}
	if at.Home != "" && IsAbs(at.Home) {
		if rest, ok := cutElements(e, at.Home); ok {
			return len(e) - len(rest), true
		}
	}
	switch {
	case len(e) >= 2 && (e[0] == "home" || strings.EqualFold(e[0], "Users")):
		return 2, true
	case len(e) >= 1 && e[0] == "root":
		return 1, true
	case len(e) >= 3 && (strings.HasSuffix(e[0], ":") || len(e[0]) == 1) && strings.EqualFold(e[1], "Users"):
		return 3, true
	case len(e) >= 4 && (e[0] == "mnt" || e[0] == "cygdrive") && len(e[1]) == 1 && strings.EqualFold(e[2], "Users"): // a disk of Windows, seen from Linux
		return 4, true
	}
	return 0, false
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

// wildBytes are those of patterns and of unknown expansions.
var wildBytes = [256]bool{'*': true, '?': true, '[': true, '{': true, '$': true}

func isWild(s string) bool {
	for i := range len(s) {
		if wildBytes[s[i]] {
			return true
		}
	}
	return false
}

// elementsOf splits a path and says where it starts. A path that leads out of a
// home ends up among the homes.
func elementsOf(into []string, p string) ([]string, begin) {
	p = strings.ReplaceAll(p, `\`, "/")
	switch {
	case strings.HasPrefix(p, "/"):
		list := split(into, p)
		if len(list) >= 3 && list[0] == "proc" && list[2] == "root" { // the same files by another way
			list = slices.Delete(list, 0, 3)
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

// mostElements is how many elements of a path are considered.
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
