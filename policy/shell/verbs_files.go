package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// fileVerbs are the programs that make, change, move and remove files.
var fileVerbs = map[string]verb{
	"rm": remove, "zf_rm": remove, "grm": remove, "srm": remove, "rmdir": removeEmpty, "grmdir": removeEmpty, "unlink": unlink,
	"trash": removeAll, "trash-put": removeAll, "rmtrash": removeAll, "gtrash": removeAll, "rimraf": removeAll, "del-cli": removeAll,
	"shred": shred, "gshred": shred, "wipe": shred, "scrub": shred, "truncate": truncate, "gtruncate": truncate,
	"mv": move, "gmv": move, "cp": duplicate, "gcp": duplicate, "ditto": duplicate, "install": installFile, "ginstall": installFile,
	"ln": link, "gln": link, "link": link, "rename": rename, "prename": rename, "mmv": rename,

	"touch": writer("trd", "reference", "date", "time"), "gtouch": writer("trd"), "mkdir": makesDirectory, "gmkdir": makesDirectory, "mkfifo": writer("m", "mode"),
	"mknod": makeNode, "mktemp": makeTemp, "gmktemp": makeTemp, "fallocate": allocate, "mkfile": mkfile,
	"tee": tee, "gtee": tee, "sponge": tee, "split": split, "gsplit": split, "csplit": csplit, "gcsplit": csplit, "patch": patch,

	"rsync": rsync, "scp": scp,
	"tar": tar, "gtar": tar, "bsdtar": tar, "star": tar, "cpio": cpio, "zip": zip, "unzip": unzip, "7z": sevenZip, "7za": sevenZip, "7zz": sevenZip, "7zr": sevenZip,
	"gzip": compress, "gunzip": compress, "bzip2": compress, "bunzip2": compress, "xz": compress, "unxz": compress, "lzma": compress, "compress": compress,
	"uncompress": compress, "pigz": compress, "zstd": compress, "unzstd": compress, "lz4": compress, "brotli": compress, "unrar": unrar, "ar": ar,
	"sed": sed, "gsed": sed, "awk": awk, "gawk": awk, "mawk": awk, "nawk": awk, "goawk": awk,
	"ed": ed, "red": ed, "ex": vi, "vi": vi, "vim": vi, "nvim": vi, "view": vi, "vimdiff": vi, "rvim": vi, "gvim": vi, "emacs": emacs, "emacsclient": emacs,
	"gio": desktopRemoves, "gvfs-rm": desktopRemoves, "gvfs-trash": desktopRemoves, "kioclient": desktopRemoves, "kioclient5": desktopRemoves, "kioclient6": desktopRemoves, "kde-open": nothing,
	"update-alternatives": alternatives, "alternatives": alternatives,
	"nano": writer("Yorsz"), "pico": writer(""), "micro": writer(""),

	"chmod": chmod, "gchmod": chmod, "chown": chown, "gchown": chown, "chgrp": chown, "gchgrp": chown, "chattr": chattr, "chflags": chflags,
	"setfacl": setfacl, "xattr": xattr, "setcap": setcap, "mount": mount, "umount": unmount,
}

// remove is rm. Of a directory it removes nothing unless it is told to.
func remove(a *act) {
	g := a.given(&usage{})
	a.erase(g.has("r", "R", "recursive"), g.operands...)
}

// removeAll is a program that removes directories without being told to.
func removeAll(a *act) {
	g := a.given(&usage{})
	a.erase(true, g.operands...)
}

// removeEmpty is rmdir. Of what a wildcard matches it removes only the directories
// in which there is nothing.
func removeEmpty(a *act) {
	g := a.given(&usage{})
	for _, p := range g.operands {
		if dir, name := path.Split(p); strings.ContainsAny(dir+name, "*?[") {
			if !a.guess {
				a.add(effect.Effect{Verb: effect.Delete, Object: a.path(dir + someOf)})
			}
			continue
		}
		a.deletes(false, p)
	}
}

func unlink(a *act) {
	g := a.given(&usage{})
	a.deletes(false, g.operands...)
}

