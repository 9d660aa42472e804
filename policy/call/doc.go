// Package call says what a tool call is about, whatever its client calls its
// tools and in whatever shape the call arrives.
//
// [Read] takes a block and returns a [Call]: the tool's canonical name and kind,
// the shell commands it runs, the files it reads and writes and the addresses
// it fetches. The same command gives the same Call if it comes as Claude Code's
// Bash, as Codex's exec_command or JavaScript, as an item of the Responses API
// or through a dispatcher tool, so that a policy is written once.
//
// A policy can also ask what the call puts into files ([Call.Contents]), which
// texts it gives to a database, whether it gives something to others and whether
// what it returns was written by others.
//
// # Doubt
//
// What cannot be read is never left out in silence: [Call.Unknown] names the
// reasons, and [Call.Incomplete] says which of the lists may miss something. A
// policy that finds nothing in an incomplete list has not found that there is
// nothing. The package leans to the pessimistic side: an unknown tool with a
// member called command is taken for a shell.
//
// # Places
//
// Paths belong to the client's machine. They are cleaned and, as far as [Place]
// tells, made absolute by their text alone; no disk is ever looked at, so
// symbolic links are not followed.
package call
