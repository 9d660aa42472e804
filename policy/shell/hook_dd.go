package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

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

// dd copies bytes: if=file of=file.
func dd(a *act, in *command.Reading) {
	from := a.cameFrom()
	sources, how := in.Values("source"), strings.Join(in.Values("how"), ",")
	for _, p := range sources {
		if a.looks(false, p); !isNoFile(p) {
			from = a.path(p)
		}
	}
	endless := slices.ContainsFunc(sources, isEndless) && len(in.Values("count=")) == 0 && !a.isTimed()
	for _, p := range in.Values("target") {
		if endless && !strings.HasPrefix(p, "/dev/") && !isNoFile(p) && !unknown(p) && p != "/" {
			a.does(effect.Exhaust, "disk of "+p)
		}
		switch {
		case p == "/": // a disk that was looked up: of=$(df / | awk ...)
			p = "/dev/$(df)"
		case slices.Contains(sources, "/dev/null"), isRecord(a.path(p)) && !strings.Contains(how, "notrunc") && !strings.Contains(how, "append"):
			a.emptied(p)
		}
		a.put(p, from)
	}
}
