// Package script reads what a program visibly does: the commands it gives to a
// shell, the files it deletes, writes and reads, the addresses it talks to, the
// text it evaluates.
//
//	script.Read(library.Python, `import shutil; shutil.rmtree("/" + "etc")`)
//	// Delete "/etc", recursive
//
// It is made for the programs that models put into one line or a small file, in
// Python, Perl, Ruby, PHP, Lua and R. What calls do is described in
// policy/program/library. A tokenizer knows the strings, comments
// and names of each language, and one reader follows expressions as far as they
// are known from the text: literals, variables, concatenation, joined paths,
// formats, the usual ways to decode and to hide a name. A function is read with
// what it is given, each time that it is called. It is no interpreter: both
// branches of a condition happen, a loop runs once with everything its variable
// can be.
//
// What cannot be known is said and never guessed: a use with Known false, whose
// text shows what is not known as "${name}". Text, tokens, nesting and work are
// bounded, and what lies beyond is one use of kind Unread.
package script
