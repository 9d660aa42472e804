package shell

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// wrapper is a program that runs the command in its arguments.
type wrapper struct {
	values   string   // short flags with a value
	long     []string // long flags whose value is the next word
	operands int      // operands before the command
	assigns  bool     // takes NAME=value before the command
	sudo     bool     // runs it as another user
	more     bool     // gives it further arguments
	alone    string   // flags with which it runs nothing
}

var wrappers = map[string]*wrapper{
	"sudo": {
		values: "ugphCDRTUrt", assigns: true, sudo: true, alone: "elvKV",
		long: []string{"--user", "--group", "--prompt", "--host", "--close-from", "--chdir", "--chroot", "--command-timeout", "--other-user", "--role", "--type"},
	},
	"doas":             {values: "uC", sudo: true, alone: "L"},
	"env":              {values: "uCS", assigns: true, long: []string{"--unset", "--chdir", "--split-string"}, alone: "S"},
	"nohup":            {},
	"nice":             {values: "n", long: []string{"--adjustment"}},
	"ionice":           {values: "cnpPu", long: []string{"--class", "--classdata"}},
	"chrt":             {operands: 1},
	"taskset":          {operands: 1},
	"timeout":          {values: "sk", operands: 1, long: []string{"--signal", "--kill-after"}},
	"gtimeout":         {values: "sk", operands: 1, long: []string{"--signal", "--kill-after"}},
	"time":             {values: "fo", long: []string{"--format", "--output"}},
	"command":          {alone: "vV"},
	"builtin":          {},
	"exec":             {values: "a"},
	"stdbuf":           {values: "ioe", long: []string{"--input", "--output", "--error"}},
	"unbuffer":         {},
	"setsid":           {},
	"chroot":           {operands: 1},
	"flock":            {values: "wEc", operands: 1, long: []string{"--wait", "--timeout", "--conflict-exit-code", "--command"}, alone: "c"},
	"busybox":          {},
	"toybox":           {},
	"caffeinate":       {values: "tw"},
	"chronic":          {},
	"prlimit":          {},
	"systemd-run":      {values: "pEtuMH", long: []string{"--unit", "--property", "--setenv", "--uid", "--gid", "--slice", "--on-active", "--on-calendar"}},
	"systemd-inhibit":  {},
	"nsenter":          {values: "tSGrwW", long: []string{"--target"}, sudo: true},
	"unshare":          {values: "SGRw"},
	"setarch":          {operands: 1},
	"linux64":          {},
	"strace":           {values: "oepsPEuaIXSb", long: []string{"--output", "--trace"}},
	"ltrace":           {values: "oepsauFn"},
	"fakeroot":         {},
	"proot":            {values: "rbwqk"},
	"firejail":         {},
	"catchsegv":        {},
	"valgrind":         {},
	"gdb":              {alone: "pxbcnaqhv"},
	"rlwrap":           {values: "bCDfgHlmMpPqsSt"},
	"dbus-run-session": {},
	"dbus-launch":      {},
	"xvfb-run":         {values: "nesfpw"},
	"torsocks":         {},
	"proxychains":      {values: "f"},
	"proxychains4":     {values: "f"},
	"pkexec":           {sudo: true, long: []string{"--user"}},
	"gosu":             {operands: 1, sudo: true},
	"gsudo":            {sudo: true, values: "ui", alone: "k", long: []string{"--user", "--integrity"}},
	"run0":             {sudo: true, long: []string{"--user", "--group", "--unit", "--property", "--description", "--slice", "--setenv", "--chdir"}, values: "ugD"},
	"sudo-rs":          {sudo: true, values: "ugpD", assigns: true, alone: "elvKV"},
	"kdesu":            {sudo: true, values: "u"},
	"kdesudo":          {sudo: true, values: "u"},
	"gksu":             {sudo: true, values: "u"},
	"gksudo":           {sudo: true, values: "u"},
	"please":           {sudo: true, values: "u"},
	"beesu":            {sudo: true},
	"su-exec":          {operands: 1, sudo: true},
	"setpriv":          {sudo: true, long: []string{"--reuid", "--regid", "--groups"}},
	"runcon":           {operands: 1},
	"noglob":           {},
	"numactl":          {values: "NCmilp"},
	"cpulimit":         {values: "lpe"},
	"faketime":         {operands: 1},
	"aa-exec":          {values: "pn"},
	"runuser":          {values: "ugGc", sudo: true, alone: "cl", long: []string{"--user", "--group", "--command"}},
	"nocorrect":        {},
	"winpty":           {},
	"xargs":            {values: "aEILnPsdJR", more: true, long: []string{"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"}},
}

// loader is the program that loads others.
var loader = wrapper{long: []string{"--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0", "--glibc-hwcaps-prepend", "--glibc-hwcaps-mask"}}

