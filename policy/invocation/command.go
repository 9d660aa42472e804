package invocation

import (
	"maps"
	"slices"
	"strings"
)

// Command is one simple command. Its slices and maps may be shared with other
// commands of the same text and must not be modified.
type Command struct {
	// Name is the base name of the program: kubectl for /usr/bin/kubectl. It
	// is empty for a text that only redirects or sets variables.
	Name string
	// Sub is the first argument that is neither a flag nor, for the usual
	// tools, the value of a flag: delete in kubectl --context prod delete.
	Sub string
	// Args are the arguments without quotes. Expansions stand as written.
	Args []string
	// Open says of each argument how much of it is not known, nil if all are
	// known: a dollar in one that is Whole is a dollar.
	Open []Openness
	// Env are the variables set for this command alone.
	Env map[string]string
	// OpenEnv says of those that are not known as a whole how much of them is not:
	// with AnyWords the value is only one of several.
	OpenEnv map[string]Openness
	// Exported are other variables that the program is given, and those that it may be
	// given of those that its description takes for options; what is not known of them
	// stands as written.
	Exported map[string]string
	// Without are variables that it is not given, * for all but its own.
	Without []string
	// Sudo is true for a command that runs as another user.
	Sudo bool
	// Remote is true for a command that runs on another machine.
	Remote bool
	// More is true if arguments that are not known yet follow when it runs:
	// xargs, find -exec.
	More bool
	// Text is the source of the command with its wrappers and redirections.
	Text string
	// Reads and Writes are the targets of redirections, without quotes.
	Reads, Writes []string
	// Input is the literal here-document or here-string it is given.
	Input string
	// Depth is how deep the command lies in others that run it.
	Depth int
	// Dir is where a cd earlier in the text went to, as written, relative to
	// the directory in which the text starts. Empty means that directory.
	Dir string
	// DirUnknown is true if a cd earlier in the text went somewhere that
	// cannot be read, so that relative paths mean nothing.
	DirUnknown bool
}

// Openness says how much of an argument is not known.
type Openness uint8

const (
	// Whole: it is known.
	Whole Openness = iota
	// OneWord: a part of it is not known, and it is one argument: "$X/a".
	OneWord
	// AnyWords: it can become any number of arguments, also none: $X.
	AnyWords
	// Names: it stands for the names of files that it matches, if there are any: pr*.
	Names
)

// IsWritten reports whether the command runs as it is written: its name comes first, but
// for variables that do not change what programs do.
func (c *Command) IsWritten() bool {
	text := c.Text
	for IsAssignment(text) {
		name, value, _ := strings.Cut(text, "=")
		end := strings.IndexAny(value, " \t")
		if end < 0 || strings.ContainsAny(value[:end], "'\"\\$`(;&|<>") || directsPrograms(name) {
			return false
		}
		text = strings.TrimLeft(value[end:], " \t")
	}
	rest, ok := strings.CutPrefix(text, c.Name)
	return ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t"))
}

// directsPrograms reports whether a variable may say where a program looks, what it
// loads, or what else it is told, by its name.
func directsPrograms(name string) bool {
	return ContainsAny(strings.ToUpper(name), []string{"PATH", "DIR", "HOME", "TMP", "TEMP", "PRELOAD", "LIB", "LD_", "OPT", "FLAG", "ARG", "CONF", "ENV", "RC", "FILE", "GIT", "BASH", "IFS", "PAGER", "EDITOR", "SHELL", "GREP", "JQ", "TREE", "ROOT", "CMD", "COMMAND"})
}

// Is reports whether the command is one of the named programs.
func (c *Command) Is(names ...string) bool { return slices.Contains(names, c.Name) }

// Has reports whether the command has a flag, given with or without its
// dashes. --name=value has --name; -rf has -r and -f, and so has any other
// word of letters after one dash. A "--" argument ends the flags.
func (c *Command) Has(flag string) bool {
	name := strings.TrimLeft(flag, "-")
	if name == "" {
		return false
	}
	for _, arg := range c.Args {
		if arg == "--" {
			return false
		}
		body, dashes := CutDashes(arg)
		if dashes == 0 {
			continue
		}
		body, _, _ = strings.Cut(body, "=")
		if body == name && (dashes == 2 || dashes == 1 && !strings.HasPrefix(flag, "--")) {
			return true
		}
		if dashes == 1 && len(name) == 1 && !strings.HasPrefix(flag, "--") && IsCluster(body) && strings.Contains(body, name) {
			return true
		}
	}
	return false
}

