// Package follow reads what a command runs in turn, beyond the words of its own line: a
// program in another language that an interpreter is given, a script in a file that was
// written before, the targets of a makefile, the scripts of a package, the services of a
// compose file, the tests of a project.
//
// [Follow] is asked about each command after its own effects were noted. It looks for
// texts only in what the conversation wrote, never on a disk; a script that nobody wrote
// in sight is a Run effect, and more is not known.
//
// Which files a program takes its orders from is a table in files.go; how they are
// parsed is in policy/project, and what programs in other languages do in
// policy/program.
package follow