// unwrap removes the wrappers in front of a command, and reports whether one of
// them has read its input.
func (r *reader) unwrap(args []arg, c *Command, in *flow) (rest []arg, read bool) {
	for len(args) > 0 {
		name := args[0].as
		f := r.facts(name)
		if !f.listed {
			if unknown(name) {
				break
			}
			name = baseName(name)
			f = r.facts(name)
		}
		by := f.wraps
		if by == nil && strings.HasPrefix(name, "ld") && (strings.HasPrefix(name, "ld-linux") || strings.HasPrefix(name, "ld-musl") || name == "ld.so") {
			by = &loader
		}
		if by == nil || r.scope.funcs[args[0].as].body != nil {
			break
		}
		if by.assigns && !r.pay(argumentSteps*len(c.Env)) {
			break
		}
		at := 1
		for name == "env" && at < len(args) && strings.HasPrefix(args[at].as, "-") {
			at++
		}
		for name == "env" && len(args) > at+1 && unknown(args[at].as) && args[at].of != nil && len(args[at].of.sources) > 0 && !args[at].quoted {
			r.loads(args[at].of) // env $(cat .env) program
			r.mark(Variable)
			args = append(args[:at:at], args[at+1:]...)
		}
		rest, runs := by.rest(args[1:], c, name)
		if !runs || len(rest) == 0 {
			break
		}
		c.Sudo = c.Sudo || by.sudo
		own := args[1 : len(args)-len(rest)]
		switch name {
		case "env", "sudo", "chroot":
			r.elsewhere(name, own)
			if name == "sudo" {
				r.answers(own, c, *in)
			}
		case "strace", "ltrace", "time", "rlwrap":
			r.tracedTo(own)
		case "nsenter":
			r.effect(effect.Effect{Verb: effect.Grant, Object: "the host's namespaces", How: name, Command: -1})
		case "systemd-run":
			if slices.ContainsFunc(own, func(a arg) bool { return strings.HasPrefix(a.as, "--on-") }) {
				r.effect(effect.Effect{Verb: effect.Persist, Object: "timer", How: name, Command: -1})
			}
		}
		if by.more {
			if !r.pay(argumentSteps * len(rest)) {
				return rest, read
			}
			args, in, read = r.fill(own, rest, c, *in), &flow{}, true
			continue
		}
		args = rest
	}
	return args, read
}

// tracedTo notes the file that a wrapper writes what it sees to.
func (r *reader) tracedTo(own []arg) {
	for i := range own {
		to := ""
		switch s := own[i].as; {
		case (s == "-o" || s == "--output" || s == "-ao") && i+1 < len(own):
			to = own[i+1].as
		case (s == "-l" || s == "--logfile") && i+1 < len(own):
			to = own[i+1].as
		case strings.HasPrefix(s, "--output="):
			to = s[len("--output="):]
		case strings.HasPrefix(s, "-o"):
			to = s[2:]
		}
		if to != "" && to[0] != '|' {
			(&act{Command: &Command{Name: "trace"}, r: r, number: -1, at: r.scope.at}).writes(to)
		}
	}
}

// elsewhere follows a wrapper that runs its command in another directory.
func (r *reader) elsewhere(name string, own []arg) {
	to := ""
	for i := range own {
		s := own[i].as
		switch {
		case i+1 < len(own) && (s == "-C" && name == "env" || s == "--chdir" || s == "-D" && name == "sudo"):
			to = own[i+1].as
		case strings.HasPrefix(s, "--chdir="):
			to = s[len("--chdir="):]
		case strings.HasPrefix(s, "-C") && name == "env" && len(s) > 2:
			to = s[2:]
		}
	}
	if to == "" {
		return
	}
	at, _ := r.scope.at.Resolve(to)
	r.scope = r.sub(r.scope)
	r.scope.at.Cwd, r.scope.dir = at, at
}

// rest returns the words after the wrapper's own, and whether it runs them.
func (by *wrapper) rest(words []arg, c *Command, name string) (rest []arg, runs bool) {
	operands, owned := by.operands, false
	for i := 0; i < len(words); i++ {
		text := words[i].as
		body, dashes := cutDashes(text)
		switch {
		case text == "--":
			i++
			for by.assigns && i < len(words) && isAssignment(words[i].as) {
				c.assign(words[i].as, &owned)
				i++
			}
			return words[min(i+operands, len(words)):], true
		case text == "-" && name == "env":
		case dashes == 2:
			if slices.Contains(by.long, text) {
				i++
			}
			if by.alone != "" && (strings.HasPrefix(body, "split-string") || strings.HasPrefix(body, "command")) {
				return nil, false
			}
		case dashes == 1:
			stop := strings.IndexAny(body, by.values)
			if flags := body[:stop+1]; strings.ContainsAny(flags, by.alone) || stop < 0 && strings.ContainsAny(body, by.alone) {
				return nil, false
			}
			if stop >= 0 && stop == len(body)-1 {
				i++
			}
		case by.assigns && (isAssignment(text) || strings.HasPrefix(text, exported)):
			c.assign(text, &owned)
		case operands > 0:
			operands--
		default:
			return words[i:], true
		}
	}
	return nil, true
}

