package invocation

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"

	"github.com/sluice-project/sluice/policy/effect"
)

// SentFile is the file that a value names which is sent: file, @file, name=@file or
// file:///file. It is empty for a text.
func SentFile(value string) string {
	if i := strings.LastIndex(value, "=@"); i >= 0 {
		value = value[i+1:]
	}
	value = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(value, "@"), "fileb://"), "file://")
	if strings.Contains(value, "://") || strings.ContainsAny(value, " \n") {
		return ""
	}
	return value
}

// KnownHost is an address without the first parts of its name that are not known:
// whoever has the rest is told them.
func KnownHost(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	host, where, _ := strings.Cut(rest, "/")
	at := strings.LastIndexAny(host, "$})`")
	if at < 0 || !strings.Contains(host, "$") {
		return address
	}
	dot := strings.IndexByte(host[at:], '.')
	if dot < 0 || !strings.Contains(host[at+dot+1:], ".") {
		return address
	}
	if host = host[at+dot+1:]; where != "" {
		host += "/" + where
	}
	return scheme + host
}

// Asks notes that an address is asked for something by a program of which nothing else
// is known.
func (a *Act) Asks(url string, sending bool, files ...string) {
	if sending || ShowsSecret(url, HostOf(url)) || len(files) > 0 || len(a.Contents(url)) > 0 || Substitutes(url) || len(SecretVariables(url)) > 0 {
		a.SendsTo(url, files...)
		return
	}
	a.Does(effect.Fetch, url)
}

// SendsTo notes that the command gives its text and everything that went into its
// input and arguments to an address. More are files that it sends besides.
func (a *Act) SendsTo(to string, more ...string) {
	from := a.Sources()
	for _, arg := range a.Args {
		from = Merge(from, SecretVariables(arg))
	}
	a.Gives(to, a.WithFiles(from, more))
}

// WithFiles adds files to sources, however many there are.
func (a *Act) WithFiles(from, files []string) []string {
	from = slices.Clip(from)
	for _, file := range files {
		if IsNoFile(file) {
			continue
		}
		if p := a.Path(file); len(from) > MostSources || !slices.Contains(from, p) {
			from = append(from, p)
		}
	}
	return from
}

// Gives notes a Send for each source, and one for the text of the call if there
// are none.
func (a *Act) Gives(to string, from []string) {
	to = KnownHost(Reachable(to))
	if len(from) == 0 {
		a.Does(effect.Send, to)
		return
	}
	for _, source := range from {
		if name, variable := strings.CutPrefix(source, "$"); variable && len(SecretVariables(source)) > 0 { // others are names of files
			if source = Environment; !a.tells(name, HostOf(to)) {
				source = ""
			}
		}
		a.Add(effect.Effect{Verb: effect.Send, Object: to, From: source})
	}
}

// Contents are the sources that an address is told: not the variables, which
// their users look for where they matter, and not the tokens by which its own
// program says who asks.
func (a *Act) Contents(address string) []string {
	list := a.In.Sources
	for _, source := range list {
		list = Merge(list, a.R.Origins(source))
	}
	for i := range a.Mixture() {
		for _, source := range a.Words()[i].Sources {
			own := source == Secret && i < len(a.Args) && IsCredential(a.Args[i]) && (a.Guess || isOwnToken(a.Args[i], HostOf(address)))
			if !own && !strings.HasPrefix(source, "$") {
				list = With(list, source)
			}
		}
	}
	return list
}

// IsCredential reports whether a header says who asks.
func IsCredential(header string) bool {
	name, _, ok := strings.Cut(header, ":")
	name = strings.ToLower(name)
	return ok && (strings.Contains(name, "auth") || strings.Contains(name, "token") || strings.Contains(name, "key") || strings.Contains(name, "secret") || strings.Contains(name, "cookie"))
}

func isOwnToken(text, host string) bool {
	hosts, _ := tokenHosts(text)
	return slices.ContainsFunc(hosts, func(h string) bool { return host == h || strings.HasSuffix(host, "."+h) })
}

// tokenHosts are where the tokens of a program are used that a text calls to print one.
func tokenHosts(text string) (hosts []string, prints bool) {
	known := command.Builtin().Table("token-programs")
	for _, program := range slices.Sorted(maps.Keys(known)) {
		if strings.Contains(text, program+" ") {
			return known[program], true
		}
	}
	return nil, false
}

// NamesToken reports whether a text calls a program that prints a token of its own.
func NamesToken(text string) bool {
	_, prints := tokenHosts(text)
	return prints
}

// Substitutes reports whether a text holds the output of a command.
func Substitutes(text string) bool {
	return strings.Contains(text, "$(") && !strings.Contains(text, "$((") || strings.Contains(text, "`")
}

// SecretVariables are the variables in a text whose names say that they hold a
// secret, written "$NAME".
func SecretVariables(text string) []string {
	var found []string
	for _, name := range VariablesIn(text) {
		if IsSecretOf(name) {
			found = With(found, "$"+name)
		}
	}
	return found
}

// VariablesIn are the names of the variables in a text, as many as are followed.
func VariablesIn(text string) []string {
	var found []string
	for len(found) < MostSources {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			break
		}
		text = strings.TrimLeft(text[i+1:], "{!#")
		end := 0
		for end < len(text) && IsNameByte(text[end]) {
			end++
		}
		if end > 0 {
			found = With(found, text[:end])
		}
		text = text[end:]
	}
	return found
}

// HostOf is the host of an address.
func HostOf(address string) string { return effect.HostOf(address) }
