package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// disarm notes that something that protects the machine is switched off.
func (a *act) disarm(what string) { a.does(effect.Disarm, what) }

// disarms is a program that does nothing else.
func disarms(a *act) { a.disarm(a.Name) }

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

// iptables: rules that protect are removed, all is accepted, or the way to models
// is led elsewhere.
func iptables(a *act) {
	g := a.given(&usage{values: "AIDRPNEtpsdijmo", long: []string{
		"append", "insert", "delete", "replace", "policy", "new-chain", "table", "protocol", "source", "destination", "in-interface", "jump", "match", "out-interface",
		"dport", "sport", "to-ports", "to-port", "to-destination", "to-source", "destination-port", "source-port", "ctstate", "state", "uid-owner", "icmp-type", "comment", "dports", "sports", "limit", "log-prefix", "reject-with",
	}})
	target := g.value("j", "jump")
	adds := g.has("A", "I", "R", "append", "insert", "replace")
	narrow := g.has("p", "s", "d", "i", "o", "m", "protocol", "source", "destination", "in-interface", "out-interface", "match")
	switch {
	case g.has("F", "X", "flush", "delete-chain"), g.has("D", "delete"):
		a.disarm("firewall")
	case g.has("P", "policy") && slices.Contains(a.Args, "ACCEPT"):
		a.disarm("firewall")
	case adds && (target == "REDIRECT" || target == "DNAT" || target == "TPROXY" || target == "MARK") && isGuarded(strings.Join(a.Args, " ")):
		a.disarm("route to models")
	case adds && (target == "REDIRECT" || target == "DNAT" || target == "DROP" || target == "REJECT") && g.value("A", "I", "R", "append", "insert", "replace") == "OUTPUT" &&
		isProxied(strings.Join(g.all("dport", "dports", "destination-port"), " ")):
		a.disarm("route to models")
	case adds && target == "ACCEPT" && !narrow:
		a.disarm("firewall")
	}
}

// rulesLoaded replaces all rules by others that nobody has read.
func rulesLoaded(a *act) {
	if !a.Has("t") && !a.Has("--test") {
		a.disarm("firewall")
	}
}

