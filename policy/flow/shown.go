package flow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// A file that was fetched, and a script that was there before, is known from when the
// result of a later call shows all of it: whoever was told to read a download before
// running it has done so. It is unknown again as soon as anything changes it, and nothing
// counts as shown that could be another file by the time it runs.

// showing is a call that asks for all of a file whose contents are not known.
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
	if !e.Shown || e.Wide || e.Remote || e.Guess || len(c.Unknown) > 0 || f.moved && strings.Contains(c.Raw, "..") {
		return showing{}
	}
	switch own, found := f.of[e.Object], f.file(e.Object); {
	case found == nil || found.Remote == "": // it was there before, or a program wrote it
		if found != nil && found.Known || !isRun(e.Object) || own != nil && own.gone {
			return showing{}
		}
	case own == nil:
		return showing{}
	}
	if !asksForAll(c) {
		return showing{}
	}
	return showing{path: e.Object, by: c.RawName, turn: f.turn, shell: c.Kind == call.KindShell}
}

// show takes the result of a call for what is in a file, if nothing has changed it since.
func (f *files) show(s *showing, result string) {
	own := f.of[s.path]
	if own != nil && (own.gone || own.loose || own.turn >= s.turn || len(own.pending) > 0) || f.spellsLink() || !f.certain(s.path) {
		return
	}
	content, sure, ok := s.content(result)
	switch {
	case !ok || f.bytes+len(content) > MaxFileTotal:
	case own != nil && own.Remote != "":
		if beginsAsProgram(content) {
			f.replace(s.path, invocation.File{Content: content, Known: true, Shown: own.Remote, From: own.From})
			f.shown++
		}
	case own == nil && f.older != nil && f.older.file(s.path) != nil, f.bytes+len(content) > mostSeen:
	default:
		next := invocation.File{Content: content, Known: sure}
		if own != nil {
			next.From = own.From
		}
		f.replace(s.path, next)
		if now := f.of[s.path]; now != nil {
			now.seen = true
			f.shown++
		}
	}
}

// mostSeen is how much of the files that were there before is kept, beside what was written.
const mostSeen = MaxFileTotal / 4

// isRun reports whether a file is one that is run, by its name: a script, or what a
// program takes its orders from.
func isRun(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", "package.json", "Taskfile.yml", "Taskfile.yaml",
		"docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "Rakefile", "gradlew", "configure":
		return true
	}
	switch ending := strings.ToLower(base[strings.LastIndexByte(base, '.')+1:]); ending {
	case "sh", "bash", "zsh", "ksh", "py", "pl", "rb", "php", "lua", "r", "js", "mjs", "cjs", "ts", "ps1", "cmd", "bat", "sql", "mk":
		return true
	default:
		return !strings.Contains(base, ".") // run, deploy
	}
}

// isSeen reports whether what is known of a file is what a result showed of it.
func (f *files) isSeen(path string) bool {
	for part := f; part != nil; part = part.older {
		if own := part.of[path]; own != nil {
			return own.seen
		}
	}
	return false
}

// mayChange reports whether a call may change files without saying which: it runs what is
// not known, or takes another version of the project.
func mayChange(c *call.Call) bool {
	if len(c.Unknown)+len(c.Strange) > 0 {
		return true
	}
	for i := range c.Effects {
		switch c.Effects[i].Verb {
		case effect.Run, effect.RunRemote, effect.RunHidden, effect.Discard, effect.RewriteHistory:
			return true
		default:
		}
	}
	for i := range c.Commands {
		cmd := &c.Commands[i]
		switch cmd.Name {
		case "git", "hg", "jj", "svn":
		case "patch":
			return true
		default:
			continue
		}
		switch cmd.Sub {
		case "status", "log", "diff", "show", "push", "add", "commit", "branch", "fetch", "remote", "config", "rev-parse", "ls-files", "blame", "grep", "tag", "":
		default:
			return true
		}
	}
	return false
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
	if f.anyShown() {
		f.unsee(c)
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
	f.eachShown(func(path string, own *file) {
		if (dir == "" || dir == ".") && !effect.IsAbs(path) || within(path, dir) {
			f.hide(path, own)
		}
	})
}

// unsee makes what was shown of files that nobody wrote unknown where a call may change
// them: those that a program gets of which nothing is known, or all of them.
func (f *files) unsee(c *call.Call) {
	all := mayChange(c)
	f.eachShown(func(path string, own *file) {
		if own.seen && (all || givenToStranger(c, path[strings.LastIndexByte(path, '/')+1:])) {
			f.hide(path, own)
		}
	})
}

// givenToStranger reports whether a program that is not described is given a file.
func givenToStranger(c *call.Call, base string) bool {
	for i := range c.Commands {
		cmd := &c.Commands[i]
		if command.Builtin().Has(cmd.Name) || invocation.InterpreterName(cmd.Name) != "" || cmd.Name == "bash" || cmd.Name == "sh" || cmd.Name == "zsh" || strings.HasSuffix(cmd.Name, base) {
			continue
		}
		for _, arg := range cmd.Args {
			if strings.Contains(arg, base) {
				return true
			}
		}
	}
	return false
}

// eachShown gives all files that were shown, as they are now.
func (f *files) eachShown(do func(path string, own *file)) {
	for part := f; part != nil; part = part.older {
		if part.shown == 0 {
			continue
		}
		for path, own := range part.of {
			if part != f && f.of[path] != nil {
				continue
			}
			if own.seen || own.Shown != "" {
				do(path, own)
			}
		}
	}
}

// hide makes what was shown of a file unknown.
func (f *files) hide(path string, own *file) {
	if !own.seen {
		f.replace(path, invocation.File{Remote: own.Shown, From: own.From})
		return
	}
	f.replace(path, invocation.File{})
	if now := f.of[path]; now != nil {
		now.gone = true
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
