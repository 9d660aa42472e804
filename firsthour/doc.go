// Package firsthour does what a new user does. It has no code but a test, which
// installs the program and then runs every command and snippet that README.md, docs and
// the help of each command show, each in a clean home of its own:
//
//	make firsthour
//
// Commands run offline. Stand-ins for Claude Code, Codex and other clients speak to
// the gateway through the base URL that they are given, and a scripted upstream takes
// the place of the providers. YAML is loaded, Go is type-checked.
//
// What each command should print is written in testdata/expect.txt. A command that is
// not listed there fails the test: whoever documents a command says what it does.
package firsthour