// erase notes that files are removed or overwritten for good.
func (a *act) erase(wide bool, paths ...string) {
	for _, p := range paths {
		if isDevice(p) {
			a.add(effect.Effect{Verb: effect.Format, Object: a.path(p)})
		} else {
			a.deletes(wide, p)
		}
	}
}

func shred(a *act) {
	g := a.given(&usage{values: "ns", long: []string{"iterations", "size", "random-source"}})
	a.erase(g.has("r", "recursive"), g.operands...)
}

// truncate empties a file, unless it only makes it longer.
func truncate(a *act) {
	g := a.given(&usage{values: "sr", long: []string{"size", "reference"}})
	if size := g.value("s", "size"); strings.HasPrefix(size, "+") {
		a.writes(g.operands...)
		return
	}
	a.deletes(false, g.operands...)
}

// writer is a program that makes or changes the files that it names.
func writer(values string, long ...string) verb {
	u := &usage{values: values, long: long}
	return func(a *act) {
		g := a.given(u)
		for _, p := range g.operands {
			a.put(p, "")
		}
	}
}

// put notes that a file is written, from another one if that is known. A disk
// that is written to is gone.
func (a *act) put(p, from string) {
	switch {
	case isNoFile(p), isOpen(p):
	case isDevice(p):
		a.add(effect.Effect{Verb: effect.Format, Object: a.path(p), From: from})
	case strings.Contains(p, "/**/"):
		for _, p := range a.changed(p) {
			a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), From: from})
		}
	default:
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(p), From: from})
	}
}

// isOpen reports whether a name stands for what the shell has opened, as it does
// for <(command).
func isOpen(p string) bool { return strings.HasPrefix(p, "/dev/fd/") }

// within is put for everything in a directory.
func (a *act) within(dir, from string) {
	if !isNoFile(dir) {
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(dir), From: from, Wide: true})
	}
}

// looks notes that files are read, with all that is in them if wide.
func (a *act) looks(wide bool, paths ...string) {
	for _, p := range paths {
		if isNoFile(p) || isOpen(p) {
			continue
		}
		if !strings.Contains(p, "/**/") {
			a.looksAt(wide, p)
			continue
		}
		for _, p := range a.searched(p) {
			a.looksAt(wide, p)
		}
	}
}

func (a *act) looksAt(wide bool, p string) {
	a.add(effect.Effect{Verb: effect.Read, Object: a.path(p), Wide: wide || strings.ContainsAny(p, "*?[")})
	if strings.IndexByte(p, '/') < 0 || !a.r.hasLinks() {
		return
	}
	if to := a.leadsTo(p); to != "" { // through a link
		a.add(effect.Effect{Verb: effect.Read, Object: to, Wide: wide || strings.ContainsAny(p, "*?[")})
	}
}

// cameFrom is where the input of a command comes from, if it is one place.
func (a *act) cameFrom() string {
	if from := a.remote(); from != "" {
		return from
	}
	if list := a.in.sources; len(list) == 1 {
		return list[0]
	}
	return ""
}

// mayBeDirectory reports whether a path is not evidently a file: it has no
// ending, or one that directories have.
func mayBeDirectory(p string) bool {
	base := path.Base(p)
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || base == ".." {
		return true
	}
	switch ending := base[dot+1:]; ending {
	case "d", "git", "app", "old", "bak", "orig", "":
		return true
	default:
		return len(ending) > 5 || strings.ContainsAny(ending, "*?[$`~")
	}
}

// isDirectory reports whether a path can only be a directory.
func isDirectory(p string) bool {
	if p == "." || p == ".." || p == "~" || p == "$HOME" || p == "${HOME}" {
		return true
	}
	switch p {
	case "/usr", "/etc", "/var", "/opt", "/home", "/tmp", "/root", "/srv", "/mnt", "/media", "/boot", "/usr/local", "/usr/share", "/var/lib", "/var/tmp", "/Users": // they are there
		return true
	}
	return strings.HasSuffix(p, "/") || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")
}

// join is a name in a directory as a shell writes it: no part is resolved yet.
func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
