package invocation

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// Box is the container that a command runs in.
type Box struct {
	// purpose is what its name, and those of its project and files, say.
	Purpose effect.Purpose
	// here: it is one of this machine.
	Here bool
	// env are the variables that it is given.
	Env map[string]string
}

// Data is the store that the command works on, made at its first use.
func (a *Act) Data() *sql.Store {
	if a.Store == nil {
		a.Store = &sql.Store{Away: a.Remote}
		a.Store.Live = slices.ContainsFunc(a.Args, effect.IsLive)
		if in := a.R.From.Within; in != nil {
			a.Store.Away = false
			a.Store.Here = in.Here
			a.Store.TestContainer = in.Purpose == effect.ForTests || in.Purpose == effect.ForTests|effect.ForWork
			a.Store.Live = a.Store.Live || in.Purpose&effect.ForUse != 0
		}
	}
	return a.Store
}

// Where says where a database is: a client that is given the dump of a database on its input sends it there.
func (d *DescribedAct) Where(kind command.Kind, name string, certain bool) {
	var host string
	if !certain { // it may as well be another
		d.Data().In("$")
	}
	if kind == command.Server {
		d.Data().On(name)
		if host = serverOf(name); strings.Contains(name, "://") {
			host = HostOf(name)
		}
	} else {
		d.Data().In(name)
		_, said, ok := strings.Cut(name, "host=")
		if host, _, _ = strings.Cut(said, " "); !ok && strings.Contains(name, "://") {
			host = HostOf(name)
		}
	}
	d.Contacts(host)
	if slices.Contains(d.In.Sources, Database) && IsOutside(host) {
		d.Add(effect.Effect{Verb: effect.Send, Object: host, From: Database})
	}
}

// serverOf is the host of a server as clients of databases take it: host, host:port,
// tcp:host,port. It is empty for a socket.
func serverOf(name string) string {
	name = strings.TrimPrefix(name, "tcp:")
	if i := strings.IndexAny(name, ",\\"); i > 0 {
		name = name[:i]
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "@") {
		return ""
	}
	return HostOf(name)
}

// Contacts notes that a host is connected to that is not on a network of one's own: whoever
// serves there learns of it.
func (a *Act) Contacts(host string) {
	if (IsOutside(host) || Unknown(host)) && !a.Guess {
		a.Does(effect.Connect, host)
	}
}

// Variable is what a variable of the command's environment holds, and whether
// the call sets it.
func (a *Act) Variable(name string) (string, bool) {
	if a.Remote {
		if s, ok := a.Env[name]; ok { // it is given there
			if outer, inherited := a.R.From.Env[name]; !inherited || outer != s {
				return s, true
			}
		}
		if a.R.From.Within == nil {
			return "", false
		}
		s, ok := a.R.From.Within.Env[name]
		return s, ok
	}
	if s, ok := a.Env[name]; ok {
		return s, true
	}
	v, ok := a.R.Scope.Vars[name]
	if !ok {
		return "", false
	}
	text, known := v.Known()
	if !known {
		return "?", true
	}
	for i := len(a.R.Reading.Effects) - 1; i >= 0; i-- {
		if e := &a.R.Reading.Effects[i]; e.Object == name && (e.Verb == effect.SetVariable && e.How != "assignment" || e.Verb == effect.UnsetVariable && e.Kind != effect.Start) {
			return text, e.Verb == effect.SetVariable
		}
	}
	return text, effect.IsLive(text) // it may be exported already
}

// wasScratch reports whether the command, read with its variables in it, drops the
// same in something made for tests. If it is a variable that says so, as
// $TEST_DATABASE_URL does, it is not expected to be empty; but nothing in the call
// may set it.
func (r *Reader) wasScratch(e *effect.Effect) bool {
	was := false
	for i := range r.Reading.Effects {
		switch noted := &r.Reading.Effects[i]; {
		case noted.Verb == effect.SetVariable && effect.PurposeOf(noted.Object)&effect.ForTests != 0:
			return false
		case noted.Verb == effect.Drop && !noted.Guess && noted.Command == len(r.Reading.Commands)-1 && noted.Object == e.Object && noted.How == e.How:
			was = noted.Scratch
		}
	}
	return was && len(r.Scope.Refs) == 0
}

// Variables that say where a framework finds its database, and which of its
// environments it uses. In places the name of a database is enough.
var (
	AddressVariables  = []string{"DATABASE_URL", "DATABASE_URI", "DB_URL", "SQLALCHEMY_DATABASE_URI", "SQLALCHEMY_DATABASE_URL", "FLYWAY_URL", "GOOSE_DBSTRING", "LIQUIBASE_COMMAND_URL", "SPRING_DATASOURCE_URL", "POSTGRES_URL", "DIRECT_URL", "DB_DATABASE", "DB_NAME", "PGDATABASE", "MYSQL_DATABASE", "POSTGRES_DB"}
	HostVariables     = []string{"DB_HOST", "PGHOST", "MYSQL_HOST", "POSTGRES_HOST", "DATABASE_HOST"}
	SettingVariables  = []string{"RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV", "DJANGO_ENV", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "FLASK_ENV", "NODE_ENV", "SPRING_PROFILES_ACTIVE", "KNEX_ENV"}
	DatabaseFileNames = []string{".db", ".sqlite", ".sqlite3", ".duckdb"}
)

// KnownVariable is the value of a variable that a program is given.
func (a *Act) KnownVariable(name string) (string, bool) {
	if s, ok := a.Env[name]; ok {
		return s, !Unknown(s)
	}
	if v, ok := a.R.Scope.Vars[name]; ok && len(v.Sources) == 0 {
		return v.Known()
	}
	return "", false
}

// SearchSteps is what it costs to look for files by a pattern.
const SearchSteps = 1000

// fileSteps is what one file costs there that the text wrote itself.
const fileSteps = 60
