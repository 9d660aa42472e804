package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// mostJoined is how many bytes are copied to put together files that tools write in parts.
const mostJoined = 8 << 20

// setting is where the commands of the call run. What the call itself has
// written so far counts as written.
func (c *Call) setting() Setting {
	c.apply()
	return Setting{Place: c.at, Files: c.before, Programs: c.programs, Wrote: c.wrote, Links: c.links, Made: c.made}
}

// goesOn notes what a text has written, for those behind it.
func (c *Call) goesOn(r *invocation.Reading) {
	if len(r.Wrote)+len(r.Links) > 0 {
		c.wrote, c.links, c.made = r.Wrote, r.Links, r.Made
	}
}

// hold notes what is in a file.
func (c *Call) hold(path string, f *invocation.File) {
	if c.wrote == nil {
		c.wrote = map[string]*invocation.File{}
	}
	if len(c.wrote) < invocation.MostFiles {
		c.wrote[path] = f
	}
}

// known returns what is known about a file: what this call put there, or what
// was written before it.
func (c *Call) known(path string) *invocation.File {
	c.apply()
	return c.fileAt(path)
}

func (c *Call) fileAt(path string) *invocation.File {
	if own, ok := c.wrote[path]; ok || c.before == nil {
		return own
	}
	return c.before.File(path)
}

// apply notes what tools have put into files since the last time.
func (c *Call) apply() {
	for c.applied < len(c.contents) {
		c.applied++
		c.changes(&c.contents[c.applied-1])
	}
}

// changes notes what a tool puts into a file.
func (c *Call) changes(put *Content) {
	before := c.fileAt(put.Path)
	next := &invocation.File{Content: put.Text, Known: put.Whole}
	if before != nil && !put.Whole {
		next.Remote = before.Remote
		c.joins += len(before.Content) + len(put.Text)
		switch {
		case c.joins > mostJoined:
		case put.Old != "" && strings.Contains(before.Content, put.Old):
			next.Content, next.Known = strings.Replace(before.Content, put.Old, put.Text, 1), before.Known
		default:
			next.Content = strings.TrimSuffix(before.Content, "\n") + "\n" + put.Text
		}
	}
	c.hold(put.Path, next)
}

// tellContents puts into the effects of tools what they write, where that is all
// that will be in the file.
func (c *Call) tellContents() {
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
