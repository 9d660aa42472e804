package project

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/scan"
)

// Elements reads the XML by which Maven, Ant and the like are told what to build: the
// commands that it runs and the directories that it deletes.
func Elements(content string) Steps {
	var s Steps
	left := maxFound
	scan.Names(content, maxReach, func(name, before, after string) bool {
		switch {
		case name == "executable" && strings.IndexAny(after, `>="`) == 0:
			if words := elementWords(after); len(words) > 0 {
				s.add(Command{Args: words})
			}
			left--
		case name == "delete" && strings.HasSuffix(before, "<"):
			tag, _, _ := strings.Cut(after, ">")
			for word := range strings.FieldsSeq(tag) {
				for _, attribute := range [...]string{"dir=", "file="} {
					value, ok := strings.CutPrefix(word, attribute)
					if path, quoted := scan.Literal(value); ok && quoted {
						s.remove(dollars.Replace(path), true)
					}
				}
			}
		}
		s.Unknown = s.Unknown || left == 0
		return !s.Unknown
	})
	return s
}

// elementWords returns a program and its arguments: executable="rm"> <arg value="x"/>
// or <executable>rm</executable> <argument>x</argument>.
func elementWords(s string) []string {
	var words []string
	take := func(s string) {
		s = strings.TrimLeft(s, ` >="'`)
		if end := strings.IndexAny(s, `"'<`); end > 0 && len(words) < maxItems {
			words = append(words, dollars.Replace(strings.TrimSpace(s[:end])))
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
	for range maxItems {
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
			line, _ := scan.Literal(s[len(" line="):])
			words = append(words, strings.Fields(line)...)
		}
	}
	return words
}

// Dune reads the commands in the lists of a dune file: (run rm x), (system "rm x").
func Dune(content string) Steps {
	var s Steps
	for _, word := range [...]string{"(run ", "(system ", "(bash "} {
		scan.After(content, word, func(_, after string) {
			after = after[:min(len(after), maxReach)]
			if text, ok := scan.Literal(after); ok && word != "(run " {
				s.shell(text)
				return
			}
			command, _, _ := strings.Cut(after, ")")
			s.shell(command)
		})
	}
	return s
}

// CMake reads the commands that a script of CMake runs and the files that it removes.
func CMake(content string) Steps {
	s := cmakeCommands(content)
	for _, word := range [...]string{"REMOVE_RECURSE", "REMOVE"} {
		rest := content
		for range maxItems {
			_, after, ok := strings.Cut(rest, word+" ")
			if !ok {
				break
			}
			names, next, _ := strings.Cut(after, ")")
			for name := range strings.FieldsSeq(names) {
				s.remove(strings.ReplaceAll(strings.Trim(name, `"`), "$ENV{HOME}", "~"), word == "REMOVE_RECURSE")
			}
			rest = next
		}
	}
	return s
}

// CMakeLists reads the commands of a CMakeLists.txt.
func CMakeLists(f File) Steps { return f.OrLines(cmakeCommands(f.Content)) }

func cmakeCommands(content string) Steps {
	var s Steps
	for range maxItems {
		_, rest, ok := strings.Cut(content, "COMMAND ")
		if !ok {
			break
		}
		command, rest, _ := strings.Cut(rest, ")")
		s.shell(dollars.Replace(command))
		content = rest
	}
	return s
}

// Puppet reads what a manifest of Puppet runs and removes.
func Puppet(manifest string) Steps {
	var s Steps
	quoted := scan.Quoted(manifest)
	if strings.Contains(manifest, "absent") {
		for _, text := range quoted {
			if effect.IsAbs(text) {
				s.remove(text, strings.Contains(manifest, "recurse") || strings.Contains(manifest, "force"))
			}
		}
	}
	if strings.Contains(manifest, "exec") {
		for _, text := range quoted {
			if strings.Contains(text, " ") {
				s.shell(text)
			}
		}
	}
	return s
}
