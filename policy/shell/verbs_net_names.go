package shell

import "strings"

// longLabel is the length of a part of a name that nobody gives a host: what is
// asked for by it is told to whoever answers.
const longLabel = 40

// manyLabels is from how many dots on a name may carry something in its first
// parts.
const manyLabels = 3

// resolver is for programs that ask for a name: the name itself tells who is
// asked something, if it was made from something.
func resolver(a *act) {
	l := a.line(valued("b c f k p q t x y type class c i I s W w S D Q m M n l"))
	if a.Name == "getent" {
		a.databases(l.operands)
		return
	}
	name := ""
	made := len(a.contents("")) > 0
	for _, operand := range a.few(l.operands) {
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
	if made {
		a.sendsTo(knownHost(name))
	}
}

// asksResolver is resolvectl query NAME.
func asksResolver(a *act) {
	if a.Sub == "query" || a.Sub == "service" || a.Sub == "tlsa" {
		resolver(a)
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
	for label := range strings.SplitSeq(name, ".") {
		if len(label) >= longLabel && !unknown(label) {
			return true
		}
	}
	return strings.Count(strings.TrimSuffix(name, "."), ".") >= manyLabels && !strings.HasPrefix(name, "_") && !strings.HasSuffix(name, ".arpa") && strings.Trim(name, "0123456789.") != ""
}

// databases is getent DATABASE KEY: hosts are asked for as by other resolvers.
func (a *act) databases(operands []string) {
	if len(operands) == 0 {
		return
	}
	switch operands[0] {
	case "shadow", "gshadow", "passwd", "group":
		a.reads("/etc/" + operands[0])
	case "hosts", "ahosts", "ahostsv4", "ahostsv6", "networks":
		for _, name := range a.few(operands[1:]) {
			if len(a.contents("")) > 0 || substitutes(name) || len(secretVariables(name)) > 0 || hasLongLabel(name) {
				a.sendsTo(knownHost(name))
			}
		}
	}
}
