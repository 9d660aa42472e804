package call

import (
	"slices"
	"sync"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// Kind says what a tool does.
type Kind string

// The kinds of tools.
const (
	KindShell Kind = "shell" // runs commands
	KindRead  Kind = "read"  // reads files
	KindWrite Kind = "write" // creates or replaces files
	KindEdit  Kind = "edit"  // changes files
	KindFetch Kind = "fetch" // gets something from the network
	KindMCP   Kind = "mcp"   // a tool of a Model Context Protocol server
	KindTask  Kind = "task"  // starts another agent
	KindOther Kind = "other" // anything else
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{KindShell, KindRead, KindWrite, KindEdit, KindFetch, KindMCP, KindTask, KindOther}
}

// Reasons of this package why a call cannot be read as a whole. Those of
// package shell stand beside them.
const (
	// Arguments: they are not one JSON object with one reading.
	Arguments = "arguments"
	// Unfinished: the call was cut, or is still arriving.
	Unfinished = "unfinished"
	// Shape: a member that should be a text or a list of texts is not, or a
	// shell tool names no command that is known.
	Shape = "shape"
	// Input: text is sent to a program that is already running.
	Input = "input"
	// Script: commands are made by a program in another language.
	Script = "script"
	// More: arguments are added to a command when it runs (xargs, find -exec).
	More = "more"
	// Computer: the call moves a mouse and a keyboard.
	Computer = "computer"
	// Location: a relative path follows a change of directory that is not known.
	Location = "location"
)

// Reasons are all reasons why a call cannot be read as a whole.
func Reasons() []string {
	return []string{
		Arguments, Unfinished, Shape, Input, Script, More, Computer, Location,
		shell.Substitution, shell.Variable, shell.Glob, shell.Eval, shell.Source, shell.Pipe, shell.Heredoc, shell.Unbalanced,
		shell.Dialect, shell.Nesting, shell.Unseen, shell.Path, shell.Many, shell.Long,
	}
}

// Place is where the client works. Empty means unknown.
type Place = effect.Place

// Setting is where a call runs: the place, and what is known of files that were
// written before.
type Setting = shell.Setting

// Incomplete says which lists of a call may miss something.
type Incomplete struct {
	Commands, Reads, Writes, URLs bool
}

// Call is what a tool call is about. Its slices must not be modified.
type Call struct {
	// Name is the canonical name, without decoration, prefixes, servers and
	// dispatchers. Tools that are known have their usual spelling.
	Name string
	// RawName is the name as the model wrote it.
	RawName string
	Kind    Kind
	// Server is the MCP server's name, empty if there is none.
	Server string
	// Raw is the arguments' text as the tool gets it: for a call that came
	// through a dispatcher, that of the inner call.
	Raw string
	// Commands are the commands that it runs.
	Commands []shell.Command
	// Reads, Writes and URLs are the files and addresses that it touches,
	// also by the usual file arguments and redirections of its commands.
	Reads, Writes, URLs []string
	// Effects are what it would do, in the words of package effect.
	Effects []effect.Effect
	// SQL are the texts that a database tool runs.
	SQL []string
	// Sends says that a tool gives something to others: a message, a comment,
	// an upload, a request with a body. Commands that do so are in Effects.
	Sends bool
	// Untrusted says that what a tool returns was written by others: pages,
	// mail, issues, and whatever a server of unknown kind says.
	Untrusted bool
	// Cwd is the directory in which it runs, empty if unknown.
	Cwd string
	// Unknown are the reasons why something may be missing, each once.
	Unknown []string
	// Incomplete says what may be missing because of them.
	Incomplete Incomplete

	base, at Place       // of the client, and of the commands that are read
	before   shell.Files // what is known of files, nil if nothing is
	freeform bool
	placed   bool    // it says where it runs
	doing    string  // the tool's name, and what it is told to do
	showing  bool    // what it reads is in what it returns
	types    string  // what it types into a program that runs
	moving   []given // its commands that leave a shell in another directory
	texts    int     // that were read as those of a shell
	calls    int     // that it passes on
	once     sync.Once
	args     map[string]any
	// Most calls touch a file or none.
	fewReads, fewWrites [1]string
	// The pieces that put something into files, how many of them were read, and
	// what they put there.
	pieces    []piece
	fewPieces [1]piece
	told      int
	contents  []Content
	// own are files that the call has written, as far as the effects and
	// contents say that were learnt from; joins, the bytes that this took.
	own                    map[string]*shell.File
	learnt, applied, joins int
}

// Args returns the parsed arguments, nil if they are not a JSON object that has
// one reading. They are parsed at the first call; it may come from several
// goroutines at once.
func (c *Call) Args() map[string]any {
	c.once.Do(func() {
		if c.freeform {
			return
		}
		if args, err := llm.ParseArguments(c.Raw); err == nil {
			c.args = args
		}
	})
	return c.args
}

// Read says what a block is about: a tool call, or a block of another kind that
// looks like one. It never fails; what it cannot read it names in the result.
func Read(b *llm.Block, at Place) *Call {
	c := &Call{}
	c.Fill(b, Setting{Place: at}, false)
	return c
}

// Fill is Read into an empty Call that the caller has. readable says that the
// block's arguments are known to be what llm.CheckArguments asks for, so that
// they need not be checked again.
func (c *Call) Fill(b *llm.Block, in Setting, readable bool) {
	c.RawName, c.Kind = b.Name, KindOther
	c.base, c.before = in.Clean(), in.Files
	c.Reads, c.Writes = c.fewReads[:0], c.fewWrites[:0]
	from := source(b)
	from.readable = readable && from.text == b.Arguments
	if c.RawName == "" {
		c.RawName = from.name
	}
	c.read(from, 0)
	c.purposes()
	c.tellContents()
	c.pipelines()
	if b.Status == llm.Incomplete || b.Status == llm.Malformed {
		c.doubt(Unfinished, everything)
	}
	if len(c.Reads) == 0 {
		c.Reads = nil
	}
	if len(c.Writes) == 0 {
		c.Writes = nil
	}
}

// everything is the doubt that spares no list.
var everything = Incomplete{Commands: true, Reads: true, Writes: true, URLs: true}

// doubt notes a reason and the lists that may miss something because of it.
func (c *Call) doubt(reason string, lists Incomplete) {
	if !slices.Contains(c.Unknown, reason) {
		c.Unknown = append(c.Unknown, reason)
	}
	c.Incomplete.Commands = c.Incomplete.Commands || lists.Commands
	c.Incomplete.Reads = c.Incomplete.Reads || lists.Reads
	c.Incomplete.Writes = c.Incomplete.Writes || lists.Writes
	c.Incomplete.URLs = c.Incomplete.URLs || lists.URLs
}

// MaxPaths is how many files and addresses a list of a call may have. Each is
// joined to the working directory, so that a small call could otherwise name
// gigabytes.
const MaxPaths = 2000

// addTo appends s to list if it is not there and reports whether there is room.
// Long lists may repeat, so that the cost stays linear.
func addTo(list *[]string, s string) bool {
	if s == "" || len(*list) < 64 && slices.Contains(*list, s) {
		return true
	}
	if len(*list) >= MaxPaths {
		return false
	}
	*list = append(*list, s)
	return true
}

// addURL adds an address.
func (c *Call) addURL(url string) {
	if !addTo(&c.URLs, url) {
		c.doubt(shell.Many, Incomplete{URLs: true})
	}
}
