package invocation

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// The dialects of statements.
const (
	StandardSQL = sql.Standard
	MySQL       = sql.MySQL
)

// Drops notes that data is deleted for good.
func (a *Act) Drops(what string) {
	a.Add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace(what), Wide: true})
}

// SQLInput reads what a client is given on its input.
func (a *Act) SQLInput(in sql.Dialect) {
	switch {
	case a.In.Remote != "":
		a.Does(effect.RunRemote, a.In.Remote)
	case a.In.Known:
		a.SQL(a.In.Text, in)
	case len(a.In.Sources) > 0:
		for _, file := range a.In.Sources {
			a.SQLFile(file, in)
		}
	case a.In.Piped:
		a.Doubt(Pipe)
		a.sqlMade()
	}
}

// sqlMade notes statements that another query makes and that are run at once:
// select 'drop table ' || name from tables.
func (a *Act) sqlMade() {
	for i := range a.R.Reading.Commands {
		c := &a.R.Reading.Commands[i]
		if slices.Contains(c.Args, "sqlflush") || slices.Contains(c.Args, "sqlclear") { // as Django makes them
			a.Drops("tables of Django")
			return
		}
		if !c.Is("psql", "mysql", "mariadb", "sqlcmd", "sqlite3", "duckdb", "clickhouse-client", "cockroach") {
			continue
		}
		for _, arg := range c.Args {
			if !a.R.Pay(len(arg)) {
				return
			}
			if sql.MakesStatements(arg) {
				a.Drops("tables that a query names")
				return
			}
		}
	}
}

// SQLFile reads SQL in a file that somebody wrote before, or notes that nobody
// has seen it.
func (a *Act) SQLFile(file string, in sql.Dialect) {
	switch {
	case strings.Contains(file, "://"):
		a.Does(effect.RunRemote, file)
		return
	case file == "/dev/stdin":
		a.SQLInput(in)
		return
	}
	a.SQL(a.Runs(file), in)
}

// sqlFetched notes statements that come from the network.
func (a *Act) sqlFetched() {
	for i := range a.Words() {
		if from := a.Words()[i].Remote; from != "" {
			a.Does(effect.RunRemote, from)
			return
		}
		if made := a.Words()[i].Made; made != nil && made.Remote != "" {
			a.Does(effect.RunRemote, made.Remote)
			return
		}
	}
}

// Rows is what a statement prints that asks for all rows of a table. People look at
// them, and mail them; see wholeSent.
const Rows = "rows of a table"
