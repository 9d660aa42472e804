package call

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// mostOwn is how many files that a call writes are remembered, and mostJoined
// how many bytes are copied to put together those that it writes in parts.
const (
	mostOwn    = 256
	mostJoined = 8 << 20
)

// setting is where the commands of the call run. What the call itself has
// written so far counts as written.
func (c *Call) setting() Setting {
	in := Setting{Place: c.at, Files: c.before, Programs: c.programs}
	if len(c.Effects) > 0 {
		in.Files = ownFiles{invocation.FileFunc(c.known), c}
	}
	return in
}

// ownFiles are the files that a call itself wrote, and those from before.
type ownFiles struct {
	invocation.FileFunc
	c *Call
}

// MadeFrom is what the files were made from.
func (f ownFiles) MadeFrom(path string, below bool) []string {
	f.c.learn()
	list := f.c.made.From(path, below)
	if before, ok := f.c.before.(invocation.MadeBefore); ok {
		list = invocation.Merge(list, before.MadeFrom(path, below))
	}
	return list
}

// known returns what is known about a file: what this call put there, or what
// was written before it.
func (c *Call) known(path string) *invocation.File {
	c.learn()
	return c.lookup(path)
}

func (c *Call) lookup(path string) *invocation.File {
	if own, ok := c.own[path]; ok {
		return own
	}
	var before *invocation.File
	if c.before != nil {
		before = c.before.File(path)
	}
	if len(c.own) > 0 && follow.IsPattern(path) {
		return c.matching(path, before)
	}
	return before
}

// matching adds the files that match a pattern and that the call wrote to those
// that are already known.
func (c *Call) matching(pattern string, before *invocation.File) *invocation.File {
	meant := invocation.NewPattern(pattern)
	for _, path := range slices.Sorted(maps.Keys(c.own)) {
		own := c.own[path]
		if own == nil || !meant.Matches(path) {
			continue
		}
		if before == nil {
			before = &invocation.File{}
		}
		remote := own.Remote
		if remote == "" {
			remote = before.Remote
		}
		before = c.joined(before, own.Content)
		before.Remote = remote
	}
	return before
}

// learn notes what the effects that were added since the last time put into
// files.
func (c *Call) learn() {
	if c.learnt == len(c.Effects) {
		return
	}
	c.readContents()
	for c.learnt < len(c.Effects) {
		e := &c.Effects[c.learnt]
		c.learnt++
		if e.Remote {
			continue
		}
		switch e.Verb {
		case effect.Write:
			c.made.Note(e)
			c.keep(e)
		case effect.Delete:
			if _, ok := c.own[e.Object]; ok {
				c.own[e.Object] = nil
			}
		case effect.Link:
			if e.From != "" {
				next := invocation.File{}
				if of := c.lookup(e.Object); of != nil {
					next = *of
				}
				next.Link = e.Object
				c.hold(e.From, &next)
			}
		default:
		}
	}
	for ; c.applied < len(c.contents); c.applied++ { // by tools
		put := &c.contents[c.applied]
		c.hold(put.Path, c.changed(c.lookup(put.Path), put))
	}
}

func (c *Call) hold(path string, f *invocation.File) {
	if c.own == nil {
		c.own = map[string]*invocation.File{}
	}
	if len(c.own) < mostOwn {
		c.own[path] = f
	}
}

// keep notes what a file holds after it was written.
func (c *Call) keep(e *effect.Effect) {
	before := c.lookup(e.Object)
	switch {
	case e.From != "" && strings.Contains(e.From, "://"):
		c.hold(e.Object, &invocation.File{Remote: e.From})
	case e.From != "":
		if of := c.lookup(e.From); of != nil {
			c.hold(e.Object, of)
		}
	case e.Added != "":
		next := &invocation.File{Content: e.Added}
		switch {
		case before == nil:
		case e.Possible: // in the place of something
			next = &invocation.File{Content: before.Content, Remote: before.Remote}
		default:
			next = c.joined(before, e.Added)
			next.Known = before.Known
		}
		c.hold(e.Object, next)
	case e.Content != "":
		next := &invocation.File{Content: e.Content, Known: true}
		if before != nil && e.Command >= 0 && e.Command < len(c.Commands) && strings.Contains(c.Commands[e.Command].Text, ">>") {
			next = c.joined(before, e.Content)
			next.Known = before.Known
		}
		c.hold(e.Object, next)
	}
}

// changed is a file after something was put into it.
func (c *Call) changed(before *invocation.File, put *Content) *invocation.File {
	switch {
	case put.Whole:
		return &invocation.File{Content: put.Text, Known: true}
	case before == nil:
		return &invocation.File{Content: put.Text}
	case put.Old != "" && c.pay(len(before.Content)+len(put.Text)) && strings.Contains(before.Content, put.Old):
		return &invocation.File{Content: strings.Replace(before.Content, put.Old, put.Text, 1), Known: before.Known, Remote: before.Remote}
	default:
		return c.joined(before, put.Text)
	}
}

// joined is a file with a text behind it, or the text alone if that is too much.
func (c *Call) joined(before *invocation.File, text string) *invocation.File {
	if !c.pay(len(before.Content) + len(text)) {
		return &invocation.File{Content: text, Remote: before.Remote}
	}
	return &invocation.File{Content: strings.TrimSuffix(before.Content, "\n") + "\n" + text, Remote: before.Remote}
}

// pay reports whether so many bytes may still be copied.
func (c *Call) pay(n int) bool {
	c.joins += n
	return c.joins <= mostJoined
}

// tellContents puts into the effects of tools what they write, where that is all
// that will be in the file.
func (c *Call) tellContents() {
	if len(c.pieces) == 0 {
		return
	}
	c.readContents()
	whole := make(map[string]string, 1)
	for i := range c.contents {
		if put := &c.contents[i]; put.Whole {
			whole[put.Path] = put.Text
		}
	}
	if len(whole) == 0 {
		return
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Verb == effect.Write && e.Command < 0 && e.Content == "" && e.From == "" {
			if e.Content = whole[e.Object]; strings.HasSuffix(e.Object, ".json") {
				e.Content = effect.Unescaped(e.Content)
			}
		}
	}
}
