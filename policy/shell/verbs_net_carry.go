package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// carries is a program that gives messages to a service: what its arguments were
// made from, and the files that it names. The keys by which it says who it is are
// used, not sent.
func carries(a *act) {
	if a.Has("help") || a.Has("version") {
		return
	}
	a.carriesTo(a.named(), a.carried(0))
}

// pushesFiles is oras push REFERENCE FILE...
func pushesFiles(a *act) {
	if words := a.Operands(credentialFlags...); len(words) > 2 && (words[0] == "push" || words[0] == "attach") {
		a.carriesTo(hostOf(words[1]), a.withFiles(nil, a.few(words[2:])))
	}
}

// uploadsFiles is for clients of object stores that are told to upload something.
func uploadsFiles(a *act) {
	for i, arg := range a.Args {
		switch arg {
		case "upload-file", "upload_file", "upload", "put", "put-object", "object-put", "cp", "sync", "create", "push":
			a.carriesTo(a.Name, a.carried(i+1))
			return
		}
	}
}

// carriesTo notes what is given away. That there is a message alone is none of it.
func (a *act) carriesTo(to string, files []string) {
	from := a.contentsGiven()
	for _, file := range files {
		from = with(from, file)
	}
	for _, source := range from {
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
}

// credentialFlags are flags whose values say who asks, or whom to believe.
var credentialFlags = []string{
	"cert", "key", "cacert", "ca", "tlscert", "tlskey", "tlsca", "creds", "credentials", "nkey", "config", "c", "F", "X", "K", "proto", "import-path", "protoset", "context", "authfile", "registry-config", "profile",
	"username", "password", "u", "p", "U", "P", "i", "identity-file", "env-file", "kubeconfig",
}

// carried are the files with private names among the arguments from a place on.
func (a *act) carried(at int) []string {
	var files []string
	for i := at; i < len(a.Args) && i < at+mostAddresses; i++ {
		arg := a.Args[i]
		if i > 0 {
			if body, dashes := cutDashes(a.Args[i-1]); dashes > 0 && slices.Contains(credentialFlags, body) {
				continue
			}
		}
		if body, dashes := cutDashes(arg); dashes > 0 {
			name, value, ok := strings.Cut(body, "=")
			if !ok || slices.Contains(credentialFlags, name) {
				continue
			}
			arg = value
		}
		if j := strings.LastIndex(arg, "=@"); j >= 0 {
			arg = arg[j+1:]
		}
		arg = strings.TrimPrefix(strings.TrimPrefix(arg, "@"), "file://")
		if arg != "" && !strings.Contains(arg, "://") && !strings.ContainsAny(arg, " \n{") && mayBePrivate(arg) {
			files = append(files, a.path(arg))
		}
	}
	return files
}

// named is the machine that the arguments name, the program itself if they name
// none.
func (a *act) named() string {
	for _, arg := range a.Args {
		if host := hostNamed(arg); host != "" {
			return host
		}
	}
	return a.Name
}

// hostNamed is the host in a word that is an address, or a name with a port.
func hostNamed(word string) string {
	if strings.ContainsAny(word, " \n\"'{}()") {
		return ""
	}
	if strings.Contains(word, "://") {
		return hostOf(word)
	}
	host, port, ok := strings.Cut(word, ":")
	if !ok || port == "" || strings.Trim(port, "0123456789") != "" || !isHostName(host) {
		return ""
	}
	return strings.ToLower(host)
}

// isHostName reports whether a word may be the name of a host: letters, digits and
// dots.
func isHostName(s string) bool {
	if s == "" || s[0] == '.' || s[0] == '-' || len(s) > 253 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '.' && c != '-' && !('a' <= c && c <= 'z') && !('A' <= c && c <= 'Z') && !('0' <= c && c <= '9') {
			return false
		}
	}
	return true
}

// mayTell notes that a program which nobody knows may tell a host in its arguments
// what was put into the others: $(cat file).
func (a *act) mayTell() {
	for i := range a.mixture() {
		if len(a.words()[i].sources) == 0 {
			continue
		}
		for _, arg := range a.few(a.Args) {
			if host := hostNamed(arg); host != "" && isOutside(host) {
				a.carriesTo(host, nil)
				return
			}
		}
		return
	}
}
