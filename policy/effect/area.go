package effect

import (
	"slices"
	"strings"
)

// Area is in which part of the world an effect takes place. To conditions it is e.place.
type Area string

// The areas.
const (
	// Project: the working directory, if that is a project and not a home.
	Project Area = "project"
	// Throwaway: a directory for temporary files, and what the same command made or what
	// is for tests.
	Throwaway Area = "scratch"
	// Home: somebody's home outside of the project.
	Home Area = "home"
	// System: the rest of this machine: its files, processes, services and settings.
	System Area = "system"
	// Away: another machine, or a container.
	Away Area = "remote"
	// Somewhere: the text does not say where: a database, a package, a service.
	Somewhere Area = "elsewhere"
)

// AreaDocs say what the areas mean, each with a command.
func AreaDocs() []struct {
	Area           Area
	Means, Example string
} {
	return []struct {
		Area           Area
		Means, Example string
	}{
		{Project, "the working directory, if it is a project and not a home", "rm src/a.txt"},
		{Throwaway, "a directory for temporary files; also what the same command made, and what is made for tests", "rm /tmp/a"},
		{Home, "a home, outside of the project", "rm ~/a"},
		{System, "the rest of this machine: its files, processes, services and settings", "rm /etc/hosts"},
		{Away, "another machine, or a container", "ssh x.example rm /srv/a"},
		{Somewhere, "what has no place on a disk, and the text does not say where it is: a database, a package, a service", "psql -c 'drop table a'"},
	}
}

// Areas are all areas.
func Areas() []Area { return []Area{Project, Throwaway, Home, System, Away, Somewhere} }

// temporary are the directories for temporary files.
var temporary = NewDirs([]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "?:/Windows/Temp", "**/AppData/Local/Temp"})

// ofSystem are directories of the machine in which nobody works.
var ofSystem = NewDirs([]string{
	"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr", "/var/lib", "/var/log", "/var/run", "/var/spool", "/System", "/Library", "/Applications", "/private/etc",
	"?:/Windows", "?:/Program Files", "?:/Program Files (x86)", "?:/ProgramData",
})

// Area says where the effect takes place. It depends on the working directory, the home or
// the path where these are not known: the answer is NoCwd, NoHome or NoPath then, and
// Inside otherwise.
func (e *Effect) Area(at Place) (Area, Lies) {
	switch {
	case e.Scratch:
		return Throwaway, Inside
	case e.Remote:
		return Away, Inside
	case e.Verb.OfFile():
		return areaOf(e.Object, at)
	default:
		return e.Verb.area(e.Object), Inside
	}
}

// area is where something takes place that is not about a file.
func (v Verb) area(object string) Area {
	switch v {
	case Fetch, Send, Connect, ReverseShell, RunRemote, Push, ForcePush, DeleteBranch, Publish:
		if isLoopback(HostOf(object)) {
			return System
		}
		return Away
	case Discard, SkipChecks, RewriteHistory:
		return Project
	case Kill, Stop, Shutdown, Control, StartAgent, CutOff, Exhaust, Grant, Disarm, Persist, Listen, SetVariable, UnsetVariable:
		return System
	default:
		return Somewhere
	}
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1", "0.0.0.0"}, host)
}

// areaOf is where a path lies.
func areaOf(path string, at Place) (Area, Lies) {
	if strings.Contains(path, "://") {
		return Away, Inside
	}
	var o object
	if len(path) > MaxPlace {
		return "", NoPath
	}
	o.set(path, at)
	if _, ok := o.inProject(at); ok && at.Cwd != "" && !Expands(path) {
		return Project, Inside
	}
	if at.isWork(&o) {
		return Project, Inside
	}
	for _, dirs := range []struct {
		of *Dirs
		is Area
	}{{temporary, Throwaway}, {ofSystem, System}} {
		switch lies := dirs.of.within(path, at); lies {
		case Inside:
			return dirs.is, Inside
		case NoPath, NoCwd:
			return "", lies
		default:
		}
	}
	switch {
	case at.Cwd == "" && !isAround(o.elements(), o.begin): // the project may be there
		return "", NoCwd
	case o.inHome:
		return Home, Inside
	default:
		return System, Inside
	}
}

// isWork reports whether a path is that of the working directory, if that is a project.
func (at Place) isWork(o *object) bool {
	if at.Cwd == "" {
		return false
	}
	var cwd object
	cwd.set(at.Cwd, at)
	return cwd.begin == o.begin && cwd.isProject(at) && slices.Equal(cwd.elements(), o.elements())
}
