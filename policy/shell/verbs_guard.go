package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// guardVerbs are programs that can take the guard away: those that keep processes,
// containers, services and packages, beside what else they do.
var guardVerbs = map[string]verb{
	"docker": stopsContainer, "podman": stopsContainer, "nerdctl": stopsContainer, "docker-compose": stopsContainer, "podman-compose": stopsContainer,
	"pm2": stopsNamed, "nssm": stopsNamed, "sc": stopsNamed, "snap": stopsNamed, "monit": stopsNamed, "circusctl": stopsNamed, "s6-rc": stopsNamed, "s6-svc": stopsNamed, "svc": stopsNamed,
	"runsvctrl": stopsNamed, "shepherd": stopsNamed, "herd": stopsNamed, "dinitctl": stopsNamed, "forever": stopsNamed, "process-compose": stopsNamed, "brew": stopsNamed, "machinectl": stopsNamed, "cmd": adminShell, "powershell": adminShell, "pwsh": adminShell,
	"supervisorctl": stopsNamed, "overmind": stopsNamed, "foreman": stopsNamed, "zellij": stopsNamed, "abduco": stopsNamed,
	"busctl": stopsByBus, "dbus-send": stopsByBus, "gdbus": stopsByBus, "qdbus": stopsByBus,
	"unset": unsetsMatching, "kill": killsGuard, "fuser": endsPort, "kill-port": endsPort, "fkill": endsPort, "killport": endsPort,
	"wmic": stopsInText, "Stop-Process": stopsInText, "Stop-Service": stopsInText,
}

// disarm notes that something that protects the machine is switched off.
func (a *act) disarm(what string) { a.does(effect.Disarm, what) }

// besides is a verb that does what else is known of a program, too.
func besides(name string, does, more verb) verb {
	does = otherwise(name, does)
	return func(a *act) {
		does(a)
		more(a)
	}
}

// otherwise is what a program does as far as others know.
func otherwise(name string, does verb) verb {
	if does == nil {
		does = codeVerb(name)
	}
	if does == nil {
		does = func(a *act) { a.r.stranger(a) }
	}
	return does
}

// isGuard reports whether a name is the guard's: its program, service, image,
// module or container.
func isGuard(name string) bool {
	for {
		i := indexFold(name, guardName)
		if i < 0 {
			return false
		}
		end := i + len(guardName)
		if (i == 0 || !isWordByte(name[i-1])) && (end == len(name) || !isWordByte(name[end])) {
			return true
		}
		name = name[end:]
	}
}

func indexFold(s, name string) int {
	for i := 0; i+len(name) <= len(s); i++ {
		if s[i]|0x20 == name[0] && strings.EqualFold(s[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// namesGuard reports whether an argument is the guard's name, or was looked for by
// it.
func (a *act) namesGuard() bool {
	for i := range a.mixture() {
		if isGuard(a.words()[i].about) {
			return true
		}
	}
	return slices.ContainsFunc(a.Args, isGuard)
}

// stopWords are what programs call the end of something that they keep.
var stopWords = valued("stop kill delete del rm remove disable shutdown down pause suspend uninstall unmonitor unload bring-down d k x halt quit terminate poweroff services -d -dx -k -x edit-services")

// stopsNamed is for programs that are told in words what to stop.
func stopsNamed(a *act) {
	if slices.ContainsFunc(a.Args, func(s string) bool { return stopWords[strings.ToLower(s)] }) {
		a.stopsGuard()
	}
	if a.Name == "pm2" && (a.Sub == "kill" || slices.Contains(a.Args, "all")) && stopWords[a.Sub] {
		a.stops("all of pm2")
	}
}

func (a *act) stopsGuard() {
	if a.namesGuard() {
		a.stops(guardName)
	}
}

// stopsContainer is docker and docker compose.
func stopsContainer(a *act) {
	for _, arg := range a.Args { // the first of these words is the command
		switch arg {
		case "stop", "kill", "rm", "pause", "down", "remove", "scale", "disconnect":
			a.stopsGuard()
			return
		case "run", "exec", "build", "create", "images", "image", "rmi", "logs", "ps", "inspect", "up", "pull", "push", "start", "restart", "volume", "buildx":
			return
		}
	}
}

// stopsByBus is a call to the manager of services.
func stopsByBus(a *act) {
	for _, arg := range a.Args {
		if strings.Contains(arg, "StopUnit") || strings.Contains(arg, "KillUnit") || strings.Contains(arg, "MaskUnit") || strings.Contains(arg, "DisableUnit") || strings.Contains(arg, "UnsetEnvironment") || strings.Contains(arg, "UnsetAndSetEnvironment") {
			a.stopsGuard()
			for _, name := range a.Args {
				if name, _, _ := strings.Cut(name, "="); isEnvironmentName(name) && strings.Contains(arg, "Environment") {
					a.does(effect.UnsetVariable, name)
				}
			}
			return
		}
	}
}

// stopsInText is for programs whose arguments are sentences: process where
// name='x.exe' delete.
func stopsInText(a *act) {
	text := strings.ToLower(strings.Join(a.Args, " "))
	if a.Name != "wmic" || strings.Contains(text, "delete") || strings.Contains(text, "terminate") || strings.Contains(text, "stopservice") {
		a.stopsGuard()
	}
}
