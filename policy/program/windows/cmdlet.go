package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// aliases are the other names of cmdlets.
var aliases = map[string]string{
	"rm": "remove-item", "del": "remove-item", "ri": "remove-item", "rd": "remove-item", "erase": "remove-item", "rmdir": "remove-item", "rp": "remove-itemproperty",
	"iwr": "invoke-webrequest", "irm": "invoke-restmethod", "iex": "invoke-expression", "icm": "invoke-command", "ii": "invoke-item",
	"gc": "get-content", "cat": "get-content", "type": "get-content", "sls": "select-string", "gci": "get-childitem", "ls": "get-childitem", "dir": "get-childitem", "gi": "get-item", "gcb": "get-clipboard",
	"ac": "add-content", "ni": "new-item", "si": "set-item", "sp": "set-itemproperty", "clc": "clear-content", "cli": "clear-item",
	"cp": "copy-item", "copy": "copy-item", "cpi": "copy-item", "mv": "move-item", "move": "move-item", "mi": "move-item", "ren": "rename-item", "rni": "rename-item",
	"saps": "start-process", "start": "start-process", "spps": "stop-process", "kill": "stop-process", "spsv": "stop-service", "sajb": "start-job", "tee": "tee-object", "oh": "out-host",
	"%": "foreach-object", "foreach": "foreach-object", "?": "where-object", "where": "where-object", "select": "select-object", "sort": "sort-object", "echo": "write-output", "write": "write-output", "cd": "set-location", "sl": "set-location", "chdir": "set-location", "pushd": "push-location",
	"curl": "curl", "wget": "wget", "md": "new-directory", "mkdir": "new-directory", "epcsv": "export-csv", "sv": "set-variable", "gv": "get-variable", "gps": "get-process", "ps": "get-process", "gcm": "get-command", "ipmo": "import-module", "gwmi": "get-wmiobject", "gcim": "get-ciminstance", "rwmi": "remove-wmiobject", "rcim": "remove-ciminstance", "gsv": "get-service", "gdr": "get-psdrive", "rvpa": "resolve-path", "iwmi": "invoke-wmimethod", "icim": "invoke-cimmethod", "fhx": "format-hex", "ipcsv": "import-csv", "popd": "pop-location", "nal": "new-alias", "sal": "set-alias", "compare": "compare-object", "diff": "compare-object", "tnc": "test-netconnection",
}

// call is a cmdlet with its parameters.
type call struct {
	name   string
	params []param
	words  []value
	in     value
}

type param struct {
	name  string
	value value
	given bool
}

// switches are parameters without a value.
var switches = []string{
	"recurse", "force", "confirm", "whatif", "verbose", "usebasicparsing", "append", "wait", "nonewline", "noclobber", "passthru", "raw", "asjob", "nonewwindow", "disablekeepalive", "usedefaultcredentials", "skipcertificatecheck", "hidden", "quiet", "aslong", "allmatches", "noprofile", "nologo", "noninteractive", "noexit", "removedata", "removeoem", "full", "leaf",
}

func isSwitch(cmdlet, name string) bool {
	switch name {
	case "name", "n", "na", "file", "directory", "fi", "fil":
		return cmdlet == "get-childitem" && (name == "file" || name == "directory" || name == "name")
	case "f", "rf", "fr", "rfv", "vrf": // also as rm has them
		return true
	case "verb":
		return false
	}
	for _, s := range switches {
		if strings.HasPrefix(s, name) && !slices.ContainsFunc(valued, func(v string) bool { return begins(v, name) }) {
			return true
		}
	}
	return false
}

// valued are parameters with a value that begin as switches do.
var valued = []string{"path", "filepath", "value", "uri", "id"}

// begins reports whether a name is given by its first letters.
func begins(name, letters string) bool { return strings.HasPrefix(name, letters) }

