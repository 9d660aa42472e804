package shell

import (
	"encoding/json"
	"strings"
)

// namedTasks reads the commands of the tasks in JSON that an argument names:
// those below "tasks", "targets" or "scripts".
func (a *act) namedTasks(content string) {
	var root map[string]json.RawMessage
	if json.Unmarshal([]byte(content), &root) != nil {
		return
	}
	for _, key := range [...]string{"tasks", "targets", "architect", "scripts"} {
		var tasks map[string]any
		if json.Unmarshal(root[key], &tasks) != nil {
			continue
		}
		for _, arg := range a.few(a.Args) {
			for _, name := range [...]string{arg, arg[strings.LastIndexByte(arg, ':')+1:]} {
				a.leaves(tasks[name], 0)
			}
		}
	}
}

// leaves reads the texts in a value of JSON as commands.
func (a *act) leaves(value any, depth int) {
	if depth > 6 {
		return
	}
	switch value := value.(type) {
	case string:
		if strings.Contains(value, " ") || strings.Contains(value, "/") {
			a.script(value)
		}
	case []any:
		for _, item := range value[:min(len(value), mostCommands)] {
			a.leaves(item, depth+1)
		}
	case map[string]any:
		for _, key := range [...]string{"command", "commands", "task", "options", "args"} {
			a.leaves(value[key], depth+1)
		}
	}
}

// elements reads the commands in XML that builds are described with, and the
// directories that they delete.
func (a *act) elements(content string) {
	left := mostCommands
	eachNameWith(content, mostWorded, func(name, before, after string) bool {
		switch {
		case name == "executable" && strings.IndexAny(after, `>="`) == 0:
			if words := elementWords(after); len(words) > 0 {
				a.argv(words)
				left--
			}
		case name == "delete" && strings.HasSuffix(before, "<"):
			tag, _, _ := strings.Cut(after, ">")
			for _, p := range attached(strings.Fields(tag), "dir=", "file=") {
				if p, ok := quotedText(p); ok {
					a.deletes(true, escapedDollars.Replace(p))
				}
			}
		}
		return left > 0
	})
}

// elementWords are a program and its arguments: executable="rm"> <arg value="x"/>
// or <executable>rm</executable> <argument>x</argument>.
func elementWords(s string) []string {
	var words []string
	take := func(s string) {
		s = strings.TrimLeft(s, ` >="'`)
		if end := strings.IndexAny(s, `"'<`); end > 0 && len(words) < mostServices {
			words = append(words, escapedDollars.Replace(strings.TrimSpace(s[:end])))
		}
	}
	if strings.HasPrefix(s, ">") && strings.HasPrefix(strings.TrimLeft(s[1:], " \n"), "<") {
		return nil
	}
	take(s)
	for _, end := range [...]string{"</configuration>", "</exec>", "</execution>"} {
		if at := strings.Index(s, end); at >= 0 {
			s = s[:at]
		}
	}
	for range mostServices {
		_, rest, ok := strings.Cut(s, "<arg")
		if !ok {
			break
		}
		s = rest
		switch {
		case strings.HasPrefix(s, "ument>"):
			take(s[len("ument"):])
		case strings.HasPrefix(s, " value="):
			take(s[len(" value="):])
		case strings.HasPrefix(s, " line="):
			line, _ := quotedText(s[len(" line="):])
			words = append(words, strings.Fields(line)...)
		}
	}
	return words
}

// parens reads the commands in lists: (run rm x), (system "rm x").
func (a *act) parens(content string) {
	for _, word := range [...]string{"(run ", "(system ", "(bash "} {
		eachAfter(content, word, func(_, after string) {
			after = after[:min(len(after), mostWorded)]
			if text, ok := quotedText(after); ok && word != "(run " {
				a.script(text)
				return
			}
			command, _, _ := strings.Cut(after, ")")
			a.script(command)
		})
	}
}
