package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// tar packs and unpacks, and knows several ways to run commands meanwhile.
func tar(a *act, in *command.Reading) {
	for _, action := range in.Values("checkpoint-action") {
		if line, ok := strings.CutPrefix(action, "exec="); ok {
			a.script(strings.Trim(line, `'"`))
		}
	}
	archive, machine := in.Value("archive"), ""
	if !in.Surely("force-local") {
		machine, _ = elsewhere(archive)
	}
	switch {
	case in.Has("extract"):
		a.reads(archive)
		if machine != "" {
			a.does(effect.Fetch, machine)
		}
		a.unpack(in, archive)
	case slices.ContainsFunc([]string{"create", "append", "update", "catenate"}, in.Has):
		a.pack(in, machine)
		if machine == "" {
			a.put(archive, a.packed())
		}
		a.looks(false, in.Values("list")...)
	case in.Has("delete"):
		a.put(archive, "")
	case in.Has("list"), in.Has("compare"):
		a.reads(archive)
	}
}

// unpack notes what is written when an archive is unpacked.
func (a *act) unpack(in *command.Reading, archive string) {
	if in.Surely("to-stdout", "to-command") {
		return
	}
	from := a.cameFrom()
	if !isNoFile(archive) {
		from = a.path(archive)
	}
	if in.Has("absolute-names") {
		a.within("/", from)
	}
	dirs := slices.DeleteFunc(append(in.Values("directory"), in.Values("one-top-level")...), func(dir string) bool { return dir == "" })
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		a.within(dir, from)
	}
}

// pack notes what is read when an archive is made, and what is deleted then.
func (a *act) pack(in *command.Reading, machine string) {
	base := in.Value("directory")
	for _, member := range in.Values("member") {
		member = strings.TrimPrefix(member, "@") // another archive
		if base != "" && !effect.IsAbs(member) && !strings.HasPrefix(member, "~") && !strings.HasPrefix(member, "$") {
			member = join(base, member)
		}
		a.looks(true, member)
		if machine != "" {
			a.ships(machine, member, true)
		}
		if in.Has("remove-files") {
			a.deletes(true, member)
		}
	}
}

// packsToOutput reports whether what tar packs or unpacks goes to the output.
func packsToOutput(_ *act, in *command.Reading) bool {
	archive := in.Value("archive")
	return in.Has("to-stdout") || archive == "" || archive == "-" || isScreen(archive)
}

// cpio packs and unpacks the files that its input names.
func cpio(a *act, in *command.Reading) {
	dir := in.Value("directory")
	if dir == "" {
		dir = "."
	}
	archive := in.Value("archive")
	if in.Has("extract") {
		a.reads(archive)
		if !in.Surely("list", "to-stdout") {
			from := a.cameFrom()
			if !isNoFile(archive) {
				from = a.path(archive)
			}
			a.within(dir, from)
			if in.Has("absolute-filenames") {
				a.within("/", from)
			}
		}
	}
	names := a.in.roots
	if len(names) == 0 && a.in.known { // each in a line
		names = a.few(strings.FieldsFunc(a.in.text, func(c rune) bool { return c == '\n' || c == 0 }))
	}
	if in.Has("create") || in.Has("pass-through") {
		a.looks(true, names...)
	}
	if in.Has("create") {
		a.writes(archive)
	}
	if !in.Has("pass-through") {
		return
	}
	for _, target := range in.Values("target") {
		a.within(target, a.packed())
		for _, p := range names { // under the names that they have
			a.lands(p, join(target, p), false, true, false)
		}
	}
}

// zip packs files. The names behind -x are what it leaves out.
func zip(a *act, in *command.Reading) {
	archives := in.Values("archive")
	if in.Surely("delete") {
		for _, archive := range archives {
			a.put(archive, "")
		}
		return
	}
	files, whole := in.Values("path"), in.Has("recurse-paths") || in.Has("R")
	a.looks(whole, files...)
	if in.Has("names-stdin") {
		a.looks(false, a.in.roots...)
	}
	if in.Surely("show-files", "test") && len(files) == 0 {
		return
	}
	if out := in.Values("output"); len(out) > 0 {
		archives = out
	}
	for _, archive := range archives {
		a.put(archive, a.packed())
	}
	if in.Has("move") {
		a.deletes(whole, files...)
	}
}
