package project

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Words reads the commands that stand beside some words, in a language of which nothing
// else is known: word(texts), word: text, word = [texts], word "text", and the blocks of
// YAML. Several texts of which the first is one word are a program and its arguments.
func Words(content string, words []string) Steps {
	var s Steps
	left, bytes, work := maxFound, maxTexts, maxWork
	scan.Names(content, maxReach, func(name, before, after string) bool {
		if !slices.Contains(words, name) {
			return true
		}
		list, each, looked := beside(before, after)
		if work -= looked; work < 0 {
			s.Unknown = true
			return false
		}
		if len(list) == 0 {
			return true
		}
		for i := range list {
			bytes -= len(list[i])
			list[i] = dollars.Replace(list[i])
		}
		if bytes < 0 {
			s.Unknown = true
			return false
		}
		s.addTexts(list, each)
		if left--; left == 0 {
			s.Unknown = true
		}
		return left > 0
	})
	return s
}

// addTexts adds texts as a program with its arguments, or each as a command.
func (s *Steps) addTexts(list []string, each bool) {
	if !each && len(list) > 1 && !strings.Contains(list[0], " ") {
		s.add(Command{Args: list})
		return
	}
	for _, text := range list {
		s.shell(text)
	}
}

// YAMLWords is Words for a file of YAML: the commands are the values of some keys.
func YAMLWords(f File, words []string) Steps {
	d := parseYAML(f)
	if d == nil || d.unknown {
		s := Words(f.Content, words)
		s.Unknown = s.Unknown || d != nil
		return s
	}
	var s Steps
	bytes := maxTexts
	d.all(func(key string, value *yaml.Node) bool {
		if !slices.Contains(words, key) {
			return true
		}
		list := d.texts(value)
		for i := range list {
			bytes -= len(list[i])
			list[i] = dollars.Replace(list[i])
		}
		if bytes < 0 {
			s.Unknown = true
			return false
		}
		if len(list) > 0 {
			s.addTexts(list, value.Kind == yaml.ScalarNode || value.Style&yaml.FlowStyle == 0)
		}
		return true
	})
	s.Unknown = s.Unknown || d.unknown
	return s
}

// beside returns the texts that belong to a word, judging by what follows it, and how many
// bytes it looked at in brackets. each says that the texts are commands of their own in
// any case.
func beside(before, after string) (list []string, each bool, looked int) {
	s := after
	if s != "" && (s[0] == '"' || s[0] == '\'') && before != "" && before[len(before)-1] == s[0] { // "word": ...
		s = s[1:]
	}
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return nil, false, 0
	}
	switch s[0] {
	case '(':
		list, looked = scan.Bracketed(s)
		return list, false, looked
	case '"', '\'':
		if len(s) == len(after) {
			return nil, false, 0 // the end of a text
		}
		return scan.Row(s), false, 0
	case ':', '=':
		if strings.HasPrefix(s, "==") {
			return nil, false, 0
		}
	default:
		return nil, false, 0
	}
	s = strings.TrimLeft(strings.TrimLeft(s[1:], "=>"), " \t")
	if s == "" {
		return nil, false, 0
	}
	if rest := strings.TrimLeft(s, " \t\r\n"); s[0] == '\n' || s[0] == '\r' {
		switch {
		case strings.HasPrefix(rest, "- "):
			return listItems(rest), true, 0
		case rest != "" && strings.IndexByte(`"'[`, rest[0]) >= 0:
			s = rest
		default:
			return nil, false, 0
		}
	}
	return assigned(s)
}

// assigned returns the texts that a key is given: those behind its sign.
func assigned(s string) (list []string, each bool, looked int) {
	switch s[0] {
	case '"', '\'', '`':
		return scan.Row(s), false, 0
	case '[', '(':
		if list, looked = scan.Bracketed(s); len(list) == 0 { // [rm, -rf, /]
			items, _, _ := strings.Cut(s[1:], "]")
			for item := range strings.SplitSeq(items, ",") {
				list = append(list, strings.TrimSpace(item))
			}
		}
		return list, false, looked
	case '{':
		return nil, false, 0
	case '|', '>':
		return []string{indented(s)}, true, 0
	}
	line, _, _ := strings.Cut(s, "\n")
	line = strings.TrimRight(line, " \t\r,;")
	if !strings.Contains(line, "{") {
		line, _, _ = strings.Cut(line, "}")
	}
	return []string{strings.TrimSpace(line)}, true, 0
}

// Blocks returns the parts of a file in braces that stand behind some words.
func Blocks(content string, words []string) string {
	var b strings.Builder
	for _, word := range words {
		scan.After(content, word, func(_, after string) {
			after = after[:min(len(after), maxReach)]
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

// listItems returns the items of a list in YAML.
func listItems(s string) []string {
	var list []string
	for line := range strings.Lines(s) {
		text := strings.TrimSpace(line)
		item, ok := strings.CutPrefix(text, "- ")
		if !ok && text != "" {
			break
		}
		if item = strings.Trim(item, `"' `); item != "" && len(list) < maxFound {
			list = append(list, item)
		}
	}
	return list
}

// indented returns the lines of a block in YAML: those that are indented at least as
// deep as the first of them.
func indented(s string) string {
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
