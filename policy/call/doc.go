// Package call says what a tool call does, whatever its client calls its tools
// and in whatever form the call arrives.
//
// [Read] takes a block and returns a [Call]: the tool's canonical name and kind,
// the shell commands it runs, the files it reads and writes and the addresses
// it fetches. The same command gives the same Call if it comes as Claude Code's
// Bash, as Codex's exec_command or JavaScript, as an item of the Responses API
// or through a dispatcher tool, so that a policy is written once.
//
// A policy can also ask what the call writes to files ([Call.Contents]), which
// texts it sends to a database, whether it sends something to others and whether
// its result was written by others.
//
// # Tables
//
// What is known of named tools, servers and members is in YAML beside this file, with
// examples that run as tests: tools.yaml says what names and the words of names mean,
// members.yaml what arguments are, whatever they are called, and later.yaml which files
// specify what runs later. What a tool does to what others run or store is the
// description of tool-call in the catalogue of programs (policy/command/catalogue/tools.yaml),
// which is asked with what the words of its name say. The code reads arguments once,
// decides what kind of call it is, and hands its texts to the shell, to the
// readers of programs and to those of statements.
//
// # Doubt
//
// What cannot be read is never silently left out: [Call.Unknown] names the
// reasons, and [Call.Incomplete] says which of the lists may be incomplete.
// Finding nothing in an incomplete list proves nothing. The package errs on the
// pessimistic side: an unknown tool with a member called command is treated as
// a shell.
//
// # Places
//
// Paths are those of the client's machine. They are cleaned and, as far as
// [Place] is known, made absolute by their text alone; the disk is never
// accessed, so symbolic links are not followed.
package call
