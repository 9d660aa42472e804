package shell

import (
	"net/netip"
	"strings"

	"github.com/sluice-project/sluice/policy/project"
)

// PackageSettings reads the settings of a package manager, or a list of packages:
// the addresses that packages come from, without the usual ones and those of a
// network of one's own, and the programs that are named to run.
func PackageSettings(content string) (registries, programs []string) {
	all, programs := project.PackageSettings(content)
	for _, address := range all {
		if isForeign(address) && !isOwnNetwork(hostOf(address)) {
			registries = append(registries, address)
		}
	}
	return registries, programs
}

// settingsRegistry is where the settings that the conversation wrote let packages
// come from, empty if they are the usual places.
func (a *act) settingsRegistry(files ...string) string {
	for _, file := range files {
		if content, _ := a.file(file); content != "" && a.r.pay(len(content)) {
			if registries, _ := PackageSettings(content); len(registries) > 0 {
				return registries[0]
			}
		}
	}
	return ""
}

// isOwnNetwork reports whether a host is one that only one's own network knows.
func isOwnNetwork(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsPrivate() || isInside(host) || strings.HasSuffix(host, ".corp") || strings.HasSuffix(host, ".intranet")
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
