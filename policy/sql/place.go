package sql

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// On adds machines that the data is on.
func (s *Store) On(hosts ...string) {
	for _, host := range hosts {
		if host != "" && len(s.Hosts) < MaxPlaces {
			s.Hosts = append(s.Hosts, host)
		}
	}
}

// In adds databases, each given by its name, its address or a list of settings.
func (s *Store) In(places ...string) {
	for _, place := range places {
		switch {
		case place == "":
		case len(place) > longestPlace || len(s.Databases) >= MaxPlaces:
			s.Live = true // nobody writes that
		default:
			s.in(strings.TrimPrefix(place, "jdbc:"))
		}
	}
}

func (s *Store) in(place string) {
	scheme, rest, isURL := strings.Cut(place, "://")
	switch {
	case strings.HasPrefix(place, "sqlite:") || isURL && strings.HasPrefix(scheme, "sqlite"), strings.HasPrefix(place, "file:"):
		_, file, _ := strings.Cut(place, ":")
		s.InFile(strings.TrimPrefix(strings.TrimPrefix(file, "//"), "/"))
	case isURL:
		s.inURL(rest)
	case strings.Contains(place, "@tcp("), strings.Contains(place, "@unix("): // user:password@tcp(host:port)/database
		_, rest, _ := strings.Cut(place, "(")
		host, rest, _ := strings.Cut(rest, ")")
		database, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "?")
		s.On(host)
		s.Databases = append(s.Databases, database)
	case strings.Contains(place, "="):
		s.settings(strings.FieldsFunc(place, func(r rune) bool { return r == ' ' || r == ';' || r == '\n' }))
	default:
		s.Databases = append(s.Databases, place)
	}
}

// inURL adds the database of an address without its scheme.
func (s *Store) inURL(rest string) {
	s.On(effect.HostOf(rest))
	_, database, _ := strings.Cut(rest, "/")
	database, query, _ := strings.Cut(database, "?")
	if user, _, ok := strings.Cut(rest, "@"); ok {
		s.Live = s.Live || effect.IsLive(user)
	}
	_, settings, _ := strings.Cut(rest, ";") // as SQL Server has them
	if database, _, _ = strings.Cut(database, ";"); database != "" || !strings.Contains(settings, "=") {
		s.Databases = append(s.Databases, database)
	}
	s.settings(strings.FieldsFunc(query+";"+settings, func(r rune) bool { return r == '&' || r == ';' }))
}

// settings reads pairs of names and values that say where a database is.
func (s *Store) settings(pairs []string) {
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		value = strings.Trim(value, `"' `)
		switch strings.ToLower(strings.Trim(name, `"' `)) {
		case "dbname", "database", "databasename", "db", "initial catalog", "catalog", "service", "data source", "source":
			s.Databases = append(s.Databases, value)
		case "host", "hostaddr", "server":
			s.On(value)
		}
	}
}

// InFile adds a database that is a file. Directories count only if they are below
// the one that the call runs in: the names of those above say nothing about it.
func (s *Store) InFile(file string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(file, "file:"), "?")
	switch {
	case name == ":memory:":
		name = "tmp"
	case strings.HasPrefix(name, "/tmp/"):
		name = "tmp/" + name[strings.LastIndexByte(name, '/')+1:]
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~"), strings.HasPrefix(name, "$"), strings.Contains(name, ".."):
		name = name[strings.LastIndexByte(name, '/')+1:]
	case strings.Contains(name, ":"): // of a service
		s.Databases = append(s.Databases, name)
		return
	}
	s.File = true
	s.Databases = append(s.Databases, name)
}

// Switch follows a command that goes on in another database: \c, USE, ATTACH. The
// one before still counts, since it may be used again.
func (s *Store) Switch(to string) {
	to = strings.TrimSpace(to)
	if file, ok := strings.CutPrefix(to, "file:"); ok {
		s.InFile(file)
		return
	}
	if strings.Contains(to, "=") || strings.Contains(to, "://") {
		s.In(strings.Trim(to, `"'`))
		return
	}
	words := strings.Fields(strings.TrimRight(to, ";"))
	for i, word := range words {
		word = strings.Trim(word, "\"'`[];")
		switch {
		case word == "-" || word == "":
		case i == 0:
			s.In(word)
		case i == 2:
			s.On(word)
		default:
			s.Live = s.Live || effect.IsLive(word)
		}
	}
}
