package effect

import (
	"slices"
	"strings"
)

// within reports whether a path is in the part of the project that an exclusion
// names: !./** is the project, !./**/tests/** the tests in it. It must be there,
// whatever its wildcards match; that it could be is not enough. Hidden directories
// do not contain tests: .ssh/tests/id_rsa.
func (p *pattern) within(o *object, at Place) bool {
	rest, ok := o.inProject(at)
	if !ok {
		return false
	}
	elements := p.elements
	if len(elements) > 1 && elements[0].kind == anyElements { // a name, in any directory
		elements = elements[1:]
		for len(rest) > 0 && !strings.EqualFold(rest[0], elements[0].text) && !hidden(rest[0]) && !isWild(rest[0]) {
			rest = rest[1:]
		}
	}
	for len(elements) > 0 && elements[0].kind != anyElements {
		if len(rest) == 0 || !strings.EqualFold(rest[0], elements[0].text) {
			return false
		}
		rest, elements = rest[1:], elements[1:]
	}
	return len(rest) > 0 && len(elements) == 1
}

// inProject is the path relative to the working directory, if that is a project
// and the path is in it.
func (o *object) inProject(at Place) ([]string, bool) {
	elements := o.elements()
	if slices.ContainsFunc(elements, leads) {
		return nil, false
	}
	if at.Cwd == "" {
		return elements, o.begin == atWork
	}
	var cwd object
	cwd.set(at.Cwd, at)
	if cwd.begin != o.begin || cwd.n >= o.n || !cwd.isProject(at) {
		return nil, false
	}
	for i, element := range cwd.elements() {
		if !strings.EqualFold(element, elements[i]) {
			return nil, false
		}
	}
	return elements[cwd.n:], true
}

// leads reports whether an element may lead out of its directory.
func leads(element string) bool { return element == ".." || strings.ContainsAny(element, "$`{") }

// isProject reports whether a directory may be a project: it is not a home, does
// not contain one, and is none of the directories that a home or a disk has for
// other things.
func (o *object) isProject(at Place) bool {
	e := o.elements()
	switch {
	case o.inHome:
		home := e[o.home:]
		return len(home) > 0 && !keysIn[home[0]] && (len(home) > 1 || !inHomes[strings.ToLower(home[0])])
	case len(e) == 0, o.begin != atRoot, onDisks[strings.ToLower(e[len(e)-1])], len(e) < 3 && len(strings.TrimSuffix(e[len(e)-1], ":")) == 1: // the last: /c, /mnt/c
		return false
	}
	_, around := cutElements(split(nil, at.Home), strings.Join(e, "/"))
	return !around
}

// keysIn are directories of a home that contain keys.
var keysIn = map[string]bool{".ssh": true, ".aws": true, ".gnupg": true, ".kube": true, ".docker": true, ".azure": true, ".password-store": true}

// inHomes are multi-purpose directories of a home.
var inHomes = map[string]bool{
	"documents": true, "desktop": true, "pictures": true, "downloads": true, "music": true, "videos": true, "movies": true, "onedrive": true, "dropbox": true,
	"library": true, "appdata": true, ".config": true, ".local": true,
}

// onDisks are directories that contain homes and systems.
var onDisks = map[string]bool{"home": true, "users": true, "mnt": true, "cygdrive": true, "media": true, "volumes": true, "etc": true, "usr": true, "var": true, "opt": true, "srv": true}
