package windows

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
)

// folded is a key of the registry in small letters, without what a shell may
// have taken away that was in between.
func folded(key string) string {
	return keySigns.Replace(strings.ToLower(key))
}

var keySigns = strings.NewReplacer(`\`, "", "/", "", " ", "", ":", "")

// removesInstance notes that an object of the machine's own database is deleted.
func (r *reader) removesInstance(class string) {
	switch {
	case strings.Contains(class, "shadow"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: "shadow copies", Wide: true})
	case strings.Contains(class, "userprofile"):
		r.add(effect.Effect{Verb: effect.Delete, Object: "C:/Users", Wide: true})
	case strings.Contains(class, "service"):
		r.does(effect.Stop, class)
	}
}

// Decoder is how files are written that certutil decoded, so that nobody has
// read what is in them.
const Decoder = "certutil -decode"

// has reports whether a word of a list of the library stands in a name.
func has(list, name string) bool {
	return slices.ContainsFunc(library.Of(library.PowerShell).Way(list), func(part string) bool { return strings.Contains(name, part) })
}

// is reports whether a name is in a list of the library.
func is(list, name string) bool {
	return slices.Contains(library.Of(library.PowerShell).Way(list), name)
}

// stops notes that a service ends, and what it protected.
func (r *reader) stops(service string) {
	r.does(effect.Stop, service)
	if is("protectors", strings.ToLower(strings.TrimSuffix(service, ".exe"))) {
		r.does(effect.Disarm, "service "+service)
	}
}

// autostart notes a key of the registry whose programs start on their own. A shell that
// takes backslashes away may have been in between.
func (r *reader) autostart(key string) {
	if has("autostarts", folded(key)) {
		r.does(effect.Persist, "registry "+key)
		return
	}
	r.unguards(key)
}

// unguards notes a key of the registry that protected the machine and is gone.
func (r *reader) unguards(key string) {
	if has("guards", folded(key)) {
		r.does(effect.Disarm, "registry "+key)
	}
}

// erasing are the words by which lines of scripts for diskpart destroy.
var erasing = regexp.MustCompile(`(?im)^\s*(clean|format|delete|convert|create)|clean`)

// Erases reports whether a script for diskpart destroys what is on a disk.
func Erases(script string) bool { return erasing.MatchString(script) }