// assign notes an assignment NAME=value. Until the variables are the command's
// own, others may have the same.
func (c *Command) assign(assignment string, owned *bool) {
	if !*owned {
		c.Env, *owned = maps.Clone(c.Env), true
	}
	if c.Env == nil {
		c.Env = map[string]string{}
	}
	if name, value, _ := strings.Cut(assignment, "="); len(c.Env) < maxEnv {
		c.Env[strings.TrimSuffix(name, "+")] = value
	}
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(text string) bool {
	eq := strings.IndexByte(text, '=')
	if eq <= 0 || '0' <= text[0] && text[0] <= '9' {
		return false
	}
	for i := range eq {
		if !isNameByte(text[i]) {
			return false
		}
	}
	return true
}

// mostFilled is how many arguments xargs and parallel are followed with.
const mostFilled = 64

// fill gives a command the arguments that xargs reads for it.
func (r *reader) fill(own, words []arg, c *Command, in flow) []arg {
	place := "" // what stands for an argument
	for i := range own {
		switch s := own[i].as; {
		case (s == "-a" || s == "--arg-file") && i+1 < len(own):
			if made := own[i+1].of; made != nil && made.made != nil {
				in = *made.made
			} else {
				in = r.fromFiles([]string{own[i+1].as})
				(&act{Command: c, r: r, number: -1, at: r.scope.at}).looks(false, own[i+1].as)
			}
		case strings.HasPrefix(s, "--arg-file="):
			in = r.fromFiles([]string{s[len("--arg-file="):]})
			(&act{Command: c, r: r, number: -1, at: r.scope.at}).looks(false, s[len("--arg-file="):])
		case (s == "-I" || s == "-J") && i+1 < len(own):
			place = own[i+1].as
		case strings.HasPrefix(s, "-I"), strings.HasPrefix(s, "-J"):
			place = s[2:]
		case s == "-i", s == "--replace":
			place = "{}"
		case strings.HasPrefix(s, "--replace="):
			place = s[len("--replace="):]
		}
	}
	var items []string
	switch {
	case in.known && in.text != "":
		if place != "" {
			items = lines(in.text)
		} else {
			if hasFlag(own, "0", "--null") {
				items = strings.Split(strings.TrimSuffix(in.text, "\x00"), "\x00")
			}
			if len(items) == 0 {
				items = strings.FieldsFunc(in.text, func(c rune) bool { return strings.ContainsRune(" \t\n\x00'\"", c) })
			}
		}
	case takesEach(own, in.each):
		items, c.More = in.each, true
	case len(in.roots) > 0:
		items, c.More = in.roots, true // they stand for names that are not known
	}
	if len(items) == 0 || len(items) > mostFilled {
		c.More = true
		items = items[:min(len(items), mostFilled)]
	}
	from := value{sources: in.sources, shows: in.shows, remote: in.remote, hidden: in.hidden, about: in.about}
	if len(items) == 0 && (in.remote != "" || in.hidden != "" || in.about != "" || len(in.sources)+len(in.shows) > 0) {
		items = []string{"$xargs"} // what is known of it is where it comes from
	}
	filled := append([]arg(nil), words...)
	if place == "" {
		for _, item := range items {
			filled = append(filled, arg{as: item, bare: item, of: &from})
		}
		return filled
	}
	if len(items) == 0 {
		return filled
	}
	for i := range filled {
		if !strings.Contains(filled[i].as, place) {
			continue
		}
		if filled[i].as == place { // the text may stand for each of them
			filled[i].as, filled[i].bare, filled[i].of = items[0], items[0], &from
			for _, item := range items[1:] {
				filled = append(filled, arg{as: item, bare: item, of: &from})
			}
			continue
		}
		s := strings.ReplaceAll(filled[i].as, place, items[0])
		if !strings.ContainsAny(words[i].as, " ;\n") { // a word: one for each of them
			if len(items) == 1 {
				items = append(items, strings.Fields(items[0])...)
			}
			for _, item := range items[1:] {
				s := strings.ReplaceAll(words[i].as, place, item)
				filled = append(filled, arg{as: s, bare: s, of: &from})
			}
			filled[i].as, filled[i].bare, filled[i].of = s, s, &from
			continue
		}
		for _, item := range items[1:] {
			if len(s) > mostKnown {
				break
			}
			s += "\n" + strings.ReplaceAll(words[i].as, place, item)
		}
		filled[i].as, filled[i].bare, filled[i].of = s, s, &from
	}
	return filled
}

// hasFlag reports whether a wrapper has a flag.
func hasFlag(own []arg, short, long string) bool {
	for i := range own {
		body, dashes := cutDashes(own[i].as)
		if own[i].as == long || dashes == 1 && strings.Contains(body, short) {
			return true
		}
	}
	return false
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' })
}
