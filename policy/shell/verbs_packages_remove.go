package shell

import "strings"

// essential are the packages without which a machine does not start, or nobody
// gets in to mend it.
var essential = valued(`libc6 libc-bin glibc glibc-common musl coreutils bash dash dpkg apt rpm dnf pacman systemd systemd-sysv systemd-libs init sysvinit util-linux base base-files base-passwd baselayout basesystem login passwd shadow
	filesystem kernel kernel-core linux linux-image-generic linux-image-amd64 linux-image-arm64 linux-generic linux-lts linux-zen grub grub-pc grub-efi-amd64 grub2 grub2-common grub2-efi-x64 shim-signed findutils grep sed gzip tar
	hostname libpam-runtime libpam0g pam libstdc++6 libgcc-s1 zlib1g perl-base busybox alpine-base apk-tools e2fsprogs mount initramfs-tools udev dbus ncurses-base debianutils bsdutils openssl-libs libselinux setup fedora-release debian-archive-keyring`)

// removal is how a program that keeps packages is told to remove some.
var removal = map[string]takes{
	"apt": valued("remove purge autoremove autopurge"), "apt-get": valued("remove purge autoremove autopurge"), "aptitude": valued("remove purge"), "nala": valued("remove purge"),
	"dnf": valued("remove erase autoremove rm"), "dnf5": valued("remove erase autoremove rm"), "yum": valued("remove erase autoremove"), "microdnf": valued("remove"), "zypper": valued("remove rm"), "tdnf": valued("remove erase"),
	"apk": valued("del"), "pkg": valued("delete remove"), "opkg": valued("remove"), "rpm-ostree": valued("uninstall"), "urpme": nil, "xbps-remove": nil, "eopkg": valued("remove rm"), "swupd": valued("bundle-remove"),
	"pacman": nil, "yay": nil, "paru": nil, "dpkg": nil, "rpm": nil, "emerge": nil, "brew": valued("uninstall remove rm"), "slackpkg": valued("remove"), "removepkg": nil,
}

// removeVerbs are those programs, beside what else they do.
var removeVerbs = func() map[string]verb {
	table := map[string]verb{}
	for name, words := range removal {
		table[name] = func(a *act) { a.unpacks(words) }
	}
	return table
}()

// unpacks notes that packages are removed without which the machine is none.
func (a *act) unpacks(words takes) {
	l := a.line(valued("o option t target-release c config-file root r dbpath D setopt enablerepo disablerepo repo"))
	if l.exact("s", "simulate", "dry-run", "just-print", "no-act", "test", "assumeno", "p", "print", "pretend", "download-only") && (a.Name != "pacman" || !l.exact("s")) {
		return
	}
	names := l.operands
	switch {
	case words != nil:
		if len(names) == 0 || !words[names[0]] {
			return
		}
		names = names[1:]
	case a.Name == "xbps-remove" || a.Name == "urpme" || a.Name == "removepkg":
	case a.Name == "emerge":
		if !l.exact("C", "unmerge", "rage-clean") {
			return
		}
	case a.Name == "dpkg":
		if !l.exact("r", "P", "remove", "purge") {
			return
		}
	case a.Name == "rpm":
		if !l.exact("e", "erase") {
			return
		}
	default: // pacman
		if !l.exact("R", "remove") {
			return
		}
	}
	forced := l.exact("allow-remove-essential", "force-remove-essential", "force-remove-protected") || strings.HasPrefix(l.value("setopt"), "protected_packages=")
	for _, name := range a.few(names) {
		if forced || essential[name] || a.Name != "brew" && isEveryPackage(name) || a.Name == "brew" && unknown(name) && strings.Contains(name, "brew list") || (a.Name == "pkg" && l.exact("a", "all")) {
			a.erases("packages of the system: " + name)
			return
		}
	}
	if a.Name == "pkg" && l.exact("a", "all") {
		a.erases("packages of the system")
	}
}

// isEveryPackage reports whether a name is a pattern for packages of all kinds:
// *, lib*, ^linux-.*.
func isEveryPackage(name string) bool {
	i := strings.IndexAny(name, "*?")
	if i < 0 {
		return false
	}
	switch strings.TrimSuffix(strings.TrimPrefix(name[:i], "^"), ".") {
	case "", "lib", "linux", "linux-", "linux-image", "linux-image-", "linux-headers", "systemd", "systemd-", "glibc", "glibc-", "kernel", "kernel-", "libc", "libc6", "base":
		return true
	}
	return false
}
