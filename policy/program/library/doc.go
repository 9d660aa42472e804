// Package library knows what the calls of languages and of their libraries do.
//
// What is known is data: a file of descriptions in YAML for each language, which the
// readers of the languages ask by the name of a call. The readers know no library.
// What a program does comes out as a list of [Use], the same for all languages.
//
//	shutil.rmtree: {args: [path], effects: [{delete: "{path}", extent: all}]}
//	os.walk: {args: [top], gives: {walk: "{top}"}}
//	posix.system nt.system: {like: os.system}
//	.rename: {on: text, args: [target], effects: [{move: ["{self}", "{target}"]}]}
//	pathlib.Path.home: "~"
//
// # The form
//
// A name that begins with a dot is that of a method, on whatever it is called; the
// names of modules are separated by dots in every language. A star in a name stands for
// anything, where no other name fits. Keys of a description:
//
//	args     the arguments by their places: role, role|other name, role... for the rest
//	named    those that have a name and no place
//	effects  what it does, in this order: {operation: values}, with
//	         extent: with everything below, always (all) or on a condition;
//	         if: the condition on which it happens;
//	         in: the directory in which it happens
//	gives    the value that comes out; without it, that of the last effect
//	on       the forms of what a method is called on; on others it is not described
//	if       the condition on which this description is the right one
//	like     the name of another call that does the same
//
// A value is a text, "{role}" for an argument, "{self}" for what a method is called on,
// "{all}" for all arguments, or {operation: values}. A list of descriptions are cases,
// of which the first that fits counts. A scalar is short for what a call gives.
//
// Conditions are "role given", "role true", "role is text" and "role form", with "not"
// before them. What is not known holds, negated or not: a value that nobody knows
// never takes an effect away. Of several conditions one must hold.
//
// Further entries of a file: constants (names with their text), modules (those whose
// members run or delete, so that one whose name is hidden counts as such), aliases (other
// names of modules and calls), harmless (names of what only computes), endings and loads
// (of files that a program loads), prints (the calls that print a text), argv and args (the arguments of a program), and examples, programs with all that they do, which run as tests.
//
// Descriptions are parsed when a call is first asked for, so that a process that judges
// one program does not parse them all.
package library
