package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// store is where a command finds the data that it works on, as far as the call
// names it. What is deleted there is lost to nobody if its name, or that of what
// it is in, says that it is made for tests. That it is reached on this machine
// says nothing by itself: a tunnel ends here too.
type store struct {
	// databases are those that the data may be in: each must be made for tests.
	// hosts are the machines that they are on.
	databases, hosts []string
	// schemas: the name before a dot is a part of the database, not another one.
	schemas bool
	// file: the databases are files of this machine.
	file bool
	// box: it is in a container that is made for tests. setting: the environment
	// that a framework is told to use is.
	box, setting bool
	// here: the container is one of this machine. away: it is another machine.
	here, away bool
	// live: something in the call says that others work with it.
	live bool
}

// box is the container that a command runs in.
type box struct {
	// purpose is what its name, and those of its project and files, say.
	purpose effect.Purpose
	// here: it is one of this machine.
	here bool
	// env are the variables that it is given.
	env map[string]string
}

// mostPlaced is how many names of databases and hosts are kept, longestPlace how
// long they are.
const (
	mostPlaced   = 32
	longestPlace = 1024
)

// data is the store that the command works on, made at its first use.
func (a *act) data() *store {
	if a.store == nil {
		a.store = &store{away: a.Remote}
		a.store.live = slices.ContainsFunc(a.Args, isLive)
		if in := a.r.from.within; in != nil {
			a.store.away = false
			a.store.here = in.here
			a.store.box = in.purpose == effect.ForTests || in.purpose == effect.ForTests|effect.ForWork
			a.store.live = a.store.live || in.purpose&effect.ForUse != 0
		}
	}
	return a.store
}

// isLive reports whether a word of a command line names what others work with. A
// text with blanks is no name.
func isLive(word string) bool {
	return len(word) < longestPlace && !strings.ContainsAny(word, " \t\n") && effect.PurposeOf(word)&effect.ForUse != 0
}

// setVariable is what a variable of the command's environment holds, and whether
// the call sets it.
func (a *act) setVariable(name string) (string, bool) {
	if a.Remote {
		if a.r.from.within == nil {
			return "", false
		}
		s, ok := a.r.from.within.env[name]
		return s, ok
	}
	if s, ok := a.Env[name]; ok {
		return s, true
	}
	v, ok := a.r.scope.vars[name]
	if !ok {
		return "", false
	}
	text, known := v.known()
	if !known {
		return "?", true
	}
	for i := len(a.r.reading.Effects) - 1; i >= 0; i-- {
		if e := &a.r.reading.Effects[i]; e.Object == name && (e.Verb == effect.SetVariable && e.How != "assignment" || e.Verb == effect.UnsetVariable) {
			return text, e.Verb == effect.SetVariable
		}
	}
	return text, isLive(text) // it may be exported already
}

// isLive reports whether something in the call says that others work with the data.
func (s *store) isLive() bool {
	return s.live || slices.ContainsFunc(s.databases, isLive) || slices.ContainsFunc(s.hosts, isLive)
}

// losesNothing reports whether what an effect drops is made for tests.
func (s *store) losesNothing(object string) bool {
	kind, names := cutKind(object)
	if s.isLive() || slices.ContainsFunc(names, isLive) {
		return false
	}
	own := len(names) > 0
	for _, name := range names {
		own = own && s.isSpare(name)
	}
	if own || s.box && !slices.ContainsFunc(s.hosts, isElsewhere) {
		return true
	}
	if !s.holds(kind, names) {
		return false
	}
	for _, name := range s.databases {
		if !s.isSpare(name) {
			return false
		}
	}
	return len(s.databases) > 0 || s.setting
}

// wasScratch reports whether the command, read with its variables in it, drops the
// same in something made for tests. If it is a variable that says so, as
// $TEST_DATABASE_URL does, it is not expected to be empty; but nothing in the call
// may set it.
func (r *reader) wasScratch(e *effect.Effect) bool {
	was := false
	for i := range r.reading.Effects {
		switch noted := &r.reading.Effects[i]; {
		case noted.Verb == effect.SetVariable && effect.PurposeOf(noted.Object)&effect.ForTests != 0:
			return false
		case noted.Verb == effect.Drop && !noted.Guess && noted.Command == len(r.reading.Commands)-1 && noted.Object == e.Object && noted.How == e.How:
			was = noted.Scratch
		}
	}
	return was && len(r.scope.refs) == 0
}

// IsScratch reports whether what is dropped is made for tests, as its own name
// says: "table tmp_orders".
func IsScratch(object string) bool { return (&store{}).losesNothing(object) }

// inDatabases are kinds of things that are in a database.
var inDatabases = valued("table tables rows column columns partition collection documents series measurement keys database")

// cutKind returns what a dropped object is, and its names.
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

