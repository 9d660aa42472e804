package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var tarUsage = usage{bundled: true, values: "fbCTXINgVKF", long: []string{
	"file", "directory", "files-from", "exclude-from", "use-compress-program", "to-command", "checkpoint-action", "info-script", "new-volume-script", "rsh-command",
	"rmt-command", "exclude", "transform", "xform", "strip-components", "owner", "group", "mode", "mtime", "format", "newer", "after-date", "newer-mtime",
	"listed-incremental", "level", "label", "blocking-factor", "record-size", "starting-file", "suffix", "backup", "tape-length", "volno-file", "add-file",
	"sort", "occurrence", "quoting-style", "pax-option", "no-quote-chars", "quote-chars", "owner-map", "group-map", "exclude-tag", "exclude-ignore", "index-file", "one-top-level",
}}

// tar packs and unpacks, and knows several ways to run commands meanwhile.
func tar(a *act) {
	g := a.given(&tarUsage)
	for _, command := range g.all("to-command", "I", "use-compress-program", "F", "info-script", "new-volume-script", "rsh-command", "rmt-command") {
		a.script(command)
	}
	for _, action := range g.all("checkpoint-action") {
		if command, ok := strings.CutPrefix(action, "exec="); ok {
			a.script(strings.Trim(command, `'"`))
		}
	}
	archive := g.value("f", "file")
	machine := ""
	if !g.has("force-local") {
		machine, _ = elsewhere(archive)
	}
	dirs := g.all("C", "directory", "cd")
	switch {
	case g.has("x", "extract", "get"):
		a.reads(archive)
		if machine != "" {
			a.does(effect.Fetch, machine)
		}
		a.unpack(&g, dirs, archive)
	case g.has("c", "r", "u", "A", "create", "append", "update", "catenate", "concatenate"):
		a.pack(&g, dirs, machine)
		if machine == "" {
			a.put(archive, a.packed())
		}
		a.looks(false, g.all("T", "files-from")...)
	case g.has("delete"):
		a.put(archive, "")
	case g.has("t", "list", "d", "compare", "diff"):
		a.reads(archive)
	}
}

// unpack notes what is written when an archive is unpacked.
func (a *act) unpack(g *given, dirs []string, archive string) {
	if g.has("O", "to-stdout", "to-command") {
		return
	}
	from := a.cameFrom()
	if !isNoFile(archive) {
		from = a.path(archive)
	}
	if g.has("P", "absolute-names", "absolute-paths") {
		a.within("/", from)
	}
	if top := g.value("one-top-level"); top != "" {
		dirs = append(dirs, top)
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		a.within(dir, from)
	}
}

// pack notes what is read when an archive is made, and what is deleted then.
func (a *act) pack(g *given, dirs []string, machine string) {
	base := ""
	if len(dirs) > 0 {
		base = dirs[len(dirs)-1]
	}
	moves := g.has("remove-files")
	for _, member := range append(g.all("add-file"), g.operands...) {
		member = strings.TrimPrefix(member, "@") // another archive
		if base != "" && !effect.IsAbs(member) && !strings.HasPrefix(member, "~") && !strings.HasPrefix(member, "$") {
			member = join(base, member)
		}
		a.looks(true, member)
		if machine != "" {
			a.ships(machine, member, true)
		}
		if moves {
			a.deletes(true, member)
		}
	}
}

func cpio(a *act) {
	g := a.given(&usage{values: "CDEFHIMORK", long: []string{"file", "directory", "rsh-command", "pattern-file", "format", "owner", "io-size", "message"}})
	if command := g.value("rsh-command"); command != "" {
		a.script(command)
	}
	dir := g.value("D", "directory")
	if dir == "" {
		dir = "."
	}
	archive := g.value("F", "file", "I", "O")
	switch {
	case g.has("i", "extract"):
		a.reads(archive)
		if !g.has("t", "list", "to-stdout") {
			a.within(dir, a.cameFrom())
			if g.has("absolute-filenames") {
				a.within("/", a.cameFrom())
			}
		}
	case g.has("o", "create"):
		a.looks(true, a.in.roots...)
		a.writes(archive)
	case g.has("p", "pass-through"):
		a.looks(true, a.in.roots...)
		if len(g.operands) > 0 {
			a.within(g.operands[0], "")
		}
	}
}

