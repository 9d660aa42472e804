package firsthour_test

import (
	"regexp"
	"strings"
)

// snippet is a piece of code in a document, or the examples in a help text.
type snippet struct {
	where string // file:line, or the command whose help it is
	file  string
	lang  string // of a fence; of what is indented it is guessed
	text  string
}

// snippetsOf returns the code in a document in Markdown: what is fenced, and what is
// indented by four spaces after an empty line.
func snippetsOf(file, text string) []snippet {
	var all []snippet
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if lang, ok := strings.CutPrefix(lines[i], "```"); ok {
			from := i + 1
			i++
			for i < len(lines) && !strings.HasPrefix(lines[i], "```") {
				i++
			}
			all = append(all, snippet{file: file, where: place(file, from+1), lang: strings.TrimSpace(lang), text: strings.Join(lines[from:min(i, len(lines))], "\n")})
			continue
		}
		if !strings.HasPrefix(lines[i], "    ") || i > 0 && lines[i-1] != "" {
			continue
		}
		from := i
		var code []string
		for ; i < len(lines) && (strings.HasPrefix(lines[i], "    ") || lines[i] == ""); i++ {
			code = append(code, strings.TrimPrefix(lines[i], "    "))
		}
		i--
		s := snippet{file: file, where: place(file, from+1), text: strings.TrimRight(strings.Join(code, "\n"), "\n")}
		s.lang = guess(s.text)
		all = append(all, s)
	}
	return all
}

var (
	looksLikeShell = regexp.MustCompile(`^(\$ |[A-Z_]+=\S+ )?(sluice|go|make|curl|echo|docker|podman|cd|export|git|sudo|systemctl|launchctl|cat|tar|dpkg|rpm) `)
	looksLikeYAML  = regexp.MustCompile(`^(#|[a-z_]+:( |$)|- )`)
	looksLikeGo    = regexp.MustCompile(`:= |^func |^type |^package |^for |^if |^import |^var |^return `)
)

// guess detects the language of an indented block by its first line.
func guess(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	switch {
	case looksLikeShell.MatchString(first + " "):
		return "sh"
	case strings.HasPrefix(first, "{"), strings.HasPrefix(first, "["):
		return "json"
	case looksLikeYAML.MatchString(first):
		return "yaml"
	case looksLikeGo.MatchString(first):
		return "go"
	}
	return "text"
}

// examplesOf returns the examples in the help of a command.
func examplesOf(command, help string) snippet {
	_, rest, _ := strings.Cut(help, "\nExamples:\n")
	var lines []string
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "  ") {
			break
		}
		lines = append(lines, strings.TrimPrefix(line, "  "))
	}
	return snippet{file: "sluice " + command + " --help", where: strings.TrimSpace("sluice "+command) + " --help", lang: "sh", text: strings.Join(lines, "\n")}
}

// commandsOf returns the commands of a snippet for a shell, without what explains them:
// a comment, or words after two spaces or more.
func commandsOf(text string) []string {
	var all []string
	whole, quote := "", byte(0)
	for line := range strings.Lines(text) {
		line, quote = explained(strings.TrimRight(strings.TrimPrefix(line, "$ "), "\n"), quote)
		if whole += line; quote != 0 || strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&&") {
			whole += "\n"
			continue
		}
		if strings.TrimSpace(whole) != "" {
			all = append(all, strings.TrimSpace(whole))
		}
		whole = ""
	}
	return all
}

// explained cuts a line where its explanation begins. quote is the one that is open at
// its beginning, 0 for none; the one that is open at its end is returned.
func explained(line string, quote byte) (command string, open byte) {
	indent := 0
	if quote == 0 {
		indent = len(line) - len(strings.TrimLeft(line, " "))
	}
	for i := indent; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && (i == indent || line[i-1] == ' '), strings.HasPrefix(line[i:], "  "):
			return strings.TrimRight(line[:i], " "), 0
		}
	}
	if quote != 0 {
		return line, quote
	}
	return strings.TrimRight(line, " "), 0
}
