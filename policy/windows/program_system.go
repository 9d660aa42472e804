package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func taskkill(r *reader, words []value, _ value) value {
	words = slashed(words)
	found := false
	for i := range words {
		if t := strings.ToLower(words[i].text); (t == "/im" || t == "/pid" || t == "/fi") && i+1 < len(words) {
			r.does(effect.Kill, strings.TrimSuffix(strings.ToLower(words[i+1].text), ".exe"))
			if strings.HasPrefix(strings.ToLower(words[i+1].text), "msmpeng") {
				r.does(effect.Disarm, "virus scanner")
			}
			found = true
		}
	}
	if !found && len(words) > 0 {
		r.does(effect.Kill, words[0].text)
	}
	return value{}
}

// stops notes that a service ends, and what it protected.
func (r *reader) stops(service string) {
	r.does(effect.Stop, service)
	switch strings.ToLower(strings.TrimSuffix(service, ".exe")) {
	case "windefend", "wdnissvc", "wdfilter", "msmpsvc", "msmpeng", "nissrv", "sense", "securityhealthservice", "wscsvc", "mpssvc", "bfe", "eventlog", "sysmon", "sysmon64", "csfalconservice", "sentinelagent", "cbdefense", "mbamservice", "sophos", "avast":
		r.does(effect.Disarm, "service "+service)
	}
}

// serviceControl is sc.exe, or the alias of Set-Content in PowerShell.
func serviceControl(r *reader, words []value, in value) value {
	if len(words) > 1 && strings.HasPrefix(words[0].text, `\\`) { // on another machine
		words = words[1:]
	}
	if len(words) == 0 {
		return value{}
	}
	switch strings.ToLower(words[0].text) {
	case "stop", "delete", "pause":
		r.stops(argument(words, 1).text)
	case "create":
		r.does(effect.Persist, "service "+argument(words, 1).text)
	case "config":
		if strings.Contains(strings.ToLower(line(words)), "disabled") {
			r.stops(argument(words, 1).text)
		} else if strings.Contains(strings.ToLower(line(words)), "binpath") {
			r.does(effect.Persist, "service "+argument(words, 1).text)
		}
	case "query", "queryex", "qc", "start", "continue", "qdescription", "description", "failure", "sdshow", "enumdepend":
	default:
		return setContent(r, r.parse("set-content", words, in))
	}
	return value{}
}

