package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// alsoByAddress are programs that run what an address names, besides what else they do.
var alsoByAddress = map[string]verb{
	"rails": railsTemplate, "kubectl": krew, "terraform": fromModule, "tofu": fromModule, "vim": sourcesAddress, "vi": sourcesAddress, "nvim": sourcesAddress, "ex": sourcesAddress, "save": savesInput,
	"gcc": compilesInput, "cc": compilesInput, "clang": compilesInput, "tcc": compilesInput, "g++": compilesInput, "clang++": compilesInput, "c++": compilesInput, "rustc": compilesInput,
}

// installsFrom notes that what is at an address is installed: a package, a
// plugin, a template whose hooks run. What is no address is a file of one's own.
func (a *act) installsFrom(what, address string) {
	address = strings.TrimPrefix(address, "git::")
	if !command.IsAddress(address) {
		return
	}
	a.add(effect.Effect{Verb: effect.Install, Object: strings.TrimSpace(what + " " + addressName(address)), From: address, Content: byAddress})
}

// compilesInput notes that a program is made of what came from the network.
func compilesInput(a *act) {
	if a.in.remote != "" && slices.Contains(a.Args, "-") {
		a.does(effect.RunRemote, a.in.remote)
	}
}

// fromModule is terraform init -from-module=ADDRESS, whose providers and programs
// run with plan and apply.
func fromModule(a *act) {
	for _, arg := range a.Args {
		if _, address, ok := strings.Cut(arg, "-from-module="); ok {
			a.installsFrom("module", address)
		}
	}
}

// sourcesAddress is an editor that runs a script at an address: vim -c 'so
// http://x'.
func sourcesAddress(a *act) {
	for _, arg := range a.Args {
		word, address, _ := strings.Cut(strings.TrimLeft(arg, "+:"), " ")
		word = strings.TrimSuffix(strings.TrimPrefix(word, "-c"), "!")
		if (word == "so" || word == "source" || word == "luafile" || word == "ru" || word == "runtime") && command.IsAddress(address) {
			a.does(effect.RunRemote, strings.TrimSpace(address))
		}
	}
}

// savesInput is how Nushell writes a file: http get ADDRESS | save -f FILE.
func savesInput(a *act) {
	if a.in.piped {
		tee(a, a.reading("tee", a.Args))
	}
}

func krew(a *act) {
	l := a.line(valued("manifest manifest-url archive"))
	if l.operand(0) == "krew" {
		l.operands = l.operands[1:]
	}
	if l.operand(0) == "install" {
		a.installsFrom("kubectl plugin", l.value("manifest-url"))
	}
}

// railsTemplate is a template of Rails, which is a program in Ruby: rails new x
// -m ADDRESS, rails app:template LOCATION=ADDRESS.
func railsTemplate(a *act) {
	for i, arg := range a.Args {
		switch {
		case (arg == "-m" || arg == "--template") && i+1 < len(a.Args):
			a.installsFrom("template", a.Args[i+1])
		case strings.HasPrefix(arg, "--template="), strings.HasPrefix(arg, "LOCATION="):
			a.installsFrom("template", arg[strings.IndexByte(arg, '=')+1:])
		}
	}
}

// runsFetched notes that a program in whatever language runs what it fetches: it
// names an address, something that fetches and something that runs a text.
func (a *act) runsFetched(program string) {
	for _, call := range [...]string{"source_url(", "include(download(", "include(Base.download(", "include(Downloads.download("} {
		if _, after, ok := strings.Cut(program, call); ok {
			address, _ := quotedText(after)
			a.add(effect.Effect{Verb: effect.RunRemote, Object: address})
			return
		}
	}
	if !slices.ContainsFunc(fetchers, func(s string) bool { return strings.Contains(program, s) }) {
		return
	}
	for _, run := range evaluators {
		if strings.Contains(program, run) {
			a.add(effect.Effect{Verb: effect.RunRemote, Object: a.Name})
			return
		}
	}
}

// fetchers and evaluators are how programs in languages that are only looked over
// fetch something, and run a text.
var (
	fetchers   = []string{"url-retrieve", "http::geturl", "http://", "https://", `"curl"`, `"wget"`, "url-insert-file-contents"}
	evaluators = []string{"eval_string(", "eval_file(", "compile_string(", "eval-region", "eval-buffer", "(eval (read", "eval [http", "eval [exec curl", "eval [http::data", "(load-string (slurp", "include_string(", "eval(Meta.parse", "eval(parse(", "(eval (call-with", "EVALFILE", "eval [read"}
)
