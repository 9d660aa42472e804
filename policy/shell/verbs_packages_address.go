package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// byAddress is the content of the effect of installing what an address names by
// itself, not by a name that a registry knows.
const byAddress = "address"

// installsFrom notes that what is at an address is installed: a package, a
// plugin, a template whose hooks run. What is no address is a file of one's own.
func (a *act) installsFrom(what, address string) {
	address = strings.TrimPrefix(address, "git::")
	if !isAddress(address) {
		return
	}
	a.add(effect.Effect{Verb: effect.Install, Object: strings.TrimSpace(what + " " + addressName(address)), From: address, Content: byAddress})
}

// addressVerbs are programs that run what an address names, as installing it.
var addressVerbs = map[string]verb{
	"cookiecutter": template(""), "cruft": template("create"), "copier": copier, "jbang": jbang, "yo": template(""), "chezmoi": chezmoi, "homesick": template("clone"),
	"krew": krew, "kubectl-krew": krew, "installer": macInstaller, "zplug": template("install"), "antigen": template("bundle"),
	"dotnet-script": template(""), "ansible-galaxy": galaxy, "save": savesInput,
}

// alsoByAddress do so besides what else they do.
var alsoByAddress = map[string]verb{
	"rails": railsTemplate, "kubectl": krew, "terraform": fromModule, "tofu": fromModule, "vim": sourcesAddress, "vi": sourcesAddress, "nvim": sourcesAddress, "ex": sourcesAddress,
	"code": extensionAt, "cursor": extensionAt, "codium": extensionAt,
	"gcc": compilesInput, "cc": compilesInput, "clang": compilesInput, "tcc": compilesInput, "g++": compilesInput, "clang++": compilesInput, "c++": compilesInput, "rustc": compilesInput,
}

// compilesInput notes that a program is made of what came from the network.
func compilesInput(a *act) {
	if a.in.remote != "" && slices.Contains(a.Args, "-") {
		a.does(effect.RunRemote, a.in.remote)
	}
}

// extensionAt installs an extension of an editor.
func extensionAt(a *act) {
	l := a.line(valued("install-extension"))
	for _, spec := range l.values("install-extension") {
		a.installsFrom("extension", spec)
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
		if (word == "so" || word == "source" || word == "luafile" || word == "ru" || word == "runtime") && isAddress(address) {
			a.does(effect.RunRemote, strings.TrimSpace(address))
		}
	}
}

// savesInput is how Nushell writes a file: http get ADDRESS | save -f FILE.
func savesInput(a *act) {
	if a.in.piped {
		tee(a)
	}
}

// template is for programs that fetch a template and run what it says, behind a
// word if there is one.
func template(word string) verb {
	return func(a *act) {
		l := a.line(valued("c checkout directory o output-dir config-file template-dir"))
		operands := l.operands
		if word != "" {
			if l.operand(0) != word {
				return
			}
			operands = operands[1:]
		}
		if len(operands) > 0 {
			a.installsFrom("template", operands[0])
		}
	}
}

// copier runs the tasks of a template that it is told to trust.
func copier(a *act) {
	l := a.line(valued("d data data-file r vcs-ref a answers-file x exclude s skip"))
	if word := l.operand(0); (word == "copy" || word == "update" || word == "recopy") && l.has("trust", "UNSAFE") {
		a.installsFrom("template", l.operand(1))
	}
}

// jbang runs a program in Java from wherever it is.
func jbang(a *act) {
	l := cutLine(a.Args, valued("j java deps m main R runtime-option cp class-path"), firstEnds)
	words := l.operands
	if len(words) > 1 && (words[0] == "run" || words[0] == "app" && words[1] == "install") {
		words = words[1:]
	}
	for _, word := range words {
		if isAddress(word) {
			a.installsFrom("program", word)
			return
		}
	}
}

// chezmoi puts files of a repository into the home directory and runs its scripts.
func chezmoi(a *act) {
	l := a.line(valued("S source D destination branch depth c config"))
	if l.operand(0) == "init" && l.has("apply", "a", "one-shot") {
		a.installsFrom("dotfiles", l.operand(1))
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

func galaxy(a *act) {
	l := a.line(valued("s server p roles-path r role-file c collections-path"))
	if i := slices.Index(l.operands, "install"); i >= 0 {
		for _, spec := range l.from(i + 1) {
			a.installsFrom("role", spec)
		}
	}
}

// macInstaller installs a package that may have come from the network.
func macInstaller(a *act) {
	for _, file := range append(a.after("-pkg"), a.after("-package")...) {
		a.fetchedBefore(file)
		a.installs(file, "")
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
