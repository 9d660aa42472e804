package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// diskVerbs are the programs that make file systems and partitions, or write to
// disks as they are.
var diskVerbs = map[string]verb{
	"dd": dd, "gdd": dd, "dcfldd": dd, "dc3dd": dd, "ddrescue": ddrescue, "pv": pv,
	"mke2fs": format, "newfs": format, "mkswap": format, "mkntfs": format, "mkdosfs": format, "mkisofs": isoImage, "genisoimage": isoImage, "xorriso": isoImage,
	"wipefs": wipefs, "blkdiscard": formatUnless("V", "version"), "sgdisk": sgdisk, "gdisk": partition, "fdisk": partition, "cfdisk": partition, "parted": parted,
	"sfdisk": partition, "badblocks": badblocks, "hdparm": hdparm, "sg_format": format, "nwipe": format, "cryptsetup": cryptsetup, "nvme": nvme,
	"zpool": pool, "zfs": pool, "btrfs": pool, "gpart": partitions, "lvreduce": shrinks, "lvresize": shrinks, "lvremove": volume, "vgremove": volume, "pvremove": volume, "lvm": volume, "mdadm": mdadm, "dmsetup": dmsetup,
	"losetup": losetup, "resize2fs": format, "tune2fs": tune2fs, "debugfs": debugfs, "asr": format,
}

// diskVerb is for names that are a family: mkfs.ext4, newfs_apfs.
func diskVerb(name string) verb {
	if name == "mkfs" || strings.HasPrefix(name, "mkfs.") || strings.HasPrefix(name, "newfs_") {
		return format
	}
	return nil
}

// disks are how the names of disks begin, behind /dev/.
var disks = []string{
	"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/", "loop", "nbd", "zvol/", "ram", "sr", "da", "ada", "vg", "block/", "mtd",
	"mem", "kmem", "port", "by-", "disk/", "pmem", "dasd", "bcache", "drbd", "rbd", "$", "`", "*", "?", "[",
}

