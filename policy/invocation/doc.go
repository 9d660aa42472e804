// Package invocation is a command at the moment in which it would run.
//
// An [Act] has the program, its words with what is known and not known of them, its
// input, its environment, the directory and the machine. Whoever knows what the program
// does says so with its methods, which note effects:
//
//	a.ReadsFiles("a.txt")                    // read /home/u/p/a.txt
//	a.DeletesFiles(true, "build")            // delete /home/u/p/build, wide
//	a.Script("rm -rf /")                     // a text that a shell runs in turn
//
// A [Reader] is what is known of the text so far: variables and functions in their
// [Scope], files that were written, effects, the budget. Commands that run others ask
// its [Shell], the interpreter in policy/shell, so that packages that know programs need
// not know any syntax.
//
// Programs that the catalogue of policy/command describes are read here: the
// description says what happens to words by their roles, and this package does it.
//
// An Act and everything in it is for one goroutine, and lasts as long as its Reader.
package invocation