func netCommand(r *reader, words []value, _ value) value {
	if len(words) == 0 {
		return value{}
	}
	adds := hasWord(words, "/add")
	switch strings.ToLower(words[0].text) {
	case "user", "users":
		switch {
		case adds:
			r.does(effect.Grant, "user "+argument(words, 1).text)
		case hasWord(words, "/delete"):
			r.does(effect.Destroy, "user "+argument(words, 1).text)
		case len(words) > 2 && !strings.HasPrefix(words[2].text, "/"), hasWord(words, "/active:yes"):
			r.does(effect.Grant, "user "+argument(words, 1).text)
		}
	case "localgroup", "group":
		if adds {
			r.does(effect.Grant, "group "+argument(words, 1).text)
		}
	case "stop":
		r.stops(argument(words, 1).text)
	case "use":
		if a := argument(words, len(words)-1).text; strings.HasPrefix(a, `\\`) {
			r.does(effect.Connect, strings.ReplaceAll(a, `\`, "/"))
			r.mapped(argument(words, 1).text, a)
		}
	case "share":
		if len(words) > 1 && strings.Contains(words[1].text, "=") {
			r.does(effect.Listen, "share "+words[1].text)
		}
	}
	return value{}
}

func scheduled(r *reader, words []value, _ value) value {
	words = slashed(words)
	switch {
	case hasWord(words, "/create"), hasWord(words, "/change") && hasWord(words, "/tr"):
		r.does(effect.Persist, "scheduled task "+after(words, "/tn").text)
		if run := after(words, "/tr").text; run != "" {
			r.run(literals(splitWords(run)), value{})
		}
	case hasWord(words, "/delete"):
		r.does(effect.Destroy, "scheduled task "+after(words, "/tn").text)
	}
	return value{}
}

func registryTool(r *reader, words []value, _ value) value {
	key := strings.ReplaceAll(argument(words, 1).text, `\`, "/")
	switch strings.ToLower(argument(words, 0).text) {
	case "add", "import", "restore", "load", "copy":
		if name := after(words, "/v").text; name != "" && strings.HasSuffix(folded(key), "environment") {
			r.add(effect.Effect{Verb: effect.SetVariable, Object: name, From: after(words, "/d").text})
		}
		if name := after(words, "/v").text; strings.EqualFold(name, "EnableLUA") || strings.HasPrefix(strings.ToLower(name), "disableantispyware") || strings.HasPrefix(strings.ToLower(name), "disablerealtime") {
			r.does(effect.Disarm, "registry "+key+"/"+name)
			return value{}
		}
		r.autostart(key)
	case "delete":
		if strings.HasSuffix(folded(key), "environment") { // where variables are kept
			if name := after(words, "/v").text; name != "" {
				r.does(effect.UnsetVariable, name)
			}
		}
		r.unguards(key)
		r.add(effect.Effect{Verb: effect.Destroy, Object: "registry " + key, Wide: hasWord(words, "/va") || !hasWord(words, "/v")})
	case "save", "export":
		lower := strings.ToLower(strings.ReplaceAll(key, "/", ""))
		if strings.HasPrefix(lower, "hklm") || strings.HasPrefix(lower, "hkey_local_machine") {
			for _, hive := range []string{"sam", "security", "system"} {
				if strings.HasSuffix(lower, hive) && len(lower) <= len("hkey_local_machine")+len(hive) {
					r.does(effect.Reveal, "credentials in the registry "+key)
				}
			}
		}
		r.writes(argument(words, 2), value{})
	}
	return value{}
}

func netshell(r *reader, words []value, _ value) value {
	l := strings.ToLower(line(words))
	switch {
	case strings.Contains(l, "firewall") && (strings.Contains(l, "state off") || strings.Contains(l, "opmode disable") || strings.Contains(l, "opmode mode=disable") || strings.Contains(l, "delete rule")):
		r.does(effect.Disarm, "firewall")
	case strings.Contains(l, "portproxy add"):
		r.does(effect.Listen, after(words, "listenport").text)
	case strings.Contains(l, "firewall add"):
		r.does(effect.Grant, "firewall rule")
	case strings.Contains(l, "key=clear"):
		r.does(effect.Reveal, "passwords of wireless networks")
	}
	return value{}
}

func logs(r *reader, words []value, _ value) value {
	switch strings.ToLower(argument(words, 0).text) {
	case "cl", "clear-log":
		r.does(effect.Disarm, "event log")
	case "sl", "set-log":
		if strings.Contains(strings.ToLower(line(words)), "/e:false") {
			r.does(effect.Disarm, "event log")
		}
	}
	return value{}
}

// Decoder is how files are written that certutil decoded, so that nobody has
// read what is in them.
const Decoder = "certutil -decode"

func certutil(r *reader, words []value, _ value) value {
	var plain []value
	for i := range words {
		if t := words[i].text; !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "/") {
			plain = append(plain, words[i])
		}
	}
	first := argument(plain, 0)
	switch l := strings.ToLower(line(words)); {
	case strings.Contains(l, "://"):
		r.does(effect.Fetch, first.text)
		if len(first.sources) > 0 {
			r.sends(first.text, first)
		}
		r.writes(argument(plain, 1), value{remote: first.text})
	case strings.Contains(l, "decode"):
		r.reads(first)
		if to := argument(plain, 1); to.text != "" {
			r.add(effect.Effect{Verb: effect.Write, Object: r.path(to.text), From: r.path(first.text), How: Decoder})
			r.keep(r.path(to.text), Decoder)
		}
	case strings.Contains(l, "-encode"), strings.Contains(l, "/encode"):
		r.writes(argument(plain, 1), r.reads(first))
	case strings.Contains(l, "-addstore"):
		r.does(effect.Grant, "certificate")
	}
	return value{}
}

func bitsadmin(r *reader, words []value, _ value) value {
	for i := range words {
		if strings.Contains(words[i].text, "://") {
			r.does(effect.Fetch, words[i].text)
			r.writes(argument(words, i+1), value{remote: words[i].text})
			return value{}
		}
	}
	if hasWord(words, "/setnotifycmdline") {
		r.does(effect.Persist, "transfer "+argument(words, 1).text)
	}
	return value{}
}

// runsAddress is a program that runs what it finds at an address.
func runsAddress(r *reader, words []value, _ value) value {
	l := line(words)
	lower := strings.ToLower(l)
	switch at := strings.Index(lower, "://"); {
	case strings.Contains(lower, "minidump"), strings.Contains(lower, "comsvcs") && strings.Contains(lower, "#"):
		r.does(effect.Reveal, "credentials in the memory of lsass")
	case strings.Contains(lower, "keymgr.dll"):
		r.does(effect.Reveal, "credentials that Windows keeps")
	case at >= 0:
		start := strings.LastIndexAny(l[:at], " :,\"'") + 1
		end := strings.IndexAny(l[at:], " \"'")
		if end < 0 {
			end = len(l) - at
		}
		r.does(effect.RunRemote, l[start:at+end])
	case strings.Contains(lower, "javascript:"), strings.Contains(lower, "vbscript:"):
		r.does(effect.RunHidden, "script in an address")
	default:
		for i := range words {
			file := line(words[i : i+1])
			if len(words[i].list) > 0 {
				file = words[i].list[0].text
			}
			file, _, _ = strings.Cut(file, ",")
			if t := short(file); strings.HasPrefix(t, "/") || strings.HasPrefix(t, "-") {
				if _, file, _ = strings.Cut(t, ":"); file == "" {
					continue
				}
			}
			if r.loads(file) {
				break
			}
		}
	}
	return value{}
}

// dumps is for programs that copy the memory or the files in which Windows keeps
// passwords.
func dumps(r *reader, words []value, _ value) value {
	l := strings.ToLower(line(words))
	for _, holder := range []string{"lsass", "ntds", "config/sam", `config\sam`, "ifm", "login data"} {
		if strings.Contains(l, holder) {
			r.does(effect.Reveal, "credentials of "+holder)
			return value{}
		}
	}
	return value{}
}

// disarmedBy is for programs that protect less with one of some words.
func disarmedBy(what string, flags ...string) programVerb {
	return func(r *reader, words []value, _ value) value {
		for _, flag := range flags {
			if hasWord(words, flag) {
				r.does(effect.Disarm, what)
				break
			}
		}
		return value{}
	}
}

func wmic(r *reader, words []value, _ value) value {
	l := strings.ToLower(line(words))
	if _, sheet, ok := strings.Cut(l, "/format:"); ok {
		sheet, _, _ = strings.Cut(strings.Trim(sheet, `"' `), " ")
		if strings.Contains(sheet, "://") || strings.HasPrefix(sheet, `\\`) {
			r.does(effect.RunRemote, strings.ReplaceAll(sheet, `\`, "/"))
		}
	}
	switch {
	case strings.Contains(l, "create") && (strings.Contains(l, "subscription") || strings.Contains(l, "eventconsumer") || strings.Contains(l, "__eventfilter") || strings.Contains(l, "tobinding")):
		r.does(effect.Persist, "event")
	case strings.Contains(l, "useraccount") && strings.Contains(l, " set "):
		r.does(effect.Grant, "user "+l)
	case strings.Contains(l, "call create"):
		if i := wordAt(words, "create"); i >= 0 && i+1 < len(words) {
			r.run(literals(splitWords(strings.Trim(line(words[i+1:]), `"'`))), value{})
		}
	case strings.Contains(l, "shadowcopy") && strings.Contains(l, "delete"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: "shadow copies", Wide: true})
	case strings.Contains(l, "call terminate"), strings.Contains(l, "process") && strings.HasSuffix(strings.TrimSuffix(l, " /nointeractive"), "delete"):
		r.does(effect.Kill, strings.ReplaceAll(l, ".exe", ""))
	}
	return value{}
}

func setx(r *reader, words []value, _ value) value {
	for len(words) > 0 && strings.HasPrefix(words[0].text, "/") {
		words = words[1:]
	}
	name := argument(words, 0).text
	r.add(effect.Effect{Verb: effect.SetVariable, Object: name, From: argument(words, 1).text})
	if strings.EqualFold(name, "PATH") || strings.EqualFold(name, "PATHEXT") || strings.EqualFold(name, "ComSpec") { // what runs later under which name
		r.does(effect.Persist, "variable "+strings.ToUpper(name))
	}
	return value{}
}

func shutdown(r *reader, words []value, _ value) value {
	if !hasWord(words, "/a") && !hasWord(words, "-a") && !hasWord(words, "/?") && len(words) > 0 {
		r.does(effect.Shutdown, "stop")
	}
	return value{}
}

func permissions(r *reader, words []value, _ value) value {
	for i := range words {
		words[i].text = short(words[i].text)
	}
	target := argument(words, 0).text
	if f := after(words, "/f").text; f != "" {
		target = f
	}
	l := strings.ToLower(line(words))
	if strings.Contains(l, "/grant") || strings.Contains(l, "/setowner") || strings.Contains(l, "/remove") || strings.Contains(l, "/inheritance") || strings.Contains(l, "/reset") || strings.Contains(l, "/deny") || hasWord(words, "/f") {
		e := effect.Effect{Verb: effect.Mode, Object: r.path(target), Wide: hasWord(words, "/t") || hasWord(words, "/r")}
		if strings.Contains(l, "everyone") || strings.Contains(l, "*s-1-1-0") || strings.Contains(l, "users:") {
			e.Content = "777"
		}
		r.add(e)
	}
	return value{}
}
