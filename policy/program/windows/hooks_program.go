package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
)

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

func line(words []value) string {
	parts := make([]string, 0, len(words))
	for i := range words {
		parts = append(parts, words[i].paths()...)
	}
	return strings.Join(parts, " ")
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

// runas starts what its last word says as another user.
func runas(r *reader, c *call) value {
	before := r.sudo
	r.sudo = true
	if n := len(c.all); n > 0 {
		started := literals(splitWords(c.all[n-1].text))
		r.raises(started)
		r.run(started, value{})
	}
	r.sudo = before
	return value{}
}

// serviceControl is sc.exe, or the alias of Set-Content in PowerShell.
func serviceControl(r *reader, c *call) value {
	verb := 0
	if len(c.all) > 1 && strings.HasPrefix(c.all[0].text, `\\`) { // on another machine
		verb = 1
	}
	switch strings.ToLower(argument(c.all, verb).text) {
	case "stop", "delete", "pause", "create", "config", "query", "queryex", "qc", "start", "continue", "qdescription", "description", "failure", "sdshow", "enumdepend":
		return r.other(append([]value{literal("sc")}, c.all...), c.in)
	}
	if len(c.all) == 0 {
		return value{}
	}
	return r.run(append([]value{literal("set-content")}, c.all...), c.in)
}

// netCommand is net, which also gives letters of drives to shares.
func netCommand(r *reader, c *call) value {
	if a := argument(c.all, len(c.all)-1).text; strings.EqualFold(argument(c.all, 0).text, "use") && strings.HasPrefix(a, `\\`) {
		r.mapped(argument(c.all, 1).text, a)
	}
	return r.other(append([]value{literal("net")}, c.all...), c.in)
}

// findText is findstr and find, which print the lines with a text. The find of other
// systems is another program.
func findText(r *reader, c *call) value {
	first := argument(c.all, 0).text
	if c.name == "find" && (first == "" || first == "." || slices.ContainsFunc(c.all, func(w value) bool { return strings.HasPrefix(w.text, "-") })) {
		return r.other(append([]value{literal("find")}, c.all...), c.in)
	}
	files := c.words
	if _, given := c.get("c", "g"); (!given || c.name == "find") && len(files) > 0 {
		files = files[1:]
	}
	if len(files) == 0 {
		return c.in
	}
	return r.reads(value{list: files})
}

// runsAddress is a program that runs what it finds at an address.
func runsAddress(r *reader, c *call) value {
	words := c.all
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

func wmic(r *reader, c *call) value {
	words := c.all
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
		if i := slices.IndexFunc(words, func(w value) bool { return strings.EqualFold(w.text, "create") }); i >= 0 && i+1 < len(words) {
			r.run(literals(splitWords(strings.Trim(line(words[i+1:]), `"'`))), value{})
		}
	case strings.Contains(l, "shadowcopy") && strings.Contains(l, "delete"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: "shadow copies", Wide: true})
	case strings.Contains(l, "call terminate"), strings.Contains(l, "process") && strings.HasSuffix(strings.TrimSuffix(l, " /nointeractive"), "delete"):
		r.does(effect.Kill, strings.ReplaceAll(l, ".exe", ""))
	}
	return value{}
}

func permissions(r *reader, c *call) value {
	words := c.all
	target := argument(words, 0).text
	if f, _ := c.get("f"); f.text != "" {
		target = f.text
	}
	l := strings.ToLower(line(words))
	if strings.Contains(l, "/grant") || strings.Contains(l, "/setowner") || strings.Contains(l, "/remove") || strings.Contains(l, "/inheritance") || strings.Contains(l, "/reset") || strings.Contains(l, "/deny") || c.begins("f") {
		e := effect.Effect{Verb: effect.Mode, Object: r.path(target), Wide: c.ByName(&library.Param{Names: []string{"t", "r"}})}
		if strings.Contains(l, "everyone") || strings.Contains(l, "*s-1-1-0") || strings.Contains(l, "users:") {
			e.Content = "777"
		}
		r.add(e)
	}
	return value{}
}
