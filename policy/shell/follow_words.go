package shell

import (
	"slices"
	"strings"
)

// mostWorded is how far behind a word its command may reach, mostCommands how
// many commands of a file are read.
const (
	mostWorded   = 8 << 10
	mostCommands = 128
)

// escapedDollars writes the dollars of a file as a shell has them.
var escapedDollars = strings.NewReplacer("$$", "$", `\$`, "$", "$ENV{HOME}", "$HOME", "${user.home}", "~", "$(HOME)", "$HOME")

// worded reads the commands that stand beside the words of an entry: word(texts),
// word: text, word = [texts], word "text", and blocks of YAML.
func (a *act) worded(p *projectFile, content string) {
	left := mostCommands
	budget := mostKnown
	eachNameWith(content, mostWorded, func(name, before, after string) bool {
		if !slices.Contains(p.words, name) {
			return true
		}
		texts, each := wordedTexts(before, after)
		if len(texts) == 0 {
			return true
		}
		for i := range texts {
			budget -= len(texts[i])
			texts[i] = escapedDollars.Replace(texts[i])
		}
		left--
		switch in := interpreters[p.inner]; {
		case budget < 0:
			return false
		case in != nil:
			a.program(in, texts[0], -1, nil)
		case !each && len(texts) > 1 && !strings.Contains(texts[0], " "):
			a.argv(texts)
		default:
			for _, text := range texts {
				a.script(text)
			}
		}
		return left > 0
	})
}

// wordedTexts are the texts that belong to a word by what follows it. each: they
// are commands of their own in any case.
func wordedTexts(before, after string) (texts []string, each bool) {
	s := after
	if s != "" && (s[0] == '"' || s[0] == '\'') && before != "" && before[len(before)-1] == s[0] { // "word": ...
		s = s[1:]
	}
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return nil, false
	}
	switch s[0] {
	case '(':
		return textsIn(s), false
	case '"', '\'':
		if len(s) == len(after) {
			return nil, false // the end of a text
		}
		return textsInRow(s), false
	case ':', '=':
		if strings.HasPrefix(s, "==") {
			return nil, false
		}
	default:
		return nil, false
	}
	s = strings.TrimLeft(strings.TrimLeft(s[1:], "=>"), " \t")
	if s == "" {
		return nil, false
	}
	if rest := strings.TrimLeft(s, " \t\r\n"); s[0] == '\n' || s[0] == '\r' {
		switch {
		case strings.HasPrefix(rest, "- "):
			return yamlItems(rest), true
		case rest != "" && strings.IndexByte(`"'[`, rest[0]) >= 0:
			s = rest
		default:
			return nil, false
		}
	}
	switch s[0] {
	case '"', '\'', '`':
		return textsInRow(s), false
	case '[', '(':
		if texts = textsIn(s); len(texts) == 0 { // [rm, -rf, /]
			list, _, _ := strings.Cut(s[1:], "]")
			for item := range strings.SplitSeq(list, ",") {
				texts = append(texts, strings.TrimSpace(item))
			}
		}
		return texts, false
	case '{':
		return nil, false
	case '|', '>':
		return []string{yamlBlock(s)}, true
	}
	line, _, _ := strings.Cut(s, "\n")
	line = strings.TrimRight(line, " \t\r,;")
	if !strings.Contains(line, "{") {
		line, _, _ = strings.Cut(line, "}")
	}
	return []string{strings.TrimSpace(line)}, true
}

// starters are the names of calls that start a program, with what stands before
// them: others of that name are the program's own.
var starters = map[string]string{"exec": "getRuntime().", "ProcessBuilder": "new ", "cmd": "System.", "shell": "System.", "Start": "Process."}

// started reads the commands that such calls are given.
func (a *act) started(program string) {
	left := mostCommands
	eachNameWith(program, mostCall, func(name, before, after string) bool {
		with, ok := starters[name]
		if !ok || !strings.HasSuffix(before, with) || !strings.HasPrefix(after, "(") {
			return true
		}
		switch texts := textsIn(after); {
		case len(texts) > 1:
			a.script(strings.Join(texts[:1], "") + " " + quoted(texts[1:]))
		case len(texts) == 1:
			a.script(texts[0])
		}
		left--
		return left > 0
	})
}

// blocksOf are the parts of a file in braces behind the given words.
func blocksOf(content string, words []string) string {
	var b strings.Builder
	for _, word := range words {
		eachAfter(content, word, func(_, after string) {
			after = after[:min(len(after), mostWorded)]
			depth := 0
			for i := range len(after) {
				switch after[i] {
				case '{':
					depth++
				case '}':
					depth--
				}
				if depth <= 0 && after[i] == '}' {
					b.WriteString(after[:i] + "\n")
					return
				}
			}
			b.WriteString(after + "\n")
		})
	}
	return b.String()
}

// textsIn are the texts within the bracket that s begins with.
func textsIn(s string) []string {
	var list []string
	depth := 0
	for i := 0; i < len(s) && len(list) < mostQuoted; i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return list
			}
		case '"', '\'', '`':
			text, end := textAt(s[i:])
			if end == 0 {
				return list
			}
			list = append(list, text)
			i += end - 1
		}
	}
	return list
}

// textsInRow are the texts that s begins with, one after the other: "a", "b".
// Texts without a comma between them are parts of one.
func textsInRow(s string) []string {
	var list []string
	joins := false
	for len(list) < mostQuoted {
		text, end := textAt(s)
		if end == 0 {
			break
		}
		if joins {
			list[len(list)-1] += text
		} else {
			list = append(list, text)
		}
		s = strings.TrimLeft(s[end:], " \t\r\n")
		rest, comma := strings.CutPrefix(s, ",")
		if s = strings.TrimLeft(rest, " \t\r\n["); s == "" || strings.IndexByte(`"'`, s[0]) < 0 {
			break
		}
		joins = !comma
	}
	return list
}

// textAt is the text that s begins with, and where it ends; 0 if it does not.
func textAt(s string) (text string, end int) {
	if s == "" || strings.IndexByte("\"'`", s[0]) < 0 {
		return "", 0
	}
	quote := s[:1]
	for _, long := range [...]string{`"""`, "'''", "''"} {
		if strings.HasPrefix(s, long) && (len(long) == 3 || len(s) > 2 && strings.Contains(s[2:], long)) {
			quote = long
			break
		}
	}
	if len(quote) > 1 {
		at := strings.Index(s[len(quote):], quote)
		if at < 0 {
			return "", 0
		}
		return s[len(quote) : len(quote)+at], 2*len(quote) + at
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote[0]:
			return ansi(s[1:i]), i + 1
		}
	}
	return "", 0
}

// yamlItems are the items of a list in YAML.
func yamlItems(s string) []string {
	var list []string
	for line := range strings.Lines(s) {
		text := strings.TrimSpace(line)
		item, ok := strings.CutPrefix(text, "- ")
		if !ok && text != "" {
			break
		}
		if item = strings.Trim(item, `"' `); item != "" && len(list) < mostCommands {
			list = append(list, item)
		}
	}
	return list
}

// yamlBlock are the lines of a block in YAML: those that are set in as deep as
// the first of them.
func yamlBlock(s string) string {
	_, s, _ = strings.Cut(s, "\n")
	var b strings.Builder
	deep := -1
	for line := range strings.Lines(s) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if strings.TrimSpace(line) == "" {
			continue
		}
		if deep < 0 {
			deep = indent
		}
		if indent < deep {
			break
		}
		b.WriteString(line[deep:])
	}
	return b.String()
}