// isDevice reports whether a path is a disk or the memory, so that writing to it
// destroys what is there.
func isDevice(p string) bool {
	if strings.HasPrefix(p, `\\.\`) { // \\.\PhysicalDrive0
		return true
	}
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	for strings.HasPrefix(name, "./") || strings.HasPrefix(name, "/") {
		if name = name[1:]; name == "" { // /dev/$(lsblk), of which only is known that it lists disks
			return true
		}
	}
	for _, disk := range disks {
		if strings.HasPrefix(name, disk) {
			return true
		}
	}
	return false
}

// formats notes that a disk is made new. In an image it is only a file.
func (a *act) formats(paths ...string) {
	for _, p := range paths {
		switch {
		case isNoFile(p):
		case strings.HasPrefix(p, "/dev/") || isDevice(p) || unknown(p):
			a.add(effect.Effect{Verb: effect.Format, Object: a.path(p)})
		default:
			a.writes(p)
		}
	}
}

// erases notes that something that is no path is made new or removed.
func (a *act) erases(what string) {
	a.add(effect.Effect{Verb: effect.Format, Object: what, Wide: true})
}

// dd copies bytes: if=file of=file.
func dd(a *act) {
	from := ""
	var to []string
	for _, arg := range a.Args {
		switch name, value, _ := strings.Cut(arg, "="); name {
		case "if", "--if":
			if a.looks(false, value); !isNoFile(value) {
				from = a.path(value)
			}
		case "of", "--of", "hof", "log":
			to = append(to, value)
		}
	}
	if from == "" {
		from = a.cameFrom()
	}
	endless := slices.ContainsFunc(a.Args, func(s string) bool { return isEndless(strings.TrimPrefix(s, "if=")) }) && !slices.ContainsFunc(a.Args, func(s string) bool { return strings.HasPrefix(s, "count=") }) && !a.isTimed()
	for _, p := range to {
		if endless && !strings.HasPrefix(p, "/dev/") && !isNoFile(p) && !unknown(p) && p != "/" {
			a.does(effect.Exhaust, "disk of "+p)
		}
		switch {
		case p == "/": // a disk that was looked up: of=$(df / | awk ...)
			p = "/dev/$(df)"
		case slices.Contains(a.Args, "if=/dev/null"), isRecord(a.path(p)) && !slices.ContainsFunc(a.Args, func(s string) bool {
			return strings.HasPrefix(s, "conv=notrunc") || strings.HasPrefix(s, "oflag=append")
		}):
			a.emptied(p)
		}
		a.put(p, from)
	}
}

func ddrescue(a *act) {
	g := a.given(&usage{values: "bceioKrsTX"})
	from := g.first()
	a.looks(false, from)
	a.put(g.first(), a.path(from))
}

// pv shows how far a copy is.
func pv(a *act) {
	g := a.given(&usage{values: "sLBNHwFiRdoD", long: []string{"size", "rate-limit", "name", "output"}})
	a.looks(false, g.operands...)
	a.put(g.value("o", "output"), "")
}

// format makes a file system in the one operand that is a device, or else in
// the first one.
func format(a *act) {
	g := a.given(&usage{values: "bCcdEFfGgIiJjLlmMNnOoqrRsTtUveV", long: []string{"type", "label", "uuid", "csum", "source", "target"}})
	if g.has("V", "version", "help") && len(g.operands) == 0 {
		return
	}
	found := false
	for _, arg := range a.Args { // options differ from one kind to the next
		if strings.HasPrefix(arg, "/dev/") {
			a.formats(arg)
			found = true
		}
	}
	if !found && len(g.operands) > 0 {
		a.formats(g.operands[0])
	}
}

// formatUnless is format for a program with options that only show something.
func formatUnless(shows ...string) verb {
	return func(a *act) {
		g := a.given(&usage{values: "olp"})
		if !g.has(shows...) {
			a.formats(g.operands...)
		}
	}
}

func isoImage(a *act) {
	a.writes(a.after("-o", "-output", "-outdev", "-dev")...)
}

// wipefs lists signatures unless it is told to erase some.
func wipefs(a *act) {
	g := a.given(&usage{values: "oOt", long: []string{"offset", "output", "types"}})
	if g.has("a", "o", "all", "offset") && !g.has("n", "no-act") {
		a.formats(g.operands...)
	}
}

func sgdisk(a *act) {
	g := a.given(&usage{values: "ancdehirtuxACGNRUb", long: []string{"new", "delete", "typecode", "change-name", "info", "backup", "replicate", "load-backup", "attributes", "disk-guid"}})
	for i := range g.options {
		if !g.options[i].is("p", "print", "i", "info", "v", "verify", "L", "list-types", "b", "backup", "O", "E", "F", "f", "D", "P", "pretend") {
			a.formats(g.operands...)
			return
		}
	}
}

func partition(a *act) {
	g := a.given(&usage{values: "CHSbtwWNXo", long: []string{"sector-size", "type", "label", "output"}})
	if g.has("l", "list", "d", "dump", "V", "verify", "F", "list-free", "json", "J", "n", "no-act", "s", "getsz", "show-size", "x", "list-types") && !g.has("delete") {
		return
	}
	a.formats(g.operands[:min(1, len(g.operands))]...)
}

func parted(a *act) {
	g := a.given(&usage{values: "a", long: []string{"align"}})
	if g.has("l", "list") {
		return
	}
	device := g.first()
	for _, word := range g.operands {
		switch word {
		case "mklabel", "mktable", "mkpart", "rm", "resizepart", "rescue", "mkfs", "mkpartfs", "resize", "move":
			a.formats(device)
			return
		}
	}
}

func badblocks(a *act) {
	g := a.given(&usage{values: "bcdeiopt"})
	a.writes(g.value("o"))
	if g.has("w") {
		a.formats(g.operands[:min(1, len(g.operands))]...)
	}
}

func hdparm(a *act) {
	for _, arg := range a.Args {
		for _, flag := range []string{"--security-erase", "--security-set-pass", "--write-sector", "--repair-sector", "--trim-sector", "--make-bad-sector", "--dco-restore", "--fwdownload", "--format-partition", "--sanitize"} {
			if strings.HasPrefix(arg, flag) {
				a.formats(lastOf(a.Args))
				return
			}
		}
	}
}

func cryptsetup(a *act) {
	g := a.given(&usage{values: "cshStdiMl", long: []string{"type", "cipher", "key-size", "hash", "key-file", "key-slot", "label", "uuid", "iter-time", "pbkdf", "header"}})
	switch g.first() {
	case "luksFormat", "erase", "luksErase", "reencrypt", "luksKillSlot", "luksRemoveKey":
		a.formats(g.first())
	}
}

func nvme(a *act) {
	switch a.Sub {
	case "format", "sanitize", "write-zeroes", "dsm", "delete-ns", "write":
		for _, arg := range a.Args {
			if strings.HasPrefix(arg, "/dev/") {
				a.formats(arg)
			}
		}
	}
}

// pool is for zpool, zfs and btrfs, which have their own words for disks.
func pool(a *act) {
	g := a.given(&usage{values: "oO"})
	kind, word := a.Name, g.first()
	if a.Name == "btrfs" {
		kind, word = word, g.first()
	}
	if g.has("n") && a.Name != "btrfs" {
		return
	}
	switch {
	case kind == "zpool" && (word == "create" || word == "labelclear" || word == "add" || word == "replace"):
		for _, p := range g.operands {
			if strings.HasPrefix(p, "/dev/") {
				a.formats(p)
			}
		}
	case word == "destroy", word == "rollback":
		a.erases(a.Name + " " + g.first())
	case kind == "subvolume" && word == "delete":
		a.deletes(true, g.operands...)
		for _, p := range g.operands {
			if strings.Contains(p, "snapshot") {
				a.destroys("backup "+p, true)
			}
		}
	case kind == "device" && (word == "delete" || word == "remove"):
		a.erases("btrfs " + g.first())
	case kind == "zfs" && word == "send":
		a.looks(true, g.last())
	}
}

func volume(a *act) {
	g := a.given(&usage{values: "AS", long: []string{"config", "select"}})
	if g.has("t", "test") || a.Name == "lvm" && !strings.HasSuffix(g.first(), "remove") {
		return
	}
	for _, p := range g.operands {
		a.erases("volume " + p)
	}
}

func mdadm(a *act) {
	g := a.given(&usage{values: "lnxecNma", long: []string{"level", "raid-devices", "metadata", "name"}})
	if g.has("zero-superblock", "create", "C", "stop", "S", "remove", "r", "fail", "f") {
		a.formats(g.operands...)
	}
}

func dmsetup(a *act) {
	if l := a.given(&usage{}); a.Sub == "remove" || a.Sub == "remove_all" || a.Sub == "wipe_table" {
		l.first()
		a.erases("volume " + strings.Join(l.operands, " "))
	}
}

// losetup shows a file as a disk.
func losetup(a *act) {
	g := a.given(&usage{values: "ojOb", long: []string{"offset", "associated", "output", "sizelimit"}})
	if len(g.operands) > 0 && !g.has("a", "l", "j", "d", "D", "all", "list", "detach", "detach-all") {
		file := g.last()
		a.add(effect.Effect{Verb: effect.Link, Object: a.path(file), From: g.first()})
	}
}

func tune2fs(a *act) {
	if g := a.given(&usage{values: "ceEgijJLmMoOQrTuU"}); !g.has("l") {
		a.formats(g.operands...)
	}
}

func debugfs(a *act) {
	if g := a.given(&usage{values: "bdfRsz"}); g.has("w") {
		a.formats(g.operands...)
	} else {
		a.looks(true, g.operands...)
	}
}
