package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// osascript runs AppleScript, which can run shell text.
func osascript(a *act) {
	g := a.given(&usage{values: "els"})
	scripts := g.all("e")
	if len(scripts) == 0 {
		switch file := g.first(); {
		case file != "" && file != "-":
			scripts = append(scripts, a.runs(file))
		case a.in.remote != "":
			a.does(effect.RunRemote, a.in.remote)
		case a.in.known:
			scripts = append(scripts, a.in.text)
		case a.in.hidden != "":
			a.does(effect.RunHidden, a.in.hidden)
		case a.in.piped:
			a.doubt(Pipe)
		}
	}
	a.appleScript(strings.Join(scripts, "\n"))
}

// appleScript reads what a script gives to a shell. What talks to programs that
// can delete and send is not read, and so in doubt.
func (a *act) appleScript(script string) {
	if script == "" {
		return
	}
	by := *a
	if strings.Contains(script, "administrator privileges") || strings.Contains(script, "administratorPrivileges") {
		own := *a.Command
		own.Sudo = true
		by.Command = &own
	}
	if by.calls(script, "do shell script", "do script", "doShellScript(", "doScript(") {
		return
	}
	if strings.Contains(script, "hidden answer") {
		a.reveals("password that somebody is asked for")
	}
	if strings.Contains(script, "writeToFile") || strings.Contains(script, "open for access") {
		a.writesStart(script)
	}
	if strings.Contains(script, "make") && strings.Contains(script, "login item") {
		a.persists("login item")
	}
	for _, word := range []string{"delete", "empty", "keystroke", "key code", "ObjC", "run script", "load script", "send", "quit", "shut down", "restart", "the clipboard"} {
		if strings.Contains(script, word) {
			a.doubt(Dialect)
			return
		}
	}
}

// defaults changes the settings of programs.
func defaults(a *act) {
	args := a.Args
	if len(args) > 0 && args[0] == "-currentHost" {
		args = args[1:]
	}
	if len(args) > 1 && args[0] == "-host" {
		args = args[2:]
	}
	if len(args) < 2 {
		return
	}
	domain := args[1]
	if domain == "-g" || domain == "-globalDomain" || domain == "NSGlobalDomain" {
		domain = ".GlobalPreferences"
	}
	file := domain
	if !strings.HasPrefix(domain, "/") && !strings.HasPrefix(domain, "~") {
		file = "~/Library/Preferences/" + domain
	}
	if !strings.HasSuffix(file, ".plist") {
		file += ".plist"
	}
	switch args[0] {
	case "write":
		text := strings.Join(args[1:], " ")
		switch {
		case strings.Contains(text, "LoginHook"), strings.Contains(text, "LogoutHook"), strings.Contains(text, "LaunchAgents"), strings.Contains(text, "LaunchDaemons"), strings.Contains(text, "AutoLaunchedApplicationDictionary"):
			a.persists("login")
		case strings.Contains(text, "LSQuarantine"), strings.Contains(text, "com.apple.alf"), strings.Contains(text, "DisableAirDrop"):
			a.disarm(domain)
		}
		a.writes(file)
	case "delete", "rename", "import":
		if args[0] == "delete" && len(args) == 2 && domain == ".GlobalPreferences" {
			a.erases("settings of every program")
		}
		a.writes(file)
	}
}

func plistBuddy(a *act) {
	for _, command := range a.after("-c") {
		if word, _, _ := strings.Cut(command, " "); !strings.EqualFold(word, "Print") {
			a.writes(lastOf(a.Args))
			return
		}
	}
}

// tmutil keeps backups.
func tmutil(a *act) {
	switch {
	case a.Sub == "delete":
		g := a.given(&usage{values: "dtp"})
		g.first()
		paths := append(g.all("p"), g.operands...)
		if len(paths) == 0 {
			a.add(effect.Effect{Verb: effect.Destroy, Object: "backups", Wide: true})
		}
		a.deletes(true, paths...)
	case strings.HasPrefix(a.Sub, "delete"), a.Sub == "thinlocalsnapshots":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "backups", Wide: true})
	case a.Sub == "disable", a.Sub == "disablelocal", a.Sub == "removedestination", a.Sub == "addexclusion" && len(a.Args) > 1 && slices.Contains([]string{"/", "~", "$HOME"}, lastOf(a.Args)):
		a.disarm("backups")
	}
}

// launchctl says what macOS starts.
func launchctl(a *act) {
	operands := a.Operands("S", "D", "p", "o", "e", "l")
	if len(operands) == 0 {
		return
	}
	rest := strings.Join(operands[1:], " ")
	switch operands[0] {
	case "load", "bootstrap", "submit", "enable":
		a.persists("service " + rest)
	case "unload", "bootout", "remove", "stop", "disable":
		a.stops(rest)
		label := strings.TrimSuffix(path.Base(rest), ".plist")
		if last := label[strings.LastIndexByte(label, '.')+1:]; last != rest { // dev.x is the x of dev
			a.stops(last)
		}
	case "kill":
		a.kills(false, lastOf(operands))
	case "setenv":
		if len(operands) > 1 {
			a.add(effect.Effect{Verb: effect.SetVariable, Object: operands[1], From: strings.Join(operands[2:], " ")})
		}
	case "unsetenv":
		a.does(effect.UnsetVariable, rest)
	case "reboot":
		a.does(effect.Shutdown, "machine")
	case "asuser":
		if len(operands) > 2 {
			a.argv(operands[2:])
		}
	}
}

// diskutil is the disks of macOS.
func diskutil(a *act) {
	if len(a.Args) < 2 {
		return
	}
	disk := lastOf(a.Args)
	for _, arg := range a.Args[1:] {
		if strings.HasPrefix(arg, "disk") || strings.HasPrefix(arg, "/dev/") || strings.HasPrefix(arg, "/Volumes/") {
			disk = arg
		}
	}
	switch command := strings.ToLower(a.Args[0]); {
	case strings.HasPrefix(command, "erase"), command == "partitiondisk", command == "reformat", command == "zerodisk", command == "randomdisk", command == "secureerase",
		command == "splitpartition", command == "mergepartitions", command == "resizevolume":
		a.erases(disk)
	case command == "apfs" || command == "ap" || command == "cs" || command == "corestorage" || command == "appleraid" || command == "ar":
		if word := strings.ToLower(a.Args[1]); strings.HasPrefix(word, "delete") || strings.HasPrefix(word, "erase") {
			a.erases(disk)
		}
	}
}

func hdiutil(a *act) {
	operands := a.Operands("o", "format", "srcfolder", "volname", "size", "fs", "type", "mountpoint")
	switch a.Sub {
	case "attach", "mount":
		a.installsFrom("disk image", lastOf(operands))
	case "create", "convert", "makehybrid":
		a.looks(true, a.after("-srcfolder", "-srcdevice")...)
		a.writes(append(a.after("-o"), operands[min(1, len(operands)):]...)...)
	case "erasekeys":
		a.formats(lastOf(a.Args))
	}
}

func pmset(a *act) {
	switch a.firstArg() {
	case "sleepnow", "schedule", "repeat":
		a.does(effect.Shutdown, "machine")
	}
}
