package invocation

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// Setting is where a text runs.
type Setting struct {
	effect.Place

	// Files is what is known of files from before, nil if nothing is.
	Files Files
	// Wrote is what texts that run before in the same place have written to files, and
	// Links where they made names lead to, and Made what they made files from. They are the
	// reader's, which adds to them.
	Wrote map[string]*File
	Links map[string]string
	Made  Made
	// Programs are the programs that somebody has described, beside those that are
	// known anyway; nil if there are none.
	Programs *command.Catalogue
	// Client is the program that makes the call, as sessions name it, empty if that is not
	// known: it says how tools of servers are called.
	Client string
}

// Files is what is known of files that were written before.
type Files interface {
	// File returns what is known of a file, nil if nothing is. It is asked for
	// scripts that the text runs.
	File(path string) *File
	// Wrote reports whether File may know any.
	Wrote() bool
	// Linked reports whether one of them may be another name for something else. It
	// is asked for whatever is read, and must be quick.
	Linked() bool
}

// FileFunc is Files of which nothing is known in general.
type FileFunc func(path string) *File

// File calls f.
func (f FileFunc) File(path string) *File { return f(path) }

// Wrote says that there may be some.
func (FileFunc) Wrote() bool { return true }

// Linked says that one may be another name.
func (FileFunc) Linked() bool { return true }

// File is what is known of a file that somebody wrote before it runs.
type File struct {
	// Content is what is in it. It is all of it if Known.
	Content string
	Known   bool
	// Remote is the address that it was fetched from, empty if it was not.
	Remote string
	// Shown is the address that it was fetched from if somebody has seen all of
	// it since; it is not Remote then.
	Shown string
	// From is the file that its contents were made from, or what they carry:
	// "environment", "database".
	From string
	// Link is where the name leads, if it was made as another name.
	Link string
}

// Reading is what a text would do.
type Reading struct {
	// Commands are the simple commands in the order in which they would run;
	// those inside a command follow it.
	Commands []Command
	// Effects are what they do.
	Effects []effect.Effect
	// Unknown are the reasons why there may be more, each once.
	Unknown []string
	// Strange are the programs that are called with a subcommand that their description
	// does not have, each once.
	Strange []string
	// Left is the directory in which the text leaves its shell, empty if it does
	// not change it.
	Left string
	// Wrote and Links are those of the setting with what the text added.
	Wrote map[string]*File
	Links map[string]string
	Made  Made
}

// Reader reads one text with all that is in it.
type Reader struct {
	// Shell is the interpreter.
	Shell Shell
	State
	pieces
}

// State is what a reader knows of its text.
type State struct {
	Set   Setting
	Known map[string]*Facts
	// hooks and contexts are what descriptions leave to code.
	Hooks    map[string]func(a *Act, in *command.Reading)
	Contexts map[string]func(a *Act, in *command.Reading) bool
	// last are the facts that were asked for last, other those of a program that
	// is in no table.
	last    *Facts
	other   Facts
	Reading Reading
	// otherwise is how often the words of wrappers were read in another way.
	Otherwise int
	// clipped: a password was put where pasting takes it from.
	Clipped bool
	// src is the text that is being read, of which the tree is.
	Src   string
	Scope *Scope
	// outermost is the first scope.
	Outermost Scope
	From      Origin
	// parsed is how many commands the text at hand has, 0 if it is read while it is
	// parsed.
	Parsed int
	// wrote is what the text has written to files so far, links where names
	// lead to, waiting the scripts that were started before they were written.
	Wrote map[string]*File
	// Made is what these were made from.
	Made Made
	// onPath are those of them that a bare name calls, by it.
	OnPath  map[string]string
	Links   map[string]string
	Waiting map[string]bool
	// verified is what is sure where commands run that are read now: that files are
	// what they say, that directories were made.
	Verified []Verified
	// yaml is what was read of files of YAML, which are expensive to parse.
	Yaml map[ParsedAs]ParsedFile
	// depth counts texts in texts; budget are the bytes and steps, units the
	// words and signs that are left.
	Depth, Budget, Units int
	// active are the functions and aliases that are being called, bodies those
	// of the functions.
	Active []string
	Bodies []*syntax.Stmt
	// locals are the values of variables around the functions that have their
	// own.
	Locals []Local
	// running are the commands that are being read inside others.
	Running []Running
	// opened are the descriptors of the command that is being read.
	Opened map[string]Descriptor
	// stdin is what the command gets whose words are being expanded.
	Stdin Flow
	// heard is what can be read from the output of the texts inside the command
	// that is being read, sourced the files whose variables are set.
	Heard, Sourced []string
	// forks: what is read runs beside what started it; mades are the files that
	// the shell made of commands.
	Forks, Mades int
	Full         bool
	// before: files were written before this text, linked: they may be other
	// names; as far as that was asked.
	asked, before, askedLinks, linked bool
}

