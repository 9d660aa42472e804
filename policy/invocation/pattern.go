package invocation

import (
	"path"
	"strings"
)

// Pattern is a path that stands for several. "*" stands for any part of a name,
// "**" for any number of directories. Several that begin in one directory are
// written with "|" between them, the directory before the first alone:
// /p/**/a.sh|**/b.sh. A pattern that begins nowhere, as it does where the working
// directory is not known, may begin anywhere.
type Pattern struct {
	// dir is the directory that all begin in, with the slash, empty if it is
	// not known; ways are their elements behind it, ends what the last of them
	// end with.
	dir  string
	ways [][]string
	ends []string
}

// NewPattern reads a pattern.
func NewPattern(pattern string) Pattern {
	var p Pattern
	wild := strings.IndexAny(pattern, "*?[")
	if wild < 0 {
		wild = len(pattern)
	}
	dir := pattern[:strings.LastIndexByte(pattern[:wild], '/')+1]
	pattern = pattern[len(dir):]
	before := "" // each of them
	if strings.HasPrefix(dir, "/") {
		p.dir = dir
	} else {
		before = "**/" + strings.TrimPrefix(dir, "./")
	}
	for way := range strings.SplitSeq(pattern, "|") {
		p.ways = append(p.ways, strings.Split(before+way, "/"))
		p.ends = append(p.ends, way[strings.LastIndexAny(way, "*?]/")+1:])
	}
	return p
}

// Matches reports whether the pattern stands for a path.
func (p *Pattern) Matches(name string) bool {
	if !strings.HasPrefix(name, p.dir) {
		return false
	}
	steps := mostMatching
	var names []string
	for i, way := range p.ways {
		if !strings.HasSuffix(name, p.ends[i]) {
			continue
		}
		if names == nil {
			names = strings.Split(name[len(p.dir):], "/")
		}
		if matches(way, names, &steps) {
			return true
		}
	}
	return false
}

// mostMatching bounds the work for a pattern that is made to be slow. Beyond it
// nothing matches.
const mostMatching = 2000

func matches(pattern, names []string, steps *int) bool {
	for len(pattern) > 0 {
		if *steps--; *steps < 0 {
			return false
		}
		if pattern[0] == "**" {
			for i := range len(names) + 1 {
				if matches(pattern[1:], names[i:], steps) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], names[0]); !ok || err != nil {
			return false
		}
		pattern, names = pattern[1:], names[1:]
	}
	return len(names) == 0
}
