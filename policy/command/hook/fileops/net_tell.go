package fileops

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Tell notes that a host is given something private.
func Tell(a *invocation.Act, host, source string) {
	name, variable := strings.CutPrefix(source, "$")
	switch {
	case variable && !IsStrange(name, host), !variable && !invocation.IsPrivateSource(source):
		return
	case variable:
		source = invocation.Environment
	}
	a.Add(effect.Effect{Verb: effect.Send, Object: host, From: source})
}

// ToldHost is a machine elsewhere that the words name: the value of a flag for it, an
// address, a name with a port, or a name whose first part is put in. It is empty if they
// name none. Words after -- belong to something else.
func ToldHost(a *invocation.Act) string {
	for i, arg := range follow.Few(a, a.Args) {
		if arg == "--" {
			break
		}
		if body, dashes := invocation.CutDashes(arg); dashes > 0 {
			name, value, attached := strings.Cut(body, "=")
			if !command.Builtin().In("host-flags", name) {
				continue
			}
			if !attached && i+1 < len(a.Args) {
				value = a.Args[i+1]
			}
			value, _, _ = strings.Cut(value, ",")
			if host := invocation.HostOf(invocation.Reachable(value)); isHostName(host) && invocation.IsOutside(host) {
				return host
			}
			continue
		}
		host := ""
		if scheme, _, ok := strings.Cut(arg, "://"); ok {
			if invocation.IsCluster(strings.ReplaceAll(scheme, "+", "")) { // not what is put into a setting: URL=https://...
				if host = invocation.HostOf(invocation.Reachable(arg)); !invocation.IsOutside(host) { // who asks is put in: redis://$(...)@host
					host = invocation.HostOf(invocation.Reachable(arg[strings.LastIndexByte(arg, '@')+1:]))
				}
			}
		} else if host = HostNamed(arg); host == "" {
			if known := invocation.KnownHost(arg); known != arg {
				host, _, _ = strings.Cut(strings.ToLower(known), " ")
			}
		}
		if isHostName(host) && invocation.IsOutside(host) {
			return host
		}
	}
	return ""
}

// IsLogin reports whether a word says who asks, with one value that was picked out of
// a file for it: -a "$(grep REDIS_PASSWORD .env | cut -d= -f2)". The value must not be
// another's, as far as its name tells.
func IsLogin(a *invocation.Act, i int, source, host string) bool {
	word := a.Args[i]
	if strings.HasPrefix(source, "$") || !invocation.Substitutes(word) || !invocation.ContainsAny(word, []string{"grep ", "awk ", "sed -n", "jq ", "yq "}) {
		return false
	}
	body, dashes := invocation.CutDashes(word)
	name, _, _ := strings.Cut(body, "=")
	login := dashes > 0 && command.Builtin().In("login-flags", name) || strings.Contains(word, "://") && strings.Contains(word, "@")
	if i > 0 && dashes == 0 {
		body, dashes := invocation.CutDashes(a.Args[i-1])
		login = login || dashes > 0 && command.Builtin().In("login-flags", body)
	}
	if !login {
		return false
	}
	for name := range strings.FieldsFuncSeq(word, func(c rune) bool { return c >= 0x80 || !invocation.IsNameByte(byte(c)) }) {
		if invocation.IsSecretOf(name) {
			return !IsStrange(name, host)
		}
	}
	return false
}

// tellsAddress notes that an address itself is made of something private:
// ftp ftp://"$(cat .env)"@HOST.
func tellsAddress(a *invocation.Act) {
	for i := range a.Mixture() {
		if i >= len(a.Args) || len(a.Words()[i].Sources) == 0 {
			continue
		}
		if host := ToldHost(a); host != "" {
			for _, source := range a.Words()[i].Sources {
				if !IsLogin(a, i, source, host) {
					Tell(a, host, source)
				}
			}
		}
	}
}
