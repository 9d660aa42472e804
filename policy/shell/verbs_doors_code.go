package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// schedules notes programs that use a library to write what runs by the clock.
func (a *act) schedules(program string) {
	if strings.Contains(program, "CronTab(") && strings.Contains(program, ".write(") && !strings.Contains(program, "tabfile=") && !strings.Contains(program, "tab=") {
		a.persists("crontab")
	}
}

// startFiles are those of a home that run with each shell, or let others in.
var startFiles = []string{".bashrc", ".zshrc", ".profile", ".bash_profile", ".zshenv", ".zprofile", ".bash_login", ".ssh/authorized_keys", ".ssh/config", ".gitconfig", ".config/autostart/", ".config/systemd/user/", "LaunchAgents/"}

// writers are the words by which languages write files.
var writers = []string{`"a"`, `"w"`, `'a'`, `'w'`, `"a+"`, `"w+"`, " a]", " w]", " a+]", " w]", "append", "Append", "writefile", "writeFile", "WriteFile", "WriteAll", "writeTo", "write_file", "File.write", "spit ", "write(", "Write(", ":append", "open-output", "with-open-file", "cat(", "writeLines", "sink("}

// writesStart notes a file that runs with each shell, in a program of a language of
// which only the words are known, where it writes.
func (a *act) writesStart(program string) {
	if len(program) > mostGiven || !containsAny(program, writers) {
		return
	}
	for _, name := range startFiles {
		i := strings.Index(program, name)
		if i < 0 || i > 0 && (isNameByte(program[i-1]) || program[i-1] == '.') {
			continue
		}
		start := strings.LastIndexAny(program[:i], "\"' \t\n([{,;") + 1
		p := program[start : i+len(name)]
		switch {
		case strings.HasPrefix(p, "/") && strings.Count(p[:i-start], "/") > 1, strings.HasPrefix(p, "~/"):
		default:
			p = "~/" + name
		}
		a.add(effect.Effect{Verb: effect.Write, Object: a.path(p)})
	}
}

// privacyDatabase is the one by which macOS knows what a program may see.
func privacyDatabase(a *act) {
	of, changes := false, false
	for _, text := range slices.Concat(a.Args, []string{a.in.text}) {
		of = of || strings.Contains(text, "com.apple.TCC")
		lower := strings.ToLower(text)
		changes = changes || strings.Contains(lower, "insert ") || strings.Contains(lower, "update ") || strings.Contains(lower, "replace ") || strings.Contains(lower, "delete ")
	}
	if of && changes {
		a.does(effect.Grant, "privacy settings")
	}
}

// ansibleHere is a module that changes this machine: what runs later on it, who may
// log in, which lines its files have.
func (a *act) ansibleHere(module, args string) {
	module = module[strings.LastIndexByte(module, '.')+1:]
	switch module {
	case "cron", "at", "systemd_service", "systemd", "service":
		if module == "cron" || module == "at" || strings.Contains(args, "enabled=yes") || strings.Contains(args, "enabled=true") {
			if !strings.Contains(args, "state=absent") {
				a.persists("ansible " + module)
			}
		}
	case "authorized_key", "user", "group", "sudoers":
		a.does(effect.Grant, "ansible "+module)
	case "lineinfile", "blockinfile", "copy", "template", "replace", "get_url", "file", "ini_file":
		for word := range strings.FieldsSeq(args) {
			for _, key := range [...]string{"path=", "dest=", "name=", "destfile="} {
				if p, ok := strings.CutPrefix(word, key); ok && !(module == "file" && strings.Contains(args, "state=absent")) {
					a.writes(strings.Trim(p, `"'`))
				}
			}
		}
	}
}
