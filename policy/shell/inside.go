package shell

import (
	"slices"
	"strings"
)

// isShell reports whether the program runs sh-like scripts.
func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "ash", "fish", "rbash", "yash", "csh", "tcsh":
		return true
	}
	return false
}

// isForeign reports whether the program runs scripts of another grammar.
func isForeign(name string) bool {
	switch len(name) {
	case len("cmd"), len("pwsh"), len("powershell"):
		name = strings.ToLower(name)
		return name == "cmd" || name == "pwsh" || name == "powershell"
	}
	return false
}

// isInterpreter reports whether the program runs what its input says if it is
// given no program otherwise.
func isInterpreter(name string) bool {
	end := len(name)
	for end > 0 && (name[end-1] == '.' || '0' <= name[end-1] && name[end-1] <= '9') {
		end--
	}
	switch name[:end] {
	case "python", "pypy", "perl", "ruby", "node", "nodejs", "bun", "deno", "php", "lua", "luajit", "tclsh", "expect",
		"osascript", "Rscript", "R", "irb", "ipython", "groovy", "elixir", "julia", "make":
		return true
	}
	return false
}

// shellScript returns the script that the arguments of a shell hold after -c,
// and the words after it: $0, $1, ...
func shellScript(args []word) (script word, more []word, ok bool) {
	runs := false
	after := 0 // the word after -c: the script if nothing else can be
scan:
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case text == "--" || text == "-":
			i++
			if runs && i < len(args) {
				return args[i], args[i+1:], true
			}
			break scan
		case text == "--rcfile", text == "--init-file", text == "-o", text == "+o", text == "-O", text == "+O":
			i++
		case text == "--command":
			runs = true
		case strings.HasPrefix(text, "--"):
			if value, found := strings.CutPrefix(text, "--command="); found && !runs {
				return word{text: value}, args[i+1:], true
			}
		case len(text) > 1 && text[0] == '-':
			if !runs && strings.IndexByte(text, 'c') > 0 {
				runs, after = true, i+1
			}
			if text[len(text)-1] == 'o' { // -eo pipefail
				i++
			}
		case len(text) > 1 && text[0] == '+':
		case runs:
			return args[i], args[i+1:], true
		default:
			break scan
		}
	}
	if runs && after > 0 && after < len(args) {
		return args[after], args[after+1:], true
	}
	return word{}, nil, false
}

// readsProgram reports whether the program runs what it reads from its input.
func readsProgram(name string, args []word) bool {
	shell := isShell(name)
	switch {
	case name == "su", name == "runuser", name == "sudo", name == "doas":
		return opensShell(name, args)
	case name == "ssh":
		return len(sshCommand(args)) == 0
	case name == "at", name == "batch", name == "crontab", name == "parallel" && len(args) == 0:
		return true
	case !shell && !isForeign(name) && !isInterpreter(name):
		return false
	}
	if shell {
		if _, _, ok := shellScript(args); ok {
			return false
		}
	}
	for i := range args {
		text := args[i].text
		switch {
		case text == "-", text == "/dev/stdin", text == "/dev/fd/0", text == "/proc/self/fd/0":
			return true
		case shell && len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.IndexByte(text, 's') > 0:
			return true
		case !shell && (text == "-c" || text == "-e" || text == "-m" || text == "-E" || text == "-r" || text == "--eval" || text == "-p" || text == "--version" || text == "-V"):
			return false
		case text == "--":
		case text == "" || text[0] != '-':
			// Values of flags look like a script: only a flag before leaves doubt.
			return i > 0 && shell && (args[i-1].text == "-o" || args[i-1].text == "-O") && i == len(args)-1
		}
	}
	return name != "make"
}

// opensShell reports whether a change of user starts a shell without a script.
func opensShell(name string, args []word) bool {
	for i := range args {
		body, dashes := cutDashes(args[i].text)
		switch {
		case dashes == 0:
		case name[0] == 's' && name != "su" || name == "doas":
			if dashes == 1 && strings.ContainsAny(body, "si") || body == "shell" || body == "login" {
				return true
			}
		case dashes == 1 && strings.Contains(body, "c"), strings.HasPrefix(body, "command"):
			return false
		}
	}
	return name == "su" || name == "runuser"
}

