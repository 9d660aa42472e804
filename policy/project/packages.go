package project

import "strings"

// PackageSettings reads the settings of a package manager, or a list of packages: the
// addresses that packages come from or go to, and the programs that are named to run.
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
		switch {
		case namesRegistry(key, section):
			if address := addressIn(value); address != "" {
				registries = append(registries, address)
			}
		case namesProgram(key):
			programs = append(programs, value)
		}
	}
	return registries, programs
}

// settingOf splits a line: key = value, key: value, --key value.
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

// addressIn returns the first address in a value, "" if there is none.
func addressIn(value string) string {
	scheme, _, ok := strings.Cut(value, "://")
	if !ok {
		return ""
	}
	start := strings.LastIndexAny(scheme, " \t\"'={+[") + 1
	address, _, _ := strings.Cut(value[start:], " ")
	return strings.TrimRight(address, `"'},]`)
}

// namesProgram reports whether a setting names a program that runs with everyday
// commands.
func namesProgram(key string) bool {
	switch key {
	case "yarnpath", "yarn-path", "rustc-wrapper", "rustc-workspace-wrapper", "rustc", "rustdoc", "runner", "linker", "script-shell", "onload-script", "init-module", "node-options",
		"credential-provider", "credential-process", "git":
		return true
	}
	return false
}
