package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// tccutil forgets who may see the screen, the files and the microphone.
func tccutil(a *act) {
	if a.Sub == "reset" || a.Sub == "resetbtm" {
		a.disarm("privacy settings")
	}
}

// systemSetup opens the machine to others.
func systemSetup(a *act) {
	for i := 0; i+1 < len(a.Args); i++ {
		switch name := strings.ToLower(a.Args[i]); name {
		case "-setremotelogin", "-setremoteappleevents":
			if strings.EqualFold(a.Args[i+1], "on") {
				a.does(effect.Grant, "remote login")
			}
		case "-setusingnetworktime", "-settimezone":
		}
	}
}

// remoteDesktop is the kickstart of macOS' remote management.
func remoteDesktop(a *act) {
	if slices.Contains(a.Args, "-activate") || slices.Contains(a.Args, "-access") || slices.Contains(a.Args, "-on") {
		a.does(effect.Grant, "remote desktop")
	}
}

// trustAnchor is trust anchor FILE: whoever made it is believed from then on.
func trustAnchor(a *act) {
	if a.Sub == "anchor" {
		trusts(a)
	}
}

// certUtil is certutil of the browsers' stores, with -A, and of Windows, with
// -addstore. The rest of the latter is read elsewhere.
func certUtil(a *act) {
	for _, arg := range a.Args {
		switch strings.ToLower(strings.TrimLeft(arg, "-/")) {
		case "addstore", "importpfx":
			trusts(a)
			return
		case "a":
			if arg == "-A" {
				trusts(a)
				return
			}
		}
	}
	a.r.stranger(a)
}

// profilesTool installs profiles, which change what the machine allows.
func profilesTool(a *act) {
	switch a.Sub {
	case "install", "remove", "renew":
		a.does(effect.Grant, "profile")
	}
	if a.Has("I") || a.Has("R") {
		a.does(effect.Grant, "profile")
	}
}

// networkSetup leads all connections elsewhere.
func networkSetup(a *act) {
	if len(a.Args) == 0 {
		return
	}
	switch name := strings.ToLower(a.Args[0]); {
	case strings.HasPrefix(name, "-set") && strings.Contains(name, "proxy") && !strings.Contains(name, "bypass") && !strings.EqualFold(lastOf(a.Args), "off"), name == "-setdnsservers":
		a.disarm("route to models")
	}
}

func scutil(a *act) {
	if slices.Contains(a.Args, "--set") {
		a.applies(strings.Join(a.Args, " "))
	}
}
