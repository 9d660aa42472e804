package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// doorVerbs are programs that open a rarer door beside what else they do: they show
// what a store of passwords holds, start something later by the settings of a
// desktop, or lead out of a container.
var doorVerbs = map[string]verb{
	"ps": processVariables, "wp": wordpress,
	"dconf": desktopSetting, "gsettings": desktopSetting, "kwriteconfig5": desktopSetting, "kwriteconfig6": desktopSetting, "xfconf-query": desktopSetting, "gconftool-2": desktopSetting,
	"desktop-file-install": desktopFile, "xdg-autostart": desktopFile,
	"busctl": enablesByBus, "dbus-send": enablesByBus, "gdbus": enablesByBus, "qdbus": enablesByBus, "qdbus6": enablesByBus,
	"go": builds, "ghc": builds, "zig": builds, "nim": builds, "fpc": builds,
	"ctr": hostByContainer, "lxc": hostByContainer, "incus": hostByContainer, "docker": hostVolume, "podman": hostVolume, "nerdctl": hostVolume,
	"sqlite3": privacyDatabase, "sqlite": privacyDatabase,
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
