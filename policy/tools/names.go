package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
)

// maxNameBytes is how much of a tool's name is compared and shown. Providers
// allow 64 or 128.
const maxNameBytes = 512

// names are the names of a called tool: own are those that allow it, all of them deny it.
// See call.Call.Names.
func names(c *call.Call) (own, all []spelled) {
	mine, alike := c.Names()
	own, all = make([]spelled, len(mine)), make([]spelled, len(alike))
	for i, name := range mine {
		// Where a name may begin with that of a server, only whole words of it tell one
		// server from another: git_hub_x is not a tool of github.
		asWritten := c.Server != "" && slices.Index(mine, c.RawName) == i
		own[i] = spell(name, !c.ServerUnknown && !asWritten)
	}
	for i, name := range alike {
		all[i] = spell(name, true)
	}
	return own, all
}

// mostSplits is at how many joints a name is split.
const mostSplits = 12

// splits are the names of a tool whose server is not known, for each beginning of it that
// may be that of a server: linear_delete_issue may be delete_issue of linear.
func splits(name string) []spelled {
	name = strings.TrimLeft(name, " _-")
	for _, mark := range []string{"mcp_", "mcp-", "mcp."} {
		name = strings.TrimPrefix(name, mark)
	}
	var list []spelled
	for i := 1; i < len(name)-1 && len(list) < 3*mostSplits; i++ {
		if strings.IndexByte("_-.:/", name[i]) < 0 {
			continue
		}
		if server, tool := strings.TrimRight(name[:i], "_-.:/"), strings.TrimLeft(name[i:], "_-.:/"); server != "" && tool != "" {
			list = append(list, spell(tool, true), spell(server+"/"+tool, true), spell("mcp__"+server+"__"+tool, true))
		}
	}
	return list
}

// list is the patterns of Allow or Deny.
type list []pattern

func newList(which string, patterns []string) (list, error) {
	var l list
	for _, p := range patterns {
		if strings.TrimSpace(p) == "" {
			return nil, fmt.Errorf("tools: %s has an empty name: remove it, or write * for every tool", which)
		}
		l = append(l, newPattern(strings.TrimSpace(p)))
	}
	return l, nil
}

// allows returns the pattern that one of a tool's names matches, nil if there is none.
func (l list) allows(names []spelled) *pattern { return l.first(names, (*pattern).allows) }

// denies is allows for a list of tools that are denied.
func (l list) denies(names []spelled) *pattern { return l.first(names, (*pattern).denies) }

func (l list) first(names []spelled, matches func(*pattern, *spelled) bool) *pattern {
	for i := range l {
		for j := range names {
			if matches(&l[i], &names[j]) {
				return &l[i]
			}
		}
	}
	return nil
}

// Standing says where the tool of a call stands on the lists, for whoever writes them.
func (t *Tools) Standing(s *policy.Subject) string {
	var c call.Call
	c.Fill(&s.Block, call.Setting{Client: clientOf(s)}, false)
	name := show(nameOf(s))
	own, all := names(&c)
	on := func(which string, entry *pattern) string {
		if call.SameName(entry.written, nameOf(s)) {
			return fmt.Sprintf("%s is on the list %s", name, which)
		}
		return fmt.Sprintf("%s is on the list %s as %s", name, which, entry.written)
	}
	if entry := t.deny.denies(all); entry != nil {
		return on("deny", entry)
	}
	if reason, maybe := t.listed(s); reason != "" && (len(c.Passed) > 0 || maybe) {
		return reason
	}
	var said []string
	if entry := t.allow.allows(own); entry != nil {
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
		if t.Name == "" || t.Server || len(t.Name) > maxNameBytes || call.Tight(t.Name) == call.Tight(name) || !passes(t.Name) {
			continue
		}
		found = append(found, candidate{t.Name, distance(call.Tight(name), call.Tight(t.Name))})
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
