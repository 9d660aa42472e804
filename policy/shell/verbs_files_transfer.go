package shell

import (
	"strings"

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

var rsyncUsage = usage{values: "efBTM@", long: []string{
	"rsh", "rsync-path", "exclude", "include", "filter", "exclude-from", "include-from", "files-from", "temp-dir", "partial-dir", "compare-dest", "copy-dest",
	"link-dest", "backup-dir", "suffix", "log-file", "log-file-format", "password-file", "bwlimit", "port", "max-size", "min-size", "max-delete", "chmod", "chown",
	"timeout", "contimeout", "out-format", "block-size", "modify-window", "compress-level", "skip-compress", "sockopts", "info", "debug", "address", "outbuf",
	"remote-option", "usermap", "groupmap", "iconv", "checksum-seed", "write-batch", "read-batch", "only-write-batch", "compress-choice", "checksum-choice", "config", "dparam",
}}

// rsync copies files here, to another machine or from one.
func rsync(a *act) {
	g := a.given(&rsyncUsage)
	if rsh := g.value("e", "rsh"); rsh != "" {
		a.runsAs(rsh)
	}
	if command := g.value("rsync-path"); command != "" && command != "rsync" {
		a.remotely(command)
	}
	if g.has("daemon") {
		a.does(effect.Listen, "rsync")
		return
	}
	if a.dry(&g) || g.has("list-only") {
		return
	}
	a.looks(false, g.all("files-from", "exclude-from", "include-from", "password-file")...)
	a.writes(g.all("log-file", "write-batch", "only-write-batch")...)
	if len(g.operands) < 2 {
		return // a list of what there is
	}
	target := g.last()
	machine, file := elsewhere(target)
	moves := g.has("remove-source-files", "remove-sent-files")
	for _, source := range g.operands {
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
			a.lands(source, target, isDirectory(target) || len(g.operands) > 1, true, true)
		}
		if moves {
			if from != "" {
				a.deletesThere(there, true)
			} else {
				a.deletes(true, source)
			}
		}
	}
	if !deletesExtra(&g) {
		return
	}
	if machine != "" {
		a.deletesThere(file, true)
		return
	}
	a.deletes(true, target)
}

// dry reports whether rsync only says what it would do.
func (a *act) dry(g *given) bool { return g.has("n", "dry-run") }

// deletesExtra reports whether rsync deletes what the source does not have.
func deletesExtra(g *given) bool {
	for i := range g.options {
		if name := g.options[i].name; g.options[i].long && (strings.HasPrefix(name, "del") && name != "delay-updates") {
			return true
		}
	}
	return false
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
func scp(a *act) {
	g := a.given(&usage{values: "cDFiJloPSX"})
	a.sshSettings(g.all("o"))
	if program := g.value("S"); program != "" {
		a.argv([]string{program})
	}
	if len(g.operands) < 2 {
		return
	}
	target := g.last()
	whole := g.has("r")
	machine, _ := elsewhere(target)
	for _, source := range g.operands {
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
			a.lands(source, target, isDirectory(target) || len(g.operands) > 1, whole, true)
		default:
			a.looks(whole, source)
			a.lands(source, target, isDirectory(target), whole, true)
		}
	}
}
