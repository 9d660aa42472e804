package flow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A file that was fetched is known from when the result of a later call shows all
// of it: whoever was told to read a download before running it has done so. It is
// unknown again as soon as anything changes it, and nothing counts as shown that
// could be another file by the time it runs.

// showing is a call that asks for all of a file that was fetched.
type showing struct {
	path string
	// by is the tool's name, turn when it was called.
	by   string
	turn int
	// shell: it is a command.
	shell bool
}

// shows returns what a call shows all of, the zero showing if there is no such file.
func (f *files) shows(c *call.Call) showing {
	if len(c.Effects) != 1 || c.Effects[0].Verb != effect.Read {
		return showing{}
	}
	e := &c.Effects[0]
	if own := f.of[e.Object]; own == nil || !e.Shown || e.Wide || e.Remote || e.Guess || len(c.Unknown) > 0 || f.moved && strings.Contains(c.Raw, "..") {
		return showing{}
	}
	if found := f.file(e.Object); found == nil || found.Remote == "" || !asksForAll(c) {
		return showing{}
	}
	return showing{path: e.Object, by: c.RawName, turn: f.turn, shell: c.Kind == call.KindShell}
}

// show takes the result of a call for what is in a file, if that was fetched before
// and nothing has changed it since.
func (f *files) show(s *showing, result string) {
	own := f.of[s.path]
	if own == nil || own.gone || own.Remote == "" || own.loose || own.turn >= s.turn || len(own.pending) > 0 || f.spellsLink() || !f.certain(s.path) {
		return
	}
	if content, ok := s.content(result); ok && f.bytes+len(content) <= MaxFileTotal {
		f.replace(s.path, invocation.File{Content: content, Known: true, Shown: own.Remote, From: own.From})
		f.shown++
	}
}

// certain reports whether a path is sure to be the file that the calls name: there
// are no other names, and no call before has changed the directory that relative
// names begin in.
func (f *files) certain(path string) bool {
	return !f.linked && (!f.moved || f.cwd != "" && effect.IsAbs(path) && !within(path, f.cwd))
}

// unsettle notes what makes it uncertain which file a name refers to, or when the file
// changes.
func (f *files) unsettle(c *call.Call, at effect.Place) {
	for i := range c.Commands {
		switch cmd := &c.Commands[i]; cmd.Name {
		case "cd", "pushd", "popd", "chdir", "Set-Location", "sl":
			to := ""
			if len(cmd.Args) == 1 {
				to, _ = at.Resolve(cmd.Args[0])
			}
			f.moved = f.moved || to != f.cwd || to == ""
		}
	}
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case e.Remote:
		case e.Verb == effect.Link:
			f.linked = true
		case e.Verb == effect.Write:
			f.forget(e.Object)
		}
	}
	f.texts = append(f.texts, c.Raw)
	if f.linked || f.anyShown() && f.spellsLink() {
		f.forget("/")
		f.forget("")
	}
}

// spellsLink reports whether a call makes another name for a file, or may do so in
// another language. What the calls say is looked through once, when somebody asks.
func (f *files) spellsLink() bool {
	for _, text := range f.texts {
		for _, word := range [...]string{"ymlink", "link(", "linkSync", "ymbolicLink", "ardLink", "Junction", "junction", "mklink"} {
			f.linked = f.linked || strings.Contains(text, word)
		}
	}
	f.texts = nil
	return f.linked
}

func (f *files) anyShown() bool { return f != nil && (f.shown > 0 || f.older.anyShown()) }

// forget makes what was shown of a file, or of the files in a directory, unknown.
func (f *files) forget(dir string) {
	for part := f; part != nil; part = part.older {
		if part.shown == 0 {
			continue
		}
		for path, own := range part.of {
			if now := f.of[path]; part != f && now != nil {
				continue
			}
			if own.Shown != "" && (dir == "" && !effect.IsAbs(path) || within(path, dir) || dir == "." && !effect.IsAbs(path)) {
				f.replace(path, invocation.File{Remote: own.Shown, From: own.From})
			}
		}
	}
}

// lags reports whether a call may go on to write after its result.
func lags(c *call.Call) bool {
	raw := c.Raw
	if len(c.Unknown) > 0 || strings.Contains(raw, "ackground") && strings.Contains(raw, "true") {
		return true
	}
	for _, word := range [...]string{"nohup", "setsid", "disown", "coproc", "tmux", "screen"} {
		if strings.Contains(raw, word) {
			return true
		}
	}
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '&':
		case strings.HasPrefix(raw[i:], "&&"):
			i++
		case strings.HasPrefix(raw[i:], "&>"), i > 0 && raw[i-1] == '>':
		default:
			return true
		}
	}
	return false
}

// loosen notes of what a turn fetched that its end is not known: the result says
// that the command still runs.
func (f *files) loosen(turn int, result string) {
	if !strings.Contains(result, "running") && !strings.Contains(result, "ackground") && !strings.Contains(result, "timed out") {
		return
	}
	for _, own := range f.of {
		own.loose = own.loose || own.turn == turn
	}
}
