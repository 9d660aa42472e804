package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// exposes notes shells that other machines talk to, and programs that do nothing
// else than to use up or open the machine.
func (r *reader) exposes(a *act) {
	if r.clipped && pastes(a.Command) {
		a.reveals("password store")
	}
	shell := isShell(a.in.by)
	switch a.Name {
	case "nc", "ncat", "netcat", "socat", "telnet", "openssl":
		if shell {
			a.does(effect.ReverseShell, a.Name)
		}
	case "msfvenom":
		if slices.ContainsFunc(a.Args, func(s string) bool {
			return strings.Contains(s, "reverse_") || strings.Contains(s, "meterpreter") || strings.Contains(s, "shell_")
		}) {
			a.does(effect.ReverseShell, a.Name)
		}
	case "gs-netcat", "ztcp", "tmate", "ttyd", "gotty", "upterm", "wetty":
		a.does(effect.ReverseShell, a.Name)
	case "socket":
		if a.Has("p") && slices.ContainsFunc(a.Args, func(s string) bool { return isShell(baseName(strings.Split(s, " ")[0])) }) {
			a.does(effect.ReverseShell, a.Name)
		}
	case "chisel":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "R:") }) {
			a.does(effect.ReverseShell, a.Name)
		}
	case "ssh", "autossh":
		if a.Has("R") {
			a.does(effect.ReverseShell, "ssh -R")
		}
	case "xmrig", "minerd", "cpuminer", "cgminer", "ethminer", "t-rex", "nbminer", "lolMiner":
		a.does(effect.Exhaust, "a miner")
	}
	for _, arg := range a.Args {
		if strings.Contains(arg, "/inet/tcp/") {
			a.does(effect.ReverseShell, "awk")
		}
		if strings.HasPrefix(arg, "stratum+") {
			a.does(effect.Exhaust, "a miner")
		}
	}
}

// pastes reports whether a program prints what was put aside to be pasted.
func pastes(c *Command) bool {
	switch c.Name {
	case "pbpaste", "wl-paste", "termux-clipboard-get", "Get-Clipboard":
		return true
	case "xclip", "xsel":
		return c.Has("o") || c.Has("-out") || c.Has("--output") || c.Name == "xsel" && len(c.Args) == 0
	}
	return false
}

// stranger notes what can be told of a program that is not known: that it may
// send what it is given to an address in its arguments, and what the program in
// its arguments does.
func (r *reader) stranger(a *act) {
	switch flags, ok := otherLanguages[a.Name]; {
	case ok:
		r.looked(a, flags)
	case isCmdlet(a.Name):
		a.windows(windows.PowerShell(a.cmdletLine(), a.at))
		return
	case a.Name == "vaultcmd":
		a.does(effect.Reveal, "credentials of Windows")
	case isForWindows(a.Name):
		a.windows(windows.Cmd(asLine(a), a.at))
		return
	default:
		r.startedBy(a)
	}
	to := ""
	for i, arg := range a.Args {
		if strings.Contains(arg, "://") && !strings.HasPrefix(arg, "file:") {
			to = arg
		} else if (arg == "-h" || arg == "-H" || arg == "--host" || arg == "-n") && i+1 < len(a.Args) && strings.Contains(a.Args[i+1], ".") {
			to = a.Args[i+1]
		}
	}
	if to == "" {
		a.mayTell()
		return
	}
	for _, source := range a.sources() {
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
	for _, arg := range a.Args {
		if arg != to && !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, "./") && !strings.Contains(arg, "://") {
			a.add(effect.Effect{Verb: effect.Send, Object: to, From: a.path(arg)})
		}
	}
}

// asLine is a command as one line of text for those who read lines.
func asLine(a *act) string {
	var b strings.Builder
	b.WriteString(a.Name)
	for _, arg := range a.Args {
		b.WriteByte(' ')
		if arg == "" || strings.ContainsAny(arg, " ;&|") {
			b.WriteString(`"` + arg + `"`)
		} else {
			b.WriteString(arg)
		}
	}
	return b.String()
}

// isCmdlet reports whether a name is one of PowerShell's: Verb-Noun.
func isCmdlet(name string) bool {
	verb, noun, ok := strings.Cut(name, "-")
	return ok && len(verb) > 2 && len(noun) > 2 && 'A' <= verb[0] && verb[0] <= 'Z' && 'A' <= noun[0] && noun[0] <= 'Z' || name == "ri" || name == "iwr" || name == "irm"
}

// isForWindows reports whether a program is one of Windows, which people also
// start from other shells.
func isForWindows(name string) bool {
	switch strings.ToLower(name) {
	case "vssadmin", "wmic", "wbadmin", "bcdedit", "robocopy", "takeown", "icacls", "fsutil", "wevtutil", "reg", "rd", "del", "erase", "certutil", "bitsadmin", "mshta", "regsvr32",
		"rundll32", "msiexec", "cscript", "wscript", "schtasks", "sc", "setx", "cmdkey", "vaultcmd", "procdump", "taskkill", "diskpart", "format", "cipher", "net", "net1", "copy", "xcopy", "move", "attrib", "cacls", "powercfg", "netsh":
		return true
	}
	return false
}

// startedBy reads what a program that is not known may start: a command in its
// arguments, or a text that begins like one.
func (r *reader) startedBy(a *act) {
	switch a.Name {
	case "echo", "printf", "say", "cowsay", "figlet", "notify-send", "test", "[", "[[", "expr", "true", "false", ":", "cd", "pushd", "popd", "type", "which", "man", "help", "whatis", "apropos",
		"ls", "pwd", "export", "local", "return", "exit", "read", "shift", "set", "unset", "alias", "sleep", "wait", "date", "seq", "yes", "basename", "dirname", "let", "trap", "ulimit", "umask", "logger", "wall", "xdotool", "diff", "gh", "tldr", "info", "sluice":
		return
	}
	r.putBefore(a, a.Name)
	for i, arg := range a.Args {
		name := baseName(arg)
		if (isShell(name) || starts(name)) && name[0] != '-' {
			if i+1 < len(a.Args) {
				a.argv(a.Args[i:])
			}
			return
		}
		if strings.HasPrefix(arg, "--") { // --wrap='command'
			_, arg, _ = strings.Cut(arg, "=")
		}
		if first, _, ok := strings.Cut(strings.TrimSpace(arg), " "); ok && (isShell(baseName(first)) || starts(baseName(first))) {
			a.script(arg)
		}
	}
}

// starts reports whether a program is one that nobody names without wanting to
// run it.
func starts(name string) bool {
	switch name {
	case "rm", "dd", "shred", "mkfs", "mkfs.ext4", "wipefs", "curl", "wget", "nc", "ncat", "chmod", "chown", "sudo", "doas", "env", "find", "eval", "exec", "spawn", "python", "python3", "perl", "ruby", "node", "truncate", "kill", "pkill", "systemctl", "crontab", "docker", "kubectl", "terraform":
		return true
	}
	return false
}
