package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// elsewhere cuts host:path, user@host:path, host::module and scheme://host/path.
// The machine is empty for a path on this one.
func elsewhere(operand string) (machine, file string) {
	if _, rest, ok := strings.Cut(operand, "://"); ok {
		_, file, _ = strings.Cut(rest, "/")
		return hostOf(operand), file
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

// ships notes that a file goes to another machine.
func (a *act) ships(to, file string, wide bool) {
	from := ""
	if !isNoFile(file) {
		from = a.path(file)
	}
	a.add(effect.Effect{Verb: effect.Send, Object: to, From: from, Wide: wide})
}

// deletesThere notes that a file of another machine is removed.
func (a *act) deletesThere(file string, wide bool) {
	a.add(effect.Effect{Verb: effect.Delete, Object: file, Wide: wide, Remote: true})
}

// rsync copies files here, to another machine or from one.
func rsync(a *act, in *command.Reading) {
	if rsh := in.Value("rsh"); rsh != "" {
		a.runsAs(rsh)
	}
	if program := in.Value("remote-program"); program != "" && program != "rsync" {
		a.remotely(program)
	}
	if in.Has("daemon") {
		a.does(effect.Listen, "rsync")
		return
	}
	if in.Surely("dry-run", "list-only") {
		return
	}
	a.looks(false, in.Values("list")...)
	a.writes(in.Values("log")...)
	if len(in.Values("source")) == 0 {
		return // a list of what there is
	}
	for _, target := range in.Values("target") {
		a.rsyncTo(target, in)
	}
}

func (a *act) rsyncTo(target string, in *command.Reading) {
	machine, file := elsewhere(target)
	sources := in.Values("source")
	for _, source := range sources {
		from, there := elsewhere(source)
		switch {
		case machine != "" && from == "":
			if strings.Contains(target, "://") || strings.Contains(target, "::") { // nobody logs in there
				a.ships("rsync://"+machine, source, true)
				continue
			}
			a.ships(machine, source, true)
		case from != "":
			a.does(effect.Fetch, from)
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(target), From: source, Wide: true})
		default:
			a.looks(true, source)
			a.lands(source, target, isDirectory(target) || len(sources) > 1, true, true)
		}
		if in.Has("remove-source-files") {
			if from != "" {
				a.deletesThere(there, true)
			} else {
				a.deletes(true, source)
			}
		}
	}
	switch { // what the source does not have
	case !in.Has("delete"):
	case machine != "":
		a.deletesThere(file, true)
	default:
		a.deletes(true, target)
	}
}

// runsAs reads the command that stands in for ssh. It is ssh itself in daily
// work, with options that may run something.
func (a *act) runsAs(rsh string) {
	words := strings.Fields(rsh)
	if len(words) == 0 {
		return
	}
	if baseName(words[0]) != "ssh" {
		a.script(rsh)
		return
	}
	for i, w := range words {
		if o, ok := strings.CutPrefix(w, "-o"); ok {
			if o == "" && i+1 < len(words) {
				o = words[i+1]
			}
			if strings.Contains(strings.ToLower(o), "command") {
				_, value, _ := strings.Cut(rsh, o) // it has blanks
				a.sshSettings([]string{strings.Trim(o+value, `'"`)})
				return
			}
		}
	}
}

// scp copies between machines. The key that it uses is used, not copied.
func scp(a *act, in *command.Reading) {
	a.sshSettings(in.Values("setting"))
	whole, sources := in.Has("r"), in.Values("source")
	for _, target := range in.Values("target") {
		machine, _ := elsewhere(target)
		for _, source := range sources {
			from, _ := elsewhere(source)
			if from != "" {
				a.does(effect.Fetch, from)
			}
			switch {
			case machine != "" && from != "":
				a.add(effect.Effect{Verb: effect.Send, Object: machine, From: source, Wide: whole})
			case machine != "":
				a.ships(machine, source, whole)
			case from != "":
				a.lands(source, target, isDirectory(target) || len(sources) > 1, whole, true)
			default:
				a.looks(whole, source)
				a.lands(source, target, isDirectory(target), whole, true)
			}
		}
	}
}
