package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func gem(a *act) {
	l := a.line(valued("s source v version i install-dir n bindir k key host P trust-policy clear-sources"))
	switch l.operand(0) {
	case "install", "i", "update":
		for _, spec := range l.from(1) {
			a.installs(spec, l.value("s", "source"))
		}
	case "push":
		a.does(effect.Publish, l.operand(1))
	case "yank":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "package " + l.operand(1), Wide: true})
	case "sources":
		if given := a.Flag("add") + a.Flag("a"); isForeign(given) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "gem registry", From: given})
		}
	case "exec":
		a.packageThenCommand(l.from(1))
	}
}

func bundle(a *act) {
	l := cutLine(a.Args, nil, firstEnds)
	switch l.operand(0) {
	case "exec", "e":
		a.argv(cutLine(l.from(1), nil, firstEnds).operands)
	case "install", "", "update":
		a.does(effect.Install, ".")
	case "add":
		inner := cutLine(l.from(1), valued("version v group g source s git github path branch"), gnu)
		from := inner.value("source", "s", "git")
		if repo := inner.value("github"); repo != "" {
			from = "github:" + repo
		}
		for _, spec := range inner.operands {
			a.installs(spec, from)
		}
	}
}

func cargo(a *act) {
	l := cutLine(a.Args, valued("C config Z color"), firstEnds)
	words := l.operands
	if len(words) > 0 && strings.HasPrefix(words[0], "+") { // a toolchain
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	inner := cutLine(words[1:], valued("git branch tag rev path registry index version vers F features p package root bin target profile manifest-path x exec s shell w watch i ignore d delay rename"), gnu)
	switch words[0] {
	case "install", "add", "binstall":
		from := inner.value("git", "index")
		if from == "" {
			from = inner.value("registry")
		}
		specs := inner.operands
		if len(specs) == 0 {
			specs = []string{addressName(from)}
			if path := inner.value("path"); path != "" {
				specs = []string{path}
			}
		}
		if git := inner.value("git"); git != "" {
			a.installsFrom("", git)
			return
		}
		for _, spec := range specs {
			a.installs(spec, from)
		}
	case "publish":
		if !inner.has("dry-run", "n") {
			a.does(effect.Publish, "package")
		}
	case "yank":
		a.add(effect.Effect{Verb: effect.Destroy, Object: "package " + inner.operand(0), Wide: !inner.has("undo")})
	case "owner":
		if inner.has("a", "add") {
			a.does(effect.Grant, "crates.io owner "+inner.value("a", "add"))
		}
	case "watch":
		for _, command := range inner.values("s", "shell") {
			a.script(command)
		}
	case "sqlx", "diesel", "shuttle":
		a.argv(words)
	}
}

// goTakes are go's own flags with a value, goCommandTakes those of its commands.
var (
	goTakes        = valued("C")
	goCommandTakes = valued("o tags ldflags gcflags mod modfile p exec toolexec asmflags")
)

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

// goTool: a package of Go is an address by its name, and go.sum keeps those of a
// project; what is named with a version is fetched to be run.
func goTool(a *act) {
	l := cutLine(a.Args, goTakes, firstEnds)
	if len(l.operands) == 0 {
		return
	}
	inner := cutLine(l.operands[1:], goCommandTakes, oneDash|firstEnds)
	proxy := a.fromEnvironment("GOPROXY")
	if proxy == "direct" || proxy == "off" {
		proxy = ""
	}
	if command := inner.value("exec", "toolexec"); command != "" {
		a.script(command)
	}
	switch first := inner.operand(0); l.operands[0] {
	case "install", "get":
		for _, spec := range inner.operands {
			if !strings.HasPrefix(spec, ".") {
				a.installs(spec, strings.Split(proxy, ",")[0])
			}
		}
	case "run":
		if host, _, _ := strings.Cut(first, "/"); strings.Contains(first, "@") && strings.Contains(host, ".") {
			if goHosts[strings.ToLower(host)] && !unknown(first) && !a.goUnchecked(proxy) {
				a.installs(first, "")
			} else {
				a.does(effect.RunRemote, first)
			}
			name, _, _ := strings.Cut(first, "@")
			a.argv(append([]string{name[strings.LastIndexByte(name, '/')+1:]}, inner.from(1)...))
		}
	case "env":
		if inner.exact("w") {
			for _, setting := range inner.operands {
				name, value, _ := strings.Cut(setting, "=")
				if name == "GOPROXY" || name == "GOFLAGS" || name == "GONOSUMDB" || name == "GOINSECURE" || name == "GOSUMDB" || name == "GONOSUMCHECK" {
					a.add(effect.Effect{Verb: effect.Persist, Object: "go " + name, From: value})
				}
			}
		}
	}
}

func composer(a *act) {
	l := a.line(valued("d working-dir repository repository-url"))
	words := l.operands
	if len(words) > 0 && words[0] == "global" {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	switch words[0] {
	case "require", "r", "create-project":
		for _, spec := range words[1:] {
			name, _, _ := strings.Cut(spec, ":")
			a.installs(name, l.value("repository", "repository-url"))
			if words[0] == "create-project" {
				break
			}
		}
	case "install", "i", "update", "u":
		a.does(effect.Install, ".")
	case "exec":
		a.argv(words[1:])
	case "run", "run-script":
		a.does(effect.Run, "composer script "+strings.Join(words[1:], " "))
	case "config":
		if text := strings.Join(words, " "); strings.Contains(text, "repositories") || strings.Contains(text, "secure-http false") || strings.Contains(text, "allow-plugins true") {
			a.add(effect.Effect{Verb: effect.Persist, Object: "composer " + words[1], From: lastOf(words)})
		}
	}
}

func maven(a *act) {
	for _, word := range a.Operands("f", "pl", "P", "s") {
		if word == "deploy" || word == "release:perform" {
			a.does(effect.Publish, "package")
		}
	}
}

func gradle(a *act) {
	if a.Has("--init-script") || a.Has("I") {
		a.does(effect.Run, a.path(a.Flag("init-script")+a.Flag("I")))
	}
	for _, word := range a.Operands("p", "b", "x") {
		if word == "publish" || strings.HasSuffix(word, ":publish") || word == "publishPlugins" {
			a.does(effect.Publish, "package")
		}
	}
}

// extension is an editor that installs an extension.
func extension(a *act) {
	l := a.line(valued("install-extension uninstall-extension extensions-dir user-data-dir"))
	for _, spec := range l.values("install-extension") {
		a.installs(spec, "")
	}
}

func preCommit(a *act) {
	l := a.line(valued("t hook-type c config"))
	if l.operand(0) == "uninstall" {
		a.does(effect.SkipChecks, "hooks")
	}
}
