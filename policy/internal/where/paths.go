package where

import (
	"fmt"
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Under reports whether p is dir or is in it.
func Under(p, dir string, at effect.Place) Answer {
	p, dir, a := align(p, dir, at)
	if a != Yes {
		return a
	}
	switch dir {
	case "/", ".": // everything that can be compared with it is in it
		return Yes
	default:
		return answerOf(p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/')
	}
}

// Glob reports whether p matches the pattern: * and ? match anything but a
// slash, [a-z] one character of a set, and ** as a whole element any number of
// elements; alone, it matches every path. A pattern without a slash is matched against the last element.
func Glob(p, pattern string, at effect.Place) (Answer, error) {
	if strings.HasPrefix(pattern, "**") && strings.Trim(strings.ReplaceAll(pattern, "**", ""), "/") == "" { // any path
		return Yes, nil
	}
	if !strings.Contains(pattern, "/") && pattern != "~" {
		ok, err := path.Match(pattern, path.Base(p))
		if err != nil {
			return No, badPattern(pattern)
		}
		return answerOf(ok), nil
	}
	if strings.HasPrefix(pattern, "**/") {
		p, _ = resolve(p, at) // where it begins does not matter
	} else {
		var a Answer
		if p, pattern, a = align(p, pattern, at); a != Yes {
			return a, nil
		}
		if !beginsAs(p, pattern) {
			return No, nil
		}
	}
	ok, err := matchElements(strings.Split(pattern, "/"), strings.Split(p, "/"))
	if err != nil {
		return No, badPattern(pattern)
	}
	return answerOf(ok), nil
}

// beginsAs is a prefix prefilter: it is false if a path cannot match a pattern,
// because its first elements differ from those of the pattern. It saves most of
// the work for most paths; patterns that could be malformed are left to the
// match.
func beginsAs(p, pattern string) bool {
	if strings.ContainsAny(pattern, `[\`) {
		return true
	}
	first := strings.IndexAny(pattern, "*?")
	if first < 0 {
		return p == pattern
	}
	end := strings.LastIndexByte(pattern[:first], '/')
	return end <= 0 || strings.HasPrefix(p, pattern[:end]) && (len(p) == end || p[end] == '/')
}

// ValidGlob reports whether a pattern can be matched at all.
func ValidGlob(pattern string) bool {
	for element := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(element, ""); err != nil {
			return false
		}
	}
	return true
}

func badPattern(pattern string) error {
	return fmt.Errorf("%.80q is not a glob: close its brackets", pattern)
}

// matchElements matches element by element. When it fails it backtracks to the
// last **, which is enough: an earlier ** could only match what the last one
// can match as well.
func matchElements(pattern, elements []string) (bool, error) {
	next, retry := 0, -1 // where the last ** is and which element it tries next
	star := -1
	i := 0
	for i < len(elements) {
		if next < len(pattern) && pattern[next] == "**" {
			star, retry = next, i
			next++
			continue
		}
		if next < len(pattern) {
			ok, err := path.Match(pattern[next], elements[i])
			if err != nil {
				return false, err
			}
			if ok {
				next++
				i++
				continue
			}
		}
		if star < 0 {
			return false, nil
		}
		retry++
		next, i = star+1, retry
	}
	for next < len(pattern) && pattern[next] == "**" {
		next++
	}
	return next == len(pattern), nil
}

// align returns both paths in a comparable form, or what would have to be known
// for that.
func align(p, q string, at effect.Place) (string, string, Answer) {
	p, pBegins := resolve(p, at)
	q, qBegins := resolve(q, at)
	switch {
	case pBegins == qBegins && (pBegins == atRoot || !climbs(p) && !climbs(q)):
		return p, q, Yes
	case pBegins == elsewhere || qBegins == elsewhere:
		return "", "", NoBegin
	case pBegins == relative || qBegins == relative:
		return "", "", NoCwd
	default:
		return "", "", NoHome
	}
}

// begin says where a path starts.
type begin uint8

const (
	atRoot begin = iota
	// relative and atHome paths are shown without their start.
	relative
	atHome
	// elsewhere is somebody else's home or the value of a variable.
	elsewhere
)

// resolve cleans a path and makes it absolute as far as the session allows.
func resolve(p string, at effect.Place) (string, begin) {
	if effect.IsAbs(p) {
		return path.Clean(p), atRoot
	}
	if rest, ok := cutHome(p); ok {
		if at.Home != "" {
			return rooted(at.Home, rest), atRoot
		}
		return path.Clean(rest), atHome
	}
	switch {
	case strings.HasPrefix(p, "~") || strings.HasPrefix(p, "$"):
		return path.Clean(p), elsewhere
	case at.Cwd != "":
		return rooted(at.Cwd, p), atRoot
	default:
		return path.Clean(p), relative
	}
}

// rooted joins a path to a directory of the client, which may be on a drive.
func rooted(dir, p string) string {
	if effect.IsAbs(dir) {
		return path.Join(dir, p)
	}
	return path.Join("/", dir, p)
}

// cutHome returns what follows ~/ or $HOME/.
func cutHome(p string) (rest string, ok bool) {
	for _, home := range [...]string{"~", "$HOME", "${HOME}"} {
		if rest, ok = strings.CutPrefix(p, home); ok && (rest == "" || rest[0] == '/') {
			return strings.TrimLeft(rest, "/"), true
		}
	}
	return "", false
}

// climbs reports whether a clean relative path leaves the directory it starts
// in.
func climbs(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }
