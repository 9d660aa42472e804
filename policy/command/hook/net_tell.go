package hook

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// MayTell notes that a program which nobody knows may tell a host in its arguments
// what was put into the others: $(cat file).
func MayTell(a *invocation.Act) {
	for i := range a.Mixture() {
		if len(a.Words()[i].Sources) == 0 {
			continue
		}
		for _, arg := range follow.Few(a, a.Args) {
			if host := fileops.HostNamed(arg); host != "" && invocation.IsOutside(host) {
				carriesTo(a, host, nil)
				return
			}
		}
		return
	}
}

// Tells notes what a program gives to a machine of which nothing else is known than
// that its words name it, and hold a secret: redis-cli -h HOST set k "$(cat .env)".
// Whatever it does with them, that machine is who is told.
func Tells(a *invocation.Act) {
	if a.Guess || !a.Mixed && len(a.In.Sources) == 0 || command.Builtin().In("tells-nobody", a.Name) || follow.IsShell(a.Name) || a.IsCode() {
		return
	}
	var host string
	if command.Builtin().In("takes-input", a.Name) && slices.ContainsFunc(a.In.Sources, invocation.IsPrivateSource) {
		if host = fileops.ToldHost(a); host == "" || hasJudged(a) {
			return
		}
		for _, source := range a.In.Sources {
			fileops.Tell(a, host, source)
		}
	}
	if !a.Mixed {
		return
	}
	for i := range a.Words() {
		if i >= len(a.Args) || !slices.ContainsFunc(a.Words()[i].Sources, invocation.IsPrivateSource) {
			continue
		}
		if host == "" {
			if host = fileops.ToldHost(a); host == "" || hasJudged(a) {
				return
			}
		}
		for _, source := range a.Words()[i].Sources {
			if !fileops.IsLogin(a, i, source, host) {
				fileops.Tell(a, host, source)
			}
		}
	}
}

// hasJudged reports whether the program's own verb has noted whom it talks to, and
// so what it tells them.
func hasJudged(a *invocation.Act) bool {
	for _, e := range a.R.Reading.Effects[min(a.First, len(a.R.Reading.Effects)):] {
		if e.Command == a.Number && (e.Verb == effect.Send || e.Verb == effect.Fetch || e.Verb == effect.Connect && a.Store == nil) { // a client of a database tells more than that it connects
			return true
		}
	}
	return false
}

// tellsFiles is for stores whose words may be files: consul kv put k @file, vault kv put
// k=@file, kubectl create secret --from-file=file. Writing files to a store of one's own
// is everyday work; writing them to another machine that the command names is not.
func tellsFiles(a *invocation.Act) {
	if !slices.ContainsFunc(a.Args, func(s string) bool { return strings.Contains(s, "@") || strings.HasPrefix(s, "--from-") }) {
		return
	}
	host := fileops.ToldHost(a)
	if host == "" {
		return
	}
	for i, arg := range follow.Few(a, a.Args) {
		if flag, value, ok := strings.Cut(arg, "="); ok && (flag == "--from-file" || flag == "--from-env-file") {
			arg = value[strings.LastIndexByte(value, '=')+1:]
		} else if at := strings.LastIndexByte(arg, '@'); at == 0 || at > 0 && arg[at-1] == '=' {
			arg = arg[at+1:]
		} else if i == 0 || a.Args[i-1] != "--from-file" && a.Args[i-1] != "--from-env-file" {
			continue
		}
		fileops.Tell(a, host, a.Path(arg))
	}
}

// asksRegistry is a package manager that is told to look for what a file holds: the
// name of a package is told to whoever has the registry.
func asksRegistry(a *invocation.Act) {
	if !a.Mixed {
		return
	}
	switch a.Sub {
	case "install", "i", "add", "download", "view", "info", "show", "search", "get", "exec", "fetch", "update", "upgrade", "index":
	default:
		return
	}
	for i := range a.Words() {
		if i >= len(a.Args) || strings.HasPrefix(a.Args[i], "-") || strings.Contains(a.Args[i], "://") || i > 0 && strings.HasPrefix(a.Args[i-1], "-") && !strings.Contains(a.Args[i-1], "=") {
			continue
		}
		for _, source := range a.Words()[i].Sources {
			if !strings.HasPrefix(source, "$") && invocation.IsPrivateSource(source) {
				a.Add(effect.Effect{Verb: effect.Send, Object: "registry", From: source})
			}
		}
	}
}
