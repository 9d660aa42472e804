package where

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/partial"
)

// knownDir splits what is known of the beginning of a path into a directory and the
// beginning of a name. If the home is all that is a variable in it, the path is
// whole.
func knownDir(written string) (p, dir, name string, whole, ok bool) {
	if rest, isHome := cutHome(written); isHome {
		written = "~/" + rest
	}
	h := partial.New(written)
	if len(h.Holes) == 0 {
		return written, "", "", true, true
	}
	slash := strings.LastIndexByte(h.First(), '/')
	if slash < 0 {
		return written, "", "", false, false
	}
	if dir = h.First()[:slash]; dir == "" {
		dir = "/"
	}
	return written, dir, h.First()[slash+1:], false, true
}

// UnderPartly is Under for a path of which a part is not known. That a variable may
// lead upwards (..) is left aside.
func UnderPartly(written, dir string, at effect.Place) partial.Answer {
	p, known, name, whole, ok := knownDir(written)
	switch {
	case !ok:
		return partial.Open
	case whole:
		return partialOf(Under(p, dir, at))
	case Under(known, dir, at) == Yes:
		return partial.Yes
	}
	from, to, a := align(known, dir, at)
	if a != Yes || strings.HasPrefix(to, in(from, name)) {
		return partial.Open
	}
	return partial.No
}

// GlobPartly is Glob for a path of which a part is not known.
func GlobPartly(written, pattern string, at effect.Place) partial.Answer {
	p, known, name, whole, ok := knownDir(written)
	if whole {
		a, err := Glob(p, pattern, at)
		if err != nil {
			return partial.Open
		}
		return partialOf(a)
	}
	if !strings.Contains(pattern, "/") {
		h := partial.New(written)
		_, base, _ := cutLast(h.Last())
		if base == "" {
			return partial.Open
		}
		if matched, err := path.Match(pattern, base); err != nil || matched {
			return partial.Open
		}
		return partial.No
	}
	if !ok || strings.HasPrefix(pattern, "**/") {
		return partial.Open
	}
	from, to, a := align(known, pattern, at)
	if a != Yes {
		return partial.Open
	}
	from = in(from, name)
	if wild := strings.IndexAny(to, `*?[\`); wild >= 0 {
		to = to[:wild]
	}
	if strings.HasPrefix(from, to) || strings.HasPrefix(to, from) {
		return partial.Open
	}
	return partial.No
}

// in is the beginning of a name in a clean directory.
func in(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimRight(dir, "/") + "/" + name
}

// cutLast cuts a text behind its last slash.
func cutLast(text string) (before, after string, found bool) {
	if at := strings.LastIndexByte(text, '/'); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
}

func partialOf(a Answer) partial.Answer {
	switch a {
	case Yes:
		return partial.Yes
	case No:
		return partial.No
	default:
		return partial.Open
	}
}
