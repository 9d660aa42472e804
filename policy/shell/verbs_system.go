package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// systemVerbs are the programs that change what runs on the machine, who may do
// what on it, and what protects it.
var systemVerbs = map[string]verb{
	"kill": kill, "pkill": pkill, "killall": pkill, "killall5": pkill, "skill": pkill, "xkill": pkill, "taskkill": taskkill, "fuser": fuser, "tkill": kill,
	"shutdown": shutdown, "reboot": shutdown, "halt": shutdown, "poweroff": shutdown, "init": initLevel, "telinit": initLevel, "kexec": shutdown, "pm-suspend": shutdown,
	"systemctl": systemctl, "service": service, "rc-service": service, "invoke-rc.d": service, "sv": sv, "initctl": sv, "rc-update": rcUpdate, "chkconfig": rcUpdate, "update-rc.d": rcUpdate,
	"supervisorctl": sv, "loginctl": loginctl, "systemd-run": systemdRun,
	"crontab": crontab, "at": at, "batch": at, "atrm": harmless,
	"tccutil": tccutil, "systemsetup": systemSetup, "trust": trustAnchor, "certutil": certUtil, "scutil": scutil, "networksetup": networkSetup, "launchd": harmless, "sfltool": tccutil, "profiles": profilesTool, "kickstart": remoteDesktop,
	"osascript": osascript, "defaults": defaults, "tmutil": tmutil, "launchctl": launchctl, "diskutil": diskutil, "hdiutil": hdiutil, "PlistBuddy": plistBuddy, "pmset": pmset,
	"sysctl": sysctl, "modprobe": module, "insmod": module, "rmmod": module, "kextload": module, "kextunload": module, "kmutil": module, "swapoff": swapoff,
	"history": history, "fc": history, "unset": unset, "shopt": unset, "journalctl": journal, "dmesg": journal, "wtmpdb": harmless,

	"useradd": user, "adduser": user, "usermod": user, "userdel": user, "deluser": user, "groupadd": user, "addgroup": user, "groupmod": user, "groupdel": user, "delgroup": user,
	"gpasswd": user, "newusers": user, "pw": user, "chsh": user, "chfn": harmless, "chage": chage, "passwd": passwd, "chpasswd": passwd, "chgpasswd": passwd,
	"visudo": sudoers, "vipw": sudoers, "vigr": sudoers, "sudoedit": sudoedit, "sudo": shellAs, "su": shellAs, "doas": shellAs, "pkexec": shellAs, "run0": shellAs, "gsudo": shellAs, "sudo-rs": shellAs, "runuser": shellAs,
	"ssh-import-id": importsKeys, "ssh-import-id-gh": importsKeys, "ssh-import-id-lp": importsKeys,
	"dscl": dscl, "sysadminctl": sysadminctl, "dseditgroup": dscl, "net": netCommand, "authconfig": user, "pam-auth-update": user,

	"iptables": iptables, "ip6tables": iptables, "ebtables": iptables, "arptables": iptables, "iptables-legacy": iptables, "iptables-nft": iptables,
	"iptables-restore": rulesLoaded, "ip6tables-restore": rulesLoaded, "nft": nft, "pfctl": pfctl, "ufw": ufw, "firewall-cmd": firewallCmd, "netsh": netsh,
	"setenforce": setenforce, "semanage": semanage, "setsebool": setenforce, "aa-disable": disarms, "aa-complain": disarms, "aa-teardown": disarms, "aa-remove-unknown": disarms,
	"apparmor_parser": apparmor, "spctl": spctl, "csrutil": csrutil, "auditctl": auditctl, "socketfilterfw": socketFilter, "fdesetup": csrutil, "nvram": nvram, "ip": ip, "ifconfig": ifconfig,
	"mokutil": mokutil, "bputil": disarms, "grubby": grubby, "update-ca-certificates": trusts, "update-ca-trust": trusts,
}

// harmless is a program of which it is known that it does nothing that matters.
func harmless(*act) {}

// kills notes the end of processes.
func (a *act) kills(wide bool, targets ...string) {
	for _, target := range a.few(targets) {
		a.add(effect.Effect{Verb: effect.Kill, Object: target, Wide: wide})
	}
}

