package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// SetsKernel is sysctl: settings of the kernel are files below /proc/sys, and one of
// them is a program that the kernel starts.
func SetsKernel(a *invocation.Act, in *command.Reading) {
	a.Looks(false, in.Values("file")...)
	for _, setting := range in.Values("setting") {
		name, value, ok := strings.Cut(setting, "=")
		name, value = strings.ReplaceAll(strings.TrimSpace(name), "/", "."), strings.TrimSpace(value)
		switch {
		case !ok:
		case name == "kernel.core_pattern" && strings.HasPrefix(value, "|"):
			follow.Persists(a, setting)
			a.Script(value[1:])
		case (name == "vm.max_map_count" || strings.HasPrefix(name, "fs.inotify.max_")) && invocation.IsDigits(value) && len(value) > 2: // how much of something programs may have
		default:
			a.WritesFiles("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
		}
	}
}

// KillsProcesses is kill: a number with a dash may be a signal, a group of processes or,
// as -1, all of them.
func KillsProcesses(a *invocation.Act, in *command.Reading) {
	targets := in.Values("process")
	if in.Surely("list", "table") || in.Value("signal") == "0" {
		return
	}
	if len(in.Options()) == 0 && len(targets) > len(in.Values("after")) && strings.HasPrefix(targets[0], "-") && (len(targets) > 1 || targets[0] != "-1") {
		if targets[0] == "-0" { // it only asks whether they are there
			return
		}
		targets = targets[1:]
	}
	if len(targets) == 0 && a.More { // those that the input names
		guard.Kills(a, false, "")
	}
	for _, target := range follow.Few(a, targets) {
		guard.Kills(a, target == "-1", target)
	}
}

// StopsLabel notes what a label of macOS is short for: dev.x is the x of dev.
func StopsLabel(a *invocation.Act, in *command.Reading) {
	name := strings.Join(in.Values("word"), " ")
	label := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".plist")
	if last := label[strings.LastIndexByte(label, '.')+1:]; last != name {
		guard.Stops(a, last)
	}
}

// NftRules reads rules of the firewall, which are a language of their own: rules that
// protect are removed, all is accepted, or the way to models is led elsewhere.
func NftRules(a *invocation.Act, in *command.Reading) {
	text := strings.Join(in.Values("word"), " ")
	if a.In.Known && in.Value("file") == "-" {
		text += " " + a.In.Text
	}
	if len(text) > invocation.MostKnown {
		a.Doubt(invocation.Long)
		text = text[:invocation.MostKnown]
	}
	leads := saysWord(text, "redirect") || saysWord(text, "dnat")
	switch {
	case saysWord(text, "flush"), saysWord(text, "delete"), saysWord(text, "destroy"), saysWord(text, "reset"), strings.Contains(text, "policy accept"):
		guard.Disarm(a, "firewall")
	case leads && isGuarded(text):
		guard.Disarm(a, "route to models")
	case (leads || saysWord(text, "drop") || saysWord(text, "reject")) && (saysWord(text, "output") || saysWord(text, "OUTPUT")):
		if _, port, ok := strings.Cut(text, "dport "); ok && isProxied(strings.SplitN(port, " ", 2)[0]) {
			guard.Disarm(a, "route to models")
		}
	}
}

// isGuarded reports whether a text names a port through which models are reached: a rule
// that redirects it bypasses the guard.
func isGuarded(text string) bool {
	for port := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if port == "443" || port == "8484" || port == "8787" {
			return true
		}
	}
	return false
}

// isProxied reports whether a text names a port on which the guard may listen.
func isProxied(text string) bool {
	for port := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(port) == 4 && port >= "8000" && port <= "9000" {
			return true
		}
	}
	return isGuarded(text)
}

// saysWord reports whether a text has a word between blanks.
func saysWord(text, word string) bool {
	for w := range strings.FieldsSeq(text) {
		if strings.Trim(w, `;{}"'`) == word {
			return true
		}
	}
	return false
}

// SetsPasswords is chpasswd, whose input says whose password is set: NAME:PASSWORD.
func SetsPasswords(a *invocation.Act, _ *command.Reading) {
	name := ""
	if a.In.Known {
		name, _, _ = strings.Cut(strings.TrimSpace(a.In.Text), ":")
	}
	a.Does(effect.Grant, strings.TrimSpace("password of "+name))
}

// SudoAnswers notes that sudo gets its password from the text instead of from somebody:
// on its input, or by a program that the text names.
func SudoAnswers(a *invocation.Act, in *command.Reading) {
	program, _ := a.Variable("SUDO_ASKPASS")
	if program == "" {
		program = a.R.From.Env["SUDO_ASKPASS"]
	}
	if in.Has("stdin") && a.In.Piped && a.In.By != "/dev/null" || in.Has("askpass") && program != "" && !ofMachine(program) {
		a.Does(effect.Grant, "sudo with a password from the text")
	}
}

// ofMachine reports whether a program was installed by the machine's owner, by
// its path.
func ofMachine(p string) bool {
	return strings.HasPrefix(p, "/usr/") || strings.HasPrefix(p, "/opt/") || strings.HasPrefix(p, "/bin/") || strings.HasPrefix(p, "/Applications/") || !strings.Contains(p, "/")
}
