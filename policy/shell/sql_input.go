package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// sqlInput reads what a client is given on its input.
func (a *act) sqlInput(in sql.Dialect) {
	switch {
	case a.in.remote != "":
		a.does(effect.RunRemote, a.in.remote)
	case a.in.known:
		a.sql(a.in.text, in)
	case len(a.in.sources) > 0:
		for _, file := range a.in.sources {
			a.sqlFile(file, in)
		}
	case a.in.piped:
		a.doubt(Pipe)
		a.sqlMade()
	}
}

// sqlMade notes statements that another query makes and that are run at once:
// select 'drop table ' || name from tables.
func (a *act) sqlMade() {
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if slices.Contains(c.Args, "sqlflush") || slices.Contains(c.Args, "sqlclear") { // as Django makes them
			a.drops("tables of Django")
			return
		}
		if !c.Is("psql", "mysql", "mariadb", "sqlcmd", "sqlite3", "duckdb", "clickhouse-client", "cockroach") {
			continue
		}
		for _, arg := range c.Args {
			if !a.r.pay(len(arg)) {
				return
			}
			if sql.MakesStatements(arg) {
				a.drops("tables that a query names")
				return
			}
		}
	}
}

// sqlFile reads SQL in a file that somebody wrote before, or notes that nobody
// has seen it.
func (a *act) sqlFile(file string, in sql.Dialect) {
	switch {
	case strings.Contains(file, "://"):
		a.does(effect.RunRemote, file)
		return
	case file == "/dev/stdin":
		a.sqlInput(in)
		return
	}
	for i := range a.words() {
		if made := a.words()[i].made; made != nil && i < len(a.Args) && strings.HasSuffix(a.Args[i], file) {
			if made.known {
				a.sql(made.text, in)
			}
			return
		}
	}
	if content, known := a.file(file); known {
		a.sql(content, in)
		return
	}
	a.does(effect.Run, a.path(file))
}

// sqlFetched notes statements that come from the network.
func (a *act) sqlFetched() {
	for i := range a.words() {
		if from := a.words()[i].remote; from != "" {
			a.does(effect.RunRemote, from)
			return
		}
		if made := a.words()[i].made; made != nil && made.remote != "" {
			a.does(effect.RunRemote, made.remote)
			return
		}
	}
}

// dataFlags are the flags by which the command lines of clouds are given SQL.
var dataFlags = valued("sql sqls sql-statements statement statements query-string ddl querytext sql-query sql-text sql-command")

// sqlFlags reads SQL that the command line of a cloud hands to a database of it.
func (a *act) sqlFlags() {
	for i := 0; i < len(a.Args); i++ {
		name, text, attached := strings.Cut(a.Args[i], "=")
		flag, long := strings.CutPrefix(name, "--")
		short := name == "-q" && a.Name == "az"
		if !short && (!long || !dataFlags[flag]) {
			continue
		}
		if attached {
			a.sql(text, standardSQL)
		}
		for !attached && i+1 < len(a.Args) && !strings.HasPrefix(a.Args[i+1], "--") {
			i++
			a.sql(a.Args[i], standardSQL)
		}
	}
}
