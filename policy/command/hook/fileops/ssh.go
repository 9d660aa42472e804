package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// SecureShell says what ssh does here, and runs the command behind the host there.
func SecureShell(a *invocation.Act, in *command.Reading) {
	follow.SshSettings(a, in.Values("setting"))
	for words := range in.From("host") { // more than one if it is not known which it is
		sshRuns(a, in.Values("setting"), words[1:])
		to := SSHHost(words[0])
		if to == "" {
			continue
		}
		for _, source := range a.Sources() {
			a.Add(effect.Effect{Verb: effect.Send, Object: to, From: source})
		}
		if in.Value("forward") != "" {
			a.Does(effect.Listen, to)
		}
		a.Does(effect.Connect, to)
	}
}

// sshRuns runs the words behind a host on it, without the options that may follow the
// host. Without any, what comes in runs there.
func sshRuns(a *invocation.Act, settings, words []string) {
	if len(words) > 0 && strings.HasPrefix(words[0], "-") {
		rest := output.Reading(a, "ssh", words)
		follow.SshSettings(a, rest.Values("setting"))
		settings = append(settings, rest.Values("setting")...)
		words = nil
		for words = range rest.From("host") {
			break
		}
	}
	if len(words) > 0 {
		given := ""
		if list := follow.Assignments(a, follow.SentVariables(settings)); len(list) > 0 {
			given = invocation.Quoted(list) + " "
		}
		a.Remotely(given + strings.Join(words, " "))
	} else if a.In.Piped {
		remote, c := *a, *a.Command
		c.Remote = true
		remote.Command = &c
		a.R.Away(func() { a.R.Shell.RunInput(&remote) })
	}
}

// SSHHost is the host of user@host, of ssh://user@host:22 and host:path.
func SSHHost(address string) string {
	if strings.Contains(address, "://") {
		return invocation.HostOf(address)
	}
	address = address[strings.LastIndexByte(address, '@')+1:]
	name, _, _ := strings.Cut(address, ":")
	return name
}

// CopyKey is ssh-copy-id: this machine may log in there.
func CopyKey(a *invocation.Act, in *command.Reading) {
	follow.SshSettings(a, in.Values("setting"))
	to := SSHHost(in.Value("host"))
	a.Does(effect.Grant, "login on "+to)
	a.SendsTo(to, in.Values("key")...)
}
