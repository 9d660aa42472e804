package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// registryOf is where packages come from: what is not usual, if anything is.
func registryOf(in *command.Reading) string {
	registry := ""
	for _, given := range in.Values("registry") {
		if _, address, ok := strings.Cut(given, "=http"); ok { // --index name=https://
			given = "http" + address
		}
		if isForeign(given) || registry == "" {
			registry = given
		}
	}
	return registry
}

// installsPackages notes the packages of a command, from a registry or a repository,
// and those in a list.
func installsPackages(a *act, in *command.Reading) {
	registry := registryOf(in)
	for _, address := range in.Values("git") {
		name := addressName(address)
		if specs := in.Values("package"); len(specs) > 0 && in.Name != "cargo" {
			name = specs[0]
		}
		a.add(effect.Effect{Verb: effect.Install, Object: name, From: address, Content: byAddress})
	}
	if len(in.Values("git")) > 0 || in.Has("github") {
		return
	}
	for _, spec := range in.Values("package") {
		if in.Name == "composer" {
			spec, _, _ = strings.Cut(spec, ":")
		}
		a.installs(spec, registry)
	}
	for _, file := range in.Values("requirement") {
		if strings.Contains(file, "://") {
			a.add(effect.Effect{Verb: effect.Install, Object: file, From: file})
		} else if content, known := a.file(file); known {
			a.requirements(content, registry)
		} else {
			a.installs(file, registry)
		}
	}
}

// requirements reads a list of packages that the conversation wrote.
func (a *act) requirements(content, registry string) {
	pip := command.Builtin().Program("pip")
	for text := range strings.Lines(content) {
		text, _, _ = strings.Cut(strings.TrimSpace(text), " #")
		switch {
		case text == "", text[0] == '#':
		case text[0] == '-':
			if option := pip.Read(a.invocation(append([]string{"install"}, strings.Fields(text)...))); option != nil {
				if given := option.Value("registry"); given != "" {
					registry = given
				}
				for _, spec := range option.Values("package") {
					a.installs(spec, registry)
				}
			}
		default:
			a.installs(text, registry)
		}
	}
}

// installsProject is an install without packages: what the project says.
func installsProject(a *act, in *command.Reading) {
	if len(in.Values("package"))+len(in.Values("git"))+len(in.Values("requirement")) > 0 {
		return
	}
	e := effect.Effect{Verb: effect.Install, Object: "."}
	if registry := registryOf(in); isForeign(registry) {
		e.From = registry
	}
	a.add(e)
}

// installsNode is npm install: also by the settings of the project, and with names that
// are repositories.
func installsNode(a *act, in *command.Reading) {
	registry := in.Value("registry")
	if registry == "" {
		registry = a.settingsRegistry(".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml")
	}
	specs := in.Values("package")
	if len(specs) == 0 {
		a.installs(".", "")
		if isForeign(registry) {
			a.add(effect.Effect{Verb: effect.Install, Object: ".", From: registry})
		}
	}
	for _, spec := range specs {
		if isShorthand(spec) {
			spec = "github:" + spec
		}
		a.installs(spec, registry)
	}
}

// installsTemplate is npm create NAME, whose package is create-NAME.
func installsTemplate(a *act, in *command.Reading) {
	if name := in.Value("name"); name != "" {
		a.installs("create-"+strings.TrimPrefix(name, "create-"), in.Value("registry"))
	}
}

// installsFiles is the install of packages that may be files: the scripts in them run
// with the rights of whoever installs them.
func installsFiles(a *act, in *command.Reading) {
	specs := in.Values("package")
	for _, spec := range specs {
		a.fetchedBefore(spec)
		a.installs(spec, in.Value("registry"))
	}
	if a.More && len(specs) == 0 {
		a.does(effect.Install, "*")
	}
}

// installsFlatpak is flatpak install [REMOTE] NAME.
func installsFlatpak(a *act, in *command.Reading) {
	specs, remote := in.Values("package"), in.Value("remote")
	if len(specs) == 0 {
		specs, remote = in.Values("remote"), ""
	}
	if strings.Contains(remote, ".") {
		remote = ""
	}
	for _, spec := range specs {
		a.installs(spec, remote)
	}
}

// installsPacman is pacman -S and -U, without the questions that -S asks with -s, -i and -l.
func installsPacman(a *act, in *command.Reading) {
	if in.Has("sync") && !in.Has("s") && !in.Has("i") && !in.Has("l") || in.Has("upgrade") {
		installsFiles(a, in)
	}
}

// installsPackageFile is dpkg -i and rpm -U.
func installsPackageFile(a *act, in *command.Reading) {
	if (in.Has("install") || in.Has("upgrade") || in.Has("freshen")) && !in.Has("query") && !in.Has("list") {
		installsFiles(a, in)
	}
}

// installsBrew: a name with two slashes is in somebody's repository.
func installsBrew(a *act, in *command.Reading) {
	for _, spec := range in.Values("package") {
		if at := strings.LastIndexByte(spec, '/'); strings.Count(spec, "/") == 2 && !strings.HasPrefix(spec, "homebrew/") && !command.IsAddress(spec) {
			a.add(effect.Effect{Verb: effect.Install, Object: spec[at+1:], From: "github:" + spec[:at]})
			continue
		}
		a.installs(spec, "")
	}
}

// installsNixEnv is nix-env -i, from an expression that may be anywhere.
func installsNixEnv(a *act, in *command.Reading) {
	if !in.Has("install") && !in.Has("attr") || in.Has("query") {
		return
	}
	from := in.Value("registry")
	if command.IsAddress(from) {
		a.installs(from, "")
	}
	for _, spec := range in.Values("package") {
		a.installs(spec, from)
	}
}

// installsNixShell is nix-shell -p.
func installsNixShell(a *act, in *command.Reading) {
	if in.Has("packages") {
		installsPackages(a, in)
	}
}

// installsRoles notes roles that are named by where they are.
func installsRoles(a *act, in *command.Reading) {
	for _, role := range in.Values("role") {
		if command.IsAddress(role) {
			a.add(effect.Effect{Verb: effect.Install, Object: "role " + addressName(role), From: role, Content: byAddress})
		}
	}
}

// installsTools is volta install, of packages; the others of its kind install languages.
func installsTools(a *act, in *command.Reading) {
	if in.Name == "volta" {
		installsPackages(a, in)
	}
}

// uploadsPackages is a registry that is named by its address.
func uploadsPackages(a *act, in *command.Reading) {
	if address := in.Value("repository-url"); address != "" {
		a.sendsTo(address, in.Values("file")...)
	}
}

// fetchedBefore notes a package in a file that came from the network: its
// scripts run with the rights of whoever installs it.
func (a *act) fetchedBefore(file string) {
	if !strings.Contains(file, ".") || command.IsAddress(file) {
		return
	}
	if f := a.r.file(a.path(file)); f != nil && f.Remote != "" {
		a.does(effect.RunRemote, f.Remote)
	}
}
