package shell

import (
	"slices"
	"strings"
	"sync"
)

// Split returns the simple commands in a text for a POSIX-like shell, in the
// order in which they are written, and the reasons why there may be others,
// each at most once. The commands inside a command follow it.
func Split(text string) (commands []Command, unknown []string) {
	s := newSplitter()
	defer s.give()
	if len(text) > MaxText {
		text = text[:MaxText]
		s.mark(Long)
	}
	s.budget = 8*len(text) + 4096
	s.expect(text)
	s.text(text, 0, origin{})
	return s.commands, s.unknown
}

// FromArgs returns the command that is executed without a shell from an
// argument list, and the commands inside it. If the list starts a shell with a
// script (bash -lc SCRIPT) the result is that of Split for the script.
func FromArgs(argv []string) (commands []Command, unknown []string) {
	s := newSplitter()
	defer s.give()
	size := 0
	for i, arg := range argv {
		if size += len(arg) + 1; size > MaxText {
			argv = argv[:i]
			s.mark(Long)
			break
		}
	}
	if len(argv) == 0 {
		return nil, s.unknown
	}
	s.budget = 8*size + 4096
	for _, arg := range argv {
		s.words = append(s.words, word{text: arg, quoted: true})
	}
	words := s.words
	r := reader{splitter: s}
	if name := baseName(argv[0]); isShell(name) {
		if script, more, ok := shellScript(words[1:]); ok {
			if len(more) > 1 {
				s.mark(Variable)
			}
			s.expect(script.text)
			s.text(script.text, 0, origin{})
			return s.commands, s.unknown
		}
	}
	r.run(words, Command{Text: strings.Join(argv, " ")}, false, nil)
	return s.commands, s.unknown
}

// splitter is what the readers of nested texts share.
type splitter struct {
	commands []Command
	unknown  []string
	marks    int // how often something was marked
	words    []word
	budget   int  // bytes that may still be read
	read     int  // bytes that were read
	literal  int  // number of the last command with a literal here-document, from 1
	full     bool // no more commands are taken
	// likely is how many commands there seem to be.
	likely int
	// args is room for the arguments of further commands.
	args     []string
	fewWords [16]word // most commands have no more
}

// splitters go from text to text, so that a text costs no memory but that of its
// commands.
var splitters = sync.Pool{New: func() any { return new(splitter) }}

func newSplitter() *splitter {
	s, ok := splitters.Get().(*splitter)
	if !ok {
		s = new(splitter)
	}
	s.words = s.fewWords[:0]
	return s
}

// give gives the splitter to another text, with nothing of this one in it.
func (s *splitter) give() {
	*s = splitter{}
	splitters.Put(s)
}

// Most texts have few commands and arguments. Room for these is made at once,
// for more when they come.
const (
	mostExpectedCommands = 8
	mostExpectedArgs     = 64
)

// expect makes room for what a text seems to have.
func (s *splitter) expect(text string) {
	s.likely = 1
	for _, between := range [...]string{"|", ";", "&&", "\n"} {
		s.likely += strings.Count(text, between)
	}
	s.args = make([]string, 0, min(strings.Count(text, " "), mostExpectedArgs))
}

// take returns room for the arguments of a command.
func (s *splitter) take(n int) []string {
	at := len(s.args)
	if cap(s.args)-at < n {
		s.args, at = make([]string, 0, max(n, 8)), 0
	}
	s.args = s.args[:at+n]
	return s.args[at : at+n : at+n]
}

// origin is what commands inherit from the command that runs their text.
type origin struct {
	sudo, remote, more bool
	env                map[string]string
	dir                string
	lost               bool // dir is not known
	piped              bool // the input is the output of another command
}

// mark notes a reason.
func (s *splitter) mark(reason string) {
	s.marks++
	if !slices.Contains(s.unknown, reason) {
		s.unknown = append(s.unknown, reason)
	}
}

// text reads a text with all its commands.
func (s *splitter) text(text string, depth int, from origin) {
	if depth > MaxDepth || !s.pay(len(text)) {
		s.mark(Nesting)
		return
	}
	base := len(s.words)
	r := reader{splitter: s, src: text, depth: depth, from: from}
	r.list(endOfText)
	s.words = s.words[:base]
}

// pay takes the cost of reading n bytes from the budget. Nested texts are part
// of their outer one, so that a text could otherwise be read 2^MaxDepth times.
func (s *splitter) pay(n int) bool {
	if n > s.budget {
		return false
	}
	s.budget -= n
	s.read += n
	return true
}

// emit adds a command and returns its number, -1 if there are too many.
func (s *splitter) emit(c Command) int {
	if len(s.commands) >= MaxCommands {
		s.mark(Many)
		s.full = true
		return -1
	}
	if s.commands == nil {
		s.commands = make([]Command, 0, min(max(s.likely, 1), mostExpectedCommands))
	}
	s.commands = append(s.commands, c)
	return len(s.commands) - 1
}
