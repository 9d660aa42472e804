// Package windows reads what PowerShell and cmd.exe would do: cmdlets and their
// aliases, the programs that come with Windows, and the .NET calls that scripts
// are written with.
//
//	windows.PowerShell(`r`+"`"+`m -Rec C:\Users\x`, effect.Place{})
//	// delete C:/Users/x, wide
//
// Names and parameters are read as the shells do: in any case, by their aliases
// and by the beginning of their names, through quotes, escapes, concatenation,
// formats, variables, blocks and encoded commands. Programs that are no part of
// Windows (git, npm, docker) are given back as commands for whoever knows them.
//
// It reads by tokens and is no parser of the whole languages: everything that
// stands in a text is taken to happen, and what a function does happens again
// where it is called, with what it is given. What is not known is named, and text,
// nesting and work are bounded.
package windows
