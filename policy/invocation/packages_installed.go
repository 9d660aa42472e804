package invocation

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// Packages notes packages that are installed, or fetched to be run: by its name that is
// an install, by its address a program from the network.
func (d *DescribedAct) Packages(kind command.Kind, specs []string, from command.Registries) {
	d.packages(kind, specs, SourcesOf(from))
}

func (d *DescribedAct) packages(kind command.Kind, specs, sources []string) {
	for _, spec := range specs {
		if isShorthand(spec) && (kind == command.PackageRun || kind == command.PackageOrRepository) {
			spec = "github:" + spec
		}
		switch _, from := packageOf(spec); {
		case kind == command.PackageList && spec == ".": // what the project says that it needs
			d.comes(effect.Effect{Verb: effect.Install, Object: spec}, sources)
		case kind == command.PackageList:
			d.packageList(spec, sources)
		case kind == command.PackageRun && command.IsAddress(from):
			d.Does(effect.RunRemote, from)
		default:
			d.Installs(spec, sources)
		}
	}
}

// SourcesOf are the registries that are not the usual ones, and an empty one for these where
// they are asked, too.
func SourcesOf(from command.Registries) []string {
	usual := len(from.Instead) == 0 && !(from.Alone && len(from.Beside) > 0)
	var list []string
	for _, given := range slices.Concat(from.Instead, from.Beside) {
		for one := range strings.FieldsFuncSeq(given, func(c rune) bool { return c == ',' || c == '|' || c == ' ' }) {
			if _, address, ok := strings.Cut(one, "=http"); ok {
				one = "http" + address
			}
			if !IsForeign(one) {
				usual = true
			} else if len(list) < MostSources {
				list = With(list, one)
			}
		}
	}
	if usual || len(list) == 0 {
		list = append(list, "")
	}
	return list
}

// isForeign reports whether a registry is not one of the usual ones, or one of a list is.
func isForeign(registries string) bool {
	return SourcesOf(command.Registries{Instead: []string{registries}})[0] != ""
}

// Installs notes that a package is installed, from any of some registries or where its name
// says. The scripts in a file that came from the network run with the rights of whoever installs it.
func (a *Act) Installs(spec string, sources []string) {
	name, from := packageOf(spec)
	if name == "" {
		return
	}
	if strings.Contains(spec, ".") && !Unknown(spec) && !command.IsAddress(spec) {
		if f := a.R.File(a.Path(spec)); f != nil && f.Remote != "" {
			a.Does(effect.RunRemote, f.Remote)
		}
	}
	made := effect.Effect{Verb: effect.Install, Object: name}
	if from != "" {
		if sources = []string{from}; command.IsAddress(from) {
			made.Content = ByAddress
		}
	}
	a.comes(made, sources)
}

// comes notes that something is installed from any of some registries.
func (a *Act) comes(made effect.Effect, sources []string) {
	for _, made.From = range sources {
		a.Add(made)
	}
}

// packageList reads a list of packages, if the conversation wrote it.
func (d *DescribedAct) packageList(file string, sources []string) {
	if strings.Contains(file, "://") {
		d.Add(effect.Effect{Verb: effect.Install, Object: file, From: file})
		return
	}
	content, known := d.Act.File(file)
	if !known {
		d.Installs(file, sources)
		return
	}
	pip := command.Builtin().Program("pip")
	for text := range strings.Lines(content) {
		text, _, _ = strings.Cut(strings.TrimSpace(text), " #")
		switch {
		case text == "", text[0] == '#':
		case text[0] == '-':
			if option := pip.Read(&command.Invocation{Name: "pip", Args: append([]string{"install"}, strings.Fields(text)...)}); option != nil {
				given := option.Registries(option.Values("registry"))
				switch more := SourcesOf(given); {
				case len(given.Instead) > 0, given.Alone:
					sources = more
				case len(given.Beside) > 0:
					sources = Merge(sources, more)
				}
				d.packages(command.Package, option.Values("package"), sources)
			}
		default:
			d.Installs(text, sources)
		}
	}
}

// settingsRegistries are where the settings that the conversation wrote let packages
// come from, without the usual places.
func (a *Act) settingsRegistries() []string {
	for _, file := range [...]string{".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml"} {
		if content, _ := a.File(file); content != "" && a.R.Pay(len(content)) {
			if registries, _ := PackageSettings(content); len(registries) > 0 {
				return registries
			}
		}
	}
	return nil
}

// packageProgram is the program of a package.
func packageProgram(spec string) string {
	name, _ := packageOf(spec)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if program := command.Builtin().Table("package-programs")[name]; program != nil {
		return program[0]
	}
	return name
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
		return AddressName(spec), spec
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
