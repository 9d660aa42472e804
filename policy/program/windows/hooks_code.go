package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/decode"
)

func invokeCommand(r *reader, c *call) value {
	if file, ok := c.get("filepath"); ok {
		r.out.Scripts = append(r.out.Scripts, strings.ReplaceAll(file.text, `\`, "/"))
	}
	v := c.param(0, "scriptblock")
	if len(c.words) > 1 && v.object != "block" && c.words[1].object == "block" { // behind the machine
		v = c.words[1]
	}
	for _, where := range []string{"computername", "cn", "session", "vmname", "vmid", "hostname", "connectionuri", "containerid"} {
		if _, ok := c.get(where); ok || len(c.words) > 1 && v.object == "block" {
			for i := r.since; i < len(r.out.Effects); i++ {
				r.out.Effects[i].Remote = true
			}
			break
		}
	}
	if v.object == "code" || v.text != "" && v.object != "block" {
		return r.evaluate(v)
	}
	return v
}

func startProcess(r *reader, c *call) value {
	words := []value{c.param(0, "filepath")}
	args, ok := c.get("argumentlist", "args")
	if !ok && len(c.words) > 1 {
		args = value{list: c.words[1:]}
	}
	for _, a := range args.paths() {
		for _, w := range splitWords(a) {
			words = append(words, value{text: w, known: args.known, bare: true})
		}
	}
	before := r.sudo
	if verb, ok := c.get("verb"); ok && strings.EqualFold(verb.text, "runas") {
		r.sudo = true
		r.raises(words)
	}
	out := r.run(words, value{})
	r.sudo = before
	return out
}

func newObject(r *reader, c *call) value {
	if com, ok := c.get("comobject"); ok {
		return r.object(com.text, nil)
	}
	args := c.words[min(1, len(c.words)):]
	if list, ok := c.get("argumentlist"); ok {
		args = list.list
		if len(args) == 0 {
			args = []value{list}
		}
	}
	name := c.param(0, "typename").text
	if at := strings.IndexByte(name, '('); at > 0 {
		name = name[:at]
	}
	return r.object(name, args)
}

// forEach runs its block for what comes in, or calls one member of it.
func forEach(r *reader, c *call) value {
	if v, ok := c.get("membername"); ok && v.known {
		return r.method(c.in, strings.ToLower(v.text), c.words)
	}
	if len(c.words) > 0 && c.words[0].object != "block" && c.words[0].bare && c.words[0].known && c.words[0].text != "" {
		return r.method(c.in, strings.ToLower(c.words[0].text), c.words[1:])
	}
	return c.in
}

func wmiMethod(r *reader, c *call) value {
	v, _ := c.get("argumentlist", "arguments")
	if line := v.field("commandline"); line.text != "" {
		v = line
	}
	for _, line := range v.paths() {
		r.nested(line)
	}
	if v.text == "$map" {
		r.doubt(Variable)
	}
	return value{}
}

// setAlias gives a cmdlet another name.
func setAlias(r *reader, c *call) value {
	name, to := programName(c.param(0, "name").text), programName(c.param(1, "value").text)
	if full, ok := r.alias(to); ok {
		to = full
	}
	if r.aliases == nil {
		r.aliases = map[string]string{}
	}
	if len(r.aliases) < 1000 {
		r.aliases[name] = to
	}
	return value{}
}

// invokes runs a script that is an object, or a program by its name.
func invokes(r *reader, c *call) value {
	switch v := c.in; {
	case v.object == "invoker":
		return r.evaluate(argument(c.words, 0))
	case v.object == "code":
		return r.evaluate(v)
	case len(c.words) > 0 && v.known:
		return r.run(append([]value{v}, c.words...), value{})
	default:
		return made("$invoke", append([]value{v}, c.words...))
	}
}

// shellExecute starts a program, perhaps as an administrator.
func shellExecute(r *reader, c *call) value {
	r.sudo = r.sudo || strings.EqualFold(argument(c.words, 3).text, "runas")
	return r.run(append([]value{argument(c.words, 0)}, literals(strings.Fields(argument(c.words, 1).text))...), value{})
}

// powershell reads the arguments of PowerShell itself.
func (r *reader) powershell(words []value) { r.powershellWith(words, value{}) }

func (r *reader) powershellWith(words []value, in value) value {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		if text == "" || text[0] != '-' && text[0] != '/' && !strings.HasPrefix(text, "–") && !strings.HasPrefix(text, "—") {
			if strings.HasSuffix(strings.ToLower(text), ".ps1") {
				r.file(text)
				return value{}
			}
			return r.nestedWords(words[i:])
		}
		name := strings.ToLower(strings.TrimLeft(text, "-/–—"))
		switch {
		case name == "":
			return r.evaluate(in)
		case begins("encodedcommand", name), name == "ec":
			if i+1 < len(words) {
				return r.encoded(words[i+1])
			}
		case begins("command", name), name == "commandwithargs", name == "cwa":
			if i+1 < len(words) && words[i+1].text == "-" {
				return r.evaluate(in)
			}
			return r.nestedWords(words[i+1:])
		case begins("file", name):
			if i+1 < len(words) {
				r.file(words[i+1].text)
			}
			return value{}
		case begins("executionpolicy", name), name == "ep", begins("windowstyle", name), begins("version", name) && name != "v", begins("inputformat", name), begins("outputformat", name), name == "workingdirectory", name == "wd", name == "configurationname", name == "psconsolefile", name == "settingsfile", name == "custompipename":
			i++
		}
	}
	if in.text != "" || in.remote != "" || in.hidden != "" {
		return r.evaluate(in)
	}
	return value{}
}

func (r *reader) file(p string) {
	if r.loads(p) {
		return
	}
	if len(r.out.Scripts) < MaxEffects {
		r.out.Scripts = append(r.out.Scripts, strings.ReplaceAll(p, `\`, "/"))
	}
}

// nestedWords reads words that together are a script.
func (r *reader) nestedWords(words []value) value {
	if len(words) == 0 {
		return value{}
	}
	v := value{text: line(words), known: true}
	for i := range words {
		v.taint(words[i])
		v.known = v.known && words[i].known
	}
	if words[0].object == "block" { // it was read where it stands
		return value{}
	}
	if v.remote == "" && v.hidden == "" {
		v.known = true // what is a variable here is one there
	}
	return r.runText(v) // a script that starts another is no eval
}

// encoded reads a script in base64 of UTF-16.
func (r *reader) encoded(v value) value {
	raw, ok := decode.Base64(v.text)
	if !ok || len(raw) > mostText*2 {
		r.does(effect.RunHidden, "encoded command")
		return value{}
	}
	text := decode.UTF16(raw)
	if strings.Count(text, "\x00") == 0 && !mostlyASCII(text) && mostlyASCII(raw) {
		text = raw
	}
	return r.nested(text)
}

func mostlyASCII(s string) bool {
	odd := 0
	for _, c := range s {
		if c > 0x7e {
			odd++
		}
	}
	return odd*4 < len(s)
}
