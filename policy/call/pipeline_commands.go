package call

import "strings"

// scriptKeys are the keys whose values are commands.
var scriptKeys = setOf("run script before_script after_script command commands bash sh pwsh powershell inline inlinescript entry install before_install after_success after_failure before_deploy args test deploy build")

// commandsIn are the commands in a file that specifies what runs later, in
// order. In a part of a file, lines that are nothing else are commands too.
func commandsIn(text string, kind dialect, whole bool) string {
	switch kind {
	case allOfShell:
		return text
	case inJSON:
		return strings.Join(quotedTexts(text, `"`), "\n")
	case inGroovy:
		return groovyCommands(text)
	case ofPackage:
		return installScripts(text)
	case inPython:
		return pythonProgram(text)
	case ofHand:
		return handsOver(text)
	case noScript, inYAML, ofSettings:
	}
	var b strings.Builder
	lines := strings.Split(text, "\n")
	with := false // inputs of an action follow, not commands
	for i := 0; i < len(lines); i++ {
		indent, body := yamlLine(lines[i])
		if _, braces, ok := strings.Cut(body, "{"); ok {
			flowCommands(&b, braces)
		}
		key, value, ok := strings.Cut(body, ":")
		if ok = ok && !strings.ContainsAny(key, " $\"'|<>&;(/"); !ok {
			if !whole || strings.HasPrefix(strings.TrimLeft(lines[i], " \t"), "- ") {
				b.WriteString(strings.Trim(body, `"'`) + "\n")
			}
			continue
		}
		value = strings.TrimSpace(value)
		if key == "with" || key == "uses" {
			with = key == "with"
		} else if !with || key == "run" {
			with = false
		}
		if !scriptKeys[strings.ToLower(key)] || with && key == "script" {
			continue
		}
		if value != "" && value[0] != '|' && value[0] != '>' {
			if value[0] == '[' {
				value = strings.Join(quotedTexts(strings.ReplaceAll(value, "'", `"`), `"`), "\n")
			}
			b.WriteString(unquoteYAML(value) + "\n")
			continue
		}
		if value == "" { // a list, of which each is read as a line of its own
			continue
		}
		for i+1 < len(lines) {
			if next, _ := indentOf(lines[i+1]); next <= indent && strings.TrimSpace(lines[i+1]) != "" {
				break
			}
			i++
			b.WriteString(strings.TrimSpace(lines[i]))
			if value[0] == '>' && strings.TrimSpace(lines[i]) != "" {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// flowCommands are the commands in a line of YAML in braces: {run: 'x'}.
func flowCommands(b *strings.Builder, line string) {
	for range mostQuoted {
		_, after, ok := strings.Cut(line, "run:")
		if !ok {
			return
		}
		line, after = after, strings.TrimLeft(after, " ")
		if after == "" {
			return
		}
		var end int
		if quote := after[:1]; quote == "'" || quote == `"` {
			after = after[1:]
			end = strings.Index(after, quote)
		} else {
			end = strings.IndexAny(after, "},")
		}
		if end >= 0 {
			b.WriteString(after[:end] + "\n")
		}
	}
}

// yamlLine is a line without the dashes of a list, and the column where it begins.
func yamlLine(line string) (indent int, body string) {
	indent, body = indentOf(line)
	for strings.HasPrefix(body, "- ") {
		body = body[2:]
		indent += 2
		n, rest := indentOf(body)
		indent, body = indent+n, rest
	}
	return indent, strings.TrimRight(body, " \t\r")
}

func indentOf(line string) (int, string) {
	body := strings.TrimLeft(line, " \t")
	return len(line) - len(body), body
}

// unquoteYAML is a value without the quotes around it.
func unquoteYAML(value string) string {
	n := len(value)
	switch {
	case n > 1 && value[0] == '"' && value[n-1] == '"':
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(value[1 : n-1])
	case n > 1 && value[0] == '\'' && value[n-1] == '\'':
		return strings.ReplaceAll(value[1:n-1], "''", "'")
	}
	return value
}

// mostQuoted is how many quoted texts are considered.
const mostQuoted = 1000

// quotedTexts are the quoted texts of one kind that are longer than a word.
func quotedTexts(text, quote string) []string {
	var list []string
	parts := strings.Split(strings.ReplaceAll(text, `\`+quote, "\x00"), quote)
	for i := 1; i < len(parts) && len(list) < mostQuoted; i += 2 {
		if strings.ContainsAny(parts[i], " |") {
			list = append(list, strings.ReplaceAll(parts[i], "\x00", quote))
		}
	}
	return list
}

// groovyCommands are the commands that a Jenkinsfile passes to shells.
func groovyCommands(text string) string {
	var b strings.Builder
	for _, quote := range []string{`'''`, `"""`, `'`, `"`} {
		rest := text
		for range mostQuoted {
			before, after, ok := strings.Cut(rest, quote)
			if !ok {
				break
			}
			inner, next, _ := strings.Cut(after, quote)
			word := strings.TrimRight(before, " (\t")
			if at := strings.LastIndexAny(word, " \t\n{;("); at >= 0 {
				word = word[at+1:]
			}
			switch strings.TrimSuffix(word, ":") {
			case "sh", "bat", "powershell", "pwsh", "script":
				b.WriteString(strings.ReplaceAll(inner, `\`+quote, quote) + "\n")
			}
			rest = next
		}
	}
	return b.String()
}
