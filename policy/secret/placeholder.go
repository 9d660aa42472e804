package secret

import (
	"encoding/hex"
	"regexp"
	"strings"
)

// A placeholder is [secret:label:mac]. Nothing in it needs to be escaped in JSON,
// YAML or a shell's quotes.
const (
	open    = "[secret:"
	macSize = 8 // bytes
	noMAC   = ":0000000000000000]"
	// placeholderPattern has no group: a found placeholder is left alone.
	placeholderPattern = `\[secret:[a-z0-9-]{1,60}:[0-9a-f]{16}\]`
)

// placeholder makes the placeholder of a secret: the same for the same secret and
// key, and useless without the key.
func (r *Redactor) placeholder(label, secret string) string {
	m, _ := r.makers.Get().(*maker)
	m.mac.Reset()
	m.room = append(m.room[:0], secret...)
	_, _ = m.mac.Write(m.room)
	sum := m.mac.Sum(m.room[:0])
	whole := len(sum)
	out := append(append(append(sum, open...), label...), ':')
	out = append(hex.AppendEncode(out, sum[:macSize]), ']')
	made := string(out[whole:])
	clear(out)
	m.room = out
	r.makers.Put(m)
	return made
}

var (
	placeholders = regexp.MustCompile(placeholderPattern)
	// fragments are placeholders and what is left of them when somebody cut or
	// changed them.
	fragments = regexp.MustCompile(`\[secret:([a-z0-9-]{1,60}):[0-9A-Za-z.…]{0,64}\]?`)
)

// Placeholders lists the placeholders in a text, each once, in the order in which
// they first appear. What looks like a placeholder that was cut short or changed
// is listed as it stands.
func Placeholders(s string) []string {
	var list []string
	eachPlaceholder(s, func(p string) string {
		list = append(list, p)
		return p
	})
	return unique(list)
}

// eachPlaceholder replaces each placeholder in a text, and each fragment of one.
func eachPlaceholder(s string, by func(found string) string) string {
	if !strings.Contains(s, open) {
		return s
	}
	known := labels()
	return fragments.ReplaceAllStringFunc(s, func(found string) string {
		label, _, _ := strings.Cut(found[len(open):], ":")
		if !known[label] {
			return found
		}
		return by(found)
	})
}

// isPlaceholder reports that a text is a whole placeholder.
func isPlaceholder(s string) bool {
	return placeholders.FindString(s) == s
}

func unique(list []string) []string {
	seen := map[string]bool{}
	kept := list[:0]
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}
