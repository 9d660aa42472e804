package invocation

import (
	"net/netip"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/project"
)

// ByAddress is the content of the effect of installing what an address names by
// itself, not by a name that a registry knows.
const ByAddress = "address"

// IsForeign reports whether a registry is not one of the usual ones.
func IsForeign(registry string) bool {
	return registry != "" && !command.Builtin().In("usual-registries", registry) && !command.Builtin().In("usual-registries", HostOf(registry))
}

// AddressName is the name of a package at an address.
func AddressName(address string) string {
	if _, egg, ok := strings.Cut(address, "#egg="); ok {
		name, _, _ := strings.Cut(egg, "&")
		return name
	}
	short, _, _ := strings.Cut(address, "#")
	short, _, _ = strings.Cut(short, "?")
	short = strings.TrimSuffix(strings.TrimRight(short, "/"), ".git")
	return short[strings.LastIndexAny(short, "/:")+1:]
}

// PackageSettings reads the settings of a package manager, or a list of packages:
// the addresses that packages come from, without the usual ones and those of a
// network of one's own, and the programs that are named to run.
func PackageSettings(content string) (registries, programs []string) {
	all, programs := project.PackageSettings(content)
	for _, address := range all {
		if IsForeign(address) && !isOwnNetwork(HostOf(address)) {
			registries = append(registries, address)
		}
	}
	return registries, programs
}

// isOwnNetwork reports whether a host is one that only one's own network knows.
func isOwnNetwork(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsPrivate() || IsInside(host) || strings.HasSuffix(host, ".corp") || strings.HasSuffix(host, ".intranet")
}

// IsTemporary reports whether a program lies where anybody may put one.
func IsTemporary(program string) bool {
	for word := range strings.FieldsFuncSeq(program, func(r rune) bool { return strings.ContainsRune("\"' \t=,[]", r) }) { // --require=/tmp/x.js
		for _, dir := range [...]string{"/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/"} {
			if strings.HasPrefix(word, dir) {
				return true
			}
		}
	}
	return false
}
