package tools

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/policy/call"
)

// How a name is spelled does not count: transfer_money, transfer-money, TransferMoney and
// transferMoney are one name. In a pattern with * the ends of words do, or mcp_git_* would
// be true of tools of mcp_github; so they do in names that may begin with that of a server.

// spelled is a name as it is compared.
type spelled struct {
	// words are the name with its words joined by one underscore, and parts of it by two, as
	// in mcp__server__tool: first as it is, then with each capital as the beginning of a
	// word. parts are the same, split.
	words [2]string
	parts [2][]string
	// tight is the name without what joins words, but for the ends of its parts; whole
	// without those, too.
	tight, whole string
	// loose: the ends of words do not count.
	loose bool
}

func spell(name string, loose bool) spelled {
	s := spelled{words: [2]string{joined(name), joined(humps(name))}, loose: loose}
	s.parts = [2][]string{parts(s.words[0]), parts(s.words[1])}
	s.tight, s.whole = tight(s.words[0]), call.Tight(name)
	return s
}

// joined is a name in small letters, with _ for what joins its words and __ for what
// joins its parts.
func joined(name string) string {
	var b strings.Builder
	run := 0
	for _, r := range name {
		switch {
		case r != '_' && r != '-' && !unicode.IsSpace(r):
			run = 0
			b.WriteRune(call.Folded(r))
		case run < 2:
			run++
			b.WriteByte('_')
		}
	}
	return b.String()
}

// humps is a name with an underscore in front of each capital or number that begins a word
// in it.
func humps(name string) string {
	list := []rune(name)
	var b strings.Builder
	for i, r := range list {
		if i > 0 {
			before := list[i-1]
			switch {
			case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)),
				unicode.IsUpper(r) && unicode.IsUpper(before) && i+1 < len(list) && unicode.IsLower(list[i+1]),
				unicode.IsDigit(r) && unicode.IsLetter(before):
				b.WriteByte('_')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// parts splits a name at what joins its parts, which are elements of the list as well.
func parts(name string) []string {
	var list []string
	for {
		i := strings.IndexAny(name, "/_")
		for i >= 0 && name[i] == '_' && !strings.HasPrefix(name[i:], "__") {
			next := strings.IndexAny(name[i+1:], "/_")
			if next < 0 {
				i = -1
				break
			}
			i += 1 + next
		}
		if i < 0 {
			return append(list, name)
		}
		n := 1
		if name[i] == '_' {
			n = 2
		}
		list = append(list, name[:i], name[i:i+n])
		name = name[i+n:]
	}
}

// tight is a joined name without what joins words.
func tight(name string) string {
	list := parts(name)
	for i, part := range list {
		if part != "__" {
			list[i] = strings.ReplaceAll(part, "_", "")
		}
	}
	return strings.Join(list, "")
}

// pattern is an entry of a list.
type pattern struct {
	spelled

	written string
	star    bool // it has a *
}

func newPattern(written string) pattern {
	return pattern{spelled: spell(written, true), written: written, star: strings.Contains(written, "*")}
}

// allows reports whether a pattern allows a name.
func (p *pattern) allows(name *spelled) bool {
	if p.star {
		return p.matches(name)
	}
	return p.tight == name.tight && (name.loose || slices.Contains(name.words[:], p.words[0]) || slices.Contains(name.words[:], p.words[1]))
}

// denies reports whether a pattern denies a name. In one that is a single word it cannot be
// seen where its words end: deleteissue is denied by delete_*, also as the tool of a server.
func (p *pattern) denies(name *spelled) bool {
	if !p.star {
		return p.whole == name.whole && (p.whole != "" || p.words[0] == name.words[0])
	}
	if p.matches(name) || len(name.parts[1]) == 1 && isWord(name.words[1]) && glob(p.tight, name.tight) {
		return true
	}
	for _, own := range p.parts {
		for _, parts := range name.parts {
			m, n := len(own)-1, len(parts)-1
			if m < 2 || n < 2 || !isWord(parts[n]) || !glob(strings.ReplaceAll(own[m], "_", ""), strings.Trim(parts[n], "_")) {
				continue
			}
			if glob(strings.Join(own[:m], ""), strings.Join(parts[:n], "")) || slices.EqualFunc(own[:m], parts[:n], samePart) {
				return true
			}
		}
	}
	return false
}

// isWord reports whether no ends of words can be seen in a name, but for a number at its end.
func isWord(name string) bool {
	return !strings.Contains(strings.TrimRight(name, "_0123456789"), "_")
}

// matches compares a pattern with a * in it: with the whole name, or part by part, where the
// parts without a * are compared as names are.
func (p *pattern) matches(name *spelled) bool {
	for _, pattern := range p.words {
		for _, words := range name.words {
			if glob(pattern, words) {
				return true
			}
		}
	}
	for _, own := range p.parts {
		for _, parts := range name.parts {
			if name.loose && slices.EqualFunc(own, parts, samePart) {
				return true
			}
		}
	}
	return false
}

func samePart(pattern, part string) bool {
	if strings.Contains(pattern, "*") {
		return glob(pattern, part)
	}
	return pattern == part || pattern != "__" && part != "__" && strings.ReplaceAll(pattern, "_", "") == strings.ReplaceAll(part, "_", "")
}

// glob matches a name against a pattern in which * matches any run of
// characters. It takes at most len(pattern) * len(name) steps.
func glob(pattern, name string) bool {
	star, back := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, back = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			back++
			p, n = star+1, back
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
