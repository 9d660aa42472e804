// Package hook is what descriptions of programs leave to code.
//
// A description in the catalogue of policy/command names a hook where roles and conditions
// cannot say what happens. A hook gets the invocation and its values by their roles, and
// notes effects; it looks neither at raw words nor in texts for reasons to let something
// pass. [Hooks] and [Contexts] are the tables that names are looked up in.
//
// Programs that work on files and texts are in the package fileops below.
package hook
