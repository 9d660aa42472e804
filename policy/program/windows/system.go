package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// stops notes that a service ends, and what it protected.
func (r *reader) stops(service string) {
	r.does(effect.Stop, service)
	switch strings.ToLower(strings.TrimSuffix(service, ".exe")) {
	case "windefend", "wdnissvc", "wdfilter", "msmpsvc", "msmpeng", "nissrv", "sense", "securityhealthservice", "wscsvc", "mpssvc", "bfe", "eventlog", "sysmon", "sysmon64", "csfalconservice", "sentinelagent", "cbdefense", "mbamservice", "sophos", "avast":
		r.does(effect.Disarm, "service "+service)
	}
}

// autostart notes a key of the registry whose programs start on their own.
func (r *reader) autostart(key string) {
	// A shell that takes backslashes away may have been in between.
	name := folded(key)
	for _, part := range autostarts {
		if strings.Contains(name, part) {
			r.does(effect.Persist, "registry "+key)
			return
		}
	}
	r.unguards(key)
}

// autostarts are keys of the registry whose programs start on their own, guards
// those that protect the machine, without blanks and backslashes.
var (
	autostarts = []string{
		"currentversionrun", "policiesexplorerrun", "winlogon", "imagefileexecutionoptions", "silentprocessexit", "currentcontrolsetservices", "controlset001services", "shellopencommand", "userinitmprlogonscript", "appinit_dlls", "activesetupinstalledcomponents",
		"inprocserver32", "commandprocessor", "sessionmanagerenvironment", "bootexecute", "controllsa", "explorershellfolders", "usershellfolders", "screensave", "scrnsave",
	}
	guards = []string{"windowsdefender", "enablelua", "policiessystem", "securityhealth", "sharedaccessparametersfirewallpolicy", "windowsfirewall", "amsi", "scriptblocklogging", "disabletaskmgr", "wdigest", "terminalserver", "lanmanserverparameters", "deviceguard"}
)

// unguards notes a key of the registry that protected the machine and is gone.
func (r *reader) unguards(key string) {
	name := folded(key)
	for _, part := range guards {
		if strings.Contains(name, part) {
			r.does(effect.Disarm, "registry "+key)
			return
		}
	}
}

// folded is a key of the registry in small letters, without what a shell may
// have taken away that was in between.
func folded(key string) string {
	return keySigns.Replace(strings.ToLower(key))
}

var keySigns = strings.NewReplacer(`\`, "", "/", "", " ", "", ":", "")

// removesInstance notes that an object of the machine's own database is deleted.
func (r *reader) removesInstance(class string) {
	switch {
	case strings.Contains(class, "shadow"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: "shadow copies", Wide: true})
	case strings.Contains(class, "userprofile"):
		r.add(effect.Effect{Verb: effect.Delete, Object: "C:/Users", Wide: true})
	case strings.Contains(class, "service"):
		r.does(effect.Stop, class)
	}
}

// Decoder is how files are written that certutil decoded, so that nobody has
// read what is in them.
const Decoder = "certutil -decode"
