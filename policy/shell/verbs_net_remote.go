package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var sshTakes = valued("B b c D E e F I i J L l m O o P p Q R S W w")

// secureShell says what ssh does here: what it runs there is read by those who
// follow commands into others.
func secureShell(a *act) {
	l := cutLine(sshArgs(a), sshTakes, firstEnds)
	a.sshSettings(l.values("o"))
	a.writes(l.values("E")...)
	to := sshHost(l.operand(0))
	if to == "" {
		return
	}
	for _, source := range a.sources() {
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
	if l.has("R") {
		a.does(effect.Listen, to)
	}
	a.does(effect.Connect, to)
}

// sshHost is the host of user@host, of ssh://user@host:22 and host:path.
func sshHost(address string) string {
	if strings.Contains(address, "://") {
		return hostOf(address)
	}
	address = address[strings.LastIndexByte(address, '@')+1:]
	name, _, _ := strings.Cut(address, ":")
	return name
}

// sshSettings follows the options of ssh that run a command.
func (a *act) sshSettings(settings []string) {
	for _, setting := range settings {
		i := strings.IndexAny(setting, "= \t")
		if i < 0 {
			continue
		}
		value := strings.TrimLeft(setting[i:], "= \t")
		if inner, ok := strings.CutPrefix(value, `"`); ok && (strings.Count(value, `"`)%2 == 0 || !strings.Contains(inner, `"`)) {
			value = strings.TrimSuffix(inner, `"`)
		}
		switch strings.ToLower(setting[:i]) {
		case "proxycommand", "localcommand", "knownhostscommand":
			if value != "none" {
				a.script(value)
			}
		case "match":
			if _, command, ok := strings.Cut(value, "exec "); ok {
				a.script(strings.Trim(command, `"`))
			}
		}
	}
}

// fileTransfer is for sftp, ftp and the like, whose commands come from their
// input or an argument.
func fileTransfer(a *act) {
	l := a.line(valued("b B c D F i J l o P R S s X e u p f"))
	a.sshSettings(l.values("o"))
	if a.Name == "ftp" && l.has("u") { // ftp -u ADDRESS FILE...
		a.sendsTo(l.value("u"), l.operands...)
		return
	}
	to := sshHost(l.operand(0))
	text := a.in.text
	switch a.Name {
	case "lftp", "tftp":
		text += "\n" + strings.Join(l.values("e", "c"), "\n")
		if a.Name == "tftp" && l.has("c") {
			text += "\n" + l.value("c") + " " + strings.Join(l.from(1), " ")
		}
	case "sftp":
		if batch := l.value("b"); batch != "" && batch != "-" {
			a.reads(batch)
			if f := a.r.file(a.path(batch)); f != nil && f.Known {
				text += "\n" + f.Content
			} else {
				a.doubt(Source)
			}
		}
	}
	if to == "" {
		_, rest, _ := strings.Cut(text, "open ")
		to, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
		to, _, _ = strings.Cut(to, ";")
	}
	a.does(effect.Connect, to)
	if machine, there := elsewhere(l.operand(0)); a.Name == "sftp" && machine != "" && there != "" && !strings.HasSuffix(there, "/") { // sftp host:file [here]
		here := l.operand(1)
		switch {
		case here == "":
			here = lastName(there)
		case isDirectory(here):
			here = join(here, lastName(there))
		}
		a.saves(here, l.operand(0))
	}
	count := 0
	for statement := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		words := strings.Fields(statement)
		if len(words) == 0 {
			continue
		}
		if count++; count > mostAddresses {
			a.doubt(Many)
			break
		}
		operands := (&Command{Args: words[1:]}).Operands("o", "O", "P", "e", "x", "i")
		switch words[0] {
		case "put", "send", "mput", "reput", "append":
			a.sendsTo(to, operands...)
		case "mirror":
			if strings.Contains(statement, " -R") || strings.Contains(statement, "--reverse") {
				a.sendsTo(to, operands[:min(1, len(operands))]...)
			}
		case "rm", "rmdir", "del", "delete", "mdelete", "mrm", "mrmdir", "glob":
			if words[0] == "glob" && (len(operands) == 0 || operands[0] != "rm" && operands[0] != "mrm") {
				continue
			}
			for _, p := range a.few(operands) {
				a.deletesThere(p, strings.Contains(statement, " -r") || strings.ContainsAny(p, "*?["))
			}
		case "get", "recv", "mget", "reget", "pget":
			if len(operands) > 0 {
				here := lastName(operands[len(operands)-1])
				if len(operands) == 2 && (words[0] == "get" || words[0] == "recv") { // get THERE HERE
					here = operands[1]
				}
				from := to
				if a.Name == "tftp" {
					from = "tftp://" + to
				}
				a.saves(here, from)
			}
		}
		if strings.HasPrefix(words[0], "!") {
			a.script(strings.TrimPrefix(strings.TrimSpace(statement), "!"))
		}
	}
	if a.in.piped && !a.in.known {
		a.doubt(Pipe)
	}
}