func zip(a *act) {
	own := *a.Command
	own.Args = slices.Clone(a.Args)
	for i, arg := range own.Args { // -TT has two letters, and its value is run
		if rest, ok := strings.CutPrefix(arg, "-TT"); ok {
			if own.Args[i] = "--unzip-command"; rest != "" {
				own.Args[i] += "=" + rest
			}
		}
	}
	own.Args = withoutExcluded(own.Args)
	g := (&act{Command: &own}).given(&usage{values: "bntPOsZ", long: []string{"output-file", "out", "password", "temp-path", "suffixes", "unzip-command", "split-size"}})
	for _, command := range g.all("unzip-command") {
		a.script(command)
	}
	archive := g.first()
	if g.has("d", "delete") {
		a.put(archive, "")
		return
	}
	whole := g.has("r", "R", "recurse-paths")
	a.looks(whole, g.operands...)
	if g.has("@", "names-stdin") {
		a.looks(false, a.in.roots...)
	}
	if g.has("sf", "show-files", "T", "test") && len(g.operands) == 0 {
		return
	}
	if out := g.value("O", "output-file", "out"); out != "" {
		archive = out
	}
	a.put(archive, a.packed())
	if g.has("m", "move") {
		a.deletes(whole, g.operands...)
	}
}

// withoutExcluded are the words of zip without the names behind -x, which are what
// it leaves out.
func withoutExcluded(args []string) []string {
	kept, leavesOut := args[:0], false
	for _, arg := range args {
		if _, dashes := cutDashes(arg); dashes > 0 || arg == "@" {
			leavesOut = arg == "-x" || arg == "--exclude"
		} else if leavesOut {
			continue
		}
		kept = append(kept, arg)
	}
	return kept
}

func unzip(a *act) {
	var dir string
	if list := a.after("-d"); len(list) > 0 {
		dir = list[len(list)-1]
	}
	g := a.given(&usage{values: "dPx"})
	archive := g.first()
	a.reads(archive)
	if g.has("l", "t", "p", "c", "v", "z", "Z") {
		return
	}
	a.unpack(&given{}, notEmpty(dir), archive)
}

func unrar(a *act) {
	g := a.given(&usage{})
	command, archive := g.first(), g.first()
	a.reads(archive)
	if command == "x" || command == "e" {
		dir := g.last()
		if !strings.HasSuffix(dir, "/") {
			dir = ""
		}
		a.unpack(&given{}, notEmpty(dir), archive)
	}
}

func sevenZip(a *act) {
	g := a.given(&usage{attached: "opmtxisvw"})
	command, archive := g.first(), g.first()
	switch command {
	case "x", "e":
		a.reads(archive)
		if !g.has("so") {
			a.unpack(&given{}, g.all("o"), archive)
		}
	case "a", "u":
		a.looks(true, g.operands...)
		a.put(archive, a.packed())
		if g.value("s") == "del" {
			a.deletes(true, g.operands...)
		}
	case "d", "rn":
		a.put(archive, "")
	case "l", "t":
		a.reads(archive)
	}
}

// compress is a program that replaces each file by a packed or unpacked one.
func compress(a *act) {
	g := a.given(&usage{values: "SoD", long: []string{"suffix", "output", "output-dir-flat", "threads", "memlimit", "block-size", "processes"}})
	whole := g.has("r", "recursive")
	a.looks(whole, g.operands...)
	for _, out := range g.all("o", "output", "output-dir-flat") {
		a.put(out, a.packed())
	}
	if g.has("c", "stdout", "to-stdout", "t", "test", "l", "list") || g.has("o", "output") {
		return
	}
	ending := packedEnding(a.Name)
	for _, p := range g.operands {
		from := a.path(a.searched(p)[0])
		if whole {
			a.within(p, "")
			continue
		}
		if suffix := g.value("S", "suffix"); suffix != "" {
			ending = "." + strings.TrimPrefix(suffix, ".")
		}
		if plain, ok := strings.CutSuffix(p, ending); ok {
			a.put(plain, from)
		} else {
			a.put(p+ending, from)
		}
		a.put(p, "")
	}
}

// packedEnding is what a program that packs files adds to their names.
func packedEnding(program string) string {
	switch program {
	case "bzip2", "bunzip2", "pbzip2", "lbzip2":
		return ".bz2"
	case "xz", "unxz", "pixz", "pxz":
		return ".xz"
	case "lzma", "unlzma":
		return ".lzma"
	case "zstd", "unzstd", "pzstd", "zstdmt":
		return ".zst"
	case "lz4", "unlz4":
		return ".lz4"
	case "lzip", "plzip":
		return ".lz"
	case "lzop":
		return ".lzo"
	case "brotli":
		return ".br"
	case "compress", "uncompress":
		return ".Z"
	default:
		return ".gz"
	}
}

func ar(a *act) {
	if len(a.Args) < 2 {
		return
	}
	switch how := strings.TrimLeft(a.Args[0], "-"); {
	case strings.ContainsAny(how, "tp"):
		a.reads(a.Args[1])
	case strings.Contains(how, "x"):
		a.reads(a.Args[1])
		a.within(".", a.path(a.Args[1]))
	default:
		a.looks(false, a.Args[2:]...)
		a.writes(a.Args[1])
	}
}

// notEmpty is a list of one text, or of none.
func notEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{path.Clean(text)}
}
