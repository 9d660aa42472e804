package shell

import "strings"

// installers are the hosts from which tools are installed as their makers say, by
// piping a script into a shell, with what the paths there begin with. Images and
// pipelines are made so every day.
var installers = map[string][]string{
	"apt.llvm.org": {"/"}, "astral.sh": {"/"}, "bootstrap.pypa.io": {"/"}, "bun.sh": {"/install"}, "cli.codecov.io": {"/"}, "cli.doppler.com": {"/install.sh"}, "cli.github.com": {"/"},
	"codecov.io": {"/bash"}, "deb.nodesource.com": {"/"}, "deno.land": {"/"}, "dot.net": {"/"}, "fly.io": {"/install.sh"}, "fnm.vercel.app": {"/"}, "foundry.paradigm.xyz": {"/"},
	"get-ghcup.haskell.org": {"/"}, "get.docker.com": {"/"}, "get.helm.sh": {"/"}, "get.k3s.io": {"/"}, "get.pnpm.io": {"/"}, "get.sdkman.io": {"/"}, "get.volta.sh": {"/"},
	"install.determinate.systems": {"/"}, "install.duckdb.org": {"/"}, "install.python-poetry.org": {"/"}, "just.systems": {"/install.sh"}, "mise.jdx.dev": {"/"}, "mise.run": {"/"},
	"nixos.org": {"/nix/install"}, "pyenv.run": {"/"}, "rpm.nodesource.com": {"/"}, "sentry.io": {"/get-cli"}, "sh.rustup.rs": {"/"}, "starship.rs": {"/install.sh"}, "uploader.codecov.io": {"/"},
	"raw.githubusercontent.com": {
		"/Homebrew/install/", "/nvm-sh/nvm/", "/golangci/golangci-lint/", "/helm/helm/", "/aquasecurity/trivy/", "/anchore/", "/rhysd/actionlint/", "/kubernetes-sigs/kustomize/",
	},
}

// IsInstaller reports whether an address is that of a tool's own installer.
func IsInstaller(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	if !ok || strings.Contains(rest, "..") || strings.ContainsAny(rest, "%\\") { // which may lead elsewhere
		return false
	}
	host, path := rest, "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], "/"+strings.TrimPrefix(rest[i:], "/")
	}
	for _, begin := range installers[host] {
		if strings.HasPrefix(path, begin) {
			return true
		}
	}
	return false
}
