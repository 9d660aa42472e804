package library

import (
	"slices"
	"strings"
)

// Language is what a program is written in.
type Language uint8

// The languages that are read.
const (
	Python Language = iota + 1
	Perl
	Ruby
	PHP
	Lua
	R
	JavaScript
	PowerShell
	Cmd
)

// String is the language's name in lower case.
func (l Language) String() string {
	names := [...]string{"program", "python", "perl", "ruby", "php", "lua", "r", "javascript", "powershell", "cmd"}
	if int(l) >= len(names) {
		return names[0]
	}
	return names[l]
}

// What is one kind of use.
type What uint8

// What a program can do. Each says what Text is.
const (
	// Shell: a text is given to a shell.
	Shell What = iota + 1
	// Argv: a program is run without a shell. Args are its name and arguments.
	Argv
	// DeleteFile, WriteFile, ReadFile, Mode: of the file Text. WriteFile has the
	// sources of what is written in From, and Content where it is known as a
	// whole; Mode has the mode in Content.
	DeleteFile
	WriteFile
	ReadFile
	Mode
	// RunFile: the program in the file Text, in the same language.
	RunFile
	// Fetch: the address Text is asked for something.
	Fetch
	// Send: something is given to the address Text. From are the files it comes
	// from, and Environment; empty for text of the program itself.
	Send
	// Connect and Listen: a connection of which the text does not tell what it
	// carries, with the address Text.
	Connect
	Listen
	// ReverseShell: the other side of the connection to Text gets a shell.
	ReverseShell
	// Eval: a text that is not known is run as a program of the same language.
	// Text is the address it was fetched from, if it was; Hidden what it was
	// decoded by. A text that is known is read, and gives no use of its own.
	Eval
	// Env: the variable Text of the environment is read, Environment for all.
	Env
	// Kill: the process Text.
	Kill
	// Exhaust: processes are started without end.
	Exhaust
	// Query: the text of a database query.
	Query
	// Destroy: the thing Text of a cloud, with all that it holds if Recursive.
	Destroy
	// Apply: the thing Text of a cloud is made, which costs money while it is there.
	Apply
	// Print: Text is printed.
	Print
	// Unread: the program is larger or deeper than what is read. Text says
	// which limit it was.
	Unread
)

// String is a word for what is done.
func (w What) String() string {
	return [...]string{"", "shell", "argv", "delete", "write", "read", "mode", "run", "fetch", "send", "connect", "listen", "reverse-shell", "eval", "env", "kill", "exhaust", "query", "destroy", "apply", "print", "unread"}[w]
}

// Environment stands in From for the variables of the environment.
const Environment = "environment"

// Use is one thing that a program does.
type Use struct {
	What What
	Text string
	Args []string
	From []string
	// To is the database that a query is for, as far as it is known.
	To string
	// Known: Text, or Args, are known as a whole. What is not known in them
	// stands as "${name}".
	Known bool
	// Names are the names that stand in a shell's text for what is not known.
	Names []string
	// Dir is where a command runs, empty for where the program began.
	Dir string
	// Recursive: with everything in it.
	Recursive bool
	Content   string
	Hidden    string
}

// String is what happens in words, as examples write it: "delete /etc all",
// "send http://h from k". What is not known stands as "$name".
func (u *Use) String() string {
	s := u.What.String()
	if words := strings.Join(append([]string{u.Text}, u.Args...), " "); strings.TrimSpace(words) != "" {
		s += " " + strings.TrimSpace(words)
	}
	if u.Recursive {
		s += " all"
	}
	if u.To != "" {
		s += " on " + u.To
	}
	if len(u.From) > 0 {
		s += " from " + strings.Join(u.From, " ")
	}
	return strings.NewReplacer("${", "$", "}", "").Replace(s)
}

// NamesSecret reports whether the name of a variable of the environment says that it
// holds a secret.
func NamesSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "SECRET", "TOKEN", "PASS", "CRED", "AUTH"}, func(word string) bool { return strings.Contains(name, word) })
}

// IsShell reports whether a program is a shell, by its name or path.
func IsShell(program string) bool {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	switch strings.TrimSuffix(name, ".exe") {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh":
		return true
	}
	return false
}
