package invocation

// Shell is what a command asks of the interpreter that reads it: to read what it runs in turn.
type Shell interface {
	// Inner reads a text inside the one that is being read, and returns what it prints.
	Inner(script string, from Origin, in Flow) Flow
	// Argv reads a command given as a list of words.
	Argv(words []string, from Origin, in Flow) Flow
	// RunInput reads what a shell is given on its input.
	RunInput(a *Act) Flow
	// FromFiles is what comes out of files.
	FromFiles(paths []string) Flow
	// LookOver searches the text of a program of which nothing else is read.
	LookOver(a *Act, program string)
	// Stranger reads a command whose program nobody has described.
	Stranger(a *Act)
	// VerbOf is what is known of a program, nil if nothing is.
	VerbOf(name string) Verb
	// IsProgram reports whether a word is the name of a program and hardly ever means
	// anything else.
	IsProgram(word string) bool
	// Apart is a reader for a text that runs elsewhere and changes nothing here, with
	// what is left of the budget.
	Apart() *Reader
	// Puts notes that a file was written that a bare name may call.
	Puts(path string)
}
