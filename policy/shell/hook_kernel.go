package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
)

// setsKernel is sysctl: settings of the kernel are files below /proc/sys, and one of
// them is a program that the kernel starts.
func setsKernel(a *act, in *command.Reading) {
	a.looks(false, in.Values("file")...)
	for _, setting := range in.Values("setting") {
		name, value, ok := strings.Cut(setting, "=")
		name, value = strings.ReplaceAll(strings.TrimSpace(name), "/", "."), strings.TrimSpace(value)
		switch {
		case !ok:
		case name == "kernel.core_pattern" && strings.HasPrefix(value, "|"):
			a.persists(setting)
			a.script(value[1:])
		case (name == "vm.max_map_count" || strings.HasPrefix(name, "fs.inotify.max_")) && isDigits(value) && len(value) > 2: // how much of something programs may have
		default:
			a.writes("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
		}
	}
}