func (r *reader) parse(name string, words []value, in value) *call {
	c := &call{name: name, in: in}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !w.bare || len(w.text) < 2 || !strings.ContainsAny(w.text[:1], "-–—―") && !strings.HasPrefix(w.text, "–") || len(w.list) > 0 || '0' <= w.text[1] && w.text[1] <= '9' {
			c.words = append(c.words, w)
			continue
		}
		word, rest, has := strings.Cut(strings.TrimLeft(w.text, "-–—―"), ":")
		p := param{name: strings.ToLower(word), given: true}
		switch {
		case has && rest != "":
			p.value = value{text: rest, known: w.known}
		case has && i+1 < len(words):
			i++
			p.value = words[i]
		case !isSwitch(name, p.name) && i+1 < len(words) && !(words[i+1].bare && strings.HasPrefix(words[i+1].text, "-") && len(words[i+1].text) > 1 && !words[i+1].isNumber()):
			i++
			p.value = words[i]
		}
		c.params = append(c.params, p)
	}
	return c
}

func (v value) isNumber() bool { return len(v.text) > 1 && '0' <= v.text[1] && v.text[1] <= '9' }

// get is the value of a parameter that is given by the beginning of its name.
func (c *call) get(names ...string) (value, bool) {
	for i := range c.params {
		for _, n := range names {
			if strings.HasPrefix(n, c.params[i].name) {
				return c.params[i].value, true
			}
		}
	}
	return value{}, false
}

// has reports whether a switch is on.
func (c *call) has(name string) bool {
	v, ok := c.get(name)
	return ok && !strings.EqualFold(v.text, "$false")
}

// param is the value of a parameter, or of the word at a place.
func (c *call) param(place int, names ...string) value {
	if v, ok := c.get(names...); ok {
		return v
	}
	if place >= 0 && place < len(c.words) {
		return c.words[place]
	}
	return value{}
}

// targets are the paths that a cmdlet is given: as parameter, as words or from
// the pipeline.
func (c *call) targets() value {
	if v, ok := c.get("path", "literalpath", "pspath", "lp", "filepath"); ok {
		return v
	}
	if len(c.words) == 1 {
		return c.words[0]
	}
	if len(c.words) > 1 {
		return value{list: c.words}
	}
	return c.in
}

// run reads a command with its words. in is what comes from the pipeline.
func (r *reader) run(words []value, in value) value {
	if len(words) == 0 || !r.step() {
		return value{}
	}
	if len(words[0].list) > 0 {
		words = append(slices.Clip(words[0].list), words[1:]...)
	}
	first := words[0]
	if first.object == "block" {
		return value{}
	}
	if strings.HasPrefix(first.text, "$") && !first.known {
		switch {
		case first.remote != "":
			r.does(effect.RunRemote, first.remote)
		case first.hidden != "":
			r.does(effect.RunHidden, first.hidden)
		default:
			r.doubt(Variable)
		}
		return value{}
	}
	name := program(first.text)
	if full, ok := aliases[name]; ok {
		name = full
	}
	name = strings.TrimPrefix(name[strings.LastIndexByte(name, '\\')+1:], "microsoft.powershell.management\\")
	if name == "curl" || name == "wget" {
		if strings.HasSuffix(strings.ToLower(first.text), ".exe") || unixFlags(words[1:]) {
			return r.other(words, in)
		}
		name = "invoke-webrequest"
	}
	if does := r.cmdlets[name]; does != nil {
		return does(r, r.parse(name, words[1:], in))
	}
	if does := r.programs[name]; does != nil {
		return does(r, ownWords(name, words[1:]), in)
	}
	if strings.HasSuffix(strings.ToLower(first.text), ".ps1") {
		r.file(first.text)
		return value{}
	}
	if strings.Contains(name, "-") && isCmdlet(name) {
		if c := r.parse(name, words[1:], in); r.removal(c) || r.reveals(c) || r.asks(c) {
			return value{text: "$" + name}
		}
		out := value{text: "$" + name}
		out.taint(in)
		for i := range words {
			out.taint(words[i])
		}
		return out
	}
	return r.other(words, in)
}

