package command

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
)

// Program is the description of a program.
type Program struct {
	// Names are the names that it is called by.
	Names []string
	// key is how they were written.
	key string
	// About says in a few words what the program is.
	About string
	// Replaces: what else is known of the program does not count.
	Replaces bool
	// Common: the name is that of many other things, too: a script of a project, a word
	// of a text.
	Common bool
	// File and Line say where the description begins.
	File string
	Line int

	syntax syntax
	flags  flagTable
	// kinds are those of its effects, by their verbs.
	kinds map[effect.Verb]effect.Kind
	// variables of the environment that are as good as an option, by their role.
	variables []variable
	commands  []*Command
	index     wayIndex // of the commands
	// wraps says that it runs the command in its arguments, nil if it does not.
	wraps *wrapping
	// always is what the program does whatever its command is, also where the
	// description does not have that.
	always   Command
	examples []Example
	// base is the program that the description adds to, which says by itself what it does,
	// empty if there is none. like: it is another one.
	base string
	like bool
	// helps: it is known to explain itself, and to do nothing else, where it is asked for help.
	helps bool
	// place names the code that says where the program works, before anything else is
	// told; empty if there is none.
	place string
	// other finds the description of another program.
	other func(name string) *Program
	// every has the flags of all commands, for the words before it is known which
	// command they belong to.
	every flagTable
	// leading are the options with a value that the whole program has and that mean
	// something else to one of its commands: before the first word that is no option
	// they are the program's.
	leading flagTable
}

// syntax says how a program reads its options.
type syntax struct {
	// oneDash: -name is the same as --name, and there are no clusters of letters.
	oneDash bool
	// firstEnds: the first operand ends the options.
	firstEnds bool
	// bundled: the first word may be letters without a dash, whose values follow.
	bundled bool
	// anyCase: words and options may be written in capitals. Descriptions have them
	// in small letters.
	anyCase bool
	// asWritten: what is not known in a value counts as it is written, for descriptions of
	// parts of command lines that name so much that anything could be meant.
	asWritten bool
	// separated: a semicolon at the end of a word ends a command, and another follows.
	separated bool
	// slash: as programs of Windows do it, /name is --name, and /name:value has a value.
	slash bool
}

// variable is one of the environment that gives a value to a role.
type variable struct {
	name, role string
	// kind says what happens to the value by itself.
	kind Kind
}

// RunsVariable reports whether the program runs what is in a variable of the environment.
func (p *Program) RunsVariable(name string) bool {
	return slices.ContainsFunc(p.variables, func(v variable) bool { return v.name == name && v.kind == Shell })
}

// IsForWindows reports whether the program takes its options as those of Windows do.
func (p *Program) IsForWindows() bool { return p.syntax.slash }

// Command is one command of a program, or the program itself if it has no
// subcommands.
type Command struct {
	// ways are the words by which it is called; no words for the program itself.
	ways     []way
	flags    flagTable
	operands []Operand
	// declared are the roles that every invocation has and this command gives itself.
	declared []string
	// after is the role of the words behind "--", if they have one of their own.
	after   *Operand
	effects []template
	// prints and echoes: it prints what it reads, from files or its input, or the
	// words that it is given.
	prints, echoes condition
	// input is what it does with its input, Text if nothing, unless something holds.
	input       Kind
	inputUnless condition
	// places are the roles that say what database statements are for.
	places []Operand
	// firstEnds: an operand ends the options, the first or that behind some others.
	firstEnds bool
	ahead     int
	// below: it is a command of the program that this description adds to, which says by
	// itself what it does.
	below bool
	// program is the one whose description explains the rest, empty if this does;
	// called: it is given the rest of the name that this one is called by, as its first
	// word.
	program string
	called  bool
	// hooks call the code that knows more.
	hooks []call
	// cases tell apart what values of roles say.
	cases []choice
	line  int
}

// Operand is the role of an argument that is not an option.
type Operand struct {
	Role string
	// Kind says what happens to the value by itself.
	Kind Kind
	// Rest: there may be any number of them. Every operand may be missing.
	Rest bool
	// when and unless say whether there is such an operand; when is nil if there always is.
	when, unless condition
}

// Kind says what a program does with a value.
type Kind string

