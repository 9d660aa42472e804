package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

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
	verb := 0
	if len(words) > 1 && strings.HasPrefix(words[0].text, `\\`) { // on another machine
		verb = 1
	}
	switch strings.ToLower(argument(words, verb).text) {
	case "stop", "delete", "pause", "create", "config", "query", "queryex", "qc", "start", "continue", "qdescription", "description", "failure", "sdshow", "enumdepend":
		return r.other(append([]value{literal("sc")}, words...), in)
	}
	if len(words) == 0 {
		return value{}
	}
	return setContent(r, r.parse("set-content", words, in))
}

// netCommand is net, which also gives letters of drives to shares.
func netCommand(r *reader, words []value, in value) value {
	if a := argument(words, len(words)-1).text; strings.EqualFold(argument(words, 0).text, "use") && strings.HasPrefix(a, `\\`) {
		r.mapped(argument(words, 1).text, a)
	}
	return r.other(append([]value{literal("net")}, words...), in)
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
