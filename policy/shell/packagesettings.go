package shell

import (
	"net/netip"
	"strings"
)

// PackageSettings reads the settings of a package manager, or a list of packages:
// the addresses that packages come from, without the usual ones and those of a
// network of one's own, and the programs that are named to run.
func PackageSettings(content string) (registries, programs []string) {
	section := ""
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line == "" || strings.IndexByte("#;/", line[0]) >= 0 {
			continue
		}
		if line[0] == '[' && strings.HasSuffix(line, "]") {
			section = strings.ToLower(strings.Trim(line, "[]"))
			continue
		}
		key, value := settingOf(line)
		if len(registries)+len(programs) > mostOptions {
			break
		}
		switch {
		case namesRegistry(key, section):
			if address := registryIn(value); address != "" && isForeign(address) && !isOwnNetwork(hostOf(address)) {
				registries = append(registries, address)
			}
		case programSettings[key]:
			programs = append(programs, value)
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

// settingOf takes a line apart: key = value, key: value, --key value.
func settingOf(line string) (key, value string) {
	line = strings.TrimLeft(line, `-"'`)
	end := strings.IndexAny(line, "= \t")
	if end < 0 {
		end = len(line)
	}
	key = strings.ToLower(strings.Trim(line[:end], `:"'`))
	value = strings.Trim(line[end:], "= \t")
	if n := len(value) - 1; n > 0 && value[0] == value[n] && (value[0] == '"' || value[0] == '\'') {
		value = value[1:n]
	}
	return strings.ReplaceAll(key, "_", "-"), value
}

// namesRegistry reports whether a setting says where packages come from, or where
// they go to.
func namesRegistry(key, section string) bool {
	switch key {
	case "index-url", "extra-index-url", "i", "find-links", "f", "default-index", "npmregistryserver", "npmpublishregistry":
		return true
	case "repository": // that packages are put into, not that of a project
		return section != "" && !strings.Contains(section, ".")
	case "index":
		return section == "" || strings.HasPrefix(section, "registr") || strings.HasPrefix(section, "source")
	case "url":
		return strings.Contains(section, "index") || strings.HasSuffix(section, "source") || strings.Contains(section, "registr")
	}
	return key == "registry" || strings.HasSuffix(key, ":registry") || strings.HasPrefix(section, "install.scopes")
}

// programSettings name a program that runs with everyday commands.
var programSettings = valued(`yarnpath yarn-path rustc-wrapper rustc-workspace-wrapper rustc rustdoc runner linker script-shell onload-script init-module node-options credential-provider credential-process git`)

// registryIn is the first address in a value.
func registryIn(value string) string {
	scheme, _, ok := strings.Cut(value, "://")
	if !ok {
		return ""
	}
	start := strings.LastIndexAny(scheme, " \t\"'={+[") + 1
	address, _, _ := strings.Cut(value[start:], " ")
	return strings.TrimRight(address, `"'},]`)
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