// Local is what a variable was outside of a function.
type Local struct {
	Name  string
	Value Value
	Set   bool
}

// Origin is what commands inherit from the one that runs their text.
type Origin struct {
	Sudo, Remote, More, Guess bool
	Env                       map[string]string
	// within is the container that they run in, nil if it is none.
	Within *Box
	// Of is what the unknown parts of a command given as a list were made from, for that
	// command alone; nil if that is not known.
	Of *Value
}

// What reading costs, in steps of a few nanoseconds. A text has so many for
// itself and for each of its bytes; what costs more than its length allows, as
// functions and loops in one another, is not followed to its end.
const (
	LeastSteps   = 1 << 20
	StepsPerByte = 4

	StatementSteps = 100
	StepCost       = 400 // of a command
	ArgumentSteps  = 60
	CompileSteps   = 2000 // of a pattern
)

// Mark notes a reason for doubt.
func (r *Reader) Mark(reason string) {
	if !slices.Contains(r.Reading.Unknown, reason) {
		r.Reading.Unknown = append(r.Reading.Unknown, reason)
	}
}

// MarkStrange notes a program that is called with a subcommand that is not known.
func (r *Reader) MarkStrange(program string) {
	if !slices.Contains(r.Reading.Strange, program) {
		r.Reading.Strange = append(r.Reading.Strange, program)
	}
	r.Mark(Subcommand)
}

// IsStrange reports whether a program was noted as a stranger.
func (r *Reader) IsStrange(program string) bool { return slices.Contains(r.Reading.Strange, program) }

// NotStrange takes back what MarkStrange noted, for a program of which another description
// has the subcommand.
func (r *Reader) NotStrange(program string) {
	isIt := func(name string) bool { return name == program }
	if r.Reading.Strange = slices.DeleteFunc(r.Reading.Strange, isIt); len(r.Reading.Strange) == 0 {
		r.Reading.Unknown = slices.DeleteFunc(r.Reading.Unknown, func(reason string) bool { return reason == Subcommand })
	}
}

// Pay takes a cost from the budget and reports whether there was enough.
func (r *Reader) Pay(cost int) bool {
	if r.Full || cost > r.Budget {
		r.Full = true
		r.Mark(Nesting)
		return false
	}
	r.Budget -= cost
	return true
}

// Effect notes an effect.
func (r *Reader) Effect(e effect.Effect) {
	if len(r.Reading.Effects) >= MaxEffects {
		r.Mark(Many)
		return
	}
	for i := len(r.Reading.Effects) - 1; i >= 0 && i >= len(r.Reading.Effects)-mostAlike; i-- {
		if noted := &r.Reading.Effects[i]; noted.Command == e.Command && *noted == e {
			return
		}
	}
	r.Reading.Effects = append(r.Reading.Effects, e)
	r.keep(&e)
}

// mostAlike is how far back an effect is looked for that was noted already.
const mostAlike = 8
