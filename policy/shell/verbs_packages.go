package shell

import "strings"

// packageVerbs are the programs that install packages, publish them, or run
// what they bring.
var packageVerbs = map[string]verb{
	"npm": nodePackages, "pnpm": nodePackages, "yarn": nodePackages, "bun": nodePackages, "cnpm": nodePackages, "yarnpkg": nodePackages, "corepack": corepack,
	"npx": runsPackage, "pnpx": runsPackage, "bunx": runsPackage, "ni": nodePackages, "nlx": runsPackage, "nr": task("npm script "),

	"pip": pip, "pip3": pip, "uv": uv, "uvx": uvx, "pipx": pipx, "easy_install": pip,
	"poetry": pythonProject, "pdm": pythonProject, "rye": pythonProject, "hatch": pythonProject, "pipenv": pythonProject, "pixi": pythonProject,
	"conda": conda, "mamba": conda, "micromamba": conda, "twine": twine, "flit": twine,

	"gem": gem, "bundle": bundle, "bundler": bundle, "cargo": cargo, "go": goTool, "composer": composer, "luarocks": simpleInstall("install", ""), "cpan": simpleInstall("", ""), "cpanm": simpleInstall("", ""),
	"opam": simpleInstall("install", ""), "stack": simpleInstall("install", ""), "cabal": simpleInstall("install", ""), "nuget": simpleInstall("install", "Source"), "mvn": maven, "gradle": gradle, "gradlew": gradle, "mvnw": maven,
	"pecl": simpleInstall("install", ""), "pear": simpleInstall("install", ""), "code": extension, "cursor": extension, "codium": extension,

	"brew": brew, "apt": systemPackages, "apt-get": systemPackages, "aptitude": systemPackages, "dnf": systemPackages, "yum": systemPackages, "microdnf": systemPackages, "zypper": systemPackages,
	"apk": systemPackages, "snap": systemPackages, "flatpak": systemPackages, "choco": systemPackages, "winget": systemPackages, "scoop": systemPackages, "port": systemPackages, "xbps-install": simpleInstall("", "R"),
	"emerge": simpleInstall("", ""), "pkg": systemPackages, "pacman": pacman, "yay": pacman, "paru": pacman, "dpkg": packageFile, "rpm": packageFile, "add-apt-repository": addsSource, "apt-key": addsSource, "softwareupdate": nothing, "mas": simpleInstall("install", ""),
	"nix": nix, "nix-env": nixEnv, "nix-shell": nixShell, "guix": simpleInstall("install", ""),

	"make": makes, "gmake": makes, "just": task("just "), "task": task("task "), "ninja": task("ninja "), "mage": task("mage "), "invoke": task("invoke "), "nox": task("nox "), "tox": task("tox "),
	"turbo": task("turbo "), "nx": task("nx "), "npm-run-all": task("npm script "), "run-s": task("npm script "), "run-p": task("npm script "), "wireit": task("npm script "),

	"cross-env": assignsThenRuns, "cross-env-shell": assignsThenRuns, "dotenv": dotenv, "dotenvx": dotenv, "env-cmd": behindFlags("f e r"), "dotenv-cli": dotenv,
	"concurrently": runsEach("n names c prefix-colors p prefix l k s success r max-processes m restart-tries"), "hyperfine": runsEach("w warmup r runs p prepare c cleanup s setup m M S shell export-json export-markdown export-csv L parameter-list n command-name i N"),
	"nodemon": nodemon, "watchexec": watchexec, "chokidar": watchexec, "onchange": behindDashes, "start-server-and-test": runsEach(""), "wait-for-it": behindDashes, "dumb-init": behindFlags("c r"), "tini": behindFlags("e p"),
	"direnv": direnv, "mise": behindDashes, "rtx": behindDashes, "asdf": execWord, "rbenv": execWord, "pyenv": execWord, "nodenv": execWord, "fnm": execWord, "nvm": execWord, "volta": execWord, "rvm": execWord, "jenv": execWord,
	"doppler": behindDashes, "op": behindDashes, "infisical": behindDashes, "aws-vault": behindDashes, "chamber": behindDashes, "teller": behindDashes, "lerna": behindDashes, "pm2": pm2, "forever": pm2, "perf": perf, "devbox": execWord, "flox": behindDashes, "vault-env": behindFlags(""), "with-env": behindFlags(""), "pre-commit": preCommit,
}

// packageVerb finds programs whose names have versions: pip3.12, gem-3.2. It is
// nil for other names.
func packageVerb(name string) verb {
	switch strings.TrimRight(name, "0123456789.-") {
	case "pip":
		return pip
	case "gem":
		return gem
	case "bundle":
		return bundle
	case "go":
		return goTool
	}
	return nil
}
