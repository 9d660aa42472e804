package rule

import (
	"fmt"
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// Paths in calls are those of the client, so its working directory and home
// determine what "a" and "~/a" mean. If they are not known and the answer
// depends on them, it is unknown.

// under reports whether p is dir or is in it.
func under(p, dir string, s *sessionView) answer {
	p, dir, a := align(p, dir, s)
	if a != yes {
		return a
	}
	switch dir {
	case "/", ".": // everything that can be compared with it is in it
		return yes
	default:
		return answerOf(p == dir || strings.HasPrefix(p, dir) && p[len(dir)] == '/')
	}
}

// glob reports whether p matches the pattern: * and ? match anything but a
// slash, [a-z] one character of a set, and ** as a whole element any number of
// elements. A pattern without a slash is matched against the last element.
func glob(p, pattern string, s *sessionView) (answer, error) {
	if !strings.Contains(pattern, "/") && pattern != "~" {
		ok, err := path.Match(pattern, path.Base(p))
		if err != nil {
			return no, badPattern(pattern)
		}
		return answerOf(ok), nil
	}
	if strings.HasPrefix(pattern, "**/") {
		p, _ = resolve(p, s) // where it begins does not matter
	} else {
		var a answer
		if p, pattern, a = align(p, pattern, s); a != yes {
			return a, nil
		}
		if !beginsAs(p, pattern) {
			return no, nil
		}
	}
	ok, err := matchElements(strings.Split(pattern, "/"), strings.Split(p, "/"))
	if err != nil {
		return no, badPattern(pattern)
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

// globIsValid reports whether a pattern can be matched at all.
func globIsValid(pattern string) bool {
	for element := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(element, ""); err != nil {
			return false
		}
	}
	return true
}

func badPattern(pattern string) error {
	return fmt.Errorf("rule: %.80q is not a glob: close its brackets", pattern)
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
func align(p, q string, s *sessionView) (string, string, answer) {
	p, pBegins := resolve(p, s)
	q, qBegins := resolve(q, s)
	switch {
	case pBegins == qBegins && (pBegins == atRoot || !climbs(p) && !climbs(q)):
		return p, q, yes
	case pBegins == elsewhere || qBegins == elsewhere:
		return "", "", unknownOf(pathBegin)
	case pBegins == relative || qBegins == relative:
		return "", "", unknownOf(sessionCwd)
	default:
		return "", "", unknownOf(sessionHome)
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
func resolve(p string, s *sessionView) (string, begin) {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p), atRoot
	}
	if rest, ok := cutHome(p); ok {
		if s.Home != "" {
			return path.Join("/", s.Home, rest), atRoot
		}
		return path.Clean(rest), atHome
	}
	switch {
	case strings.HasPrefix(p, "~") || strings.HasPrefix(p, "$"):
		return path.Clean(p), elsewhere
	case s.Cwd != "":
		return path.Join("/", s.Cwd, p), atRoot
	default:
		return path.Clean(p), relative
	}
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

// names reports whether an argument of a command, or the value of one, is one of
// some paths: if it is not known what a program does with its arguments, there is
// nothing else to judge.
func names(c *shell.Command, paths *effect.Paths, at effect.Place, buf *effect.Path) bool {
	if c.DirUnknown {
		at.Cwd = ""
	} else if c.Dir != "" {
		at.Cwd, _ = at.Resolve(c.Dir)
	}
	for _, arg := range c.Args {
		if _, value, joined := strings.Cut(arg, "="); joined && value != "" {
			arg = value
		}
		if arg == "" || arg[0] == '-' || len(arg) > effect.MaxPlace {
			continue
		}
		resolved, _ := at.Resolve(arg)
		if buf.Set(resolved, at); paths.Touched(buf, false) {
			return true
		}
	}
	return false
}
