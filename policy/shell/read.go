package shell

import (
	"slices"
	"strings"
	"sync"
	"unsafe"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// Setting is where a text runs.
type Setting struct {
	effect.Place

	// Files is what is known of files from before, nil if nothing is.
	Files Files
	// Programs are the programs that somebody has described, beside those that are
	// known anyway; nil if there are none.
	Programs *command.Catalogue
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
	// Left is the directory in which the text leaves its shell, empty if it does
	// not change it.
	Left string
}

// Read says what a text for a POSIX-like shell would do.
func Read(text string, at Setting) Reading {
	r := newReader(at, len(text))
	defer r.release()
	r.page(text)
	r.inner(text, origin{}, flow{})
	r.reading.Left = r.outermost.dir
	r.leftovers()
	r.tells()
	return r.read()
}

// ReadArgs says what a command would do that is executed without a shell.
func ReadArgs(argv []string, at Setting) Reading {
	size := 0
	for _, arg := range argv {
		size += len(arg) + 1
	}
	if size > MaxText {
		return Reading{Unknown: []string{Long}}
	}
	if len(argv) > 1 && isShell(baseName(argv[0])) {
		if script, name, _ := shellArgs(argv[1:]); script >= 0 && name+1 >= len(argv) { // nothing but the script
			return Read(argv[1+script], at)
		}
	}
	r := newReader(at, size)
	defer r.release()
	r.argv(argv, origin{}, flow{})
	r.leftovers()
	r.tells()
	return r.read()
}

// reader reads one text with all that is in it.
type reader struct {
	state
	pieces
}

// state is what a reader knows of its text.
type state struct {
	set   Setting
	known map[string]*facts
	// last are the facts that were asked for last, other those of a program that
	// is in no table.
	last    *facts
	other   facts
	reading Reading
	// otherwise is how often the words of wrappers were read in another way.
	otherwise int
	// clipped: a password was put where pasting takes it from.
	clipped bool
	// src is the text that is being read, of which the tree is.
	src   string
	scope *scope
	// outermost is the first scope.
	outermost scope
	from      origin
	// parsed is how many commands the text at hand has, 0 if it is read while it is
	// parsed.
	parsed int
	// wrote is what the text has written to files so far, links where names
	// lead to, waiting the scripts that were started before they were written.
	wrote map[string]*File
	// onPath are those of them that a bare name calls, by it.
	onPath  map[string]string
	links   map[string]string
	waiting map[string]bool
	// verified is what is sure where commands run that are read now: that files are
	// what they say, that directories were made.
	verified []verified
	// yaml is what was read of files of YAML, which are expensive to parse.
	yaml map[parsedAs]parsedFile
	// depth counts texts in texts; budget are the bytes and steps, units the
	// words and signs that are left.
	depth, budget, units int
	// active are the functions and aliases that are being called, bodies those
	// of the functions.
	active []string
	bodies []*syntax.Stmt
	// locals are the values of variables around the functions that have their
	// own.
	locals []local
	// running are the commands that are being read inside others.
	running []running
	// opened are the descriptors of the command that is being read.
	opened map[string]descriptor
	// stdin is what the command gets whose words are being expanded.
	stdin flow
	// heard is what can be read from the output of the texts inside the command
	// that is being read, sourced the files whose variables are set.
	heard, sourced []string
	// forks: what is read runs beside what started it; mades are the files that
	// the shell made of commands.
	forks, mades int
	full         bool
	// before: files were written before this text, linked: they may be other
	// names; as far as that was asked.
	asked, before, askedLinks, linked bool
}

// local is what a variable was outside of a function.
type local struct {
	name  string
	value value
	set   bool
}

// origin is what commands inherit from the one that runs their text.
type origin struct {
	sudo, remote, more, guess bool
	env                       map[string]string
	// within is the container that they run in, nil if it is none.
	within *box
}

// What reading costs, in steps of a few nanoseconds. A text has so many for
// itself and for each of its bytes; what costs more than its length allows, as
// functions and loops in one another, is not followed to its end.
const (
	leastSteps   = 1 << 20
	stepsPerByte = 4

	statementSteps = 100
	stepCost       = 400 // of a command
	argumentSteps  = 60
	compileSteps   = 2000 // of a pattern
)

// readers go from text to text, for their pieces.
var readers = sync.Pool{New: func() any { return new(reader) }}

// read is what was read, for the caller to keep.
func (r *reader) read() Reading {
	list := r.reading.Effects
	if r.reading.Effects = nil; len(list) > 0 {
		r.reading.Effects = append(make([]effect.Effect, 0, len(list)), list...)
	}
	if clear(list); cap(list) <= mostSlab/int(unsafe.Sizeof(effect.Effect{})) {
		r.effects = list[:0]
	}
	return r.reading
}

// release gives a reader back. What it has read is the caller's.
func (r *reader) release() {
	r.reset()
	r.state = state{}
	readers.Put(r)
}

func newReader(at Setting, size int) *reader {
	at.Place = at.Clean()
	r, _ := readers.Get().(*reader)
	r.set, r.known, r.units, r.budget = at, known, MaxUnits, leastSteps+stepsPerByte*min(size, MaxText)
	r.reading.Effects = r.effects
	r.outermost.at = at.Place
	r.scope = &r.outermost
	return r
}

// mark notes a reason for doubt.
func (r *reader) mark(reason string) {
	if !slices.Contains(r.reading.Unknown, reason) {
		r.reading.Unknown = append(r.reading.Unknown, reason)
	}
}

// pay takes a cost from the budget and reports whether there was enough.
func (r *reader) pay(cost int) bool {
	if r.full || cost > r.budget {
		r.full = true
		r.mark(Nesting)
		return false
	}
	r.budget -= cost
	return true
}

// effect notes an effect.
func (r *reader) effect(e effect.Effect) {
	if len(r.reading.Effects) >= MaxEffects {
		r.mark(Many)
		return
	}
	for i := len(r.reading.Effects) - 1; i >= 0 && i >= len(r.reading.Effects)-mostAlike; i-- {
		if noted := &r.reading.Effects[i]; noted.Command == e.Command && *noted == e {
			return
		}
	}
	r.reading.Effects = append(r.reading.Effects, e)
	r.keep(&e)
}

// mostAlike is how far back an effect is looked for that was noted already.
const mostAlike = 8

// inner reads a text inside the one that is being read.
func (r *reader) inner(script string, from origin, in flow) flow {
	if len(script) > MaxText {
		r.mark(Long)
		script = script[:MaxText]
	}
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		return flow{piped: true}
	}
	if !r.pay(len(script)) {
		return flow{piped: true}
	}
	src, outer := r.src, r.from
	r.src, r.from = script, from
	r.depth++
	out := r.text(&in)
	r.depth--
	r.src, r.from = src, outer
	r.heard = merge(r.heard, out.shows)
	return out
}

// argv reads a command given as a list inside the text that is being read.
func (r *reader) argv(words []string, from origin, in flow) flow {
	if len(words) == 0 {
		return flow{}
	}
	size := 0
	for _, w := range words {
		size += argumentSteps + len(w)
	}
	if r.depth >= MaxDepth {
		r.mark(Nesting)
		return flow{piped: true}
	}
	if !r.pay(size) {
		return flow{piped: true}
	}
	outer := r.from
	r.from = from
	r.depth++
	args := make([]arg, len(words))
	for i, w := range words {
		args[i] = arg{as: w, bare: w}
	}
	out := r.run(args, &Command{Text: strings.Join(words, " ")}, &in, from.guess)
	r.depth--
	r.from = outer
	r.heard = merge(r.heard, out.shows)
	return out
}
