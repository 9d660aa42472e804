package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// runsPython is uv run and poetry run: a command, or a program for python.
func runsPython(a *act, in *command.Reading) {
	for _, spec := range in.Values("with") {
		for one := range strings.SplitSeq(spec, ",") {
			a.installs(one, registryOf(in))
		}
	}
	if in.Value("argv") == "" && a.in.piped {
		a.argv([]string{"python3", "-"})
	}
	for words := range in.Begins("argv") {
		runsPythonWords(a, in, words)
	}
}

func runsPythonWords(a *act, in *command.Reading, words []string) {
	if environment, script, ok := strings.Cut(words[0], ":"); ok && in.Name == "hatch" && environment != "" {
		words = append([]string{script}, words[1:]...)
	}
	switch first := words[0]; {
	case in.Has("module"):
		a.argv(append([]string{"python3", "-m"}, words...))
	case first == "-", in.Has("script"), in.Has("gui-script"): // a program on the input, or in a file of whatever name
		a.argv(append([]string{"python3"}, words...))
	case strings.Contains(first, "://"):
		a.does(effect.RunRemote, first)
	case a.r.isProgram(baseName(first)):
		a.argv(append([]string{baseName(first)}, words[1:]...))
	case strings.HasSuffix(first, ".py"):
		a.argv(append([]string{"python3"}, words...))
	default:
		a.argv(words)
	}
}

// goHosts are where tools in Go come from that everybody knows: a module there is
// what a package in a registry is elsewhere, kept by the proxy and the sums of Go.
var goHosts = valued(`github.com gitlab.com bitbucket.org codeberg.org git.sr.ht golang.org google.golang.org cloud.google.com go.dev k8s.io sigs.k8s.io gopkg.in go.uber.org honnef.co mvdan.cc gotest.tools
	go.opentelemetry.io go.mongodb.org go.etcd.io go.starlark.net go.temporal.io go.k6.io go.mozilla.org go.elastic.co go-micro.dev modernc.org filippo.io rsc.io connectrpc.com cuelang.org entgo.io ariga.io gorm.io
	goa.design gocloud.dev gonum.org gioui.org fyne.io helm.sh istio.io knative.dev cel.dev oras.land charm.land buf.build encore.dev tailscale.com dagger.io dario.cat zombiezen.com kernel.org storj.io pkg.go.dev
	gvisor.dev tinygo.org gokrazy.org upspin.io src.techknowlogick.com go.mau.fi go.bug.st software.sslmate.com 4d63.com`)

// goUnchecked reports whether somebody changes where modules come from, or has them
// come as they are: with their sums not compared or without encryption.
func (a *act) goUnchecked(proxy string) bool {
	for _, name := range [...]string{"GONOSUMDB", "GONOSUMCHECK", "GOINSECURE", "GONOSUM", "GOPRIVATE", "GONOPROXY", "GOVCS", "GIT_CONFIG_COUNT"} {
		if value, _ := a.goSetting(name); value != "" {
			return true
		}
	}
	flags, _ := a.goSetting("GOFLAGS")
	sums, given := a.goSetting("GOSUMDB")
	if proxy == "" {
		proxy, _ = a.goSetting("GOPROXY")
	}
	return strings.Contains(flags, "insecure") || strings.Contains(flags, "exec") || strings.Contains(flags, "modfile") || strings.Contains(flags, "overlay") ||
		given && sums != "sum.golang.org" || proxy != "" && proxy != "direct" && isForeign(strings.Split(proxy, ",")[0])
}

// goSetting is a variable of the command, or one that was set before it.
func (a *act) goSetting(name string) (value string, given bool) {
	if value, given = a.Env[name]; given {
		return value, true
	}
	if v, ok := a.r.scope.vars[name]; ok {
		if value, _ = v.known(); value == "" {
			value = "$" + name
		}
		return value, true
	}
	return "", false
}

// installsGo is go install: a package of Go is an address by its name, and go.sum keeps
// those of a project.
func installsGo(a *act, in *command.Reading) {
	for _, spec := range in.Values("package") {
		if !strings.HasPrefix(spec, ".") {
			a.installs(spec, a.goProxy())
		}
	}
}

// goProxy is where modules come from, empty if they come from where they are.
func (a *act) goProxy() string {
	proxy, _, _ := strings.Cut(a.Env["GOPROXY"], ",")
	if proxy == "direct" || proxy == "off" {
		return ""
	}
	return proxy
}

// runsGo is go run: what is named with a version is fetched to be run.
func runsGo(a *act, in *command.Reading) {
	for _, first := range in.Values("package") {
		host, _, _ := strings.Cut(first, "/")
		if !strings.Contains(first, "@") || !strings.Contains(host, ".") {
			continue
		}
		if goHosts[strings.ToLower(host)] && !unknown(first) && !a.goUnchecked(a.goProxy()) {
			a.installs(first, "")
		} else {
			a.does(effect.RunRemote, first)
		}
		name, _, _ := strings.Cut(first, "@")
		a.argv(append([]string{name[strings.LastIndexByte(name, '/')+1:]}, in.Values("word")...))
	}
}

// runsFlake is nix run nixpkgs#bash -- -c COMMAND: the program that the flake is called
// after, with the arguments behind it; and nix shell FLAKE -c COMMAND.
func runsFlake(a *act, in *command.Reading) {
	flakes, behind := append(in.Values("flake"), in.Values("word")...), in.Values("after")
	if in.Value("command") == "run" {
		flakes = flakes[:min(len(flakes), 1)]
	} else if in.Has("command") {
		a.argv(flakes)
		flakes = nil
	} else if i := slices.IndexFunc(flakes, func(s string) bool { return s == "-c" || s == "--command" }); i >= 0 {
		a.argv(flakes[i+1:])
		flakes = flakes[:i]
	}
	for _, flake := range flakes {
		if command.IsAddress(flake) {
			a.does(effect.RunRemote, flake)
		} else if flake != "." && !strings.HasPrefix(flake, ".#") {
			a.installs(flake, "")
		}
	}
	if in.Value("command") != "run" || len(flakes) == 0 {
		return
	}
	name := flakes[0][strings.LastIndexAny(flakes[0], "#.:/")+1:]
	switch {
	case strings.HasPrefix(name, "bash"): // bashInteractive
		name = "bash"
	case strings.HasPrefix(name, "python"):
		name = "python3"
	case strings.HasPrefix(name, "nodejs"):
		name = "node"
	}
	if isShell(name) || a.r.isProgram(name) {
		a.argv(append([]string{name}, behind...))
	}
}
