package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// Tar packs and unpacks, and knows several ways to run commands meanwhile.
func Tar(a *invocation.Act, in *command.Reading) {
	for _, action := range in.Values("checkpoint-action") {
		if line, ok := strings.CutPrefix(action, "exec="); ok {
			a.Script(strings.Trim(line, `'"`))
		}
	}
	archive, machine := in.Value("archive"), ""
	if !in.Surely("force-local") {
		machine, _ = elsewhere(archive)
	}
	switch {
	case in.Has("extract"):
		follow.ReadsFiles(a, archive)
		if machine != "" {
			a.Does(effect.Fetch, machine)
		}
		unpack(a, in, archive)
	case slices.ContainsFunc([]string{"create", "append", "update", "catenate"}, in.Has):
		pack(a, in, machine)
		if machine == "" {
			a.PutAll(archive, a.Packed(), a.Taken())
		}
		a.Looks(false, in.Values("list")...)
	case in.Has("delete"):
		a.Put(archive, "")
	case in.Has("list"), in.Has("compare"):
		follow.ReadsFiles(a, archive)
	}
}

// unpack notes what is written when an archive is unpacked.
func unpack(a *invocation.Act, in *command.Reading, archive string) {
	if in.Surely("to-stdout", "to-command") {
		return
	}
	from := a.CameFrom()
	if !invocation.IsNoFile(archive) {
		from = a.Path(archive)
	}
	if in.Has("absolute-names") {
		a.Within("/", from)
	}
	dirs := slices.DeleteFunc(append(in.Values("directory"), in.Values("one-top-level")...), func(dir string) bool { return dir == "" })
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		a.Within(dir, from)
	}
}

// pack notes what is read when an archive is made, and what is deleted then.
func pack(a *invocation.Act, in *command.Reading, machine string) {
	base := in.Value("directory")
	for _, member := range in.Values("member") {
		member = strings.TrimPrefix(member, "@") // another archive
		if base != "" && !effect.IsAbs(member) && !strings.HasPrefix(member, "~") && !strings.HasPrefix(member, "$") {
			member = follow.Join(base, member)
		}
		a.Looks(true, member)
		if machine != "" {
			Ships(a, machine, member, true)
		}
		if in.Has("remove-files") {
			a.DeletesFiles(true, member)
		}
	}
}

// PacksToOutput reports whether what tar packs or unpacks goes to the output.
func PacksToOutput(_ *invocation.Act, in *command.Reading) bool {
	archive := in.Value("archive")
	return in.Has("to-stdout") || archive == "" || archive == "-" || output.IsScreen(archive)
}

// Cpio packs and unpacks the files that its input names.
func Cpio(a *invocation.Act, in *command.Reading) {
	dir := in.Value("directory")
	if dir == "" {
		dir = "."
	}
	archive := in.Value("archive")
	if in.Has("extract") {
		follow.ReadsFiles(a, archive)
		if !in.Surely("list", "to-stdout") {
			from := a.CameFrom()
			if !invocation.IsNoFile(archive) {
				from = a.Path(archive)
			}
			a.Within(dir, from)
			if in.Has("absolute-filenames") {
				a.Within("/", from)
			}
		}
	}
	names := a.In.Roots
	if len(names) == 0 && a.In.Known { // each in a line
		names = follow.Few(a, strings.FieldsFunc(a.In.Text, func(c rune) bool { return c == '\n' || c == 0 }))
	}
	if in.Has("create") || in.Has("pass-through") {
		a.Looks(true, names...)
	}
	if in.Has("create") && !invocation.IsNoFile(archive) {
		a.PutAll(archive, a.Packed(), a.Taken())
	}
	if !in.Has("pass-through") {
		return
	}
	for _, target := range in.Values("target") {
		a.Within(target, a.Packed())
		for _, p := range names { // under the names that they have
			lands(a, p, follow.Join(target, p), false, true, false)
		}
	}
}
