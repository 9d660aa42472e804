package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
)

// maxNameBytes is how much of a tool's name is compared and shown. Providers
// allow 64 or 128.
const maxNameBytes = 512

// names are the names of a called tool, folded for comparison: own are those that allow it,
// all of them deny it. See call.Call.Names.
func names(c *call.Call) (own, all []string) {
	own, all = c.Names()
	for _, list := range [][]string{own, all} {
		for i, name := range list {
			list[i] = fold(name)
		}
	}
	return own, all
}

// fold maps names that differ only in case to the same text.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return unicode.ToLower(least)
	}, name)
}

// list is the patterns of Allow or Deny.
type list []string

func newList(which string, patterns []string) (list, error) {
	var l list
	for _, p := range patterns {
		if strings.TrimSpace(p) == "" {
			return nil, fmt.Errorf("tools: %s has an empty name: remove it, or write * for every tool", which)
		}
		l = append(l, fold(strings.TrimSpace(p)))
	}
	return l, nil
}

// has reports whether any of a tool's names is on the list.
func (l list) has(names []string) bool {
	for _, pattern := range l {
		for _, name := range names {
			if glob(pattern, name) {
				return true
			}
		}
	}
	return false
}

// entry is the pattern of the list that one of a tool's names matches, empty if there is
// none.
func (l list) entry(names []string) string {
	for _, pattern := range l {
		if slices.ContainsFunc(names, func(name string) bool { return glob(pattern, name) }) {
			return pattern
		}
	}
	return ""
}

// Standing says where the tool of a call stands on the lists, for whoever writes them.
func (t *Tools) Standing(s *policy.Subject) string {
	var c call.Call
	c.Fill(&s.Block, call.Setting{Client: clientOf(s)}, false)
	name := show(nameOf(s))
	own, all := names(&c)
	on := func(which, entry string) string {
		if entry == fold(nameOf(s)) {
			return fmt.Sprintf("%s is on the list %s", name, which)
		}
		return fmt.Sprintf("%s is on the list %s as %s", name, which, t.written(entry))
	}
	if entry := t.deny.entry(all); entry != "" {
		return on("deny", entry)
	}
	if reason := t.listed(s); reason != "" && len(c.Passed) > 0 {
		return reason
	}
	var said []string
	if entry := t.allow.entry(own); entry != "" {
		said = append(said, on("allow", entry))
	} else if len(t.allow) > 0 {
		return name + " is not on the list allow"
	}
	if len(t.deny) > 0 {
		said = append(said, name+" is not on the list deny")
	}
	if t.schema {
		said = append(said, "its arguments are compared with what the request declares")
	}
	return strings.Join(said, ", and ")
}

// written is an entry of a list as it was written.
func (t *Tools) written(entry string) string {
	for _, name := range t.entries {
		if fold(strings.TrimSpace(name)) == entry {
			return strings.TrimSpace(name)
		}
	}
	return entry
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

// near returns the names of up to three allowed, declared tools, the most
// similar first.
func near(name string, declared []llm.Tool, passes func(name string) bool) []string {
	const most, considered = 3, 200
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for i := range declared[:min(len(declared), considered)] {
		t := &declared[i]
		if t.Name == "" || t.Server || len(t.Name) > maxNameBytes || fold(t.Name) == fold(name) || !passes(t.Name) {
			continue
		}
		found = append(found, candidate{t.Name, distance(fold(name), fold(t.Name))})
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	list := make([]string, 0, most)
	for _, c := range found[:min(len(found), most)] {
		list = append(list, c.name)
	}
	return list
}

// distance is the edit distance between two names. Only the first 64 bytes
// count.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