// unixFlags reports whether arguments are those of the program curl rather than
// of the cmdlet that has its name as an alias.
func unixFlags(words []value) bool {
	for _, w := range words {
		if w.bare && (strings.HasPrefix(w.text, "--") || len(w.text) >= 2 && w.text[0] == '-' && (len(w.text) == 2 || strings.ToLower(w.text) == w.text && len(w.text) <= 5 && w.text != "-uri" && w.text != "-body")) {
			return true
		}
	}
	return false
}

// isCmdlet reports whether a name has the form of a cmdlet's.
func isCmdlet(name string) bool {
	verb, _, _ := strings.Cut(name, "-")
	switch verb {
	case "get", "set", "new", "remove", "add", "clear", "test", "write", "read", "out", "select", "where", "foreach", "sort", "measure", "group", "format", "convertto", "convertfrom", "import", "export", "start", "stop", "restart", "wait", "invoke", "resolve", "join", "split", "push", "pop", "enable", "disable", "register", "unregister", "update", "install", "uninstall", "compare", "copy", "move", "rename", "show", "find", "expand", "compress", "receive", "send", "enter", "exit", "use", "trace", "tee", "debug", "limit", "initialize", "repair", "reset", "save", "suspend", "resume", "unblock", "checkpoint", "complete", "connect", "disconnect", "mount", "dismount", "grant", "revoke", "protect", "unprotect", "lock", "unlock", "publish", "optimize":
		return true
	}
	return false
}

// program is the name of a program without its directory and ending.
func program(s string) string {
	s = strings.ToLower(strings.Trim(s, `"' `))
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	for _, ending := range []string{".exe", ".com", ".cmd", ".bat"} {
		s = strings.TrimSuffix(s, ending)
	}
	return s
}

// other gives a command back to those who know it, with what it is given on its
// input.
func (r *reader) other(words []value, in value) value {
	if len(r.out.Commands) >= MaxEffects {
		r.doubt(Limit)
		return value{}
	}
	name := program(words[0].text)
	r.loads(words[0].text)
	c := Command{Sudo: r.sudo, Sources: in.sources, Remote: in.remote, Hidden: in.hidden}
	if c.Piped = in.text != "" || in.list != nil || in.remote != "" || in.sources != nil || in.hidden != ""; in.known && len(in.list) == 0 && in.remote == "" {
		c.Input, c.Known = in.text, in.text != ""
	}
	out := value{text: "$output"}
	fetches := name == "curl" || name == "wget"
	before := ""
	for i := range words {
		for _, w := range words[i].paths() {
			if i == 0 || strings.HasPrefix(w, "~") || len(w) > 2 && w[1] == ':' && w[2] == '/' {
				w = strings.ReplaceAll(w, `\`, "/")
			}
			w = strings.ReplaceAll(w, "$env:", "$")
			if len(c.Words) < 1024 {
				c.Words = append(c.Words, w)
			}
			if fetches && i > 0 && out.remote == "" && isAddress(w, before) {
				out.remote = web(w)
			}
		}
		out.taint(words[i])
		if before = words[i].text; i == 0 {
			before = ""
		}
	}
	r.out.Commands = append(r.out.Commands, c)
	switch name {
	case "curl", "wget", "nslookup", "ping", "tracert", "ftp", "telnet": // what their arguments were made from is told
		for i := 1; i < len(words); i++ {
			if at := slices.IndexFunc(words[i].sources, func(s string) bool { return s != "environment" }); at >= 0 {
				to := out.remote
				if to == "" {
					to = words[i].text
				}
				r.sends(to, value{sources: words[i].sources[at : at+1]})
			}
		}
	}
	return out
}

// isAddress reports whether an argument of curl or wget is where it fetches from,
// by the argument before it.
func isAddress(w, before string) bool {
	if strings.Contains(w, "://") {
		return true
	}
	if len(w) < 4 || w[0] == '-' || !strings.Contains(w, ".") {
		return false
	}
	if before == "" || before[0] != '-' {
		return true
	}
	if strings.HasPrefix(before, "--") {
		return before == "--url" || before == "--silent" || before == "--location" || before == "--insecure" || before == "--fail"
	}
	return strings.IndexByte("sSLfkgqn#4601", before[len(before)-1]) >= 0
}
