package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/shell"
)

// LeftFile is the key under which a conversation remembers the directory outside the
// project in which its shell was left. Some clients keep a shell from call to call,
// others start each call in the project, and which of the two is not known.
const LeftFile = "/dev/tty/left-in"

// Left is the directory in which the call leaves a shell that it found in another
// one, and whether it changes it at all. If it is not known, it is unchanged.
func (c *Call) Left(in string) (dir string, moves bool) {
	for i := range c.moving {
		at := c.base
		at.Cwd = in
		if r := c.moving[i].read(Setting{Place: at, Programs: c.programs}); r.Left != "" && !effect.Expands(r.Left) {
			in = r.Left
		}
	}
	return in, len(c.moving) > 0
}

// given is what a call gives to a shell: a text, or the arguments of one.
type given struct {
	text string
	argv []string
}

func (g *given) read(in Setting) invocation.Reading {
	if g.argv != nil {
		return shell.ReadArgs(g.argv, in)
	}
	return shell.Read(g.text, in)
}

// moves records what a command does in the directory in which an earlier call may
// have left the shell: what it deletes there, and the settings that it writes there.
// Everything else is judged in the client's working directory.
func (c *Call) moves(g given, r *invocation.Reading) {
	if c.placed { // the call says where it runs
		return
	}
	if r.Left != "" {
		c.moving = append(c.moving, g)
	}
	lasting := func(e effect.Effect) bool { return isLasting(&e, c.at.Cwd) }
	if c.before == nil || !slices.ContainsFunc(r.Effects, lasting) || !c.before.Wrote() {
		return
	}
	left := c.before.File(LeftFile)
	if left == nil || left.Content == "" || !c.another() {
		return
	}
	at := c.at
	at.Cwd = left.Content
	for _, e := range g.read(Setting{Place: at, Programs: c.programs}).Effects {
		same := func(other effect.Effect) bool { return other.Verb == e.Verb && other.Object == e.Object }
		if isLasting(&e, at.Cwd) && !isBuilt(e.Object) && !slices.ContainsFunc(r.Effects, same) {
			e.Command = -1
			c.affect(&e)
		}
	}
}

// isLasting reports whether an effect deletes something irreversibly, or writes
// hidden settings, below a directory.
func isLasting(e *effect.Effect, dir string) bool {
	switch {
	case e.Remote:
		return false
	case e.Verb == effect.Write:
		rest, below := strings.CutPrefix(e.Object, strings.TrimSuffix(dir, "/")+"/")
		return (below || !effect.IsAbs(rest)) && strings.Contains("/"+rest, "/.")
	}
	return e.Verb == effect.Delete
}

// isBuilt reports whether a directory has the name of recreatable build output.
func isBuilt(path string) bool {
	return says([]string{path[strings.LastIndexByte(path, '/')+1:]}, "built")
}
