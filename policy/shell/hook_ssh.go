package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// secureShell says what ssh does here, and runs the command behind the host there.
func secureShell(a *act, in *command.Reading) {
	a.sshSettings(in.Values("setting"))
	for words := range in.From("host") { // more than one if it is not known which it is
		a.sshRuns(words[1:])
		to := sshHost(words[0])
		if to == "" {
			continue
		}
		for _, source := range a.sources() {
			a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
		}
		if in.Value("forward") != "" {
			a.does(effect.Listen, to)
		}
		a.does(effect.Connect, to)
	}
}

// sshRuns runs the words behind a host on it, without the options that may follow the
// host. Without any, what comes in runs there.
func (a *act) sshRuns(words []string) {
	if len(words) > 0 && strings.HasPrefix(words[0], "-") {
		rest := a.reading("ssh", words)
		a.sshSettings(rest.Values("setting"))
		words = nil
		for words = range rest.From("host") {
			break
		}
	}
	if len(words) > 0 {
		a.remotely(strings.Join(words, " "))
	} else if a.in.piped {
		remote, c := *a, *a.Command
		c.Remote = true
		remote.Command = &c
		a.r.away(func() { a.r.runInput(&remote) })
	}
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

// sshSettings follows the options of ssh that run a command, and those by which the
// other machine gets variables.
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
			if _, test, ok := strings.Cut(value, "exec "); ok {
				a.script(strings.Trim(test, `"`))
			}
		case "sendenv":
			for variable := range strings.FieldsSeq(value) {
				if isSecretName(variable) || strings.Contains(variable, "*") && !strings.HasPrefix(variable, "LC_") {
					a.add(effect.Effect{Verb: effect.Send, Object: "ssh", From: environment})
				}
			}
		case "setenv":
			if from := a.contentsGiven(); len(from) > 0 {
				a.gives("ssh", from)
			}
		}
	}
}

// copyKey is ssh-copy-id: this machine may log in there.
func copyKey(a *act, in *command.Reading) {
	a.sshSettings(in.Values("setting"))
	to := sshHost(in.Value("host"))
	a.does(effect.Grant, "login on "+to)
	a.sendsTo(to, in.Values("key")...)
}
