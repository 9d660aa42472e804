package output

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// codeSends notes what a program sends that nobody reads otherwise: files with
// private names, where it talks to another machine at all.
func codeSends(a *invocation.Act, code string) {
	if strings.HasPrefix(a.Name, "python") || a.Name == "node" || len(code) > invocation.MostKnown || !invocation.ContainsAny(strings.ToLower(code), []string{"post", "send", "put", "upload", "-query", "socket", "connect", "url-retrieve"}) {
		return
	}
	to := hostIn(code)
	if to == "" {
		return
	}
	n := 0
	for token := range strings.FieldsFuncSeq(code, func(c rune) bool { return strings.ContainsRune(" \t\n\"'`()[]{},;<>=", c) }) {
		if strings.Contains(token, "://") || !invocation.MayBePrivate(token) || token[0] == '.' && !invocation.ContainsAny(token, dotNames) {
			continue
		}
		if n++; n > follow.MostAddresses {
			break
		}
		a.Add(effect.Effect{Verb: effect.Send, Object: to, From: a.Path(token)})
	}
	for _, arg := range follow.Few(a, a.Args) {
		if !strings.ContainsAny(arg, " (;") && invocation.MayBePrivate(arg) && arg != code {
			a.Add(effect.Effect{Verb: effect.Send, Object: to, From: a.Path(arg)})
		}
	}
}

// dotNames are the hidden files that hold secrets.
var dotNames = []string{".env", ".ssh", ".aws", ".netrc", ".npmrc", ".pgpass", ".git-credentials", ".docker", ".kube", ".gnupg", ".config", ".vault", ".pypirc", ".azure", ".cargo"}

// hostIn is the machine that a program names: an address, or what it connects to.
func hostIn(code string) string {
	if i := strings.Index(code, "://"); i >= 0 {
		end := strings.IndexAny(code[i+3:]+" ", " \"'`)],;")
		return "http" + code[i:i+3+end]
	}
	for _, call := range []string{"connect(", "->new(", "connect ", "socket ", "PeerAddr=>", "tcp://"} {
		if _, rest, ok := strings.Cut(code, call); ok {
			host := strings.TrimLeft(rest, "\"' \t({")
			if end := strings.IndexAny(host, "\"',:; )"); end > 0 && strings.Contains(host[:end], ".") {
				return host[:end]
			}
		}
	}
	return ""
}
