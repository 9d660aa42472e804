package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// user makes, changes or removes a user or a group.
func user(a *act) {
	values := "bcdefgGkKpsuRPZ"
	switch a.Name {
	case "gpasswd":
		values = "adAM"
	case "usermod":
		values += "l"
	}
	g := a.given(&usage{values: values, long: []string{
		"base-dir", "comment", "home-dir", "home", "expiredate", "inactive", "gid", "groups", "group", "ingroup", "skel", "key", "password", "root", "shell", "uid", "login", "gecos", "add", "delete", "members", "administrators",
	}})
	if g.has("D", "defaults", "help", "version") && len(g.operands) == 0 {
		return
	}
	if len(g.operands) == 0 && !a.in.piped && len(g.options) == 0 {
		return
	}
	words := []string{"user"}
	if strings.Contains(a.Name, "group") || a.Name == "gpasswd" {
		words[0] = "group"
	}
	words = append(append(words, g.all("G", "groups", "a", "add")...), g.operands...)
	a.does(effect.Grant, strings.Join(words, " "))
	if a.Name == "userdel" || a.Name == "deluser" {
		if g.has("r", "remove", "remove-home", "remove-all-files") {
			for _, name := range g.operands {
				a.deletes(true, "/home/"+name)
			}
		}
	}
}

func chage(a *act) {
	if !a.Has("l") && !a.Has("--list") && len(a.Operands("m", "M", "d", "E", "I", "W")) > 0 {
		a.does(effect.Grant, "password of "+lastOf(a.Args))
	}
}

// passwd changes a password. Its state is nothing.
func passwd(a *act) {
	g := a.given(&usage{values: "niwxRr"})
	if g.has("S", "status", "help") {
		return
	}
	name := strings.Join(g.operands, " ")
	if a.in.known && a.Name != "passwd" {
		name, _, _ = strings.Cut(strings.TrimSpace(a.in.text), ":")
	}
	a.does(effect.Grant, strings.TrimSpace("password of "+name))
}

func sudoers(a *act) {
	if !a.Has("c") && !a.Has("--check") {
		a.does(effect.Grant, "sudoers")
	}
}

func sudoedit(a *act) {
	a.Sudo = true
	for _, p := range a.Operands("u", "g", "C", "p") {
		a.put(p, "")
	}
}

// shellAs is sudo, su and doas without a command: all that follows is another
// user's.
func shellAs(a *act) {
	switch {
	case a.Name == "su", a.Name == "run0", a.Name == "gsudo" && len(a.Args) == 0, a.Name == "doas" && a.Has("s"), a.Name == "pkexec" && len(a.Args) == 0:
	case a.Name == "runuser":
		if a.Has("c") || a.Has("--command") || a.Has("--session-command") || a.Has("u") {
			return
		}
	case a.Has("e") || a.Has("--edit"):
		sudoedit(a)
		return
	case a.Has("s"), a.Has("i"), a.Has("--shell"), a.Has("--login"):
	default:
		return // a list, a check, a version
	}
	a.does(effect.Grant, "shell as another user")
}

// answers notes that sudo gets its password from the text instead of from somebody:
// on its input, or by a program that the text names.
func (r *reader) answers(own []arg, c *Command, in flow) {
	for i := range own {
		body, dashes := cutDashes(own[i].as)
		reads := dashes == 1 && strings.Contains(body, "S") || own[i].as == "--stdin"
		asks := dashes == 1 && strings.Contains(body, "A") || own[i].as == "--askpass"
		program := c.Env["SUDO_ASKPASS"]
		if program == "" {
			program = r.from.env["SUDO_ASKPASS"]
		}
		if reads && in.piped && in.by != "/dev/null" || asks && program != "" && !ofMachine(program) {
			r.effect(effect.Effect{Verb: effect.Grant, Object: "sudo with a password from the text", How: "sudo", Command: -1})
			return
		}
	}
}

// ofMachine reports whether a program was installed by the machine's owner, by
// its path.
func ofMachine(p string) bool {
	return strings.HasPrefix(p, "/usr/") || strings.HasPrefix(p, "/opt/") || strings.HasPrefix(p, "/bin/") || strings.HasPrefix(p, "/Applications/") || !strings.Contains(p, "/")
}

// machineShell is machinectl shell, which on the machine itself is a shell as root.
func machineShell(a *act) {
	if a.Sub == "shell" || a.Sub == "login" {
		if len(a.Operands("uid", "E", "setenv", "M", "machine")) < 3 {
			a.does(effect.Grant, "shell as another user")
		}
	}
	stopsNamed(a)
}

// adminShell is a shell of Windows that somebody starts as an administrator.
func adminShell(a *act) {
	if a.Sudo && len(a.Args) == 0 && !a.in.piped {
		a.does(effect.Grant, "shell as another user")
	}
}

// importsKeys fetches somebody's keys, who may log in from then on.
func importsKeys(a *act) {
	if a.Has("r") || a.Has("--remove") {
		return
	}
	if out := a.Flag("o") + a.Flag("output"); out == "" || out == "-" {
		a.does(effect.Grant, "login for "+strings.Join(a.Operands("o", "output"), " "))
	} else {
		a.writes(out)
	}
}

// dscl is the directory of users on macOS.
func dscl(a *act) {
	if a.Name == "dseditgroup" {
		if slices.Contains(a.Args, "edit") || slices.Contains(a.Args, "create") || slices.Contains(a.Args, "delete") {
			a.does(effect.Grant, "group "+lastOf(a.Args))
		}
		return
	}
	for i, arg := range a.Args {
		switch strings.TrimPrefix(arg, "-") {
		case "create", "append", "merge", "passwd", "change", "changei", "delete", "mcx", "authonly":
			if arg != "authonly" && i+1 < len(a.Args) {
				a.does(effect.Grant, "user "+strings.Join(a.Args[i+1:], " "))
				return
			}
		}
	}
}

func sysadminctl(a *act) {
	for i, arg := range a.Args {
		switch arg {
		case "-addUser", "-deleteUser", "-resetPasswordFor", "-newPassword", "-secureTokenOn", "-guestAccount", "-screenLock":
			if i+1 < len(a.Args) {
				a.does(effect.Grant, "user "+a.Args[i+1])
				return
			}
		}
	}
}

// netCommand is net of Windows: net user x /add, net stop x.
func netCommand(a *act) {
	if len(a.Args) < 2 {
		return
	}
	switch strings.ToLower(a.Args[0]) {
	case "user", "localgroup", "group", "accounts":
		if len(a.Args) > 2 {
			a.does(effect.Grant, strings.Join(a.Args[:len(a.Args)-1], " "))
		}
	case "stop":
		a.stops(a.Args[1])
	}
}
