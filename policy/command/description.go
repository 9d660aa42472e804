package command

import "github.com/sluice-project/sluice/policy/effect"

// Program is the description of a program.
type Program struct {
	// Names are the names that it is called by.
	Names []string
	// About says in a few words what the program is.
	About string
	// Replaces: what else is known of the program does not count.
	Replaces bool
	// File and Line say where the description begins.
	File string
	Line int

	syntax   syntax
	flags    flagTable
	commands []*Command
	examples []Example
	// other finds the description of another program.
	other func(name string) *Program
	// every has the flags of all commands, for the words before it is known which
	// command they belong to.
	every flagTable
}

// syntax says how a program reads its options.
type syntax struct {
	// oneDash: -name is the same as --name, and there are no clusters of letters.
	oneDash bool
	// firstEnds: the first operand ends the options.
	firstEnds bool
}

// Command is one command of a program, or the program itself if it has no
// subcommands.
type Command struct {
	// ways are the words by which it is called; no words for the program itself.
	ways     []way
	flags    flagTable
	operands []Operand
	// after is the role of the words behind "--", if they have one of their own.
	after   *Operand
	effects []template
	// firstEnds: the first operand ends the options.
	firstEnds bool
	// program is the one whose description explains the rest, empty if this does.
	program string
	// hooks name the code that knows more.
	hooks []string
	line  int
}

// Operand is the role of an argument that is not an option.
type Operand struct {
	Role string
	// Kind says what happens to the value by itself.
	Kind Kind
	// Rest: there may be any number of them. Every operand may be missing.
	Rest bool
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
	// Fetch: an address that something is fetched from.
	Fetch Kind = "fetch"
	// Connect: a host that is connected to.
	Connect Kind = "connect"
	// Shell: text that a shell runs; RemoteShell: on another machine.
	Shell       Kind = "shell"
	RemoteShell Kind = "remote-shell"
	// Argv: a program and its arguments; RemoteArgv: on another machine.
	Argv       Kind = "argv"
	RemoteArgv Kind = "remote-argv"
	// SQL: statements that a database executes.
	SQL Kind = "sql"
	// Script: the path of a file whose text a shell runs.
	Script Kind = "script"
)

var kinds = []Kind{Read, Write, Delete, DeleteTree, Fetch, Connect, Shell, RemoteShell, Argv, RemoteArgv, SQL, Script}

// template is an effect whose parts depend on the values of roles.
type template struct {
	verb          effect.Verb
	object, from  text
	wide, scratch condition
	when, unless  condition
	line          int
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
	for _, c := range p.commands {
		hooks = append(hooks, c.hooks...)
		for i := range c.effects {
			t := &c.effects[i]
			for _, cond := range []condition{t.wide, t.scratch, t.when, t.unless} {
				for _, tests := range cond {
					for j := range tests {
						if tests[j].what == hasContext {
							contexts = append(contexts, tests[j].name)
						}
					}
				}
			}
		}
	}
	return hooks, contexts
}