// inside splits what the command runs in turn.
func (r *reader) inside(c *Command, args []word, piped bool) {
	from := c.origin()
	from.piped = piped
	switch {
	case isShell(c.Name):
		if script, more, ok := shellScript(args); ok {
			if len(more) > 1 {
				r.mark(Variable) // $1 in the script
			}
			r.text(script.text, r.depth+1, from)
		}
		return
	case isForeign(c.Name):
		r.mark(Dialect)
		for i := range args {
			switch strings.ToLower(args[i].text) {
			case "/c", "/k", "-c", "-command", "/command":
				r.text(join(args[i+1:]), r.depth+1, from)
				return
			}
		}
		return
	}
	switch c.Name {
	case "eval":
		r.mark(Eval)
		r.text(join(args), r.depth+1, from)
	case "source", ".":
		r.mark(Source)
	case "trap":
		if len(args) > 1 && !strings.HasPrefix(args[0].text, "-") {
			r.text(args[0].text, r.depth+1, from)
		}
	case "alias":
		for i := range args {
			if _, value, ok := strings.Cut(args[i].text, "="); ok {
				r.text(value, r.depth+1, from)
			}
		}
	case "su", "runuser", "script", "flock", "sg":
		from.sudo = from.sudo || c.Name == "su" || c.Name == "runuser"
		if script := c.Flag("c") + c.Flag("command"); script != "" {
			r.text(script, r.depth+1, from)
		}
	case "env":
		r.text(envScript(args), r.depth+1, from)
	case "parallel":
		from.more = true
		r.text(strings.Join(c.Operands("j", "jobs", "I", "a", "arg-file", "N", "n", "L", "S", "sshlogin", "d", "delimiter"), " "), r.depth+1, from)
	case "watch":
		r.text(strings.Join(c.Operands("n", "interval"), " "), r.depth+1, from)
	case "ssh":
		if operands := sshCommand(args); len(operands) > 0 {
			from.remote, from.dir, from.lost = true, "", false
			r.text(join(operands), r.depth+1, from)
		}
	case "kubectl", "oc", "docker", "podman", "nerdctl":
		r.container(c, args, from)
	case "find", "gfind", "fd":
		r.found(args, c.Text, from)
	}
}

// envScript returns the text that env -S splits into a command.
func envScript(args []word) string {
	for i := range args {
		body, dashes := cutDashes(args[i].text)
		script, found := "", false
		switch dashes {
		case 1:
			_, script, found = strings.Cut(body, "S")
		case 2:
			script, found = strings.CutPrefix(body, "split-string")
			script = strings.TrimPrefix(script, "=")
		}
		if found {
			return script + " " + join(args[i+1:])
		}
	}
	return ""
}

// sshCommand returns the words after the host.
func sshCommand(args []word) []word {
	for i := 0; i < len(args); i++ {
		body, dashes := cutDashes(args[i].text)
		if args[i].text == "--" {
			return args[min(i+2, len(args)):]
		}
		if dashes == 0 {
			return args[i+1:]
		}
		if n := strings.IndexAny(body, "BbcDEeFIiJLlmOoPpQRSWw"); n >= 0 && n == len(body)-1 {
			i++
		}
	}
	return nil
}

// container splits the command that runs in a container or pod: for kubectl
// what follows --, for docker exec what follows the container's name.
func (r *reader) container(c *Command, args []word, from origin) {
	from.remote, from.dir, from.lost = true, "", false
	at := slices.IndexFunc(args, func(w word) bool { return w.text == "exec" })
	if c.Sub != "exec" || at < 0 {
		return
	}
	args = args[at+1:]
	if dashes := slices.IndexFunc(args, func(w word) bool { return w.text == "--" }); dashes >= 0 {
		r.within(args[dashes+1:], c.Text, from)
		return
	}
	for i := 0; i < len(args); i++ {
		body, dashes := cutDashes(args[i].text)
		if dashes == 0 {
			r.within(args[i+1:], c.Text, from)
			return
		}
		switch body {
		case "e", "env", "u", "user", "w", "workdir", "env-file", "detach-keys", "c", "n", "container", "namespace":
			i++
		}
	}
}

// found splits the commands of find -exec.
func (r *reader) found(args []word, text string, from origin) {
	from.more = true
	for i := 0; i < len(args); i++ {
		switch args[i].text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && args[end].text != ";" && (args[end].text != "+" || args[end-1].text != "{}") {
			end++
		}
		r.within(args[i+1:end], text, from)
		i = end
	}
}

// within runs the command in words as a part of another one.
func (r *reader) within(words []word, text string, from origin) {
	if len(words) == 0 {
		return
	}
	size := 0
	for i := range words {
		size += len(words[i].text) + 1
	}
	if r.depth >= MaxDepth || !r.pay(size) {
		r.mark(Nesting)
		return
	}
	in := reader{splitter: r.splitter, depth: r.depth + 1, from: from}
	in.run(words, Command{Text: text}, from.piped, nil)
}

// join is how eval and ssh make one text of their arguments.
func join(words []word) string {
	if len(words) == 1 {
		return words[0].text
	}
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].text
	}
	return strings.Join(texts, " ")
}
