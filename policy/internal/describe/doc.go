// Package describe reads descriptions in YAML: of programs, and of the calls of
// libraries.
//
// A file of descriptions is a list of names, each with its description below:
//
//	helm:
//	  about: Kubernetes packages
//
// [Entries] finds where they begin without parsing them, so that a process that
// needs one of them parses one. A mistake is an [Error] with file, line and column.
package describe