// Flag returns the value of a flag, given with or without its dashes: of
// --name=value, --name value, -n value or -nvalue. It is empty if the flag is
// absent or has no value. Of several the last one counts, as it does for most
// programs.
func (c *Command) Flag(name string) string {
	name = strings.TrimLeft(name, "-")
	value := ""
	for i, arg := range c.Args {
		if arg == "--" {
			break
		}
		body, dashes := CutDashes(arg)
		if name == "" || dashes == 0 || !strings.HasPrefix(body, name) {
			continue
		}
		rest := body[len(name):]
		switch {
		case rest == "":
			if i+1 < len(c.Args) && !strings.HasPrefix(c.Args[i+1], "-") {
				value = c.Args[i+1]
			}
		case rest[0] == '=':
			value = rest[1:]
		case dashes == 1 && len(name) == 1:
			value = rest
		}
	}
	return value
}

// Operands returns the arguments that are not flags. It cannot know which
// words are values of flags, except for those named in valueFlags without
// their dashes.
func (c *Command) Operands(valueFlags ...string) []string {
	var operands []string
	for i := 0; i < len(c.Args); i++ {
		arg := c.Args[i]
		if arg == "--" {
			return append(operands, c.Args[i+1:]...)
		}
		body, dashes := CutDashes(arg)
		switch {
		case dashes == 0:
			operands = append(operands, arg)
		case TakesNext(body, dashes, valueFlags):
			i++
		}
	}
	return operands
}

// TakesNext reports whether the flag's value is the next word.
func TakesNext(body string, dashes int, valueFlags []string) bool {
	if len(body) == 1 {
		return hasLetter(valueFlags, body[0])
	}
	if slices.Contains(valueFlags, body) {
		return true
	}
	if dashes == 2 || !IsCluster(body) {
		return false
	}
	// In -xvf the last letter takes the next word, if no letter before it
	// takes the rest of this one.
	for i := range len(body) {
		if hasLetter(valueFlags, body[i]) {
			return i == len(body)-1
		}
	}
	return false
}

func hasLetter(flags []string, letter byte) bool {
	for i := range flags {
		if f := flags[i]; len(f) == 1 && f[0] == letter {
			return true
		}
	}
	return false
}

// CutDashes returns the flag without its dashes and how many it had: 0 for an
// argument that is no flag, such as "-".
func CutDashes(arg string) (body string, dashes int) {
	switch {
	case len(arg) < 2 || arg[0] != '-':
		return arg, 0
	case arg[1] != '-':
		return arg[1:], 1
	default:
		return arg[2:], 2
	}
}

// IsCluster reports whether body can be several short flags in one word.
func IsCluster(body string) bool {
	for i := range len(body) {
		if c := body[i]; !IsNameByte(c) || c == '_' {
			return false
		}
	}
	return body != ""
}

// IsNameByte reports whether a byte may stand in the name of a variable.
func IsNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Assign notes an assignment NAME=value, and how much of it is not known. Until the
// variables are the command's own, others may have the same.
func (c *Command) Assign(assignment string, open Openness, owned *bool) {
	if !*owned {
		c.Env, c.OpenEnv, *owned = maps.Clone(c.Env), maps.Clone(c.OpenEnv), true
	}
	if c.Env == nil {
		c.Env = map[string]string{}
	}
	if name, value, _ := strings.Cut(assignment, "="); len(c.Env) < MaxEnv {
		name = strings.TrimSuffix(name, "+")
		c.Env[name] = value
		delete(c.OpenEnv, name)
		if open != Whole {
			if c.OpenEnv == nil {
				c.OpenEnv = map[string]Openness{}
			}
			c.OpenEnv[name] = open
		}
	}
}

// IsAssignment reports whether a word is NAME=value.
func IsAssignment(text string) bool {
	eq := strings.IndexByte(text, '=')
	if eq <= 0 || '0' <= text[0] && text[0] <= '9' {
		return false
	}
	for i := range eq {
		if !IsNameByte(text[i]) {
			return false
		}
	}
	return true
}
