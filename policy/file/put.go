package file

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// put is what a call puts into a file.
type put struct {
	call.Content
	// moved is the file that it was in and is no longer, empty if there is none.
	moved string
}

// puts yields what a call puts into files, by tools, patches and commands.
func puts(c *call.Call, past func() *flow.Past) func(yield func(put) bool) {
	return func(yield func(put) bool) {
		for _, content := range c.Contents() {
			if !yield(put{Content: content}) {
				return
			}
		}
		known := copies{effects: c.Effects, past: past}
		for i := range c.Effects {
			// What tools write was among the contents already.
			e := &c.Effects[i]
			if e.Verb != effect.Write || e.Command < 0 {
				continue
			}
			if text := e.Content + e.Added; text != "" { // of which one is empty
				if !yield(put{Content: call.Content{Path: e.Object, Text: text}}) {
					return
				}
				continue
			}
			if e.From == "" {
				continue
			}
			for _, p := range known.of(i) {
				if !yield(p) {
					return
				}
			}
		}
		for i := range c.Commands {
			if text := messageOf(&c.Commands[i]); text != "" && !yield(put{Content: call.Content{Path: commitMessage, Text: text}}) {
				return
			}
		}
	}
}

// Limits of what is followed: files of a directory that is copied, and copies of copies.
const (
	mostCopied = 200
	mostCopies = 16
	// mostFollowed is how many effects are looked through for all copies of a call.
	mostFollowed = 1 << 20
)

// copies follows what is in files that the effects of a call copy and move.
type copies struct {
	effects []effect.Effect
	past    func() *flow.Past
	// moves are the commands that moved files, by the numbers of the effects that removed these.
	moves map[int]int
	steps int
}

// of is what an effect puts into files that were written before it.
func (c *copies) of(i int) []put {
	e := &c.effects[i]
	gone := c.isMoved(i)
	one := func(to, from string) (put, bool) {
		p := put{Content: call.Content{Path: to, Text: c.content(from, i, 0)}}
		if gone {
			p.moved = from
		}
		return p, p.Text != ""
	}
	if p, ok := one(e.Object, e.From); ok {
		return []put{p}
	}
	var list []put
	for _, name := range c.below(e.From, i) {
		if p, ok := one(strings.TrimSuffix(e.Object, "/")+name[len(strings.TrimSuffix(e.From, "/")):], name); ok {
			list = append(list, p)
		}
	}
	return list
}

// isMoved reports whether what an effect copies is removed where it was. Of several
// commands that copy it, the first has moved it.
func (c *copies) isMoved(i int) bool {
	e := &c.effects[i]
	for j := i; j < len(c.effects) && c.pay(); j++ {
		if of := &c.effects[j]; of.Verb != effect.Delete || of.Object != e.From {
			continue
		}
		by, known := c.moves[j]
		if !known {
			if c.moves == nil {
				c.moves = map[int]int{}
			}
			c.moves[j] = e.Command
			return true
		}
		if by == e.Command { // in another way in which the command can be meant
			return true
		}
	}
	return false
}

// content is what is in a file when an effect comes about, as far as it is known. That
// something was removed does not count: it may have failed.
func (c *copies) content(path string, before, depth int) string {
	if path == "" || depth > mostCopies {
		return ""
	}
	for i := before - 1; i >= 0 && c.pay(); i-- {
		e := &c.effects[i]
		if e.Verb != effect.Write || e.Object != path {
			continue
		}
		switch {
		case e.Content != "":
			return e.Content
		case e.Added != "":
			return c.content(path, i, depth+1) + "\n" + e.Added
		case e.From != "" && e.From != path:
			return c.content(e.From, i, depth+1)
		}
	}
	if follow.IsPattern(path) {
		return c.matched(path, before, depth)
	}
	if known := c.past().File(path); known != nil {
		return known.Content
	}
	return ""
}

// matched is what is in all files that a pattern means.
func (c *copies) matched(pattern string, before, depth int) string {
	var b strings.Builder
	meant, seen := invocation.NewPattern(pattern), []string{}
	for i := range c.effects[:before] {
		e := &c.effects[i]
		if e.Verb == effect.Write && c.pay() && len(seen) < mostCopied && meant.Matches(e.Object) && !slices.Contains(seen, e.Object) {
			seen = append(seen, e.Object)
			b.WriteString(c.content(e.Object, before, depth+1) + "\n")
		}
	}
	if known := c.past().File(pattern); known != nil {
		b.WriteString(known.Content)
	}
	return b.String()
}

// below are the files in a directory that are known to have been written.
func (c *copies) below(dir string, before int) []string {
	dir = strings.TrimSuffix(dir, "/") + "/"
	names := c.past().Below(dir, mostCopied)
	for i := range c.effects[:before] {
		e := &c.effects[i]
		if e.Verb == effect.Write && c.pay() && len(names) < mostCopied && strings.HasPrefix(e.Object, dir) && !slices.Contains(names, e.Object) {
			names = append(names, e.Object)
		}
	}
	return names
}

func (c *copies) pay() bool {
	c.steps++
	return c.steps <= mostFollowed
}
