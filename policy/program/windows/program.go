package windows

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

type programVerb = func(r *reader, words []value, in value) value

// programs are what the programs that come with Windows do.
var programs = map[string]programVerb{
	"powershell": func(r *reader, words []value, in value) value { return r.powershellWith(words, in) }, "pwsh": func(r *reader, words []value, in value) value { return r.powershellWith(words, in) }, "cmd": func(r *reader, words []value, in value) value { r.cmd(words, in); return value{} },
	"sc": serviceControl, "net": netCommand, "net1": netCommand,
	"certutil": certutil, "bitsadmin": bitsadmin, "mshta": runsAddress, "rundll32": runsAddress, "regsvr32": runsAddress, "msiexec": runsAddress, "wmic": wmic, "format": formatDrive, "diskpart": diskpart, "icacls": permissions, "takeown": permissions, "cacls": permissions, "attrib": nothing,
	"robocopy": robocopy, "xcopy": xcopy, "runas": runas, "start": nil, "wscript": runsFile, "cscript": runsFile, "forfiles": forfiles, "where": nothing, "tasklist": nothing, "ipconfig": nothing, "systeminfo": nothing, "whoami": nothing, "hostname": nothing, "ver": nothing, "tree": nothing, "findstr": findstr, "find": find, "more": showsFiles, "fc": showsFiles, "comp": showsFiles, "msbuild": msbuild, "assoc": fileTypes, "ftype": fileTypes, "regedit": nothing, "dism": disarmedByText("virus scanner", "windows-defender"), "winget": winget, "wsl": func(r *reader, words []value, in value) value {
		return r.other(append([]value{literal("wsl")}, words...), in)
	},
	"procdump": dumps, "procdump64": dumps, "ntdsutil": dumps, "esentutl": dumps, "cmdkey": nothing, "vaultcmd": func(r *reader, words []value, _ value) value {
		if strings.Contains(strings.ToLower(line(words)), "/listcreds") {
			r.does(effect.Reveal, "credentials that Windows keeps")
		}
		return value{}
	}, "powercfg": nothing, "bcdboot": nothing, "sdelete": sdelete, "sdelete64": sdelete, "cmstp": runsAddress, "installutil": runsAddress,
}

// ownWords are the words of a program without those that begin with two dashes, which are
// no options of the programs that come with Windows, and no files.
func ownWords(name string, words []value) []value {
	switch name {
	case "powershell", "pwsh", "cmd", "wsl", "winget":
		return words
	}
	isOption := func(v value) bool { return strings.HasPrefix(v.text, "--") }
	if !slices.ContainsFunc(words, isOption) {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), isOption)
}

func nothing(*reader, []value, value) value { return value{} }

func hasWord(words []value, w string) bool { return wordAt(words, w) >= 0 }

func wordAt(words []value, w string) int {
	for i := range words {
		if strings.EqualFold(words[i].text, w) {
			return i
		}
	}
	return -1
}

// after is the word behind another one.
func after(words []value, w string) value {
	if i := wordAt(words, w); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return value{}
}

// slashed are words whose flags begin with a slash, as they may with a dash.
func slashed(words []value) []value {
	out := make([]value, len(words))
	copy(out, words)
	for i := range out {
		if t := out[i].text; len(t) > 1 && t[0] == '-' {
			out[i].text = "/" + t[1:]
		} else {
			out[i].text = short(t)
		}
	}
	return out
}

