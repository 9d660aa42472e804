package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// doorVerbs are programs that open a rarer door beside what else they do: they show
// what a store of passwords holds, start something later by the settings of a
// desktop, or lead out of a container.
var doorVerbs = map[string]verb{
	"keepassxc-cli": keepass, "kpcli": keepass, "nmcli": networkSecret, "wg": tunnelKeys, "ps": processVariables, "unshadow": shadowed, "hashcat": shadowed, "john": shadowed, "wp": wordpress,
	"dconf": desktopSetting, "gsettings": desktopSetting, "kwriteconfig5": desktopSetting, "kwriteconfig6": desktopSetting, "xfconf-query": desktopSetting, "gconftool-2": desktopSetting,
	"desktop-file-install": desktopFile, "xdg-autostart": desktopFile, "fcrontab": crontab,
	"busctl": enablesByBus, "dbus-send": enablesByBus, "gdbus": enablesByBus, "qdbus": enablesByBus, "qdbus6": enablesByBus,
	"objcopy": changesProgram, "llvm-objcopy": changesProgram, "gobjcopy": changesProgram, "patchelf": changesProgram, "install_name_tool": changesProgram, "insert_dylib": changesProgram, "chrpath": changesProgram,
	"gcc": builds, "cc": builds, "clang": builds, "g++": builds, "c++": builds, "clang++": builds, "tcc": builds, "rustc": builds, "go": builds, "ld": builds, "zig": builds, "ghc": builds, "swiftc": builds, "nim": builds, "crystal": builds, "fpc": builds,
	"resolvectl": nameServer, "systemd-resolve": nameServer,
	"ctr": hostByContainer, "lxc": hostByContainer, "incus": hostByContainer, "docker": hostVolume, "podman": hostVolume, "nerdctl": hostVolume,
	"falconctl": stopsSensor, "fail2ban-client": stopsSensor, "freshclam": harmless, "sentinelctl": stopsSensor, "cbagentd": stopsSensor, "mdatp": stopsSensor, "wazuh-control": stopsSensor, "ossec-control": stopsSensor, "osqueryctl": stopsSensor, "log": erasesLog, "aide": harmless, "snort": harmless,
	"sqlite3": privacyDatabase, "sqlite": privacyDatabase, "ssh-keygen": overwritesKeys, "bundle": gemMirror, "bundler": gemMirror,
	"code": openTunnel, "code-insiders": openTunnel, "cursor": openTunnel, "code-tunnel": openTunnel, "devtunnel": openTunnel,
	"apt": removesSensor, "apt-get": removesSensor, "dnf": removesSensor, "yum": removesSensor, "zypper": removesSensor, "pacman": removesSensor, "dpkg": removesSensor, "rpm": removesSensor, "apk": removesSensor, "snap": removesSensor, "brew": removesSensor,
}

func keepass(a *act) {
	switch a.Sub {
	case "clip":
		a.r.clipped = true
	case "show", "export", "attachment-export", "search-show":
		if a.Sub != "show" || a.Has("s") || a.Has("--show-protected") || a.Has("a") || a.Has("--attributes") || a.Has("--all") {
			a.reveals("password store")
		}
	}
}

// erasesLog is log of macOS, told to forget what the system has recorded.
func erasesLog(a *act) {
	if a.sub("erase") {
		a.disarm("logs")
	}
}

// networkSecret is nmcli that is told to show passwords.
func networkSecret(a *act) {
	if a.Has("s") || a.Has("--show-secrets") || slices.Contains(a.Args, "show-password") {
		a.reveals("credentials of networks")
	}
}

func tunnelKeys(a *act) {
	if a.Sub == "showconf" || a.Sub == "show" && slices.ContainsFunc(a.Args, func(s string) bool { return s == "private-key" || s == "preshared-keys" || s == "dump" }) {
		a.reveals("private keys of the tunnel")
	}
}

// processVariables is ps with the letter that adds the variables of each process:
// without a dash it is not that for all of them.
func processVariables(a *act) {
	if len(a.Args) == 0 {
		return
	}
	first := a.Args[0]
	if strings.Trim(first, "aAcefghjlmrStTuUvwxX") == "" && strings.Contains(first, "e") || first == "-E" || first == "-wE" || first == "-wwE" || first == "-Eww" {
		a.reveals("credentials in the variables of processes")
	}
}

// shadowed is for programs that guess the passwords in a file.
func shadowed(a *act) {
	a.looks(false, a.Operands("m", "a", "o", "w", "r", "wordlist", "format", "session", "p", "outfile")...)
}

func wordpress(a *act) {
	if l := a.line(valued("path url ssh")); l.operand(0) == "config" && (l.operand(1) == "get" && isCredentialName(l.operand(2)) || l.operand(1) == "list" && len(l.operands) == 2 && a.Has("--strict")) {
		a.reveals("wp-config password")
	}
}

// desktopSetting notes settings of a desktop that run a program, or lead what goes
// over the network elsewhere.
func desktopSetting(a *act) {
	words := strings.ToLower(strings.Join(a.Args, " "))
	switch {
	case (a.Name == "gsettings" || a.Name == "dconf") && a.Sub != "set" && a.Sub != "write" && a.Sub != "load":
	case a.Name == "xfconf-query" && !a.Has("s") && !a.Has("--set"), a.Name == "gconftool-2" && !a.Has("s") && !a.Has("--set"):
	case strings.Contains(words, "proxy") && !strings.Contains(words, "none") && !strings.Contains(words, "ignore-hosts"):
		a.disarm("route to models")
	case strings.Contains(words, "command") || strings.Contains(words, "default-applications") || strings.Contains(words, "autostart") || strings.Contains(words, "startup") || strings.Contains(words, "exec ") || strings.Contains(words, "custom-keybinding"):
		a.persists("setting of the desktop")
	}
}