// cloneTree is rclone: copies between here and remotes, which are name:path.
func cloneTree(a *act) {
	l := a.line(valued("config transfers checkers include exclude filter filter-from include-from exclude-from files-from bwlimit log-file log-level v max-age min-age max-size min-size addr rc-addr backup-dir tpslimit retries user pass u"))
	if l.has("n", "dry-run") {
		return
	}
	from, to := l.operand(1), l.operand(2)
	switch l.operand(0) {
	case "copy", "copyto", "sync", "move", "moveto", "bisync", "copyurl":
		a.transfers(from, to, isRcloneRemote)
		if l.operand(0) == "sync" {
			a.removesThere(to, "files in ", isRcloneRemote)
		}
		if strings.HasPrefix(l.operand(0), "move") {
			a.removesThere(from, "", isRcloneRemote)
		}
	case "delete", "purge", "rmdirs", "deletefile", "cleanup":
		a.removesThere(from, "", isRcloneRemote)
	case "serve":
		a.does(effect.Listen, l.value("addr"))
		if from != "" && !isRcloneRemote(to) {
			a.serves(l.value("addr"), to)
		}
	case "rcat":
		a.sendsTo(placeOf(from))
	case "link":
		a.does(effect.Grant, "public access to "+from)
	case "config":
		if from == "show" || from == "dump" {
			a.does(effect.Reveal, "rclone remotes")
		}
	}
}

func isRcloneRemote(p string) bool {
	name, _, ok := strings.Cut(p, ":")
	return ok && !strings.ContainsAny(name, "/\\") && !effect.IsWindows(p)
}

// transfers notes a copy between two places of which either may be elsewhere.
func (a *act) transfers(from, to string, elsewhere func(string) bool) {
	switch there, here := elsewhere(to), !elsewhere(from); {
	case there && here:
		for _, source := range a.withFiles(a.sources(), []string{from}) {
			wide := strings.HasPrefix(source, "/") && mayBeDirectory(source) && !strings.HasPrefix(path.Base(source), ".env")
			a.add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: source, Wide: wide})
		}
	case there:
		a.add(effect.Effect{Verb: effect.Send, Object: placeOf(to), From: from})
	case !here:
		a.does(effect.Fetch, from)
		a.saves(to, from)
	default:
		a.reads(from)
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(to), From: a.path(from)})
	}
}

// placeOf is where a copy goes: an address, or the name of a remote, whose path
// nobody may take for a port.
func placeOf(to string) string {
	if strings.HasPrefix(to, ":") { // a remote that is made for this: :webdav,url=ADDRESS:path
		for _, name := range [...]string{"url=", "host=", "endpoint="} {
			if _, address, ok := strings.Cut(to, name); ok {
				address, _, _ = strings.Cut(strings.Trim(address, `"'`), ",")
				return hostOf(strings.TrimRight(address, `"':/`))
			}
		}
	}
	if strings.Contains(to, "://") {
		return reachable(to)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(to, ":"), ":")
	return name
}

// removesThere notes that stored files are removed, or files if it is here.
func (a *act) removesThere(p, what string, elsewhere func(string) bool) {
	if elsewhere(p) {
		a.add(effect.Effect{Verb: effect.Destroy, Object: what + p, Wide: true})
		return
	}
	a.deletes(true, p)
}

// mailer sends its input and attachments to its operands.
func mailer(a *act) {
	l := a.line(valued("a A s c b r f F S i H e to from server body attach header h-Subject t-to au ap data account file host p port user pass"))
	to := strings.Join(l.operands, ",")
	if named := l.value("to", "t"); named != "" {
		to = named
	}
	files := l.values("a", "A", "attach", "i", "H", "file")
	if a.Name == "swaks" {
		files = nil
		for _, file := range l.values("attach", "body", "data") {
			files = append(files, strings.TrimPrefix(file, "@"))
		}
	}
	if a.Name == "mail" && to == "" && !a.in.piped { // reads mail
		return
	}
	a.sendsTo(to, files...)
}

// courier sends its operands to whoever holds a code or an account.
func courier(a *act) {
	l := a.line(valued("file f image i c code caption config"))
	operands := l.operands
	switch {
	case a.Is("telegram-send", "slackcat", "ntfy"):
		a.sendsTo(a.Name, l.values("file", "f", "image", "i")...)
		return
	case len(operands) == 0:
		return
	case a.Is("croc", "wormhole", "magic-wormhole", "ffsend", "tailscale"):
		if operands[0] == "send" || operands[0] == "tx" || operands[0] == "upload" {
			a.sendsTo(a.Name, operands[1:]...)
		}
	default:
		a.sendsTo(a.Name, operands...)
	}
}

// exposes is for programs that make a port of this machine public.
func exposes(a *act) {
	l := a.line(valued("p port s subdomain h host l local-host url config authtoken region domain name hostname token to"))
	switch {
	case a.Name == "cloudflared" && l.operand(0) != "tunnel" && l.operand(0) != "access":
		return
	case a.Name == "tailscale":
		if sub := l.operand(0); sub != "funnel" && sub != "serve" {
			courier(a)
			return
		}
	case a.Name == "bore" && l.operand(0) != "local", a.Name == "ngrok" && (l.operand(0) == "config" || l.operand(0) == "version" || l.operand(0) == "authtoken"):
		return
	}
	if l.has("help", "version") {
		return
	}
	for _, operand := range l.operands {
		if dir, files := strings.CutPrefix(operand, "file://"); files || a.Name == "tailscale" && strings.HasPrefix(operand, "/") {
			a.serves(a.Name, dir)
			return
		}
	}
	a.does(effect.Listen, "public address of "+strings.TrimSpace(a.Name+" "+strings.Join(append(l.operands, l.values("port", "p", "url")...), " ")))
}

// copyKey is ssh-copy-id: this machine may log in there.
func copyKey(a *act) {
	l := a.line(valued("i p o F t"))
	to := sshHost(l.operand(0))
	a.does(effect.Grant, "login on "+to)
	if key := l.value("i"); key != "" {
		a.sendsTo(to, key)
	} else {
		a.sendsTo(to)
	}
}