// kill ends processes by number. -1 is all of them, and a signal may come first.
func kill(a *act) {
	args := a.Args
	switch {
	case len(args) == 0, args[0] == "-l", args[0] == "-L", args[0] == "--list", args[0] == "-0":
		return
	case args[0] == "-s", args[0] == "-n", args[0] == "--signal":
		if len(args) > 1 && args[1] == "0" {
			return
		}
		args = args[min(2, len(args)):]
	case args[0] == "--":
		args = args[1:]
	case strings.HasPrefix(args[0], "-") && (len(args) > 1 || args[0] != "-1"):
		args = args[1:]
	}
	for _, arg := range a.few(args) {
		if arg != "--" && !strings.HasPrefix(arg, "--signal") {
			a.kills(arg == "-1", arg)
		}
	}
}

// pkill ends processes by name or pattern.
func pkill(a *act) {
	values := "gGPstuUF"
	if a.Name == "killall" {
		values = "osuyZ"
	}
	g := a.given(&usage{values: values, long: []string{"signal", "pgroup", "group", "parent", "session", "terminal", "euid", "uid", "pidfile", "older-than", "younger-than", "user", "older", "younger"}})
	if g.has("l", "list-name", "0") && a.Name == "killall" || g.value("signal", "s") == "0" || a.Has("0") {
		return
	}
	if user := g.value("u", "euid", "user", "U", "uid"); user != "" && len(g.operands) == 0 {
		a.kills(true, "processes of "+user)
		return
	}
	if len(g.operands) == 0 && (a.Name == "killall5" || g.has("P", "parent", "t", "terminal", "g", "s")) {
		a.kills(true, "processes")
	}
	for _, name := range a.few(g.operands) {
		a.kills(strings.Trim(name, ".*^$") == "", name)
	}
}

// taskkill is the same on Windows: /IM name, /PID number.
func taskkill(a *act) {
	for i := 0; i+1 < len(a.Args); i++ {
		switch strings.ToLower(strings.TrimLeft(a.Args[i], "/-")) {
		case "im", "pid", "fi":
			i++
			words := strings.Fields(a.Args[i]) // a filter: IMAGENAME eq x.exe
			a.kills(a.Args[i] == "*", baseName(lastOf(words)))
		}
	}
}

func fuser(a *act) {
	g := a.given(&usage{values: "n", long: []string{"namespace"}})
	if g.has("k", "kill") {
		a.kills(true, g.operands...)
	}
}

func shutdown(a *act) {
	g := a.given(&usage{values: "t"})
	switch {
	case a.Name == "shutdown" && g.has("c", "k", "a", "show"), g.has("help", "w", "wtmp-only"), a.Name == "kexec" && !g.has("e", "exec"):
	case len(a.Args) == 1 && strings.EqualFold(a.Args[0], "/a"):
	default:
		a.does(effect.Shutdown, "machine")
	}
}

func initLevel(a *act) {
	switch a.firstArg() {
	case "0", "1", "6", "S", "s":
		a.does(effect.Shutdown, "machine")
	}
}

// stops notes that services stop.
func (a *act) stops(names ...string) {
	for _, name := range names {
		a.does(effect.Stop, name)
	}
}

// persists notes that something runs again by itself.
func (a *act) persists(what string) { a.does(effect.Persist, what) }

var systemctlUsage = usage{values: "HMtpnso", long: valueFlags["systemctl"]}