// holds reports whether what is dropped lies in the databases, and not beside
// them.
func (s *store) holds(kind string, names []string) bool {
	switch {
	case kind == "database":
		return len(names) == 0
	case kind == "schema":
		return s.schemas
	case !inDatabases[kind]:
		return false
	}
	for _, name := range names {
		if dots := strings.Count(name, "."); dots > 1 || dots == 1 && !s.schemas {
			return false
		}
	}
	return true
}

// isSpare reports whether a name is that of something made for tests, or of
// somebody's own on this machine.
func (s *store) isSpare(name string) bool {
	if strings.Contains(name, "$(") || strings.Contains(name, "`") || strings.Contains(name, "${") && strings.ContainsAny(name, ":-=+?/#%!") {
		return false // it may be anything
	}
	p := effect.PurposeOf(name)
	return p&effect.ForUse == 0 && (p&effect.ForTests != 0 || p&effect.ForWork != 0 && s.isHere())
}

// isHere reports whether the call says that the data is on this machine.
func (s *store) isHere() bool {
	if s.away || slices.ContainsFunc(s.hosts, isElsewhere) {
		return false
	}
	return len(s.hosts) > 0 || s.here || s.file
}

// isElsewhere reports whether a host is another machine, for all that its name
// says.
func isElsewhere(host string) bool {
	host, _, _ = strings.Cut(strings.TrimPrefix(host, "tcp:"), ",")
	if strings.HasPrefix(host, "/") { // a socket
		return false
	}
	switch host = hostOf(host); {
	case host == "localhost", host == "::1", host == "0.0.0.0", strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == "":
		return false
	}
	return true
}

// on adds machines that the data is on.
func (s *store) on(hosts ...string) {
	for _, host := range hosts {
		if host != "" && len(s.hosts) < mostPlaced {
			s.hosts = append(s.hosts, host)
		}
	}
}

// in adds databases: by name, address, or as a list of settings.
func (s *store) in(places ...string) {
	for _, place := range places {
		switch {
		case place == "":
		case len(place) > longestPlace || len(s.databases) >= mostPlaced:
			s.live = true // nobody writes that
		default:
			s.placed(strings.TrimPrefix(place, "jdbc:"))
		}
	}
}

func (s *store) placed(place string) {
	scheme, rest, isURL := strings.Cut(place, "://")
	switch {
	case strings.HasPrefix(place, "sqlite:") || isURL && strings.HasPrefix(scheme, "sqlite"), strings.HasPrefix(place, "file:"):
		_, file, _ := strings.Cut(place, ":")
		s.inFile(strings.TrimPrefix(strings.TrimPrefix(file, "//"), "/"))
	case isURL:
		s.on(hostOf(rest))
		_, database, _ := strings.Cut(rest, "/")
		database, query, _ := strings.Cut(database, "?")
		if user, _, ok := strings.Cut(rest, "@"); ok {
			s.live = s.live || isLive(user)
		}
		_, settings, _ := strings.Cut(rest, ";") // as SQL Server has them
		if database, _, _ = strings.Cut(database, ";"); database != "" || !strings.Contains(settings, "=") {
			s.databases = append(s.databases, database)
		}
		s.settings(strings.FieldsFunc(query+";"+settings, func(r rune) bool { return r == '&' || r == ';' }))
	case strings.Contains(place, "@tcp("), strings.Contains(place, "@unix("): // user:password@tcp(host:port)/database
		_, rest, _ := strings.Cut(place, "(")
		host, rest, _ := strings.Cut(rest, ")")
		database, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "?")
		s.on(host)
		s.databases = append(s.databases, database)
	case strings.Contains(place, "="):
		s.settings(strings.FieldsFunc(place, func(r rune) bool { return r == ' ' || r == ';' || r == '\n' }))
	default:
		s.databases = append(s.databases, place)
	}
}

// settings are pairs of names and values that say where a database is.
func (s *store) settings(pairs []string) {
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		value = strings.Trim(value, `"' `)
		switch strings.ToLower(strings.Trim(name, `"' `)) {
		case "dbname", "database", "databasename", "db", "initial catalog", "catalog", "service", "data source", "source":
			s.databases = append(s.databases, value)
		case "host", "hostaddr", "server":
			s.on(value)
		}
	}
}

// inFile adds a database that is a file. Directories count only below the one
// that the command runs in: what lies above is not named for it.
func (s *store) inFile(file string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(file, "file:"), "?")
	switch {
	case name == ":memory:":
		name = "tmp"
	case strings.HasPrefix(name, "/tmp/"):
		name = "tmp/" + name[strings.LastIndexByte(name, '/')+1:]
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, "~"), strings.HasPrefix(name, "$"), strings.Contains(name, ".."):
		name = name[strings.LastIndexByte(name, '/')+1:]
	case strings.Contains(name, ":"): // of a service
		s.databases = append(s.databases, name)
		return
	}
	s.file = true
	s.databases = append(s.databases, name)
}
