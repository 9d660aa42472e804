// Package project reads the files by which a project tells programs what to run:
// makefiles, scripts of package.json, task files, playbooks, compose files, the
// settings of build tools and package managers.
//
//	f := project.File{Content: "all: clean\nclean:\n\trm -rf build\n", Whole: true}
//	project.Make(f, project.MakeSetting{}).Commands
//	// rm -rf build
//
// Each reader takes a file and, where the file has several, the names of the targets
// or tasks that are wanted, and returns [Steps]: the commands that would run, as text
// for a shell or as a list of words, and the paths that would be removed. It knows no
// programs and no shell: which program follows which file, and what the commands do,
// is the business of the caller.
//
// # Doubt and bounds
//
// Often only a piece of a file is known, because somebody changed it and nobody
// showed the rest. Readers then take every line for a command that could be one.
// YAML and JSON are parsed; what does not parse is read line by line. Size, depth and
// aliases are bounded, and what is beyond the bounds makes [Steps.Unknown] true: the
// file does more than is returned.
package project
