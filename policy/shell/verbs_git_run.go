package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func gitSubmodule(a *act, l *line) {
	switch l.operand(0) {
	case "foreach":
		a.script(strings.Join(l.from(1), " "))
	case "add":
		a.gitFetches(l.operand(1))
	case "deinit":
		if l.exact("f") || l.has("force") {
			a.discards(l.from(1))
		}
	}
}

func gitBisect(a *act, l *line) {
	if l.operand(0) == "run" {
		words := a.Args
		for i, word := range words {
			if word == "run" {
				a.argv(words[i+1:])
				return
			}
		}
	}
}

func gitRebase(a *act, l *line) {
	for _, command := range l.values("x", "exec") {
		a.script(command)
	}
	gitUnchecked(a, l)
}

func gitDifftool(a *act, l *line) {
	if command := l.value("x", "extcmd"); command != "" {
		a.script(command)
	}
}

// gitGrep: the command of -O and --open-files-in-pager is in the same word.
func gitGrep(a *act, _ *line) {
	for _, arg := range a.Args {
		command, ok := strings.CutPrefix(arg, "-O")
		if !ok {
			command, ok = strings.CutPrefix(arg, "--open-files-in-pager=")
		}
		if ok && command != "" {
			a.script(command)
		}
	}
	if l := cutLine(a.Args, gitFlags["grep"], gnu); l.has("no-index") {
		a.reads(l.from(2)...)
	}
}

func gitArchive(a *act, l *line) {
	if command := l.value("exec"); command != "" {
		a.script(command)
	}
	a.gitAddress(l.value("remote"))
	for _, out := range l.values("o", "output") {
		a.put(out, a.project())
	}
}

// gitBundle is git bundle create FILE: the repository as one file.
func gitBundle(a *act, l *line) {
	if l.operand(0) == "create" {
		a.put(l.operand(1), a.project())
	}
}

func gitClone(a *act, l *line) {
	a.gitUploadPack(l)
	for _, setting := range l.values("c", "config") {
		key, value, _ := strings.Cut(setting, "=")
		a.gitSetting(key, value, false)
	}
	address := l.operand(0)
	gitInit(a, l)
	a.gitFetches(address)
	to := l.operand(1)
	if to == "" {
		to = strings.TrimSuffix(lastName(strings.TrimSuffix(address, "/")), ".git")
		to = to[strings.LastIndexByte(to, ':')+1:]
	}
	if address != "" {
		a.saves(to, address)
		a.clones(l, to)
	}
}

// gitInit: the hooks in a template run with everyday commands from then on.
func gitInit(a *act, l *line) {
	if dir := l.value("template"); dir != "" && dir != "/dev/null" {
		a.add(effect.Effect{Verb: effect.Persist, Object: "git template", From: a.path(dir)})
	}
}

func (a *act) gitUploadPack(l *line) {
	if command := l.value("upload-pack", "exec", "u"); command != "" {
		a.script(command)
	}
}

// gitFetches notes an address that a repository is fetched from.
func (a *act) gitFetches(address string) {
	a.gitAddress(address)
	if strings.Contains(address, "://") || strings.Contains(address, "@") || strings.Contains(address, "::") {
		a.asks(address, false)
	}
}

func gitFetch(a *act, l *line) {
	a.gitUploadPack(l)
	a.gitFetches(l.operand(0))
}

func gitCredential(a *act, l *line) {
	if sub := l.operand(0); sub == "fill" || sub == "get" {
		a.reveals("git credentials")
	}
}

func gitServe(a *act, l *line) {
	a.does(effect.Listen, strings.TrimSpace("git "+a.Sub+" "+strings.Join(l.operands, " ")))
}

// gitShow: what it prints is in files, of another time.
func gitShow(a *act, l *line) {
	a.writes(l.values("output")...)
	if l.has("no-index") {
		a.reads(l.operands...)
		return
	}
	for _, operand := range l.operands {
		if _, p, ok := strings.Cut(operand, ":"); ok && p != "" && !strings.Contains(operand, "://") {
			a.reads(p)
		}
	}
	switch a.Sub {
	case "blame", "annotate":
		a.reads(l.after...)
	case "diff":
		if !l.has("stat", "shortstat", "numstat", "name-only", "name-status", "summary", "quiet") {
			a.reads(l.after...)
		}
	case "log":
		if l.exact("p", "u", "patch", "full-diff", "c", "cc", "L") || l.has("unified", "word-diff", "patch-with-stat") {
			a.reads(l.after...)
		}
	}
}

func gitSendMail(a *act, l *line) {
	if !l.has("dry-run") {
		a.sendsTo(l.value("to"), l.operands...)
	}
}