// The kinds of values.
const (
	// Text: nothing happens to it by itself.
	Text Kind = ""
	// Read, Write and Delete: the path of a file that is read, written or deleted;
	// DeleteTree: with everything in it.
	Read       Kind = "read"
	Write      Kind = "write"
	Delete     Kind = "delete"
	DeleteTree Kind = "delete-tree"
	// ReadTree and WriteTree: the path of a directory, with everything in it.
	ReadTree  Kind = "read-tree"
	WriteTree Kind = "write-tree"
	// Format: a disk that is made new.
	Format Kind = "format"
	// Load: the path of a file with a program in a language of its own, which runs.
	Load Kind = "load"
	// Fetch: an address that something is fetched from.
	Fetch Kind = "fetch"
	// Connect: a host that is connected to.
	Connect Kind = "connect"
	// Shell: text that a shell runs; RemoteShell: on another machine.
	Shell       Kind = "shell"
	RemoteShell Kind = "remote-shell"
	// Spawn: text that a shell runs beside the program, whose output is its own.
	Spawn Kind = "spawn"
	// Argv: a program and its arguments; RemoteArgv: on another machine.
	Argv       Kind = "argv"
	RemoteArgv Kind = "remote-argv"
	// Assign: NAME=value, a variable that is set for what runs later.
	Assign Kind = "assign"
	// SQL, Postgres and MySQL: statements that a database executes, in the standard's
	// dialect, PostgreSQL's and MySQL's; SQLFile and the like: the path of a file with
	// statements.
	SQL          Kind = "sql"
	Postgres     Kind = "postgres"
	MySQL        Kind = "mysql"
	SQLFile      Kind = "sql-file"
	PostgresFile Kind = "postgres-file"
	MySQLFile    Kind = "mysql-file"
	// Server and Database: the machine that a database is on, and its name or address.
	Server   Kind = "server"
	Database Kind = "database"
	// Credential: it says who asks. It is used, and is no part of what is sent.
	Credential Kind = "credential"
	// Script: the path of a file whose text a shell runs.
	Script Kind = "script"
	// Package: a package that is installed, from a registry or from where its name says;
	// PackageOrRepository: owner/name is a repository. PackageList: a file with packages.
	// PackageRun: one that is fetched to be run, and
	// PackageArgv: the words behind it are the arguments of its program.
	Package     Kind = "package"
	PackageList Kind = "package-list"
	PackageRun  Kind = "package-run"
	PackageArgv Kind = "package-argv"

	PackageOrRepository Kind = "package-or-repository"

	// Part, for effects alone: words of which the first names the description that the others
	// are read with, as a command line. Commands and CommandFile: the last word is a text with
	// such a command line in each of its lines, or the path of a file with it. Doubt: a reason
	// for which more may happen than what is said.
	Part        Kind = "part"
	Commands    Kind = "commands"
	CommandFile Kind = "command-file"
	Doubt       Kind = "doubt"
)

var kinds = []Kind{Read, ReadTree, Write, WriteTree, Delete, DeleteTree, Format, Load, Fetch, Connect, Shell, RemoteShell, Spawn, Argv, RemoteArgv, Assign, SQL, Postgres, MySQL, SQLFile, PostgresFile, MySQLFile, Server, Database, Credential, Script, Package, PackageList, PackageRun, PackageArgv, PackageOrRepository}

// runKinds are the kinds that stand in the place of an effect's verb: what the values of
// roles make is run, if conditions hold.
var runKinds = []Kind{Shell, RemoteShell, Spawn, Argv, RemoteArgv, Load, SQL, Postgres, MySQL, SQLFile, PostgresFile, MySQLFile, Script, Package, PackageList, PackageRun, PackageOrRepository, Part, Commands, CommandFile, Doubt}

// template is an effect whose parts depend on the values of roles.
type template struct {
	verb effect.Verb
	// kind is that of what runs instead of an effect, words are its words.
	kind          Kind
	words         []text
	object, from  text
	content       text
	wide, scratch condition
	remote        bool // it happens on another machine
	// kinds are those that it may have: the first whose condition may hold counts.
	kinds        []kindIf
	when, unless condition
	line         int
}

// Example is an invocation with the effects that it must have.
type Example struct {
	// Run is the command as typed into a shell.
	Run string
	// Want are the effects in words, as [effect.Effect.String] says them. Unknown:
	// there must be something unknown about the invocation.
	Want    []string
	Unknown bool
	Line    int
}

// Examples are those of the description.
func (p *Program) Examples() []Example { return p.examples }

// Commands are those of the program.
func (p *Program) Commands() []*Command { return p.commands }

// Hooks are the names of the code that descriptions call, and Contexts the facts
// that they ask for: hosts have all of them.
func (p *Program) Hooks() (hooks, contexts []string) {
	if p.place != "" {
		hooks = append(hooks, p.place)
	}
	for _, c := range p.all() {
		for i := range c.hooks {
			hooks = append(hooks, c.hooks[i].name)
		}
		for _, cond := range c.conditions() {
			for _, tests := range cond {
				for j := range tests {
					if tests[j].what == hasContext {
						contexts = append(contexts, tests[j].name)
					}
				}
			}
		}
	}
	return hooks, contexts
}

// all are the commands, with what the program does whatever its command is.
func (p *Program) all() []*Command {
	all := []*Command{&p.always}
	for _, c := range p.commands {
		if !c.below {
			all = append(all, c)
		}
	}
	if p.wraps != nil {
		self := *p.wraps.self
		self.echoes = p.wraps.unless // so that it is looked at with the others
		all = append(all, &self)
	}
	for i := 0; i < len(all); i++ {
		for _, of := range all[i].cases {
			for j := range of.list {
				then := *of.list[j].then
				then.operands = slices.Clone(all[i].operands)
				then.after, then.flags = all[i].after, all[i].flags
				for _, role := range append(of.list[j].roles(), of.role) {
					then.operands = append(then.operands, Operand{Role: role})
				}
				then.prints, then.echoes = of.list[j].when, of.list[j].unless // so that they are looked at with the others
				all = append(all, &then)
			}
		}
	}
	return all
}

// conditions are all that the command has.
func (c *Command) conditions() []condition {
	list := make([]condition, 0, 2+2*len(c.operands)+2*len(c.hooks)+4*len(c.effects))
	list = append(list, c.prints, c.echoes)
	for i := range c.operands {
		list = append(list, c.operands[i].when, c.operands[i].unless)
	}
	for i := range c.hooks {
		list = append(list, c.hooks[i].when, c.hooks[i].unless)
	}
	for i := range c.effects {
		t := &c.effects[i]
		list = append(list, t.wide, t.scratch, t.when, t.unless)
		for j := range t.kinds {
			list = append(list, t.kinds[j].when)
		}
	}
	return list
}
