// Package output says what a command prints: the text, if it is known, and otherwise the
// files and secrets that can be read in it.
//
// What is printed goes into a pipe, a substitution or a file, and from there to whoever
// sends it. [Prints] gives the text and where it came from; [Shows] which private things
// somebody would see who reads the output, as the user and the model do. A command that
// counts, hashes, lists names or masks values shows none of them.
package output