func nft(a *act) {
	g := a.given(&usage{values: "fDI", long: []string{"file", "define", "includepath"}})
	text := strings.Join(g.operands, " ")
	if a.in.known && g.value("f", "file") == "-" {
		text += " " + a.in.text
	}
	if len(text) > mostKnown {
		a.doubt(Long)
		text = text[:mostKnown]
	}
	switch {
	case g.has("c", "check"):
	case g.has("f", "file") && g.value("f", "file") != "-":
		a.disarm("firewall")
	case saysWord(text, "flush"), saysWord(text, "delete"), saysWord(text, "destroy"), saysWord(text, "reset"):
		a.disarm("firewall")
	case strings.Contains(text, "policy accept"):
		a.disarm("firewall")
	case (saysWord(text, "redirect") || saysWord(text, "dnat")) && isGuarded(text):
		a.disarm("route to models")
	case (saysWord(text, "redirect") || saysWord(text, "dnat") || saysWord(text, "drop") || saysWord(text, "reject")) && (saysWord(text, "output") || saysWord(text, "OUTPUT")):
		if _, port, ok := strings.Cut(text, "dport "); ok && isProxied(strings.SplitN(port, " ", 2)[0]) {
			a.disarm("route to models")
		}
	}
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

func pfctl(a *act) {
	g := a.given(&usage{values: "FfsiaktTKxo"})
	if g.has("d", "F", "f") && !g.has("n") {
		a.disarm("firewall")
	}
}

func ufw(a *act) {
	g := a.given(&usage{})
	if g.has("dry-run") {
		return
	}
	words := strings.Join(g.operands, " ")
	switch first, _, _ := strings.Cut(strings.TrimPrefix(words, "--force "), " "); {
	case first == "disable", first == "reset", first == "delete":
		a.disarm("firewall")
	case strings.HasPrefix(words, "default allow"), words == "allow from any", words == "allow to any", words == "allow from any to any", words == "allow in", words == "allow out":
		a.disarm("firewall")
	}
}

func firewallCmd(a *act) {
	for _, arg := range a.Args {
		switch {
		case strings.HasPrefix(arg, "--remove-"), strings.HasPrefix(arg, "--set-default-zone=trusted"), strings.HasPrefix(arg, "--set-target=ACCEPT"), arg == "--panic-off",
			strings.HasPrefix(arg, "--delete-"), arg == "--complete-reload":
			a.disarm("firewall")
			return
		case strings.HasPrefix(arg, "--add-port=") && strings.Contains(arg, "-65535"), strings.HasPrefix(arg, "--add-source=0.0.0.0/0"):
			a.disarm("firewall")
			return
		case strings.HasPrefix(arg, "--add-forward-port") && isGuarded(arg):
			a.disarm("route to models")
			return
		}
	}
}

func netsh(a *act) {
	text := strings.ToLower(strings.Join(a.Args, " "))
	switch {
	case strings.Contains(text, "firewall") && (saysWord(text, "off") || saysWord(text, "reset") || saysWord(text, "delete") || saysWord(text, "disable")):
		a.disarm("firewall")
	case strings.Contains(text, "portproxy") && saysWord(text, "add"):
		a.disarm("route to models")
	case strings.Contains(text, "wlan") && strings.Contains(text, "key=clear"):
		a.does(effect.Reveal, "credentials of networks")
	case strings.Contains(text, "winhttp set proxy"):
		a.disarm("route to models")
	}
}

func setenforce(a *act) {
	switch strings.ToLower(lastOf(a.Args)) {
	case "0", "permissive":
		a.disarm("selinux")
	}
}

func semanage(a *act) {
	if a.Sub == "permissive" && (a.Has("a") || a.Has("--add")) {
		a.disarm("selinux")
	}
}

func apparmor(a *act) {
	if a.Has("R") || a.Has("--remove") || a.Has("C") || a.Has("--Complain") {
		a.disarm("apparmor")
	}
}

func spctl(a *act) {
	for _, arg := range a.Args {
		switch arg {
		case "--master-disable", "--global-disable", "--disable", "--add", "--remove", "kext-consent":
			a.disarm("gatekeeper")
			return
		}
	}
}

// csrutil and fdesetup are told to disable what they are for.
func csrutil(a *act) {
	switch a.Sub {
	case "disable", "clear", "authenticated-root", "removeuser", "changerecovery":
		a.disarm(a.Name)
	}
}

func auditctl(a *act) {
	g := a.given(&usage{values: "aAdefkpSFwWRrb"})
	if g.has("D", "d", "W") || g.value("e") == "0" {
		a.disarm("audit")
	}
}

func socketFilter(a *act) {
	for i, arg := range a.Args {
		if strings.HasPrefix(arg, "--set") && i+1 < len(a.Args) && a.Args[i+1] == "off" || arg == "--unblockapp" || arg == "--remove" {
			a.disarm("firewall")
			return
		}
	}
}

func nvram(a *act) {
	for _, arg := range a.Args {
		if strings.Contains(arg, "boot-args=") || strings.Contains(arg, "csr-active-config=") || arg == "-c" || arg == "-d" {
			a.disarm("boot settings")
			return
		}
	}
}

// ip takes the network apart only by a few of its words.
func ip(a *act) {
	operands := a.Operands("n", "netns", "f", "family")
	for i, word := range operands {
		switch word {
		case "flush":
			a.disarm("network")
			return
		case "down":
			if i > 1 {
				a.stops("network " + operands[i-1])
			}
		}
	}
}

func ifconfig(a *act) {
	if len(a.Args) > 1 && a.Args[1] == "down" {
		a.stops("network " + a.Args[0])
	}
}

func mokutil(a *act) {
	if a.Has("--disable-validation") || a.Has("--import") || a.Has("--reset") {
		a.disarm("secure boot")
	}
}

func grubby(a *act) {
	if text := strings.Join(a.Args, " "); strings.Contains(text, "selinux=0") || strings.Contains(text, "apparmor=0") || strings.Contains(text, "audit=0") {
		a.disarm("boot settings")
	}
}

func trusts(a *act) { a.does(effect.Grant, "certificates") }
