package rule

import (
	"path"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// holedHost is the host of an address of which a part is not known. It is known if
// it ends before that part: a variable behind https://a. could be b@c.
func holedHost(text string) (name string, known bool) {
	h := newHoled(text)
	if _, rest, ok := strings.Cut(h.first(), "://"); !ok || !strings.ContainsAny(rest, "/?#") {
		return "", false
	}
	return hostOf(h.first())
}

// knownDir splits what is known of the beginning of a path into a directory and the
// beginning of a name. If the home is all that is a variable in it, the path is
// whole.
func knownDir(written string) (p, dir, name string, whole, ok bool) {
	if rest, isHome := cutHome(written); isHome {
		written = "~/" + rest
	}
	h := newHoled(written)
	if len(h.holes) == 0 {
		return written, "", "", true, true
	}
	slash := strings.LastIndexByte(h.first(), '/')
	if slash < 0 {
		return written, "", "", false, false
	}
	if dir = h.first()[:slash]; dir == "" {
		dir = "/"
	}
	return written, dir, h.first()[slash+1:], false, true
}

// underHoled is under for a path of which a part is not known. That a variable may
// lead upwards (..) is left aside.
func underHoled(written, dir string, s *sessionView) Outcome {
	p, known, name, whole, ok := knownDir(written)
	switch {
	case !ok:
		return Unknown
	case whole:
		return outcomeOf(under(p, dir, s))
	case outcomeOf(under(known, dir, s)) == True:
		return True
	}
	from, to, unknown := align(known, dir, s)
	if unknown != nil || strings.HasPrefix(to, strings.TrimRight(from, "/")+"/"+name) {
		return Unknown
	}
	return False
}

// globHoled is glob for a path of which a part is not known.
func globHoled(written, pattern string, s *sessionView) Outcome {
	p, known, name, whole, ok := knownDir(written)
	if whole {
		return outcomeOf(glob(p, pattern, s))
	}
	if !strings.Contains(pattern, "/") {
		h := newHoled(written)
		_, base, _ := cutLast(h.last())
		if base == "" {
			return Unknown
		}
		if matched, err := path.Match(pattern, base); err != nil || matched {
			return Unknown
		}
		return False
	}
	if !ok || strings.HasPrefix(pattern, "**/") {
		return Unknown
	}
	from, to, unknown := align(known, pattern, s)
	if unknown != nil {
		return Unknown
	}
	from = strings.TrimRight(from, "/") + "/" + name
	if wild := strings.IndexAny(to, `*?[\`); wild >= 0 {
		to = to[:wild]
	}
	if strings.HasPrefix(from, to) || strings.HasPrefix(to, from) {
		return Unknown
	}
	return False
}

// cutLast cuts a text behind its last slash.
func cutLast(text string) (before, after string, found bool) {
	if at := strings.LastIndexByte(text, '/'); at >= 0 {
		return text[:at], text[at+1:], true
	}
	return text, "", false
}

func outcomeOf(value ref.Val) Outcome {
	switch value {
	case types.True:
		return True
	case types.False:
		return False
	default:
		return Unknown
	}
}
