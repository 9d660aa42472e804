package flow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// madeFrom is what a file was made from that a command writes: the first that is
// private of what it is copied from, what that was made from, what the command
// reads, and what was in it before. If nothing is, it is what came first.
func (f *files) madeFrom(c *call.Call, e *effect.Effect, before *invocation.File) string {
	from := e.From
	if strings.HasPrefix(from, "$") {
		from = "environment"
	}
	if e.Wide && fetched(c, e.From) || strings.Contains(from, "://") {
		from = ""
	}
	if f.carries(from) {
		return from
	}
	if older := f.source(from); older != "" {
		from = older
	}
	if f.carries(from) {
		return from
	}
	if e.Command >= 0 && e.Content == "" {
		if read := f.readBy(c)[e.Command]; read != "" && read != e.Object {
			return read
		}
	}
	if before != nil && f.carries(before.From) && (appends(c, e) || e.From == "" && e.Content == "") {
		return before.From
	}
	return from
}

// carries reports whether what a file was made from is private.
func (f *files) carries(from string) bool {
	switch from {
	case "environment", "database", "secret":
		return true
	}
	return isPrivate(from, f.cwd) || isPrivate(from+"/x", f.cwd)
}

// source is what a file was made from, empty if nothing says so.
func (f *files) source(p string) string {
	for part := f; part != nil && p != ""; part = part.older {
		own := part.of[p]
		if own == nil {
			continue
		}
		if own.gone || own.From == "" {
			return ""
		}
		return part.file(p).From // a tool may have replaced it
	}
	return ""
}

// readBy is the first private source of each command of a call.
func (f *files) readBy(c *call.Call) map[int]string {
	if f.reads != nil {
		return f.reads
	}
	f.reads = map[int]string{}
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Verb != effect.Read || e.Remote || e.Command < 0 || f.reads[e.Command] != "" {
			continue
		}
		if f.carries(e.Object) {
			f.reads[e.Command] = e.Object
		} else if from := f.source(e.Object); f.carries(from) {
			f.reads[e.Command] = from
		}
	}
	for i := range c.Commands {
		if f.reads[i] == "" && asksDatabase(&c.Commands[i]) {
			f.reads[i] = "database"
		}
	}
	return f.reads
}

// mostAbove is how many directories above a file are looked at.
const mostAbove = 16

// inCopy is a file in a directory that was copied from a private one, nil if it
// is in none.
func (f *files) inCopy(p string) *invocation.File {
	dir := path.Dir(p)
	for range mostAbove {
		if from := f.source(dir); from != "" && isPrivate(from+"/x", f.cwd) && !isPrivate(from, f.cwd) {
			return &invocation.File{From: from + p[len(dir):]}
		}
		up := path.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return nil
}
