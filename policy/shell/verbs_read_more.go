package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// moreReadVerbs are programs for something else that show a file when they are
// told to take it for theirs: most by complaining about each of its lines.
var moreReadVerbs = map[string]verb{
	"ip": readsAfter("-b", "-batch", "--batch"), "ssh": readsAfter("-F"), "m4": operandsRead, "gm4": operandsRead, "dc": readsAfter("-f", "--file"), "docker": composeShows, "docker-compose": composeShows,
	"visudo": readsAfter("-f"), "nft": readsAfter("-f", "--file"), "iptables-restore": operandsRead, "sysctl": readsAfter("-p", "--load"),
}

// readsAfter is a program that reads files after these options.
func readsAfter(options ...string) verb {
	return func(a *act) {
		a.looks(false, a.after(options...)...)
		for _, arg := range a.Args {
			for _, option := range options {
				if value, ok := strings.CutPrefix(arg, option); ok && value != "" && (strings.HasPrefix(option, "--") && value[0] == '=' || len(option) == 2 && value[0] != '=') {
					a.looks(false, strings.TrimPrefix(value, "="))
				}
			}
		}
	}
}

func operandsRead(a *act) { a.looks(false, a.Operands("D", "I", "U", "n", "a", "b", "l")...) }

// mayBeSecretFile reports whether a word that may also be a branch is a file.
func mayBeSecretFile(p string) bool {
	base := path.Base(p)
	return strings.HasPrefix(base, ".") && len(base) > 2 && base != ".." || path.Ext(base) != "" && !strings.Contains(p, "..") || strings.HasPrefix(p, "~") || strings.HasPrefix(p, "/")
}

// composeShows is docker compose config, which can show the variables it was
// given, and a container that prints those of a file.
func composeShows(a *act) {
	if i := slices.Index(a.Args, "config"); i >= 0 && slices.Contains(a.Args[i:], "--environment") {
		files := a.envFiles()
		if len(files) == 0 {
			files = []string{".env"}
		}
		a.looks(false, files...)
	}
}

// envFiles are the files that variables are loaded from for what a command runs.
func (a *act) envFiles() []string {
	files := a.after("--env-file")
	for _, arg := range a.Args {
		if file, ok := strings.CutPrefix(arg, "--env-file="); ok {
			files = append(files, file)
		}
	}
	return files
}

// privateNames are what paths of private files hold.
var privateNames = []string{"/.ssh/id_", "/.aws/credentials", ".netrc", ".pgpass", ".git-credentials", "/.docker/config.json", "/.kube/config", "/.vault-token", "/etc/shadow", ".config/gh/hosts.yml", "/.cargo/credentials"}

// codeReads notes what a program in an interpreter's arguments prints that its
// reader does not follow: private files by their names, and what libraries say
// that keep secrets.
func (a *act) codeReads(code string) {
	if len(code) > mostKnown || !codePrints(code) {
		return
	}
	for _, name := range privateNames {
		i := strings.Index(code, name)
		if i < 0 {
			continue
		}
		start := strings.LastIndexAny(code[:i+1], "\"'`(") + 1
		end := i + strings.IndexAny(code[i:]+"\"", "\"'`)")
		p := code[start:end]
		if strings.ContainsAny(p, " \t\n;,") {
			continue
		}
		if strings.HasPrefix(p, "/.") {
			p = "~" + p
		}
		a.looks(false, p)
	}
	switch {
	case containsAny(code, []string{".get_credentials()", "get_frozen_credentials"}):
		a.does(effect.Reveal, "aws credentials")
	case containsAny(code, []string{"keyring.get_password", "keytar.getPassword", "keytar.findCredentials"}):
		a.does(effect.Reveal, "keyring")
	case containsAny(code, []string{"get_secret_value(", "getSecretValue(", "access_secret_version(", "accessSecretVersion("}):
		a.does(effect.Reveal, "secrets of a store")
	}
	if containsAny(code, []string{"dotenv_values", "dotenv/config", "require('dotenv').config().parsed", `require("dotenv").config().parsed`}) {
		a.looks(false, ".env")
	}
	a.codeVariables(code)
	a.frameworkShows(code)
}

// readsOfVariable are the ways in which programs ask for a variable, up to its name.
var readsOfVariable = []string{"process.env.", "process.env['", `process.env["`, "os.environ['", `os.environ["`, "environ.get('", `environ.get("`, "getenv('", `getenv("`, "ENV['", `ENV["`, "$ENV{", "$ENV{'", `$ENV{"`, "$_ENV['", `$_ENV["`, "$_SERVER['", "ENV.fetch('", `ENV.fetch("`, "Bun.env.", "Deno.env.get('", `Deno.env.get("`, "import.meta.env."}

// codeVariables notes variables with secrets that a program prints as they are.
func (a *act) codeVariables(code string) {
	for _, form := range readsOfVariable {
		for rest, at := code, 0; ; {
			i := strings.Index(rest, form)
			if i < 0 {
				break
			}
			at += i
			name := leadingName(code[at+len(form):])
			statement := code[strings.LastIndexAny(code[:at], ";\n")+1 : at]
			after := code[at+len(form)+len(name):]
			if end := strings.IndexAny(after, ";\n"); end >= 0 {
				after = after[:end]
			}
			if isCredentialName(name) && containsAny(statement, printing) && !containsAny(statement, checks) && !containsAny(after, checksBehind) {
				a.reveals("$" + name)
			}
			at += len(form)
			rest = code[at:]
		}
	}
}

// checks and checksBehind say that a value is only looked at.
var (
	checks       = []string{"!!", "bool(", "Boolean(", "len(", "typeof", "if ", "not ", "post(", "fetch(", "get(", "Client(", "connect(", "headers"}
	checksBehind = []string{".length", " ? ", "?'", " is ", "==", "!= ", "[:", ".slice(", ".substring(", ".substr(", " in ", ".size", ".nil?", ".empty?", "if ", "hexdigest", "!== "}
)
