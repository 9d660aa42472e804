package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/sql"
)

// openers are calls by which programs open a database, or go to another one.
var openers = invocation.Valued(`connect create_engine create_async_engine database pdo sqlite3 sqlitedatabase databasesync redis strictredis from_url pool createpool createconnection simpleconnectionpool
	threadedconnectionpool connectionpool asyncconnectionpool client createclient sequelize datasource postgres connection open neon drizzle knex mysqli getconnection select_db selectdb get_database changeuser`)

// givenElsewhere are words of programs that take from elsewhere what they open,
// or that choose in what they opened.
var givenElsewhere = []string{"environ", "getenv", "process.env", "ENV[", "ENV.", "DATABASE_URL", "MongoClient", "settings", "config", "argv", "**"}

// longestOpen is how much of a call that opens a database is looked at.
const longestOpen = 256

// programPlace says where a program finds its database. Each that it opens must
// be named in the program.
func programPlace(a *invocation.Act, program string) {
	a.Store = nil
	s := a.Data()
	in := a.R.From.Within
	s.Live = in != nil && in.Purpose&effect.ForUse != 0 // the words of an interpreter are no names of databases
	s.Schemas = strings.Contains(program, "postgres") || strings.Contains(program, "psycopg") || strings.Contains(program, "asyncpg")
	eachNameWith(program, longestOpen, func(name, before, after string) bool {
		at, called := strings.CutPrefix(strings.TrimLeft(after, " "), "(")
		if !called || len(name) > nearby || !openers[strings.ToLower(name)] || isComment(before) {
			return true
		}
		place, quoted := CutQuote(at)
		if at = strings.TrimLeft(at, " \n\t"); strings.HasPrefix(at, ")") || strings.EqualFold(name, "open") && (!quoted || !strings.Contains(place, "://")) {
			return true
		}
		if !quoted {
			opened(s, at, true)
			return true
		}
		if isDatabaseFile(place) {
			s.InFile(place)
		} else {
			s.In(place)
		}
		if len(at) > len(place)+2 {
			opened(s, strings.TrimLeft(at[len(place)+2:], ", "), false)
		}
		return len(s.Databases) < sql.MaxPlaces
	})
	if len(s.Databases) == 0 {
		return
	}
	for _, word := range givenElsewhere {
		if strings.Contains(program, word) {
			s.Databases = append(s.Databases, "?")
			return
		}
	}
}

// isComment reports whether what follows on a line is a comment.
func isComment(before string) bool {
	before = strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.HasPrefix(before, "#") || strings.HasPrefix(before, "//") || strings.HasPrefix(before, "def ")
}

func isDatabaseFile(place string) bool {
	return place == ":memory:" || strings.HasPrefix(place, "/") || !strings.Contains(place, "://") && EndsWithAny(place, invocation.DatabaseFileNames...)
}

// opened reads the arguments of a call that opens a database. If it has not been
// named yet, one of them must.
func opened(s *sql.Store, args string, must bool) {
	args, _, _ = strings.Cut(args, ")")
	for part := range strings.SplitSeq(strings.Trim(args, "{} \n\t"), ",") {
		if _, positional := CutQuote(part); positional && !strings.ContainsAny(part, ":=") {
			must = true // it may be another one
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			name, value, _ = strings.Cut(part, ":")
		}
		text, quoted := CutQuote(value)
		if !quoted {
			text = "?"
		}
		switch strings.ToLower(strings.Trim(name, "{ \n\t\"'")) {
		case "dbname", "database", "db", "dsn", "conninfo", "url", "uri", "connectionstring", "filename", "storage":
			must = false
			s.In(text)
		case "host", "server", "hostname":
			s.On(text)
		}
	}
	if must {
		s.Databases = append(s.Databases, "?")
	}
}