// desktopFile puts files of a desktop where it finds them.
func desktopFile(a *act) {
	for _, dir := range append(a.after("--dir"), attached(a.Args, "--dir=")...) {
		a.within(dir, "")
	}
}

// enablesByBus is a call to the manager of services by which something runs later,
// or at once beside it.
func enablesByBus(a *act) {
	for _, arg := range a.Args {
		for _, method := range [...]string{"EnableUnitFiles", "LinkUnitFiles", "StartTransientUnit", "PresetUnitFiles", "AddDependencyUnitFiles"} {
			if strings.Contains(arg, method) {
				a.persists("service by the bus")
				return
			}
		}
	}
}

// changesProgram writes another program into a file, or makes it load more.
func changesProgram(a *act) {
	operands := a.Operands("O", "I", "j", "R", "add-section", "update-section", "set-section-flags", "add-needed", "replace-needed", "set-rpath", "set-interpreter", "output", "remove-section", "only-section", "rename-section", "dump-section", "add-rpath", "change", "id")
	if a.Has("--print-needed") || a.Has("--print-rpath") || a.Has("--print-interpreter") || a.Has("--print-soname") || a.Has("l") && a.Name == "chrpath" {
		return
	}
	if p := lastOf(operands); p != "" {
		a.writes(p)
	}
}

// builds notes a program that a compiler puts outside of the project, where it may
// take the place of another.
func builds(a *act) {
	if a.Name == "go" && a.Sub != "build" && a.Sub != "test" || a.Name == "zig" && !strings.HasPrefix(a.Sub, "build-") && a.Sub != "cc" && a.Sub != "c++" {
		return
	}
	for _, p := range append(a.after("-o", "--output"), attached(a.Args, "-o=", "-femit-bin=", "-o:", "--out:", "-o/", "-o~")...) {
		full := a.path(p)
		if isHere := a.at.Cwd != "" && strings.HasPrefix(full, a.at.Cwd+"/"); !isHere && (effect.IsAbs(full) || strings.HasPrefix(full, "~")) && !strings.HasPrefix(full, "/tmp/") {
			a.writes(p)
		}
	}
}

// nameServer sets who answers for the names of machines.
func nameServer(a *act) {
	l := a.line(valued("i interface set-dns set-domain"))
	if (l.operand(0) == "dns" || l.operand(0) == "domain" || l.operand(0) == "dnssec" || l.operand(0) == "dnsovertls") && len(l.operands) > 2 || l.has("set-dns", "set-domain") {
		a.disarm("route to models")
	}
}

// stopsSensor is for programs that keep what watches a machine.
func stopsSensor(a *act) {
	text := strings.ToLower(strings.Join(a.Args, " "))
	for _, word := range [...]string{"stop", "unload", "disable", "uninstall", "-d -f", "-df", "unban --all", "protect off", "unprotect", "--value disabled", "--value off"} {
		if text == word || strings.HasPrefix(text, word+" ") || strings.HasSuffix(text, " "+word) || strings.Contains(text, " "+word+" ") {
			a.disarm(a.Name)
			return
		}
	}
}

// sensors are the packages of programs that watch or protect a machine.
var sensors = valued(`auditd audit clamav clamav-daemon clamav-freshclam fail2ban ufw firewalld apparmor selinux-policy selinux-policy-targeted rkhunter chkrootkit aide falcon-sensor crowdstrike-falcon osquery wazuh-agent
	ossec-hids sentinelagent mdatp falco rsyslog crowdsec snort suricata tripwire samhain unattended-upgrades`)

// removesSensor is a package manager that takes one of them away.
func removesSensor(a *act) {
	if !slices.ContainsFunc(a.Args, func(s string) bool { return removeWords[s] && s != "clean" && s != "-P" }) || a.Has("dry-run") || a.Has("simulate") || a.Name == "apk" && a.Sub != "del" {
		return
	}
	for _, arg := range a.Args {
		if sensors[arg] {
			a.disarm("package " + arg)
			return
		}
	}
}

// gemMirror is a setting of where packages come from, for all projects.
func gemMirror(a *act) {
	if a.Sub != "config" {
		return
	}
	for i, arg := range a.Args {
		if i+1 < len(a.Args) && strings.HasPrefix(arg, "mirror.") && isForeign(a.Args[i+1]) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "gem mirror", From: a.Args[i+1]})
		}
	}
}

// openTunnel lets others use the machine through somebody's account.
func openTunnel(a *act) {
	if a.Name == "code-tunnel" || a.Sub == "tunnel" || a.Name == "devtunnel" && a.Sub == "host" {
		switch l := a.line(valued("name")); l.operand(1) {
		case "status", "kill", "unregister", "prune", "rename", "user", "help", "restart":
			if a.Name != "devtunnel" {
				return
			}
		}
		a.does(effect.ReverseShell, a.Name+" tunnel")
	}
}
