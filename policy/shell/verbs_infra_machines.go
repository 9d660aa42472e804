package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func virsh(a *act) {
	l := a.line(valued("c connect"))
	switch l.operand(0) {
	case "undefine", "vol-delete", "pool-delete", "snapshot-delete":
		a.destroys(strings.Join(l.operands, " "), true)
	}
}

// machines is for programs that keep virtual machines: those that are removed take
// their disks with them.
func machines(a *act) {
	words := a.Operands()
	if len(words) == 0 {
		return
	}
	does := strings.ToLower(words[0])
	about := strings.Join(words, " ")
	switch a.Name {
	case "VBoxManage", "vboxmanage":
		if (does == "unregistervm" || does == "closemedium") && (a.Has("--delete") || a.Has("--delete-all") || a.Has("delete")) || does == "snapshot" && slices.Contains(words, "delete") {
			a.destroys("machine "+about, does != "snapshot")
		}
	case "govc":
		if strings.HasSuffix(does, ".destroy") || strings.HasSuffix(does, ".rm") || strings.HasSuffix(does, ".remove") {
			a.destroys("machine "+about, true)
		}
	case "xe":
		if strings.HasSuffix(does, "-destroy") || strings.HasSuffix(does, "-uninstall") {
			a.destroys("machine "+about, true)
		}
	case "vim-cmd":
		if strings.HasSuffix(does, "/destroy") || strings.HasSuffix(does, "/unregister") {
			a.destroys("machine "+about, true)
		}
	default: // qm destroy 100, prlctl delete x, vmrun deleteVM x
		switch does {
		case "destroy", "delete", "deletevm", "delsnapshot", "unregister", "rm":
			a.destroys("machine "+about, does != "delsnapshot")
		}
	}
}

// awsConfigure: a setting by which aws runs a program whenever it is used.
func (a *act) awsConfigure(words []string) {
	if len(words) < 3 || words[0] != "set" {
		return
	}
	key, value := words[1], words[2]
	switch name := key[strings.LastIndexByte(key, '.')+1:]; name {
	case "credential_process", "ca_bundle", "endpoint_url":
		if name == "credential_process" {
			a.script(value)
		}
		if name != "endpoint_url" || !isInside(hostOf(value)) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "aws " + name, From: value})
		}
	}
}
