package windows

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// cmd reads the arguments of cmd.exe, or its input where they name no command.
func (r *reader) cmd(words []value, in value) {
	for i := range words {
		text := strings.ToLower(short(shown(words[i])))
		if !strings.HasPrefix(text, "/c") && !strings.HasPrefix(text, "/k") && !strings.HasPrefix(text, "/r") {
			continue
		}
		rest := words[i+1:]
		script := asTyped(rest)
		if len(text) > 2 {
			script = short(shown(words[i]))[2:] + " " + script
		}
		if len(rest) == 1 { // one word is a whole line
			if inner, ok := strings.CutPrefix(script, `"`); ok {
				script = strings.TrimSuffix(inner, `"`)
			}
		}
		for i := range rest {
			if strings.HasPrefix(shown(rest[i]), "$") && rest[i].Remote() != "" {
				r.does(effect.RunRemote, rest[i].Remote())
			}
		}
		if len(rest) > 1 && strings.Contains(shown(rest[0]), " ") { // so is the first of several
			r.nestedBatch(shown(rest[0]), in)
		}
		r.nestedBatch(script, in)
		return
	}
	if known(in) && shown(in) != "" && in.Remote() == "" {
		r.nestedBatch(shown(in), value{})
		return
	}
	r.foreign(&in)
}

func (r *reader) nestedBatch(text string, in value) {
	r.deeper(func() { r.batchGiven(text, in) })
}

// raises notes a shell that is started as an administrator, with nothing to do: all
// that follows is another user's.
func (r *reader) raises(words []value) {
	if len(words) == 1 && (library.IsShell(shown(words[0])) || programName(shown(words[0])) == "wt") {
		r.does(effect.Grant, "shell as another user")
	}
}

func line(words []value) string {
	parts := make([]string, 0, len(words))
	for i := range words {
		parts = append(parts, paths(words[i])...)
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
	for i := range len(s) + 1 {
		switch {
		case i == len(s) || (s[i] == ' ' || s[i] == '\t') && !quoted:
			if len(word) > 0 || some {
				words = append(words, string(word))
			}
			word, some = word[:0], false
		case s[i] == '"':
			quoted, some = !quoted, true
		default:
			word = append(word, s[i])
		}
	}
	return words
}

// serviceControl is sc.exe, or the alias of Set-Content in PowerShell.
func serviceControl(r *reader, c *call) value {
	verb := shown(argument(c.all, 0))
	if len(c.all) > 1 && strings.HasPrefix(verb, `\\`) { // on another machine
		verb = shown(c.all[1])
	}
	switch {
	case is("controls", strings.ToLower(verb)):
		return r.other(append([]value{values.Text("sc")}, c.all...), c.in)
	case len(c.all) == 0:
		return value{}
	}
	return r.run(append([]value{values.Text("set-content")}, c.all...), c.in)
}

// netCommand is net, which also gives letters of drives to shares.
func netCommand(r *reader, c *call) value {
	if a := shown(argument(c.all, len(c.all)-1)); strings.EqualFold(shown(argument(c.all, 0)), "use") && strings.HasPrefix(a, `\\`) {
		r.mapped(shown(argument(c.all, 1)), a)
	}
	return r.other(append([]value{values.Text("net")}, c.all...), c.in)
}

// findText is findstr and find, which print the lines with a text. The find of other
// systems is another program.
func findText(r *reader, c *call) value {
	first := shown(argument(c.all, 0))
	if c.name == "find" && (first == "" || first == "." || slices.ContainsFunc(c.all, func(w value) bool { return strings.HasPrefix(shown(w), "-") })) {
		return r.other(append([]value{values.Text("find")}, c.all...), c.in)
	}
	files := c.words
	if _, given := c.get("c", "g"); (!given || c.name == "find") && len(files) > 0 {
		files = files[1:]
	}
	if len(files) == 0 {
		return c.in
	}
	return r.reads(values.List(files...))
}

// runsAddress is a program that runs what it finds at an address.
func runsAddress(r *reader, c *call) value {
	l := line(c.all)
	lower := strings.ToLower(l)
	address := addresses.FindString(l)
	switch {
	case strings.Contains(lower, "minidump"), strings.Contains(lower, "comsvcs") && strings.Contains(lower, "#"):
		r.does(effect.Reveal, "credentials in the memory of lsass")
	case strings.Contains(lower, "keymgr.dll"):
		r.does(effect.Reveal, "credentials that Windows keeps")
	case address != "":
		r.does(effect.RunRemote, address)
	case strings.Contains(lower, "javascript:"), strings.Contains(lower, "vbscript:"):
		r.does(effect.RunHidden, "script in an address")
	default:
		for i := range c.all {
			file := line(c.all[i : i+1])
			if len(list(c.all[i])) > 0 {
				file = shown(list(c.all[i])[0])
			}
			file, _, _ = strings.Cut(file, ",")
			if t := short(file); strings.HasPrefix(t, "/") || strings.HasPrefix(t, "-") {
				_, file, _ = strings.Cut(t, ":")
			}
			if file != "" && r.loads(file) {
				break
			}
		}
	}
	return value{}
}

// asTyped are the words of a line as somebody would type them.
func asTyped(words []value) string {
	parts := make([]string, len(words))
	for i := range words {
		if parts[i] = line(words[i : i+1]); i > 0 && strings.ContainsAny(parts[i], " \t") && !strings.Contains(parts[i], `"`) {
			parts[i] = `"` + parts[i] + `"`
		}
	}
	return strings.Join(parts, " ")
}

var addresses = regexp.MustCompile(`[^ :,"']*://[^ "']*`)
