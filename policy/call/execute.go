package call

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// runs reports whether an unknown tool runs something, by its name or its action.
func (c *Call) runs(name string, m members) bool {
	if says(c.words, "running") || says(c.serverWords, "running") || means(name, "runs") || means(c.Server, "runs") {
		return true
	}
	return slices.ContainsFunc(m, func(v value) bool {
		return (v.field == fieldNest || v.field == fieldName) && v.kind == jsonscan.String && means(v.text, "run-action")
	})
}

// does notes what the call that is read does, by its name and action.
func (c *Call) does(doing string) {
	if c.doing != doing || c.words == nil {
		c.doing, c.words, c.serverWords = doing, wordsOf(doing), wordsOf(c.Server)
	}
}

// doing is the name of a tool with its action, if that is a word: {"action":
// "delete"}.
func (m members) doing(name string) string {
	for i := range m {
		if len(name) > 2*mostName {
			break
		}
		if v := &m[i]; (v.field == fieldNest || v.field == fieldMethod) && v.kind == jsonscan.String && v.text != "" && len(v.text) <= mostKey && !strings.ContainsAny(v.text, " /\n") {
			name += "_" + v.text
		}
	}
	return name
}

// program reads a program with its arguments next to it as a command:
// {"program": "rm", "args": ["-rf", "/"]}. Tools that start programs may also
// call it a file.
func (m members) program(runs, starts bool) {
	if m.hasCommand() {
		return
	}
	arguments := false
	for i := range m {
		arguments = arguments || m[i].field == fieldArguments && m[i].kind == jsonscan.Array
	}
	for _, as := range []field{fieldProgram, fieldPath} {
		for i := range m {
			if v := &m[i]; v.field == as && v.kind == jsonscan.String && (as == fieldProgram && runs || (as == fieldProgram || starts) && arguments) {
				v.field = fieldCommand
				return
			}
		}
	}
	for i := range m {
		if v := &m[i]; v.field == fieldArguments && v.kind == jsonscan.Array && starts && !m.has(fieldName) { // {"argv": ["rm", "-rf", "/"]}
			if words := readings(v.strings()); len(words[0]) > 0 && words[0][0] != "" && words[0][0][0] != '-' && words[0][0][0] != '{' {
				v.field, v.list = fieldCommand, v.strings()
			}
			return
		}
	}
}

// givenShell reads a member that names a shell: one with more than its name is
// a command.
func (c *Call) givenShell(v *value, beside bool) bool {
	if v.kind == jsonscan.Array {
		c.argvs(v)
		return len(v.list) > 1
	}
	if v.kind != jsonscan.String {
		return false
	}
	text := strings.TrimSpace(v.text)
	if text == "" || isShellName(text) || beside && !strings.ContainsAny(text, " \t\n") && strings.Contains(text, "/") && isShellName(text[strings.LastIndexByte(text, '/')+1:]) {
		return false
	}
	c.shell(text)
	return true
}

// isShellName reports whether a text is the name of a shell, or the path of one.
func isShellName(text string) bool {
	text = text[strings.LastIndexAny(text, `/\`)+1:]
	return slices.Contains(tables().Names["shell-name"], strings.TrimSuffix(strings.ToLower(text), ".exe"))
}

// anyText reads every text in the arguments of a tool that runs something although
// no member is known to say what, including texts that are JSON. A tool that is
// known to be a shell does nothing else, whatever a member is called.
func (c *Call) anyText(text string, shell bool) { c.textsIn(text, shell, maxNest) }

func (c *Call) textsIn(text string, shell bool, levels int) {
	enters := func(key []byte, kind jsonscan.Kind) bool {
		if shell {
			return true
		}
		if kind == jsonscan.String && isKind(key, "aside") {
			return false
		}
		switch fieldOf(key) {
		case noField, fieldInput, fieldContent, fieldBody, fieldCode, fieldArguments, fieldCommand, fieldCommands, fieldNest, fieldSource, fieldCalls, fieldName:
			return true
		default:
			return false
		}
	}
	eachText(text, enters, func(text []byte) {
		if levels > 0 && bytes.ContainsAny(text, "{[") && jsonscan.Valid(text) == nil {
			c.textsIn(string(text), shell, levels-1)
		}
		if bytes.ContainsAny(text, " \t\n") {
			c.doubt(Shape, everything)
			if means(c.Name, "types") {
				c.typed(string(text))
			} else {
				c.shell(string(text))
			}
		}
	})
}

// eachText passes every text in JSON to found, except under keys that enters
// rejects.
func eachText(document string, enters func(key []byte, kind jsonscan.Kind) bool, found func(text []byte)) {
	var s jsonscan.Scanner
	s.Reset(jsonscan.View(document))
	walk(&s, nil, func(key []byte, s *jsonscan.Scanner) bool {
		kind := s.Kind()
		if key != nil && !enters(key, kind) {
			return false
		}
		if kind == jsonscan.String {
			if text, ok := jsonscan.Unquote(nil, s.Raw()); ok {
				found(text)
			}
		}
		return true
	})
}

// walk calls visit with a value and, as far as it returns true, with the values in it and the
// keys under which they stand, nil in lists. It goes as deep as JSON may nest, which jsonscan
// limits.
func walk(s *jsonscan.Scanner, key []byte, visit func(key []byte, s *jsonscan.Scanner) bool) {
	start := s.Pos()
	switch kind := s.Kind(); {
	case !visit(key, s):
		if s.Pos() == start {
			s.Skip()
		}
	case kind == jsonscan.Object:
		s.Object()
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			walk(s, key, visit)
		}
	case kind == jsonscan.Array:
		s.Array()
		for s.Elem() {
			walk(s, nil, visit)
		}
	case s.Pos() == start:
		s.Skip()
	}
}
