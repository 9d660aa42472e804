package call

import (
	"strings"

	"github.com/sluice-project/sluice/policy/shell"
)

// use says which arguments of a program are files.
type use struct {
	does   touch
	skip   int      // operands before the files: a pattern, a mode
	unless []string // flags that take the place of those operands
	last   bool     // does is for the last operand, the others are read
	values []string // flags with a value
}

var uses = func() map[string]use {
	table := map[string]use{
		"head": {does: reads, values: []string{"n", "c", "lines", "bytes"}},
		"tail": {does: reads, values: []string{"n", "c", "lines", "bytes", "s", "pid"}},
		"grep": {does: reads, skip: 1, unless: []string{"e", "f", "regexp", "file"}, values: []string{"e", "f", "A", "B", "C", "m", "d", "D", "regexp", "file", "max-count", "include", "exclude"}},
		"awk":  {does: reads, skip: 1, unless: []string{"f", "file"}, values: []string{"f", "v", "F", "file", "assign"}},
		"jq":   {does: reads, skip: 1, unless: []string{"f", "from-file"}, values: []string{"f", "from-file", "indent", "L"}},
		"sed":  {does: reads, skip: 1, unless: []string{"e", "f", "expression", "file"}, values: []string{"e", "f", "expression", "file", "l"}},
		"cut":  {does: reads, values: []string{"d", "f", "c", "b"}},
		"sort": {does: reads, values: []string{"k", "t", "o", "S", "T"}},
		"xxd":  {does: reads, values: []string{"l", "s", "c", "g", "len", "seek"}},

		"cp":       {does: writes, last: true, values: []string{"t", "target-directory", "S"}},
		"ln":       {does: writes, last: true, values: []string{"t", "target-directory", "S"}},
		"install":  {does: writes, last: true, values: []string{"t", "target-directory", "m", "o", "g", "mode", "owner", "group"}},
		"rsync":    {does: writes, last: true, values: []string{"e", "rsh", "exclude", "include"}},
		"scp":      {does: writes, last: true, values: []string{"P", "i", "o", "F", "l", "c", "S", "J"}},
		"mv":       {does: writes, values: []string{"t", "target-directory", "S"}},
		"mkdir":    {does: writes, values: []string{"m", "mode"}},
		"touch":    {does: writes, values: []string{"t", "d", "r", "date", "reference"}},
		"truncate": {does: writes, values: []string{"s", "r", "size", "reference"}},
		"shred":    {does: writes, values: []string{"n", "s", "iterations", "size"}},
		"chmod":    {does: writes, skip: 1, unless: []string{"reference"}, values: []string{"reference"}},
	}
	for _, name := range []string{"cat", "less", "more", "bat", "nl", "tac", "wc", "uniq", "diff", "cmp", "strings", "od", "hexdump", "base64", "md5sum", "sha1sum", "sha256sum", "source", ".", "zcat", "gpg", "rev", "fold", "paste", "comm", "join", "column", "xargs"} {
		table[name] = use{does: reads}
	}
	for _, name := range []string{"rm", "rmdir", "unlink", "tee", "vi", "vim", "nano", "ed", "srm", "mkfifo", "wipe"} {
		table[name] = use{does: writes}
	}
	for name, like := range map[string]string{"egrep": "grep", "fgrep": "grep", "rg": "grep", "ag": "grep", "zgrep": "grep", "gawk": "awk", "mawk": "awk", "yq": "jq", "gsed": "sed", "chown": "chmod", "chgrp": "chmod", "chattr": "chmod", "setfacl": "chmod"} {
		table[name] = table[like]
	}
	return table
}()