func line(words []value) string {
	parts := make([]string, 0, len(words))
	for i := range words {
		parts = append(parts, words[i].paths()...)
	}
	return strings.Join(parts, " ")
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
	raw, err := base64.StdEncoding.DecodeString(strings.TrimRight(v.text, "=") + strings.Repeat("=", (4-len(strings.TrimRight(v.text, "="))%4)%4))
	if err != nil || len(raw) > mostText*2 {
		r.does(effect.RunHidden, "encoded command")
		return value{}
	}
	text := fromUTF16(string(raw))
	if strings.Count(text, "\x00") == 0 && !mostlyASCII(text) && mostlyASCII(string(raw)) {
		text = string(raw)
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

// cmd reads the arguments of cmd.exe, or its input where they name no command.
func (r *reader) cmd(words []value, in value) {
	for i := range words {
		text := strings.ToLower(short(words[i].text))
		if !strings.HasPrefix(text, "/") {
			continue
		}
		if strings.HasPrefix(text, "/c") || strings.HasPrefix(text, "/k") || strings.HasPrefix(text, "/r") {
			rest := words[i+1:]
			script := asTyped(rest)
			if len(text) > 2 {
				script = short(words[i].text)[2:] + " " + script
			}
			if len(rest) == 1 { // one word is a whole line
				if inner, ok := strings.CutPrefix(script, `"`); ok {
					script = strings.TrimSuffix(inner, `"`)
				}
			}
			for i := range rest {
				if strings.HasPrefix(rest[i].text, "$") && rest[i].remote != "" {
					r.does(effect.RunRemote, rest[i].remote)
				}
			}
			if len(rest) > 1 && strings.Contains(rest[0].text, " ") { // so is the first of several
				r.nestedBatch(rest[0].text, in)
			}
			r.nestedBatch(script, in)
			return
		}
	}
	switch {
	case in.remote != "":
		r.does(effect.RunRemote, in.remote)
	case in.known && in.text != "":
		r.nestedBatch(in.text, value{})
	case in.hidden != "":
		r.does(effect.RunHidden, in.hidden)
	}
}

// asTyped are the words of a line as somebody would type them.
func asTyped(words []value) string {
	var b strings.Builder
	for i := range words {
		text := line(words[i : i+1])
		if i > 0 {
			b.WriteByte(' ')
		}
		if i > 0 && strings.ContainsAny(text, " \t") && !strings.Contains(text, `"`) {
			text = `"` + text + `"`
		}
		b.WriteString(text)
	}
	return b.String()
}

func (r *reader) nestedBatch(text string, in value) {
	if r.depth >= MaxDepth {
		r.doubt(Limit)
		return
	}
	r.depth++
	r.batchGiven(text, in)
	r.depth--
}

func runas(r *reader, words []value, _ value) value {
	before := r.sudo
	r.sudo = true
	if len(words) > 0 {
		started := literals(splitWords(words[len(words)-1].text))
		r.raises(started)
		r.run(started, value{})
	}
	r.sudo = before
	return value{}
}

// raises notes a shell that is started as an administrator, with nothing to do: all
// that follows is another user's.
func (r *reader) raises(words []value) {
	if len(words) != 1 {
		return
	}
	name := strings.ToLower(words[0].text)
	name = strings.TrimSuffix(name[strings.LastIndexAny(name, `/\\`)+1:], ".exe")
	switch name {
	case "cmd", "powershell", "pwsh", "wt", "bash", "sh":
		r.does(effect.Grant, "shell as another user")
	}
}

func runsFile(r *reader, words []value, _ value) value {
	for i := range words {
		if strings.HasPrefix(words[i].text, "/") {
			continue
		}
		switch text := words[i].text; {
		case strings.Contains(text, "://"):
			r.does(effect.RunRemote, text)
		case r.loads(text):
		default:
			return r.other(words[i:i+1], value{})
		}
		break
	}
	return value{}
}

func forfiles(r *reader, words []value, _ value) value {
	words = slashed(words)
	dir := after(words, "/p").text
	if dir == "" {
		dir = "."
	}
	if c := after(words, "/c"); c.text != "" {
		script := strings.NewReplacer("@path", dir+"/*", "@file", dir+"/*", "@PATH", dir+"/*").Replace(strings.Trim(c.text, `"`))
		r.run(literals(splitWords(script)), value{})
	}
	return value{}
}

// Words are those of a line for cmd.exe, the first of which is the program.
func Words(line string) []string { return splitWords(line) }

// splitWords cuts a line at blanks outside of quotes.
func splitWords(s string) []string {
	var words []string
	var word []byte
	quoted, some := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
			some = true
		case (c == ' ' || c == '\t') && !quoted:
			if len(word) > 0 || some {
				words = append(words, string(word))
			}
			word, some = word[:0], false
		default:
			word = append(word, c)
		}
	}
	if len(word) > 0 || some {
		words = append(words, string(word))
	}
	return words
}
