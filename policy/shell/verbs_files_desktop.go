package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// desktopRemoves is for the programs of desktops that open, move and remove files
// by a word of their own: gio remove, kioclient remove.
func desktopRemoves(a *act) {
	g := a.given(&usage{})
	sub := g.first()
	if a.Name == "gvfs-rm" || a.Name == "gvfs-trash" {
		g.operands, sub = append([]string{sub}, g.operands...), "remove"
	}
	switch sub {
	case "remove", "trash", "rm", "delete":
		for _, p := range g.operands {
			a.erase(true, strings.TrimPrefix(p, "file://"))
		}
	case "move", "rename", "mv":
		if target := g.last(); strings.HasPrefix(target, "trash:") {
			for _, p := range g.operands {
				a.erase(true, strings.TrimPrefix(p, "file://"))
			}
		} else if len(g.operands) > 0 {
			a.argv(append([]string{"mv"}, append(g.operands, target)...))
		}
	case "copy", "cp":
		a.argv(append([]string{"cp"}, g.operands...))
	case "cat":
		a.looks(false, g.operands...)
	case "save":
		a.writes(g.operands...)
	}
}

// alternatives is update-alternatives: a name among the programs of the machine
// leads to another file. One that packages brought is daily work.
func alternatives(a *act) {
	var from, name string
	for i, arg := range a.Args {
		switch {
		case arg == "--install" && i+3 < len(a.Args):
			name, from = a.Args[i+1], a.Args[i+3]
		case arg == "--set" && i+2 < len(a.Args):
			name, from = a.Args[i+1], a.Args[i+2]
		}
	}
	if from == "" || slices.ContainsFunc([]string{"/usr/", "/opt/", "/bin/", "/lib/", "/snap/", "/etc/"}, func(dir string) bool { return strings.HasPrefix(from, dir) }) {
		return
	}
	a.add(effect.Effect{Verb: effect.Persist, Object: "program " + name, From: a.path(from)})
}

// partitions is gpart.
func partitions(a *act) {
	g := a.given(&usage{values: "isatblfnk"})
	switch sub := g.first(); sub {
	case "destroy", "delete", "create", "restore", "recover":
		if sub == "create" && !g.has("F") {
			return
		}
		a.erases("partitions of " + g.last())
	}
}

// shrinks is lvreduce, and lvresize where it makes a volume smaller.
func shrinks(a *act) {
	g := a.given(&usage{values: "Lln", long: []string{"size", "extents"}})
	if g.has("t", "test") {
		return
	}
	if size := g.value("L", "size", "l", "extents"); a.Name == "lvreduce" || strings.HasPrefix(size, "-") || g.has("f", "force") && !strings.HasPrefix(size, "+") {
		a.erases("logical volume " + g.last())
	}
}
