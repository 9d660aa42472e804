package sql

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// Store is where data lies, as far as a call says. Nobody loses anything when data
// is dropped whose name, or the name of the database that it is in, says that it
// was made for tests. Being reached on this machine proves nothing: a tunnel ends
// here too. The zero Store is one of which nothing is known.
type Store struct {
	// Databases are those that the data may be in. Each of them must be made for
	// tests. Hosts are the machines that they are on.
	Databases, Hosts []string
	// Schemas says that the name before a dot is a part of the database and not
	// another database.
	Schemas bool
	// File says that the databases are files of this machine.
	File bool
	// TestContainer says that it is in a container that was made for tests, and
	// TestSetting that a framework was told to use its environment for tests.
	TestContainer, TestSetting bool
	// Here says that its container is on this machine, Away that it is on another
	// one.
	Here, Away bool
	// Live says that something in the call names what others use.
	Live bool
}

const (
	// MaxPlaces is how many databases a Store takes. With more of them it is Live.
	MaxPlaces = 32
	// longestPlace is how long the name or address of a database may be.
	longestPlace = 1024
)

// IsLive reports whether something in the call says that others use the data.
func (s *Store) IsLive() bool {
	return s.Live || slices.ContainsFunc(s.Databases, effect.IsLive) || slices.ContainsFunc(s.Hosts, effect.IsLive)
}

// IsScratch reports whether the object of a drop in this store was made for tests.
func (s *Store) IsScratch(object string) bool {
	kind, names := cutKind(object)
	if s.IsLive() || slices.ContainsFunc(names, effect.IsLive) {
		return false
	}
	own := len(names) > 0
	for _, name := range names {
		own = own && s.isSpare(name)
	}
	if own || s.TestContainer && !slices.ContainsFunc(s.Hosts, isElsewhere) {
		return true
	}
	if !s.contains(kind, names) {
		return false
	}
	for _, name := range s.Databases {
		if !s.isSpare(name) {
			return false
		}
	}
	return len(s.Databases) > 0 || s.TestSetting
}

// IsScratch reports whether what is dropped was made for tests, as its own name
// says: "table tmp_orders".
func IsScratch(object string) bool { return (&Store{}).IsScratch(object) }

// inDatabases are the kinds of things that a database contains.
var inDatabases = set("table tables rows column columns partition collection documents series measurement keys database")

// cutKind splits the object of a drop into what it is and its names.
func cutKind(object string) (kind string, names []string) {
	kind, rest, named := strings.Cut(object, " ")
	if !named && !inDatabases[kind] {
		return "", []string{object}
	}
	if before, after, ok := strings.Cut(rest, "of "); ok && (before == "" || strings.HasSuffix(before, " ")) {
		rest = after
	}
	if strings.HasPrefix(rest, "that ") || strings.HasPrefix(rest, "by ") { // tables that a query names, rows by a call
		return kind, nil
	}
	return kind, strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' || r == '|' || r == ';' || r == '\n' || r == '\t' })
}

// contains reports whether what is dropped lies in the databases and not beside
// them.
func (s *Store) contains(kind string, names []string) bool {
	switch {
	case kind == "database":
		return len(names) == 0
	case kind == "schema":
		return s.Schemas
	case !inDatabases[kind]:
		return false
	}
	for _, name := range names {
		if dots := strings.Count(name, "."); dots > 1 || dots == 1 && !s.Schemas {
			return false
		}
	}
	return true
}

// isSpare reports whether something was made for tests, judging by its name, or is
// somebody's own on this machine.
func (s *Store) isSpare(name string) bool {
	if strings.Contains(name, "$(") || strings.Contains(name, "`") || strings.Contains(name, "${") && strings.ContainsAny(name, ":-=+?/#%!") {
		return false // it may be anything
	}
	p := effect.PurposeOf(name)
	return p&effect.ForUse == 0 && (p&effect.ForTests != 0 || p&effect.ForWork != 0 && s.isHere())
}

// isHere reports whether the call says that the data is on this machine.
func (s *Store) isHere() bool {
	if s.Away || slices.ContainsFunc(s.Hosts, isElsewhere) {
		return false
	}
	return len(s.Hosts) > 0 || s.Here || s.File
}

// isElsewhere reports whether a host may be another machine.
func isElsewhere(host string) bool {
	host, _, _ = strings.Cut(strings.TrimPrefix(host, "tcp:"), ",")
	if strings.HasPrefix(host, "/") { // a socket
		return false
	}
	switch host = effect.HostOf(host); {
	case host == "localhost", host == "::1", host == "0.0.0.0", strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == "":
		return false
	}
	return true
}
