package flow

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/policy/call"
)

// asksForAll reports whether a call asks for all of one file and nothing else: a
// tool without a range, or cat alone.
func asksForAll(c *call.Call) bool {
	if c.Kind != call.KindRead && c.Kind != call.KindShell {
		return false
	}
	command := ""
	for name, v := range c.Args() {
		text, isText := v.(string)
		switch fold(name) {
		case "filepath", "path", "file", "filename", "absolutepath", "targetfile", "description", "explanation", "workdir":
			if !isText {
				return false
			}
		case "isbackground", "runinbackground":
			if v != false {
				return false
			}
		case "command", "cmd":
			if list, ok := v.([]any); ok && len(list) == 3 && (list[0] == "bash" || list[0] == "sh") && (list[1] == "-lc" || list[1] == "-c") {
				text, _ = list[2].(string)
			}
			command = strings.TrimSpace(text)
		default:
			return false
		}
	}
	if c.Kind == call.KindRead {
		return command == "" && len(c.Args()) > 0
	}
	name, ok := strings.CutPrefix(command, "cat ")
	if q := name[:min(len(name), 1)]; q == "'" || q == `"` {
		name = strings.TrimSuffix(name[1:], q)
	}
	return ok && name != "" && !strings.ContainsAny(name, " \t\r\n\"'\\&|;<>()$`*?[]{}!#")
}

// What clients show of a file at most; beyond it they cut, some without a word.
const (
	mostResult  = 100_000
	mostPrinted = 30_000 // by a command
	mostLines   = 2000
	mostLine    = 2000
)

// content is what is in a file as far as a result shows it. It is not ok unless that is
// all of it: results that were cut are not. It is sure if it does not say why there is
// nothing: its lines have numbers, or it begins as programs do.
func (s *showing) content(result string) (content string, sure, ok bool) {
	if len(result) > mostResult || s.shell && len(result) > mostPrinted {
		return "", false, false
	}
	if s.shell {
		result = withoutHeader(result)
	} else if s.by == "Read" { // which numbers the lines
		_, sure = afterNumber(result, 1)
		if result, ok = withoutNumbers(result); !ok {
			return "", false, false
		}
	}
	for _, sign := range [...]string{"truncated", "persisted-output", "[... ", "[...]", "omitted", "too large"} {
		if strings.Contains(result, sign) {
			return "", false, false
		}
	}
	lines := 0
	for line := range strings.Lines(result) {
		if lines++; lines >= mostLines || len(line) >= mostLine {
			return "", false, false
		}
	}
	return result, sure || beginsAsProgram(result), isPrintable(result)
}

// withoutHeader is the output of a command without what Codex says before it.
func withoutHeader(result string) string {
	header, output, ok := strings.Cut(result, "\nOutput:\n")
	if !ok || !strings.Contains(header, "xit") || !strings.Contains(header, "code 0") && !strings.Contains(header, "code: 0") {
		return result
	}
	for line := range strings.Lines(header) {
		known := false
		for _, begin := range [...]string{"Exit code: 0", "Process exited with code 0", "Wall time: ", "Chunk ID: ", "Original token count: "} {
			known = known || strings.HasPrefix(line, begin)
		}
		// A file that begins like this itself must not hide a command in it.
		if !known || strings.ContainsFunc(strings.TrimSpace(line), func(r rune) bool {
			return r != ' ' && r != '.' && r != ':' && (r > 'z' || !isWord(byte(r)))
		}) {
			return result
		}
	}
	return output
}

// withoutNumbers takes the numbers off the lines, and the words of the client that
// follow them. Lines without any are left; it reports false if only some have them.
func withoutNumbers(result string) (string, bool) {
	if _, ok := afterNumber(result, 1); !ok {
		return result, true
	}
	var out strings.Builder
	n, rest := 1, result
	for rest != "" {
		line, ok := afterNumber(rest, n)
		if !ok {
			break
		}
		n++
		end := strings.IndexByte(line, '\n') + 1
		if end == 0 {
			end = len(line)
		}
		out.WriteString(line[:end])
		rest = line[end:]
	}
	rest = strings.TrimSpace(rest)
	return out.String(), rest == "" || strings.HasPrefix(rest, "<system-reminder>") && strings.HasSuffix(rest, "</system-reminder>")
}

// afterNumber is what follows the number of a line.
func afterNumber(line string, n int) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line[:min(len(line), 16)], " ")+line[min(len(line), 16):], strconv.Itoa(n))
	if !ok {
		return "", false
	}
	if after, ok := strings.CutPrefix(rest, "→"); ok {
		return after, true
	}
	return strings.CutPrefix(rest, "\t")
}

// beginsAsProgram reports whether a text begins as programs do, and not as what a
// tool says instead of showing one.
func beginsAsProgram(text string) bool {
	text = strings.TrimLeft(text, "\ufeff \t\r\n")
	for _, begin := range [...]string{"#!", "# ", "#\n", "##", "// ", "/*", `"""`, "'''", "import ", "from ", "set -", "<?php", "package ", `"use strict"`, "'use strict'", "const ", "@echo", "<#", "-- "} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// isPrintable reports whether a text is all there: in place of other bytes clients
// show a sign, or nothing.
func isPrintable(text string) bool {
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f || r == utf8.RuneError || 0x80 <= r && r < 0xa0 {
			return false
		}
	}
	return true
}