// touches notes the files and addresses of one command: its redirections, and
// the file arguments of the usual programs.
func (c *Call) touches(cmd *shell.Command) {
	c.commandURLs(cmd)
	if cmd.Remote {
		return
	}
	at := c.at
	if cmd.Dir != "" {
		dir, known := at.resolve(cmd.Dir)
		if !known {
			c.doubt(shell.Variable, doubtOf(reads|writes))
		}
		at.Cwd = dir
	}
	if cmd.DirUnknown {
		at.Cwd = ""
		c.doubt(Location, doubtOf(reads|writes))
	}
	for _, f := range cmd.Reads {
		c.device(f, reads, at)
	}
	for _, f := range cmd.Writes {
		c.device(f, writes, at)
	}
	switch cmd.Name {
	case "":
		return
	case "dd":
		for _, arg := range cmd.Args {
			if f, ok := strings.CutPrefix(arg, "of="); ok {
				c.file(f, writes, at)
			}
			if f, ok := strings.CutPrefix(arg, "if="); ok {
				c.file(f, reads, at)
			}
		}
	case "curl", "wget", "http", "https":
		c.transfers(cmd, at)
	case "find", "gfind", "fd":
		c.found(cmd, at)
	case "apply_patch", "applypatch":
		text := cmd.Input
		if len(cmd.Args) > 0 {
			text = cmd.Args[0]
		}
		if !c.patch(text, at) {
			c.doubt(Shape, doubtOf(writes))
		}
	case "sort":
		c.file(cmd.Flag("o"), writes, at)
	case "cp", "mv", "ln", "install":
		if dir := cmd.Flag("target-directory") + cmd.Flag("t"); dir != "" {
			c.file(dir, writes, at)
		}
	case "bash", "sh", "zsh", "dash", "python", "python3", "perl", "ruby", "node":
		if cmd.Name == "perl" && inPlace(cmd) {
			for _, f := range cmd.Operands("e", "E", "I", "M") {
				c.file(f, writes, at)
			}
			return
		}
		if cmd.Sub != "" && !cmd.Has("c") && !cmd.Has("e") && !cmd.Has("m") {
			c.device(cmd.Sub, reads, at)
		}
	}
	if u, ok := uses[cmd.Name]; ok {
		c.operands(cmd, u, at)
	} else if cmd.More {
		c.doubt(More, doubtOf(reads|writes))
	}
}

// operands adds the file arguments of a command.
func (c *Call) operands(cmd *shell.Command, u use, at Place) {
	does := u.does
	if strings.HasSuffix(cmd.Name, "sed") && inPlace(cmd) {
		does = writes
	}
	if cmd.More {
		c.doubt(More, doubtOf(does))
	}
	files := cmd.AppendOperands(make([]string, 0, 16), u.values...)
	skip := u.skip
	for _, flag := range u.unless {
		if skip > 0 && cmd.Flag(flag) != "" {
			skip = 0
		}
	}
	files = files[min(skip, len(files)):]
	into := u.last && (cmd.Flag("t") != "" && cmd.Name != "rsync" && cmd.Name != "scp" || cmd.Flag("target-directory") != "")
	for i, f := range files {
		switch {
		case f == "{}" && cmd.More:
		case u.last && isRemote(f):
		case u.last && (into || i < len(files)-1):
			c.device(f, reads, at)
		default:
			c.device(f, does, at)
		}
	}
}

// isRemote reports whether an operand of scp or rsync is on another machine.
func isRemote(f string) bool {
	colon := strings.IndexByte(f, ':')
	return colon > 0 && !hasDrive(f) && strings.IndexByte(f[:colon], '/') < 0
}

// inPlace reports whether sed or perl changes its files.
func inPlace(cmd *shell.Command) bool {
	if cmd.Has("i") || cmd.Has("in-place") {
		return true
	}
	for _, arg := range cmd.Args {
		if strings.HasPrefix(arg, "-i") {
			return true
		}
	}
	return false
}

// device is file, but for names that are no files.
func (c *Call) device(f string, does touch, at Place) {
	switch f {
	case "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/urandom":
		return
	}
	c.file(f, does, at)
}

// found adds the directories in which find deletes.
func (c *Call) found(cmd *shell.Command, at Place) {
	if !cmd.Has("-delete") {
		return
	}
	roots := 0
	for _, arg := range cmd.Args {
		if strings.HasPrefix(arg, "-") || arg == "(" || arg == "!" {
			if roots > 0 {
				break
			}
			continue
		}
		c.file(arg, writes, at)
		roots++
	}
	if roots == 0 {
		c.file(".", writes, at)
	}
}

// transfers adds the files that curl and wget save and send.
func (c *Call) transfers(cmd *shell.Command, at Place) {
	for _, flag := range []string{"o", "output", "O", "output-document", "P", "directory-prefix"} {
		if cmd.Name == "curl" && (flag == "O" || flag == "P") {
			continue
		}
		c.device(cmd.Flag(flag), writes, at)
	}
	for _, flag := range []string{"T", "upload-file", "K", "config", "post-file", "body-file", "netrc-file", "E", "cert", "key"} {
		c.device(cmd.Flag(flag), reads, at)
	}
	for _, arg := range cmd.Args {
		if _, f, ok := strings.Cut(arg, "@"); ok && (arg[0] == '@' || strings.Contains(arg, "=@") || strings.HasPrefix(arg, "-d@") || strings.HasPrefix(arg, "-F")) {
			f, _, _ = strings.Cut(f, ";")
			c.device(f, reads, at)
		}
	}
}
