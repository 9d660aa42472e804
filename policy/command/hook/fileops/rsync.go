package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// elsewhere cuts host:path, user@host:path, host::module and scheme://host/path.
// The machine is empty for a path on this one.
func elsewhere(operand string) (machine, file string) {
	if _, rest, ok := strings.Cut(operand, "://"); ok {
		_, file, _ = strings.Cut(rest, "/")
		return invocation.HostOf(operand), file
	}
	start := 0
	if strings.HasPrefix(operand[strings.IndexByte(operand, '@')+1:], "[") { // an IPv6 address
		start = max(strings.IndexByte(operand, ']'), 0)
	}
	colon := strings.IndexByte(operand[start:], ':')
	if colon <= 0 || strings.IndexByte(operand[:start+colon], '/') >= 0 || isDrive(operand) {
		return "", operand
	}
	machine = operand[:start+colon]
	return strings.Trim(machine[strings.LastIndexByte(machine, '@')+1:], "[]"), strings.TrimLeft(operand[start+colon:], ":")
}

// isDrive reports whether a path is on a drive of Windows rather than on a machine
// whose name is one letter.
func isDrive(p string) bool {
	return effect.IsWindows(p) && ('A' <= p[0] && p[0] <= 'Z' || strings.Contains(p, `\\`))
}

// Ships notes that a file goes to another machine.
func Ships(a *invocation.Act, to, file string, wide bool) {
	from := ""
	if !invocation.IsNoFile(file) {
		from = a.Path(file)
	}
	a.Add(effect.Effect{Verb: effect.Send, Object: to, From: from, Wide: wide})
}

// deletesThere notes that a file of another machine is removed.
func deletesThere(a *invocation.Act, file string, wide bool) {
	a.Add(effect.Effect{Verb: effect.Delete, Object: file, Wide: wide, Remote: true})
}

// Rsync copies files here, to another machine or from one.
func Rsync(a *invocation.Act, in *command.Reading) {
	if rsh := in.Value("rsh"); rsh != "" {
		runsAs(a, rsh)
	}
	if in.Surely("dry-run", "list-only") {
		return
	}
	a.Looks(false, in.Values("list")...)
	a.WritesFiles(in.Values("log")...)
	if len(in.Values("source")) == 0 {
		return // a list of what there is
	}
	for _, target := range in.Values("target") {
		rsyncTo(a, target, in)
	}
}

func rsyncTo(a *invocation.Act, target string, in *command.Reading) {
	machine, file := elsewhere(target)
	sources := in.Values("source")
	for _, source := range sources {
		from, there := elsewhere(source)
		switch {
		case machine != "" && from == "":
			if strings.Contains(target, "://") || strings.Contains(target, "::") { // nobody logs in there
				Ships(a, "rsync://"+machine, source, true)
				continue
			}
			Ships(a, machine, source, true)
		case from != "":
			a.Does(effect.Fetch, from)
			a.Add(effect.Effect{Verb: effect.Write, Object: a.Path(target), From: source, Wide: true})
		default:
			a.MayFetch(source)
			a.MaySend(target, source, true)
			a.Looks(true, source)
			lands(a, source, target, isDirectory(target) || len(sources) > 1, true, true)
		}
		if in.Has("remove-source-files") {
			if from != "" {
				deletesThere(a, there, true)
			} else {
				a.DeletesFiles(true, source)
			}
		}
	}
	switch { // what the source does not have
	case !in.Has("delete"):
	case machine != "":
		deletesThere(a, file, true)
	default:
		a.DeletesFiles(true, target)
	}
}

// runsAs reads the command that stands in for ssh. It is ssh itself in daily
// work, with options that may run something.
func runsAs(a *invocation.Act, rsh string) {
	words := strings.Fields(rsh)
	if len(words) == 0 {
		return
	}
	if invocation.BaseName(words[0]) != "ssh" {
		a.Script(rsh)
		return
	}
	for i, w := range words {
		if o, ok := strings.CutPrefix(w, "-o"); ok {
			if o == "" && i+1 < len(words) {
				o = words[i+1]
			}
			if strings.Contains(strings.ToLower(o), "command") {
				_, value, _ := strings.Cut(rsh, o) // it has blanks
				follow.SshSettings(a, []string{strings.Trim(o+value, `'"`)})
				return
			}
		}
	}
}

// Scp copies between machines. The key that it uses is used, not copied.
func Scp(a *invocation.Act, in *command.Reading) {
	follow.SshSettings(a, in.Values("setting"))
	whole, sources := in.Has("r"), in.Values("source")
	for _, target := range in.Values("target") {
		machine, _ := elsewhere(target)
		for _, source := range sources {
			from, _ := elsewhere(source)
			if from != "" {
				a.Does(effect.Fetch, from)
			}
			switch {
			case machine != "" && from != "":
				a.Add(effect.Effect{Verb: effect.Send, Object: machine, From: source, Wide: whole})
			case machine != "":
				Ships(a, machine, source, whole)
			case from != "":
				lands(a, source, target, isDirectory(target) || len(sources) > 1, whole, true)
			default:
				a.MayFetch(source)
				a.MaySend(target, source, whole)
				a.Looks(whole, source)
				lands(a, source, target, isDirectory(target), whole, true)
			}
		}
	}
}