func systemctl(a *act) {
	g := a.given(&systemctlUsage)
	if g.has("dry-run") {
		return
	}
	command := g.first()
	for _, unit := range g.operands {
		if command == "start" || command == "isolate" {
			switch strings.TrimSuffix(unit, ".target") {
			case "poweroff", "reboot", "halt", "kexec", "rescue", "emergency", "shutdown", "suspend", "hibernate":
				a.does(effect.Shutdown, "machine")
			}
		}
	}
	switch command {
	case "enable", "reenable", "link", "add-wants", "add-requires", "preset", "set-default":
		for _, unit := range g.operands {
			a.persists("service " + unit)
		}
	case "edit":
		for _, unit := range g.operands {
			a.persists("service " + unit)
		}
	case "stop", "disable", "mask", "clean", "freeze":
		a.stops(g.operands...)
	case "kill":
		a.kills(false, g.operands...)
	case "poweroff", "reboot", "halt", "kexec", "rescue", "emergency", "suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate", "soft-reboot", "exit", "default", "isolate", "switch-root":
		if command != "isolate" {
			a.does(effect.Shutdown, "machine")
		}
	case "set-environment":
		for _, assignment := range g.operands {
			name, value, _ := strings.Cut(assignment, "=")
			a.add(effect.Effect{Verb: effect.SetVariable, Object: name, From: value})
		}
	case "unset-environment":
		for _, name := range g.operands {
			a.does(effect.UnsetVariable, name)
		}
	}
}

// service is service NAME stop.
func service(a *act) {
	g := a.given(&usage{})
	name := g.first()
	if word := g.first(); word == "stop" || word == "disable" || word == "force-stop" {
		a.stops(name)
	}
}

// sv is sv stop NAME and the like.
func sv(a *act) {
	g := a.given(&usage{values: "cwsup"})
	switch g.first() {
	case "stop", "down", "d", "exit", "x", "kill", "k", "shutdown", "force-stop", "remove":
		a.stops(g.operands...)
	}
}

// rcUpdate says what starts with the machine, with its words in any order.
func rcUpdate(a *act) {
	g := a.given(&usage{values: "", long: []string{"level"}})
	adds, drops := g.has("add"), g.has("del")
	var name string
	for _, word := range g.operands {
		switch word {
		case "add", "on", "enable", "defaults", "reset":
			adds = true
		case "del", "delete", "off", "disable", "remove":
			drops = true
		case "default", "boot", "show":
		default:
			if name == "" {
				name = word
			}
		}
	}
	switch {
	case adds:
		a.persists("service " + name)
	case drops:
		a.stops(name)
	}
}

func loginctl(a *act) {
	switch a.Sub {
	case "poweroff", "reboot", "halt", "suspend", "hibernate":
		a.does(effect.Shutdown, "machine")
	case "enable-linger":
		a.persists("user services")
	case "terminate-session", "terminate-user", "kill-session", "kill-user", "terminate-seat":
		a.kills(true, strings.Join(a.Operands(), " "))
	}
}

// systemdRun starts something later or again; what it starts was read before.
func systemdRun(a *act) {
	for _, arg := range a.Args {
		if strings.HasPrefix(arg, "--on-") || strings.HasPrefix(arg, "--timer-property") || strings.HasPrefix(arg, "--path-property") {
			a.persists("timer")
			return
		}
	}
}

// crontab replaces what runs by the clock. A list of it is nothing.
func crontab(a *act) {
	g := a.given(&usage{values: "uT"})
	switch {
	case g.has("l", "V"):
	case g.has("r", "d"):
		a.add(effect.Effect{Verb: effect.Delete, Object: "/var/spool/cron", Wide: true})
	case g.has("e"), len(g.operands) > 0, a.in.piped:
		e := effect.Effect{Verb: effect.Persist, Object: "crontab", From: a.cameFrom()}
		if p := g.first(); !isNoFile(p) {
			e.From = a.path(p)
		} else if a.in.known {
			e.Content = a.in.text
			a.add(e)
			a.cronLines(a.in.text)
			return
		}
		a.add(e)
	}
}

// cronLines reads the commands of a crontab.
func (a *act) cronLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := 5
		if line[0] == '@' {
			fields = 1
		}
		for range fields {
			i := strings.IndexAny(line, " \t")
			if i < 0 {
				line = ""
				break
			}
			line = strings.TrimLeft(line[i:], " \t")
		}
		if line != "" {
			a.script(line)
		}
	}
}

// at runs its input later.
func at(a *act) {
	g := a.given(&usage{values: "qft"})
	switch {
	case g.has("l", "d", "r", "V", "c"):
		return
	case g.has("f"):
		a.runs(g.value("f"))
	case a.in.piped:
		a.runsInput()
	}
	a.persists(strings.TrimSpace("at " + strings.Join(g.operands, " ")))
}
