package shell

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command in its arguments.
type wrapper struct {
	values   string   // short flags with a value
	long     []string // long flags whose value is the next word
	operands int      // operands before the command
	assigns  bool     // takes NAME=value before the command
	sudo     bool     // runs it as another user
	more     bool     // gives it further arguments
	alone    string   // flags with which it runs nothing
}

var wrappers = map[string]wrapper{
	"sudo": {
		values: "ugphCDRTUrt", assigns: true, sudo: true, alone: "elvkKV",
		long: []string{"--user", "--group", "--prompt", "--host", "--close-from", "--chdir", "--chroot", "--command-timeout", "--other-user", "--role", "--type"},
	},
	"doas":     {values: "uC", sudo: true, alone: "L"},
	"env":      {values: "uCS", assigns: true, long: []string{"--unset", "--chdir", "--split-string"}, alone: "S"},
	"nohup":    {},
	"nice":     {values: "n", long: []string{"--adjustment"}},
	"ionice":   {values: "cnpPu", long: []string{"--class", "--classdata"}},
	"chrt":     {operands: 1},
	"taskset":  {operands: 1},
	"timeout":  {values: "sk", operands: 1, long: []string{"--signal", "--kill-after"}},
	"gtimeout": {values: "sk", operands: 1, long: []string{"--signal", "--kill-after"}},
	"time":     {values: "fo", long: []string{"--format", "--output"}},
	"command":  {alone: "vV"},
	"builtin":  {},
	"exec":     {values: "a"},
	"stdbuf":   {values: "ioe", long: []string{"--input", "--output", "--error"}},
	"unbuffer": {},
	"setsid":   {},
	"chroot":   {operands: 1},
	"flock":    {values: "wEc", operands: 1, long: []string{"--wait", "--timeout", "--conflict-exit-code", "--command"}, alone: "c"},
	"busybox":  {},
	"toybox":   {},
	"xargs":    {values: "aEILnPsdJR", more: true, long: []string{"--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--process-slot-var"}},
}

// unwrap removes the wrappers in front of a command. piped tells whether its
// input is another command's output, and is returned as it is for the rest.
func (r *reader) unwrap(words []word, c *Command, piped bool) ([]word, bool) {
	for len(words) > 0 && words[0].known() {
		name := baseName(words[0].text)
		by, ok := wrappers[name]
		if !ok {
			break
		}
		c.Sudo = c.Sudo || by.sudo
		rest, runs := by.rest(words[1:], c, name)
		if !runs || len(rest) == 0 {
			break
		}
		if by.more {
			c.More, piped = true, false
		}
		words = rest
	}
	return words, piped
}

// rest returns the words after the wrapper's own, and whether it runs them.
func (by *wrapper) rest(words []word, c *Command, name string) (rest []word, runs bool) {
	operands := by.operands
	for i := 0; i < len(words); i++ {
		text := words[i].text
		body, dashes := cutDashes(text)
		switch {
		case text == "--":
			return words[min(i+1+operands, len(words)):], true
		case text == "-" && name == "env":
		case dashes == 2:
			if slices.Contains(by.long, text) {
				i++
			}
			if by.alone != "" && (strings.HasPrefix(body, "split-string") || strings.HasPrefix(body, "command")) {
				return nil, false
			}
		case dashes == 1:
			stop := strings.IndexAny(body, by.values)
			if flags := body[:stop+1]; strings.ContainsAny(flags, by.alone) || stop < 0 && strings.ContainsAny(body, by.alone) {
				return nil, false
			}
			if stop >= 0 && stop == len(body)-1 {
				i++
			}
		case by.assigns && assignment(text) > 0:
			c.set(text)
		case operands > 0:
			operands--
		default:
			return words[i:], true
		}
	}
	return nil, true
}
