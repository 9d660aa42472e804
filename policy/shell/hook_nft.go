package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// nftRules reads rules of the firewall, which are a language of their own: rules that
// protect are removed, all is accepted, or the way to models is led elsewhere.
func nftRules(a *act, in *command.Reading) {
	text := strings.Join(in.Values("word"), " ")
	if a.in.known && in.Value("file") == "-" {
		text += " " + a.in.text
	}
	if len(text) > mostKnown {
		a.doubt(Long)
		text = text[:mostKnown]
	}
	leads := saysWord(text, "redirect") || saysWord(text, "dnat")
	switch {
	case saysWord(text, "flush"), saysWord(text, "delete"), saysWord(text, "destroy"), saysWord(text, "reset"), strings.Contains(text, "policy accept"):
		a.disarm("firewall")
	case leads && isGuarded(text):
		a.disarm("route to models")
	case (leads || saysWord(text, "drop") || saysWord(text, "reject")) && (saysWord(text, "output") || saysWord(text, "OUTPUT")):
		if _, port, ok := strings.Cut(text, "dport "); ok && isProxied(strings.SplitN(port, " ", 2)[0]) {
			a.disarm("route to models")
		}
	}
}

// isGuarded reports whether a text names a port through which models are
// reached: a rule that leads it elsewhere leads around the guard.
func isGuarded(text string) bool {
	for port := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if port == "443" || port == "8484" || port == "8787" {
			return true
		}
	}
	return false
}

// isProxied reports whether a text names a port on which the guard may listen.
func isProxied(text string) bool {
	for port := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(port) == 4 && port >= "8000" && port <= "9000" {
			return true
		}
	}
	return isGuarded(text)
}

// saysWord reports whether a text has a word between blanks.
func saysWord(text, word string) bool {
	for w := range strings.FieldsSeq(text) {
		if strings.Trim(w, `;{}"'`) == word {
			return true
		}
	}
	return false
}
