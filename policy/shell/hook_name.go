package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// longLabel is the length of a part of a name that nobody gives a host: what is
// asked for by it is told to whoever answers.
const longLabel = 40

// manyLabels is from how many dots on a name may carry something in its first
// parts.
const manyLabels = 3

// asksName is for programs that ask for a name: the name itself tells who is
// asked something, if it was made from something.
func asksName(a *act, in *command.Reading) {
	name := ""
	made := len(a.contents("")) > 0
	for _, operand := range a.few(in.Values("name")) {
		if strings.HasPrefix(operand, "@") || strings.HasPrefix(operand, "+") {
			continue
		}
		if name == "" || strings.Contains(operand, ".") {
			name = operand
		}
		made = made || substitutes(operand) || len(secretVariables(operand)) > 0 || hasLongLabel(operand)
	}
	if a.More {
		made = made || len(a.in.roots) == 0 && a.in.piped && !a.in.known
	}
	if host := in.Value("host"); host != "" { // who is asked
		name = host
	}
	if made {
		a.sendsTo(knownHost(name))
	}
}

// asksAfter is finger NAME@HOST: the host is told the name.
func asksAfter(a *act, in *command.Reading) {
	for _, operand := range a.few(in.Values("name")) {
		at := strings.LastIndexByte(operand, '@')
		switch {
		case at < 0:
		case len(a.sources()) > 0, substitutes(operand), len(secretVariables(operand)) > 0:
			a.sendsTo(operand[at+1:])
		default:
			a.does(effect.Connect, operand[at+1:])
		}
	}
}

// knownHost is an address without the first parts of its name that are not known:
// whoever has the rest is told them.
func knownHost(address string) string {
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

// hasLongLabel reports whether a part of a name is so long, or its parts are so
// many, that it may carry something.
func hasLongLabel(name string) bool {
	long := slices.ContainsFunc(strings.Split(name, "."), func(label string) bool { return len(label) >= longLabel && !unknown(label) })
	return long || strings.Count(strings.TrimSuffix(name, "."), ".") >= manyLabels && !strings.HasPrefix(name, "_") && !strings.HasSuffix(name, ".arpa") && strings.Trim(name, "0123456789.") != ""
}
