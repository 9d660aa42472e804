package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// byAddress is the content of the effect of installing what an address names by
// itself, not by a name that a registry knows.
const byAddress = "address"

// usualRegistries are where packages come from if nobody says otherwise.
var usualRegistries = valued(`registry.npmjs.org registry.yarnpkg.com registry.npmjs.com pypi.org files.pythonhosted.org pypi.python.org rubygems.org crates.io index.crates.io static.crates.io
	proxy.golang.org sum.golang.org goproxy.io repo.packagist.org packagist.org download.pytorch.org npm.jsr.io jsr.io conda.anaconda.org repo.anaconda.com conda-forge defaults nvidia pytorch bioconda
	api.nuget.org community.chocolatey.org flathub dl.flathub.org localhost 127.0.0.1`)

// isForeign reports whether a registry is not one of the usual ones.
func isForeign(registry string) bool {
	return registry != "" && !usualRegistries[registry] && !usualRegistries[hostOf(registry)]
}

// installs notes that a package is installed, from a registry or where its name
// says.
func (a *act) installs(spec, registry string) {
	name, from := packageOf(spec)
	if name == "" {
		return
	}
	made := effect.Effect{Verb: effect.Install, Object: name, From: from}
	switch {
	case from == "" && isForeign(registry):
		made.From = registry
	case command.IsAddress(from):
		made.Content = byAddress
	}
	a.add(made)
}

// packageOf reads how packages are named: a name with or without a version, an
// address, a repository, a file.
func packageOf(spec string) (name, from string) {
	spec = strings.TrimSpace(spec)
	if spec == "" {
		return "", ""
	}
	if name, from, ok := strings.Cut(spec, " @ "); ok { // pip
		return strings.TrimSpace(name), strings.TrimSpace(from)
	}
	if i := strings.IndexByte(spec[1:], '@') + 1; i > 0 && !strings.Contains(spec[:i], "://") { // name@address, name@npm:other
		switch rest := spec[i+1:]; {
		case strings.HasPrefix(rest, "npm:"):
			other := rest[len("npm:"):]
			if at := strings.LastIndexByte(other, '@'); at > 0 {
				other = other[:at]
			}
			return other, ""
		case command.IsAddress(rest):
			return spec[:i], rest
		}
	}
	if command.IsAddress(spec) {
		return addressName(spec), spec
	}
	if spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "~") || strings.HasPrefix(spec, "file:") || strings.HasPrefix(spec, "link:") {
		if isArchive(spec) {
			return spec, spec
		}
		return spec, ""
	}
	if isArchive(spec) {
		return spec, spec
	}
	if at := strings.LastIndexByte(spec, '@'); at > 0 {
		return spec[:at], ""
	}
	if i := strings.IndexAny(spec, "[=<>!~; "); i > 0 {
		return spec[:i], ""
	}
	return spec, ""
}

// addressName is the name of a package at an address.
func addressName(address string) string {
	if _, egg, ok := strings.Cut(address, "#egg="); ok {
		name, _, _ := strings.Cut(egg, "&")
		return name
	}
	short, _, _ := strings.Cut(address, "#")
	short, _, _ = strings.Cut(short, "?")
	short = strings.TrimSuffix(strings.TrimRight(short, "/"), ".git")
	return short[strings.LastIndexAny(short, "/:")+1:]
}

func isArchive(spec string) bool {
	for _, end := range []string{".tgz", ".tar.gz", ".whl", ".zip", ".deb", ".rpm", ".apk", ".gem", ".vsix", ".tar.bz2", ".conda", ".pkg.tar.zst", ".flatpak", ".snap", ".msi"} {
		if strings.HasSuffix(spec, end) {
			return true
		}
	}
	return false
}

// isShorthand reports whether a package is a repository: owner/name.
func isShorthand(spec string) bool {
	owner, name, ok := strings.Cut(spec, "/")
	return ok && owner != "" && name != "" && strings.IndexByte("@./~", owner[0]) < 0 && !strings.ContainsAny(owner, ":@$") && !strings.Contains(name, "/")
}
