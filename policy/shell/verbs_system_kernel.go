package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// guards are the settings of the kernel that protect the machine, with the value
// that switches them off.
var guards = map[string]string{
	"kernel.randomize_va_space": "0", "kernel.yama.ptrace_scope": "0", "kernel.kptr_restrict": "0", "kernel.dmesg_restrict": "0", "kernel.unprivileged_bpf_disabled": "0",
	"kernel.perf_event_paranoid": "-1", "kernel.sysrq": "1", "kernel.modules_disabled": "0", "kernel.exec-shield": "0", "fs.protected_hardlinks": "0", "fs.protected_symlinks": "0",
	"fs.protected_regular": "0", "fs.protected_fifos": "0", "fs.suid_dumpable": "2", "net.ipv4.ip_forward": "1", "net.ipv4.conf.all.route_localnet": "1",
	"net.ipv4.conf.all.rp_filter": "0", "net.ipv4.conf.all.forwarding": "1", "net.ipv6.conf.all.forwarding": "1", "net.ipv4.conf.all.accept_redirects": "1",
	"net.inet.ip.forwarding": "1", "kern.securelevel": "-1", "vm.mmap_min_addr": "0", "kernel.kexec_load_disabled": "0", "net.ipv4.tcp_syncookies": "0",
}

// sysctl shows settings of the kernel, and sets those that are given a value.
func sysctl(a *act) {
	g := a.given(&usage{values: "rpf", long: []string{"pattern", "load"}})
	for _, p := range g.all("p", "f", "load") {
		a.looks(false, p)
		a.does(effect.Disarm, "kernel settings by "+a.path(p))
	}
	for _, setting := range g.operands {
		name, value, ok := strings.Cut(setting, "=")
		name, value = strings.ReplaceAll(strings.TrimSpace(name), "/", "."), strings.TrimSpace(value)
		switch {
		case !ok:
		case name == "kernel.core_pattern" && strings.HasPrefix(value, "|"):
			a.persists(setting)
			a.script(value[1:])
		case (name == "vm.max_map_count" || strings.HasPrefix(name, "fs.inotify.max_")) && isDigits(value) && len(value) > 2: // how much of something programs may have
		case guards[name] != "" && guards[name] == value:
			a.does(effect.Disarm, setting)
		default:
			a.writes("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
		}
	}
}

// module loads something into the kernel, or takes it out.
func module(a *act) {
	g := a.given(&usage{values: "CdS", long: []string{"config", "dirname", "set-version", "bundle-path", "bundle-identifier"}})
	if g.has("n", "dry-run", "show", "c", "showconfig", "D", "show-depends", "V", "version", "R", "resolve-alias") {
		return
	}
	what := "kernel module " + strings.Join(g.operands, " ")
	if a.Name == "rmmod" || a.Name == "kextunload" || a.Name == "modprobe" && g.has("r", "remove") {
		a.stops(what)
		return
	}
	if a.Name == "kmutil" && a.Sub != "load" || len(g.operands) == 0 {
		return
	}
	a.does(effect.Grant, what)
}

func swapoff(a *act) {
	if len(a.Args) > 0 {
		a.stops("swap")
	}
}

// history forgets what was run.
func history(a *act) {
	switch {
	case a.Name == "fc":
		if a.Has("p") {
			a.does(effect.Disarm, "history")
		}
	case a.Has("c"), a.Has("d"), a.Has("--clear"), a.Sub == "clear", a.Sub == "delete":
		a.does(effect.Disarm, "history")
	}
}

// unset notes where the shell is told to forget what is run.
func unset(a *act) {
	for _, name := range a.Operands() {
		if strings.HasPrefix(name, "HIST") && name != "HISTCONTROL" && name != "HISTTIMEFORMAT" {
			a.does(effect.Disarm, "history")
			return
		}
	}
	if a.Name == "shopt" && a.Has("u") && slices.Contains(a.Args, "history") {
		a.does(effect.Disarm, "history")
	}
}

// journal shows what was logged, and forgets it.
func journal(a *act) {
	g := a.given(&usage{values: "unopbDtfsl", long: []string{"unit", "lines", "output", "since", "until", "priority", "boot"}})
	switch {
	case a.Name == "dmesg":
		if a.Has("C") || a.Has("c") || a.Has("--clear") || a.Has("--read-clear") || a.Has("D") || a.Has("--console-off") {
			a.does(effect.Disarm, "kernel log")
		}
	case g.has("vacuum-size", "vacuum-time", "vacuum-files"):
		a.does(effect.Disarm, "journal")
	}
}
