package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// shares is smbclient //HOST/SHARE -c COMMANDS.
func shares(a *act) {
	l := a.line(valued("c command U user W workgroup I ip-address p port D directory A authentication-file s m n T"))
	to, _, _ := strings.Cut(strings.TrimLeft(strings.ReplaceAll(l.operand(0), `\`, "/"), "/"), "/")
	a.does(effect.Connect, to)
	text := l.value("c", "command")
	if text == "" && a.in.known {
		text = strings.ReplaceAll(a.in.text, "\n", ";")
	}
	count := 0
	for statement := range strings.SplitSeq(text, ";") {
		words := strings.Fields(statement)
		if len(words) < 2 {
			continue
		}
		if count++; count > mostAddresses {
			a.doubt(Many)
			return
		}
		switch words[0] {
		case "put", "mput", "reput":
			a.sendsTo(to, words[1:2]...)
		case "get", "mget", "reget":
			a.saves(lastName(words[len(words)-1]), to+":"+words[1])
		case "del", "rm", "deltree", "rmdir":
			a.deletesThere(words[1], words[0] == "deltree")
		case "!":
			a.script(strings.Join(words[1:], " "))
		}
	}
	for _, archive := range l.values("T") { // -Tc FILE
		if strings.HasPrefix(archive, "x") {
			a.sendsTo(to, l.from(1)...)
		}
	}
}

// asksAfter is finger NAME@HOST: the host is told the name.
func asksAfter(a *act) {
	for _, operand := range a.few(a.Operands()) {
		if at := strings.LastIndexByte(operand, '@'); at >= 0 {
			if made := len(a.sources()) > 0 || substitutes(operand) || len(secretVariables(operand)) > 0; made {
				a.sendsTo(operand[at+1:])
			} else {
				a.does(effect.Connect, operand[at+1:])
			}
		}
	}
}

// scans is nmap, whose scripts are programs in Lua.
func scans(a *act) {
	for i, arg := range a.Args {
		file, ok := strings.CutPrefix(arg, "--script=")
		if !ok && (i == 0 || a.Args[i-1] != "--script") {
			continue
		}
		a.looksOverFile(i, file)
	}
}

// looksOverFile reads the program in a file that the text made or wrote.
func (a *act) looksOverFile(i int, file string) {
	if i < len(a.words()) {
		switch made := a.words()[i].made; {
		case a.words()[i].remote != "":
			a.does(effect.RunRemote, a.words()[i].remote)
			return
		case made == nil:
		case made.remote != "":
			a.does(effect.RunRemote, made.remote)
			return
		case made.known:
			a.r.lookOver(a, made.text)
			return
		}
	}
	if content, known := a.file(file); known {
		a.r.lookOver(a, content)
	} else if strings.Contains(file, "/") {
		a.does(effect.Run, a.path(file))
	}
}

// manual is man, which shows its pages with a program.
func manual(a *act) {
	l := a.line(valued("P pager H html C config-file M manpath S s sections L locale m systems p preprocessor R recode e extension E encoding r prompt"))
	for _, command := range append(l.values("P", "pager"), l.values("H", "html")...) {
		a.script(command)
	}
}

// dumps is gcore: everything in the memory of a process, also of those that keep
// keys for others.
func dumps(a *act) {
	words := slices.Clone(a.Args)
	for i := range a.words() {
		words = append(words, a.words()[i].about)
	}
	text := strings.ToLower(strings.Join(words, " "))
	for _, keeper := range []string{"ssh-agent", "gpg-agent", "keyring", "keychain", "kwallet", "1password", "bitwarden", "keepass", "vault", "chrome", "firefox", "sshd", "lsass"} {
		if strings.Contains(text, keeper) {
			a.reveals("credentials in the memory of " + keeper)
			return
		}
	}
}
