package call

import "github.com/sluice-project/sluice/policy/invocation"

// Reason is a reason why something of a call could not be read, with what it means and
// perhaps a command that has it.
type Reason struct{ Name, Means, Example string }

// ReasonDocs document all reasons, in the order of Reasons.
func ReasonDocs() []Reason {
	return []Reason{
		{Arguments, "the arguments are not one JSON object", ""},
		{Unfinished, "the call was cut off, or is still arriving", ""},
		{Shape, "a member that should be a text or a list of texts is not, or a shell tool has no command that is known", ""},
		{Input, "text is sent to a program that runs already", ""},
		{Script, "commands are made by a program in another language", ""},
		{More, "arguments are added to a command when it runs", `cat list | xargs rm`},
		{Computer, "the call moves a mouse and a keyboard", ""},
		{Location, "a relative path follows a change of directory that is not known", ""},
		{invocation.Substitution, "a part of the text is the output of a command", `rm $(cat list)`},
		{invocation.Variable, "the name of a command comes from a variable, or a script is given parameters", `"$TOOL" --force`},
		{invocation.Glob, "the name of a command is a wildcard or a brace expansion, or one can become flags", `/bin/r? x`},
		{invocation.Eval, "eval builds a command from its arguments", `eval "$(ssh-agent)"`},
		{invocation.Source, "a file is sourced that the conversation has not shown", `. ./env.sh`},
		{invocation.Pipe, "a shell or another interpreter gets its program from a pipe, or its arguments through xargs", `make-script | sh`},
		{invocation.Heredoc, "a shell or another interpreter gets its program from a here-document", ""},
		{invocation.Unbalanced, "a quote, a parenthesis or a here-document has no end", `echo 'a`},
		{invocation.Dialect, "the text is for a shell with another grammar, and read as if it were for sh", ""},
		{invocation.Nesting, "commands nest too deep, or repeat too much text by nesting", ""},
		{invocation.Unseen, "a script or a task runs that nobody has shown", `./deploy.sh`},
		{invocation.Subcommand, "a program is called with a subcommand that its description does not have", `aws ec2 frobnicate`},
		{invocation.Path, "a path holds something that is not known, or begins in a directory that is not", `rm "$D/x"`},
		{invocation.Many, "the text has too many commands", ""},
		{invocation.Long, "the text is too long; only its beginning was read", ""},
	}
}

// Reasons are all values of Unknown.
func Reasons() []string {
	docs := ReasonDocs()
	names := make([]string, len(docs))
	for i := range docs {
		names[i] = docs[i].Name
	}
	return names
}
