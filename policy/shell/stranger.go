package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// exposes notes shells that other machines talk to, and programs that do nothing
// else than to use up or open the machine.
func (r *reader) exposes(a *invocation.Act) {
	if r.Clipped && pastes(a.Command) {
		guard.Reveals(a, "password store")
	}
	shell := follow.IsShell(a.In.By)
	switch a.Name {
	case "nc", "ncat", "netcat", "socat", "telnet", "openssl":
		if shell {
			a.Does(effect.ReverseShell, a.Name)
		}
	case "msfvenom":
		if slices.ContainsFunc(a.Args, func(s string) bool {
			return strings.Contains(s, "reverse_") || strings.Contains(s, "meterpreter") || strings.Contains(s, "shell_")
		}) {
			a.Does(effect.ReverseShell, a.Name)
		}
	case "gs-netcat", "ztcp", "tmate", "ttyd", "gotty", "upterm", "wetty":
		a.Does(effect.ReverseShell, a.Name)
	case "socket":
		if a.Has("p") && slices.ContainsFunc(a.Args, func(s string) bool { return follow.IsShell(invocation.BaseName(strings.Split(s, " ")[0])) }) {
			a.Does(effect.ReverseShell, a.Name)
		}
	case "chisel":
		if slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "R:") }) {
			a.Does(effect.ReverseShell, a.Name)
		}
	case "ssh", "autossh":
		if a.Has("R") {
			a.Does(effect.ReverseShell, "ssh -R")
		}
	case "xmrig", "minerd", "cpuminer", "cgminer", "ethminer", "t-rex", "nbminer", "lolMiner":
		a.Does(effect.Exhaust, "a miner")
	}
	for _, arg := range a.Args {
		if strings.Contains(arg, "/inet/tcp/") {
			a.Does(effect.ReverseShell, "awk")
		}
		if strings.HasPrefix(arg, "stratum+") {
			a.Does(effect.Exhaust, "a miner")
		}
	}
}

// pastes reports whether a program prints what was put aside to be pasted.
func pastes(c *invocation.Command) bool {
	switch c.Name {
	case "pbpaste", "wl-paste", "termux-clipboard-get", "Get-Clipboard":
		return true
	case "xclip", "xsel":
		return c.Has("o") || c.Has("-out") || c.Has("--output") || c.Name == "xsel" && len(c.Args) == 0
	}
	return false
}

// Stranger notes what can be told of a program that is not known: that it may
// send what it is given to an address in its arguments, and what the program in
// its arguments does.
func (r *reader) Stranger(a *invocation.Act) {
	switch flags, ok := otherLanguages[a.Name]; {
	case ok:
		r.looked(a, flags)
	case isCmdlet(a.Name):
		a.Windows(windows.PowerShell(follow.CmdletLine(a), a.At))
		return
	case a.Name == "vaultcmd":
		a.Does(effect.Reveal, "credentials of Windows")
	case invocation.IsForWindows(a.Name):
		a.Windows(windows.Cmd(follow.AsLine(a), a.At))
		return
	case invocation.Unknown(a.Name):
		follow.AnyInterpreter(a)
		r.startedBy(a)
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
		hook.MayTell(a)
		return
	}
	for _, source := range a.Sources() {
		a.Add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
	for _, arg := range a.Args {
		if arg != to && !strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, "./") && !strings.Contains(arg, "://") {
			a.Add(effect.Effect{Verb: effect.Send, Object: to, From: a.Path(arg)})
		}
	}
}

// isCmdlet reports whether a name is one of PowerShell's: Verb-Noun.
func isCmdlet(name string) bool {
	verb, noun, ok := strings.Cut(name, "-")
	return ok && len(verb) > 2 && len(noun) > 2 && 'A' <= verb[0] && verb[0] <= 'Z' && 'A' <= noun[0] && noun[0] <= 'Z' || name == "ri" || name == "iwr" || name == "irm"
}

// startedBy reads what a program that is not known may start: a command in its
// arguments, or a text that begins like one.
func (r *reader) startedBy(a *invocation.Act) {
	switch a.Name {
	case "echo", "printf", "say", "cowsay", "figlet", "notify-send", "test", "[", "[[", "expr", "true", "false", ":", "cd", "pushd", "popd", "type", "which", "man", "help", "whatis", "apropos",
		"ls", "pwd", "export", "local", "return", "exit", "read", "shift", "set", "unset", "alias", "sleep", "wait", "date", "seq", "yes", "basename", "dirname", "let", "trap", "ulimit", "umask", "logger", "wall", "xdotool", "diff", "gh", "tldr", "info", "sluice":
		return
	}
	r.putBefore(a, a.Name)
	for i, arg := range a.Args {
		name := invocation.BaseName(arg)
		if (follow.IsShell(name) || starts(name)) && name[0] != '-' {
			if i+1 < len(a.Args) {
				a.Argv(a.Args[i:])
			}
			return
		}
		if strings.HasPrefix(arg, "--") { // --wrap='command'
			_, arg, _ = strings.Cut(arg, "=")
		}
		if first, _, ok := strings.Cut(strings.TrimSpace(arg), " "); ok && (follow.IsShell(invocation.BaseName(first)) || starts(invocation.BaseName(first))) {
			a.Script(arg)
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
