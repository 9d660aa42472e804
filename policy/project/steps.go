package project

import "strings"

// File is what is known of a file.
type File struct {
	Content string
	// Whole says that Content is all of the file. Otherwise it is a piece that
	// somebody put into it.
	Whole bool
	// Unparsed says to read YAML line by line, for callers that cannot afford more.
	Unparsed bool
}

// Steps are what a file tells a program to do.
type Steps struct {
	Commands []Command
	Removals []Removal
	// Unknown says that there is more than could be read.
	Unknown bool
}

// Command is something to run: Args without a shell, or Shell, a text for one.
type Command struct {
	Shell string
	Args  []string
	// Dir is the directory that it runs in, relative to that of the file; "" if
	// it is that one.
	Dir string
	// Env are the variables that it is given.
	Env map[string]string
}

// Removal is a path that is removed, with everything in it if All.
type Removal struct {
	Path string
	All  bool
}

// Bounds of what is read.
const (
	// maxCommands is how many commands of one file are returned.
	maxCommands = 4096
	// maxFound is how many commands are searched for by words in a file.
	maxFound = 128
	// maxReach is how far behind a word its command may reach.
	maxReach = 8 << 10
	// maxWork is how many bytes behind the words of a file are looked at.
	maxWork = 4 << 20
	// maxTexts is how many bytes of commands are searched for by words.
	maxTexts = 64 << 10
	// maxItems is how many services, removals or words of one kind are taken.
	maxItems = 64
)

// shell adds a text for a shell.
func (s *Steps) shell(text string) { s.add(Command{Shell: text}) }

func (s *Steps) add(c Command) {
	if len(s.Commands) >= maxCommands {
		s.Unknown = true
		return
	}
	s.Commands = append(s.Commands, c)
}

func (s *Steps) remove(path string, all bool) {
	if len(s.Removals) >= maxItems {
		s.Unknown = true
		return
	}
	s.Removals = append(s.Removals, Removal{path, all})
}

// texts are steps that are texts for a shell.
func texts(list []string) Steps {
	var s Steps
	for _, text := range list {
		s.shell(text)
	}
	return s
}

// OrLines returns the steps that were found in a file. If it is only a piece of one, it
// adds each of its lines: any of them may be one that runs.
func (f File) OrLines(s Steps) Steps {
	if f.Whole {
		return s
	}
	for line := range strings.Lines(f.Content) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "@-+"); strings.Contains(line, " ") {
			s.shell(line)
		}
	}
	return s
}

// dollars writes the dollars of build files as a shell has them.
var dollars = strings.NewReplacer("$$", "$", `\$`, "$", "$ENV{HOME}", "$HOME", "${user.home}", "~", "$(HOME)", "$HOME")
