package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// systemPackages is apt and those that do the same: a word, then packages.
func systemPackages(a *act) {
	l := a.line(valued("o t target-release c config-file repository X repo enablerepo source s version v channel r root from e id p"))
	if l.has("dry-run", "simulate", "just-print") || l.exact("s") && (a.Name == "apt-get" || a.Name == "apt") {
		return
	}
	switch word := l.operand(0); word {
	case "install", "add", "in", "reinstall", "localinstall", "groupinstall", "full-upgrade":
		specs := l.from(1)
		registry := l.value("repository", "X", "source", "s")
		if from := l.value("from"); from != "" { // flatpak install --from ADDRESS
			a.installs(from, "")
		}
		if a.Name == "flatpak" && len(specs) > 1 { // a remote comes first
			if isForeign(specs[0]) && !strings.Contains(specs[0], ".") {
				registry = specs[0]
			}
			specs = specs[1:]
		}
		if a.Name == "apk" || a.Name == "choco" {
			for _, spec := range specs {
				a.installs(spec, registry)
			}
			return
		}
		for _, spec := range specs {
			a.fetchedBefore(spec)
			a.installs(spec, registry)
		}
		if a.More && len(specs) == 0 {
			a.does(effect.Install, "*")
		}
	case "remote-add", "config-manager", "addrepo", "ar", "bucket", "source", "tap":
		if text := strings.Join(a.Args, " "); strings.Contains(text, "://") && strings.Contains(text, "add") || word == "addrepo" || word == "ar" {
			a.add(effect.Effect{Verb: effect.Persist, Object: a.Name + " source", From: lastOf(l.operands)})
		}
	}
}

func pacman(a *act) {
	l := a.line(valued("config r root b dbpath cachedir gpgdir"))
	if l.exact("S") && !l.exact("s", "i", "l") || l.exact("U") {
		for _, spec := range l.operands {
			a.installs(spec, "")
		}
	}
}

// packageFile is dpkg and rpm: packages in files or at addresses.
func packageFile(a *act) {
	l := a.line(valued("root dbpath prefix D"))
	if l.has("i", "install", "U", "upgrade", "F") && !l.exact("q", "l") {
		for _, spec := range l.operands {
			a.fetchedBefore(spec)
			a.installs(spec, "")
		}
	}
}

// fetchedBefore notes a package in a file that came from the network: its
// scripts run with the rights of whoever installs it.
func (a *act) fetchedBefore(file string) {
	if !strings.Contains(file, ".") || isAddress(file) {
		return
	}
	if f := a.r.file(a.path(file)); f != nil && f.Remote != "" {
		a.does(effect.RunRemote, f.Remote)
	}
}

// addsSource is for programs that trust another source of packages.
func addsSource(a *act) {
	l := a.line(valued("keyserver k keyring"))
	if a.Name == "apt-key" && l.operand(0) != "add" && l.operand(0) != "adv" || l.has("r", "remove", "list") {
		return
	}
	a.add(effect.Effect{Verb: effect.Persist, Object: "apt source", From: strings.Join(l.operands, " ")})
}

func brew(a *act) {
	l := a.line(nil)
	switch l.operand(0) {
	case "install", "reinstall", "upgrade":
		for _, spec := range l.from(1) {
			if strings.Count(spec, "/") == 2 && !strings.HasPrefix(spec, "homebrew/") && !isAddress(spec) {
				a.add(effect.Effect{Verb: effect.Install, Object: spec[strings.LastIndexByte(spec, '/')+1:], From: "github:" + spec[:strings.LastIndexByte(spec, '/')]})
				continue
			}
			a.installs(spec, "")
		}
	case "tap":
		if len(l.operands) > 1 && !strings.HasPrefix(l.operand(1), "homebrew/") {
			from := l.operand(2)
			if from == "" {
				from = "github:" + l.operand(1)
			}
			a.add(effect.Effect{Verb: effect.Persist, Object: "brew source", From: from})
		}
	case "services":
		if l.operand(1) == "stop" {
			a.does(effect.Stop, l.operand(2))
		}
	}
}

func nix(a *act) {
	l := cutLine(a.Args, valued("extra-experimental-features option"), firstEnds)
	inner := cutLine(l.from(1), valued("c command I f file expr inputs-from"), gnu)
	switch l.operand(0) {
	case "run", "shell", "develop":
		for _, flake := range inner.operands[:len(inner.operands)-len(inner.after)] {
			if isAddress(flake) {
				a.does(effect.RunRemote, flake)
			} else if flake != "." && !strings.HasPrefix(flake, ".#") {
				a.installs(flake, "")
			}
		}
		if l.operand(0) == "run" && len(inner.operands) > 0 {
			a.runsFlake(inner.operands)
			return
		}
		for i, arg := range a.Args {
			if arg == "-c" || arg == "--command" {
				a.argv(a.Args[i+1:])
				return
			}
		}
	case "profile":
		if word := inner.operand(0); word == "install" || word == "add" {
			for _, spec := range inner.from(1) {
				a.installs(spec, "")
			}
		}
	}
}

// runsFlake is nix run nixpkgs#bash -- -c COMMAND: the program that the flake is
// called after, with the arguments behind it.
func (a *act) runsFlake(words []string) {
	name := words[0][strings.LastIndexAny(words[0], "#.:/")+1:]
	switch {
	case strings.HasPrefix(name, "bash"): // bashInteractive
		name = "bash"
	case strings.HasPrefix(name, "python"):
		name = "python3"
	case strings.HasPrefix(name, "nodejs"):
		name = "node"
	}
	if isShell(name) || a.r.verbOf(name) != nil {
		a.argv(append([]string{name}, words[1:]...))
	}
}

func nixEnv(a *act) {
	l := a.line(valued("f file p profile I"))
	if !l.has("i", "install", "A", "attr") || l.exact("q") {
		return
	}
	a.installsFrom("", l.value("f", "file"))
	for _, spec := range l.operands {
		a.installs(spec, l.value("f", "file"))
	}
}

func nixShell(a *act) {
	l := a.line(valued("run command I A attr"))
	if l.exact("p") || l.has("packages") {
		for _, spec := range l.operands {
			a.installs(spec, "")
		}
	} else {
		a.installsFrom("", l.operand(0))
	}
	if command := l.value("run", "command"); command != "" {
		a.script(command)
	}
}
