package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// gitConfig sets something for a repository, for everything that runs in it from now on.
func gitConfig(always bool) func(a *act, in *command.Reading) {
	return func(a *act, in *command.Reading) {
		for _, key := range a.few(in.Values("key")) { // more than one if it is not known which it is
			a.gitSetting(key, in.Value("value"), always)
			a.gitKeeps(key, in.Value("value"), always)
		}
	}
}

// gitKeeps notes settings of a repository that run a program of it, or of
// somewhere else, with everyday commands from now on.
func (a *act) gitKeeps(key, value string, always bool) {
	lower := strings.ToLower(key)
	if name, ok := strings.CutPrefix(lower, "alias."); ok {
		a.add(effect.Effect{Verb: effect.SetVariable, Object: aliasVariable + name, From: value})
		return
	}
	runs := lower == "core.fsmonitor" || lower == "core.sshcommand" || lower == "core.pager" || lower == "core.editor" || lower == "core.askpass" || lower == "sequence.editor" ||
		lower == "diff.external" || lower == "gpg.program" || strings.HasPrefix(lower, "pager.") || strings.HasPrefix(lower, "filter.") && !strings.HasSuffix(lower, ".required") ||
		strings.HasPrefix(lower, "credential.") && strings.HasSuffix(lower, ".helper")
	if !runs || always || !isOwnProgram(value) {
		return
	}
	a.add(effect.Effect{Verb: effect.Persist, Object: "git " + lower, From: value})
}

// isOwnProgram reports whether a command is a program by its path, or more than
// one, and not one that people name there.
func isOwnProgram(line string) bool {
	words := strings.Fields(strings.TrimPrefix(line, "!"))
	if len(words) == 0 || strings.Contains(line, "watchman") {
		return false
	}
	name := strings.Trim(words[0], `'"`)
	if gitPrograms[baseName(name)] {
		return false
	}
	return strings.ContainsAny(line, ";|&`<>\n") || strings.Contains(line, "$(") || strings.Contains(name, "/") && !strings.HasPrefix(name, "/usr/") && !strings.HasPrefix(name, "/opt/homebrew/")
}

