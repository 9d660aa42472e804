package invocation

// Reasons why a text may run more than, or something other than, the commands
// that were read from it.
const (
	// Substitution: $( ), backticks, <( ) or >( ): a part of the text is the
	// output of a command. The command itself is returned too.
	Substitution = "substitution"
	// Variable: the name of a command comes from a variable, or a script is
	// given parameters.
	Variable = "variable"
	// Glob: the name of a command is a wildcard or a brace expansion, or a
	// brace expansion can become flags.
	Glob = "glob"
	// Eval: eval builds a command from its arguments. Where they are literal
	// their commands are returned too.
	Eval = "eval"
	// Source: source and . run a file.
	Source = "source"
	// Pipe: a shell or another interpreter gets its program from a pipe, or
	// its arguments through xargs.
	Pipe = "pipe"
	// Heredoc: a shell or another interpreter gets its program from a
	// here-document. What a shell gets is split and returned too.
	Heredoc = "heredoc"
	// Unbalanced: a quote, parenthesis or here-document has no end.
	Unbalanced = "unbalanced"
	// Dialect: the text is for a shell with another grammar (PowerShell,
	// cmd.exe, fish); what is returned is read as if it were for sh.
	Dialect = "dialect"
	// Nesting: commands nest deeper than MaxDepth, or repeat so much text by
	// nesting that reading it all would not be linear.
	Nesting = "nesting"
	// Unseen: a script or a task runs that nobody has shown: its file was not
	// written in the conversation.
	Unseen = "unseen"
	// Subcommand: a program is called with a subcommand that its description does
	// not have.
	Subcommand = "subcommand"
	// Path: a path holds something that is not known, or begins in a directory
	// that is not.
	Path = "path"
	// More: arguments are added to a command when it runs (xargs, find -exec).
	More = "more"
	// Many: the text has more than MaxCommands commands.
	Many = "many"
	// Long: the text is longer than MaxText; only its beginning was read.
	Long = "long"
)

// Limits of what is read. What lies beyond is left out and named.
const (
	// MaxDepth is how deep commands may nest: sh -c in $( ) in sh -c.
	MaxDepth = 12
	// MaxArguments is how many arguments of one command are read.
	MaxArguments = 4096
	// MaxCommands is how many commands are returned.
	MaxCommands = 1000
	// MaxEffects is how many effects are returned.
	MaxEffects = 4000
	// MaxText is how many bytes are read.
	MaxText = 1 << 20
	// MaxUnits is how many words, signs and brackets are read, again for each
	// text that they are in: what reading costs is counted in them.
	MaxUnits = 30_000
	// MaxOpen is how many brackets are read if they lie in one another deeper
	// than MaxNested.
	MaxOpen = 500
	// MaxNested is how deep brackets may lie in one another, if there are more
	// than MaxOpen.
	MaxNested = 100
)
