package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// kills notes the end of processes.
func (a *act) kills(wide bool, targets ...string) {
	for _, target := range a.few(targets) {
		a.add(effect.Effect{Verb: effect.Kill, Object: target, Wide: wide})
	}
}

// killsProcesses is kill: a number with a dash may be a signal, a group of processes or,
// as -1, all of them.
func killsProcesses(a *act, in *command.Reading) {
	targets := in.Values("process")
	if in.Has("list") || in.Has("table") || in.Value("signal") == "0" {
		return
	}
	if len(in.Options()) == 0 && len(targets) > len(in.Values("after")) && strings.HasPrefix(targets[0], "-") && (len(targets) > 1 || targets[0] != "-1") {
		if targets[0] == "-0" { // it only asks whether they are there
			return
		}
		targets = targets[1:]
	}
	for _, target := range a.few(targets) {
		a.kills(target == "-1", target)
	}
}

// stops notes that services stop.
func (a *act) stops(names ...string) {
	for _, name := range names {
		a.does(effect.Stop, name)
	}
}

// stopsLabel notes what a label of macOS is short for: dev.x is the x of dev.
func stopsLabel(a *act, in *command.Reading) {
	name := strings.Join(in.Values("word"), " ")
	label := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".plist")
	if last := label[strings.LastIndexByte(label, '.')+1:]; last != name {
		a.stops(last)
	}
}
