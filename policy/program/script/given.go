package script

import "github.com/sluice-project/sluice/policy/program/library"

// Given is what a program finds when it starts.
type Given struct {
	// Args are its arguments. The first one is its name.
	Args []string
	// Env returns the value of a variable of the environment, if it is known.
	Env func(name string) (value string, known bool)
}

// mostArgs is how many arguments of a program are looked at.
const mostArgs = 64

// withArgs binds the names by which a program finds its arguments.
func (r *reader) withArgs(args []string) {
	if len(args) < 2 {
		return
	}
	args = args[:min(len(args), mostArgs)]
	all, rest := textList(args), textList(args[1:])
	switch r.language {
	case library.Python:
		r.names["sys.argv"], r.names["sys.orig_argv"] = all, all
	case library.Perl:
		r.names["@ARGV"] = rest
	case library.Ruby:
		r.names["ARGV"], r.names["$*"] = rest, rest
	case library.PHP:
		r.names["$argv"] = all
	case library.Lua:
		r.names["arg"] = all
	default: // R asks a function
	}
}
