package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// sendsTo notes that the command gives its text and everything that went into its
// input and arguments to an address. More are files that it sends besides.
func (a *act) sendsTo(to string, more ...string) {
	from := a.sources()
	for _, arg := range a.Args {
		from = merge(from, secretVariables(arg))
	}
	a.gives(to, a.withFiles(from, more))
}

// withFiles adds files to sources, however many there are.
func (a *act) withFiles(from, files []string) []string {
	from = slices.Clip(from)
	for _, file := range files {
		if isNoFile(file) {
			continue
		}
		if p := a.path(file); len(from) > mostSources || !slices.Contains(from, p) {
			from = append(from, p)
		}
	}
	return from
}

// mostAddresses is how many addresses, or mounts, of one command are looked at.
const mostAddresses = 64

// few are as many as are looked at.
func (a *act) few(list []string) []string {
	if len(list) > mostAddresses {
		a.doubt(Many)
		list = list[:mostAddresses]
	}
	return list
}

// gives notes a Send for each source, and one for the text of the call if there
// are none.
func (a *act) gives(to string, from []string) {
	to = knownHost(reachable(to))
	if len(from) == 0 {
		a.does(effect.Send, to)
		return
	}
	for _, source := range from {
		if name, variable := strings.CutPrefix(source, "$"); variable && len(secretVariables(source)) > 0 { // others are names of files
			if source = environment; isFor(name, hostOf(to)) {
				source = ""
			}
		}
		a.add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
}

// contents are the sources that an address is told: not the variables, which
// their users look for where they matter, and not the tokens by which its own
// program says who asks.
func (a *act) contents(address string) []string {
	list := a.in.sources
	for _, source := range list {
		list = merge(list, a.r.origins(source))
	}
	for i := range a.mixture() {
		for _, source := range a.words()[i].sources {
			own := source == secret && i < len(a.Args) && isCredential(a.Args[i]) && (a.guess || isOwnToken(a.Args[i], hostOf(address)))
			if !own && !strings.HasPrefix(source, "$") {
				list = with(list, source)
			}
		}
	}
	return list
}

// isCredential reports whether a header says who asks.
func isCredential(header string) bool {
	name, _, ok := strings.Cut(header, ":")
	name = strings.ToLower(name)
	return ok && (strings.Contains(name, "auth") || strings.Contains(name, "token") || strings.Contains(name, "key") || strings.Contains(name, "secret") || strings.Contains(name, "cookie"))
}

// ownTokens are programs that print tokens, and where these are used.
var ownTokens = []struct {
	program string
	hosts   []string
}{
	{"gcloud ", []string{"googleapis.com", "google.com", "run.app", "cloudfunctions.net", "pkg.dev", "gcr.io"}},
	{"gh ", []string{"github.com", "githubusercontent.com", "ghcr.io"}},
	{"glab ", []string{"gitlab.com"}},
	{"az ", []string{"azure.com", "windows.net", "microsoft.com", "azurewebsites.net", "azure.net", "azurecr.io"}},
	{"aws ", []string{"amazonaws.com"}},
	{"heroku ", []string{"heroku.com"}},
	{"kubectl ", []string{"localhost", "127.0.0.1", "kubernetes.default.svc"}},
	{"oc ", []string{"localhost", "127.0.0.1"}},
}

func isOwnToken(text, host string) bool {
	for _, own := range ownTokens {
		if strings.Contains(text, own.program) {
			return slices.ContainsFunc(own.hosts, func(h string) bool { return host == h || strings.HasSuffix(host, "."+h) })
		}
	}
	return false
}

// namesToken reports whether a text calls a program that prints a token of its own.
func namesToken(text string) bool {
	for i := range ownTokens {
		if strings.Contains(text, ownTokens[i].program) {
			return true
		}
	}
	return false
}

// substitutes reports whether a text holds the output of a command.
func substitutes(text string) bool {
	return strings.Contains(text, "$(") && !strings.Contains(text, "$((") || strings.Contains(text, "`")
}

// secretVariables are the variables in a text whose names say that they hold a
// secret, written "$NAME".
func secretVariables(text string) []string {
	var found []string
	for _, name := range variablesIn(text) {
		if isSecretOf(name) {
			found = with(found, "$"+name)
		}
	}
	return found
}

// variablesIn are the names of the variables in a text, as many as are followed.
func variablesIn(text string) []string {
	var found []string
	for len(found) < mostSources {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			break
		}
		text = strings.TrimLeft(text[i+1:], "{!#")
		end := 0
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		if end > 0 {
			found = with(found, text[:end])
		}
		text = text[end:]
	}
	return found
}

// hostOf is the host of an address.
func hostOf(address string) string { return effect.HostOf(address) }

// webAddress is an address as a browser would complete it.
func webAddress(address string) string {
	if strings.Contains(address, "://") || strings.HasPrefix(address, "$") {
		return address
	}
	return "http://" + address
}

// lastName is the file name that an address ends in.
func lastName(address string) string {
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
		slash := strings.IndexByte(address, '/')
		if slash < 0 {
			return "index.html"
		}
		address = address[slash:]
	}
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	if name := address[strings.LastIndexByte(address, '/')+1:]; name != "" {
		return name
	}
	return "index.html"
}

// saves notes that a file is written with what an address gives.
func (a *act) saves(file, from string) {
	if !isNoFile(file) {
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(file), From: from})
	}
}