// gitSettingsIn reads a file of settings that the conversation wrote, for one
// command or for good.
func (a *act) gitSettingsIn(file string) {
	if isNoFile(file) {
		return
	}
	content, known := a.file(file)
	if !known {
		return
	}
	section := ""
	for text := range strings.Lines(content) {
		text = strings.TrimSpace(text)
		if inner, ok := strings.CutPrefix(text, "["); ok {
			inner, _, _ = strings.Cut(inner, "]")
			name, sub, _ := strings.Cut(inner, " ")
			section = strings.TrimSuffix(name+"."+strings.Trim(sub, ` "`), ".")
			continue
		}
		if key, value, ok := strings.Cut(text, "="); ok && a.r.pay(stepCost) {
			a.gitSetting(section+"."+strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`), false)
		}
	}
}

// gitSetting says what a setting makes git do from now on, or this time.
func (a *act) gitSetting(key, value string, always bool) {
	key = strings.ToLower(key)
	section, name := key, key
	if i := strings.IndexByte(key, '.'); i >= 0 {
		section, name = key[:i], key[strings.LastIndexByte(key, '.')+1:]
	}
	off := value == "false" || value == "0" || value == "no" || value == "off"
	switch {
	case key == "core.hookspath":
		a.gitHooks(value, always)
	case key == "core.editor", key == "core.pager", key == "core.sshcommand", key == "core.askpass", key == "core.gitproxy",
		key == "diff.external", key == "sequence.editor", key == "gpg.program", section == "pager" && value != "true" && !off,
		section == "gpg" && name == "program", key == "core.fsmonitor" && value != "true" && !off,
		(section == "difftool" || section == "mergetool" || section == "browser" || section == "man") && name == "cmd",
		section == "merge" && name == "driver", section == "diff" && (name == "textconv" || name == "command"),
		section == "filter" && (name == "clean" || name == "smudge" || name == "process"),
		section == "remote" && (name == "uploadpack" || name == "receivepack"), section == "uploadpack" && name == "packobjectshook",
		section == "submodule" && name == "update" && strings.HasPrefix(value, "!"),
		section == "interactive" && name == "difffilter", section == "trailer" && (name == "command" || name == "cmd"),
		section == "sendemail" && (name == "sendmailcmd" || name == "tocmd" || name == "cccmd"):
		if a.gitRuns(strings.TrimPrefix(value, "!")) && always {
			a.add(effect.Effect{Verb: effect.Persist, Object: "git " + key, From: value})
		}
	case section == "credential" && name == "helper":
		if line, runs := strings.CutPrefix(value, "!"); runs || strings.HasPrefix(value, "/") {
			if a.gitRuns(line) && always {
				a.add(effect.Effect{Verb: effect.Persist, Object: "git " + key, From: value})
			}
		}
	case section == "alias":
		if line, runs := strings.CutPrefix(value, "!"); runs {
			if a.gitRuns(line) && always {
				a.add(effect.Effect{Verb: effect.Persist, Object: "git " + key, From: value})
			}
		}
	case section == "http" && name == "sslverify" && off:
		a.does(effect.Disarm, "git http.sslVerify")
	case section == "http" && name == "proxy" && value != "":
		a.add(effect.Effect{Verb: effect.SetVariable, Object: "git " + key, From: value})
	case section == "url" && (name == "insteadof" || name == "pushinsteadof"):
		if to := strings.TrimPrefix(key[:strings.LastIndexByte(key, '.')], "url."); gitHost(to) != gitHost(value) {
			a.add(effect.Effect{Verb: effect.Persist, Object: "git " + key, From: value})
		}
	case (key == "commit.gpgsign" || key == "tag.gpgsign") && off:
		a.does(effect.SkipChecks, "signature")
	case section == "remote" && name == "push" && strings.HasPrefix(value, "+"), section == "remote" && name == "mirror" && !off:
		a.add(effect.Effect{Verb: effect.ForcePush, Object: "*", From: strings.TrimSuffix(strings.TrimPrefix(key, "remote."), "."+name), Wide: true})
	case section == "remote" && (name == "url" || name == "pushurl"):
		a.gitAddress(value)
		a.add(effect.Effect{Verb: effect.SetVariable, Object: remoteVariable + strings.TrimSuffix(strings.TrimPrefix(key, "remote."), "."+name), From: value})
	case key == "init.templatedir" && always, section == "include" && name == "path", section == "includeif" && name == "path":
		a.add(effect.Effect{Verb: effect.Persist, Object: "git " + key, From: value})
		a.gitSettingsIn(value)
	case key == "protocol.ext.allow" && value == "always":
		a.does(effect.Disarm, "git protocol.ext.allow")
	}
}

// gitHooks tells a project's own directory of hooks from one that switches them
// off or brings others from outside.
func (a *act) gitHooks(value string, always bool) {
	switch {
	case always:
		a.add(effect.Effect{Verb: effect.Persist, Object: "git core.hooksPath", From: value})
		a.does(effect.SkipChecks, "hooks")
	case value == "", value == "/dev/null", value == "NUL":
		a.does(effect.SkipChecks, "hooks")
	case a.gitOutside(value):
		a.add(effect.Effect{Verb: effect.Persist, Object: "git core.hooksPath", From: value})
		a.does(effect.SkipChecks, "hooks")
	case !strings.Contains(value, "hook") && !strings.Contains(value, "husky"), unknown(value):
		a.does(effect.SkipChecks, "hooks")
	}
}

// gitOutside reports whether a directory is none of the project's.
func (a *act) gitOutside(dir string) bool {
	if !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "~") && !strings.HasPrefix(dir, "..") {
		return false
	}
	at := a.path(dir)
	return a.at.Cwd == "" || !strings.HasPrefix(at+"/", strings.TrimSuffix(a.at.Cwd, "/")+"/")
}

// gitHost is the host of an address in any of git's forms.
func gitHost(address string) string {
	if strings.Contains(address, "://") {
		return hostOf(address)
	}
	return strings.ToLower(sshHost(address))
}

// gitPrograms are those that people name as editors, pagers and helpers.
var gitPrograms = valued(`vi vim nvim nano emacs emacsclient code cursor subl zed hx micro pico ed kate gedit notepad notepad++ true : cat less more most
	bat delta diff-so-fancy difft git-lfs gpg gpg2 ssh plink rs-git-fsmonitor watchman idea windsurf atom mate nbdime git-nbdiffdriver mergiraf meld kdiff3 vimdiff nvimdiff opendiff p4merge`)

// gitRuns reads a command that git would run, and reports whether it is more
// than an editor, a pager or a helper that people name there.
func (a *act) gitRuns(line string) bool {
	if strings.TrimSpace(line) == "" {
		return false
	}
	a.script(line)
	words := strings.Fields(line)
	name := strings.Trim(words[0], `'"`)
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".exe")
	if strings.ContainsAny(line, ";|&$`<>\n") {
		return true
	}
	switch {
	case name == "git", name == "gh" && strings.Contains(line, "auth git-credential"), name == "glab", name == "aws" && strings.Contains(line, "codecommit"), name == "gcloud":
		return false
	}
	return !gitPrograms[name]
}
