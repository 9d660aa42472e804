package call

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// isPackageSettings reports whether a file tells a package manager where packages
// come from and what runs.
func isPackageSettings(name, dir string) bool {
	switch name {
	case ".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml", "pip.conf", "pip.ini", ".pypirc", "uv.toml", "pyproject.toml", "pipfile", ".condarc":
		return true
	case "config", "config.toml":
		return path.Base(dir) == ".cargo"
	}
	return strings.HasPrefix(name, "requirements") && (strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in")) || strings.HasSuffix(name, ".txt") && path.Base(dir) == "requirements"
}

// settings reads what the call puts into the settings of a package manager: every
// later installation does what they say, as if its command line said so.
func (c *Call) settings(text string) {
	registries, programs := invocation.PackageSettings(text)
	for _, address := range registries {
		c.affect(&effect.Effect{Verb: effect.Install, Object: "packages", From: address, How: c.Name, Command: -1})
	}
	for _, program := range programs {
		if invocation.IsTemporary(program) {
			c.affect(&effect.Effect{Verb: effect.Persist, Object: "package settings", From: program, How: c.Name, Command: -1})
		} else if strings.Contains(program, " ") {
			c.later(program, effect.Delete)
		}
	}
}
