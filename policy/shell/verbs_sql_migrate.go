package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// loss is a command of a migration tool that deletes data: the words that it is
// called with, one of the flags that must be there, if any, and what is lost.
type loss struct {
	words, flag, what string
}

// losses are the commands of migration tools that delete data.
var losses = map[string][]loss{
	"prisma":       {{"migrate reset", "", "database"}, {"db push", "force-reset", "database"}, {"db push", "accept-data-loss", "columns"}},
	"drizzle-kit":  {{"push", "force", "columns"}, {"push:pg", "force", "columns"}, {"push:mysql", "force", "columns"}},
	"knex":         {{"migrate:rollback", "all", "tables"}},
	"sequelize":    {{"db:drop", "", "database"}, {"db:migrate:undo:all", "", "tables"}},
	"typeorm":      {{"schema:drop", "", "tables"}},
	"mikro-orm":    {{"schema:drop", "run", "tables"}, {"schema:drop", "r", "tables"}, {"schema:fresh", "", "tables"}, {"migration:fresh", "", "tables"}, {"database:drop", "", "database"}},
	"artisan":      {{"migrate:fresh", "", "tables"}, {"migrate:reset", "", "tables"}, {"migrate:refresh", "", "tables"}, {"db:wipe", "", "tables"}, {"schema:drop", "", "tables"}},
	"console":      {{"doctrine:schema:drop", "force", "tables"}, {"doctrine:schema:drop", "full-database", "tables"}, {"doctrine:database:drop", "force", "database"}, {"d:s:d", "force", "tables"}, {"d:d:d", "force", "database"}},
	"rails":        railsLosses,
	"rake":         railsLosses,
	"manage.py":    djangoLosses,
	"django-admin": djangoLosses,
	"mix":          {{"ecto.drop", "", "database"}, {"ecto.reset", "", "database"}, {"ecto.rollback", "all", "tables"}, {"ash.reset", "", "database"}},
	"dotnet":       {{"ef database drop", "", "database"}, {"ef database update 0", "", "tables"}},
	"dotnet-ef":    {{"database drop", "", "database"}, {"database update 0", "", "tables"}},
	"flyway":       {{"clean", "", "database"}},
	"liquibase":    {{"drop-all", "", "database"}, {"dropAll", "", "database"}},
	"alembic":      {{"downgrade base", "", "tables"}},
	"flask":        {{"db downgrade base", "", "tables"}},
	"sqlx":         {{"database drop", "", "database"}, {"database reset", "", "database"}, {"db drop", "", "database"}, {"db reset", "", "database"}},
	"diesel":       {{"migration revert", "all", "tables"}, {"database reset", "", "database"}, {"database drop", "", "database"}},
	"sea-orm-cli":  {{"migrate fresh", "", "tables"}, {"migrate reset", "", "tables"}, {"migrate refresh", "", "tables"}},
	"goose":        {{"reset", "", "tables"}, {"down-to 0", "", "tables"}},
	"migrate":      {{"drop", "", "database"}, {"down", "all", "tables"}},
	"dbmate":       {{"drop", "", "database"}},
	"atlas":        {{"schema clean", "", "database"}},
	"hasura":       {{"migrate apply", "down", "tables"}, {"metadata clear", "", "metadata"}, {"md clear", "", "metadata"}, {"migrate delete", "server", "migrations"}},
	"supabase":     {{"db reset", "", "database"}, {"projects delete", "", "project"}, {"branches delete", "", "branch"}},
	"wp":           {{"db reset", "", "database"}, {"db drop", "", "database"}, {"db clean", "", "tables"}, {"site empty", "", "rows"}},
	"drush":        {{"sql-drop", "", "tables"}, {"sql:drop", "", "tables"}, {"site:install", "", "database"}},
	"bench":        {{"drop-site", "", "site"}, {"reinstall", "", "site"}},
	"payload":      {{"migrate:fresh", "", "tables"}, {"migrate:reset", "", "tables"}},
	"ace":          {{"migration:fresh", "", "tables"}, {"migration:reset", "", "tables"}, {"migration:refresh", "", "tables"}, {"db:wipe", "", "tables"}},
	"spark":        {{"migrate:refresh", "", "tables"}},
	"yii":          {{"migrate/fresh", "", "tables"}, {"migrate/down all", "", "tables"}},
	"phinx":        {{"rollback 0", "", "tables"}, {"rollback", "t", "tables"}},
	"edgedb":       {{"database wipe", "", "database"}, {"database drop", "", "database"}, {"branch wipe", "", "database"}, {"branch drop", "", "database"}, {"instance destroy", "", "instance"}},
	"gel":          {{"database wipe", "", "database"}, {"branch wipe", "", "database"}, {"branch drop", "", "database"}, {"instance destroy", "", "instance"}},
	"turso":        {{"db destroy", "", "database"}, {"group destroy", "", "databases"}},
	"neonctl":      {{"projects delete", "", "project"}, {"branches delete", "", "branch"}, {"databases delete", "", "database"}, {"branches reset", "", "branch"}},
	"pscale":       {{"database delete", "", "database"}, {"branch delete", "", "branch"}},
	"n98-magerun2": {{"db:drop", "force", "database"}, {"db:drop", "f", "database"}},
	"convex":       {{"import", "replace-all", "tables"}},
	"hdbsql":       {{"drop", "", "database"}},
}

var railsLosses = []loss{
	{"db:drop", "", "database"},
	{"db:drop:all", "", "database"},
	{"db:reset", "", "database"},
	{"db:migrate:reset", "", "database"},
	{"db:purge", "", "database"},
	{"db:purge:all", "", "database"},
	{"db:truncate_all", "", "rows"},
	{"db:schema:load", "", "tables"},
	{"db:structure:load", "", "tables"},
	{"db:seed:replant", "", "rows"},
}

var djangoLosses = []loss{
	{"flush", "", "rows"},
	{"reset_db", "", "database"},
	{"reset_schema", "", "tables"},
	{"sqlclear", "execute", "tables"},
}

// migrateVerbs are the tools of losses, and their other names.
var migrateVerbs = func() map[string]verb {
	table := map[string]verb{}
	for name := range losses {
		table[name] = migration(name)
	}
	for other, name := range map[string]string{
		"sequelize-cli": "sequelize", "typeorm-ts-node-commonjs": "typeorm", "typeorm-ts-node-esm": "typeorm", "neon": "neonctl", "golang-migrate": "migrate", "wp-cli": "wp",
	} {
		table[other] = migration(name)
	}
	return table
}()

// migration notes what a tool deletes by the commands in losses.
func migration(name string) verb {
	values := valued("schema env environment database-url d config c settings project startup-project connection n e app path execute")
	return func(a *act) {
		l := a.line(values)
		if l.exact("help", "h", "dry-run", "pretend") {
			return
		}
		a.migrationPlace(name, &l)
		for _, at := range losses[name] {
			if hasWords(l.operands, strings.Fields(at.words)) && (at.flag == "" || l.exact(at.flag) || a.Has("-"+at.flag)) {
				a.add(effect.Effect{Verb: effect.Drop, Object: at.what, Wide: true})
				break
			}
		}
		a.migrationSQL(name, &l)
	}
}

// migrationSQL is for tools that run SQL besides.
func (a *act) migrationSQL(name string, l *line) {
	switch {
	case (name == "manage.py" || name == "django-admin") && l.operand(0) == "migrate" && l.operand(2) == "zero":
		if l.exact("plan") { // it only says what it would do
			return
		}
		a.add(effect.Effect{Verb: effect.Drop, Object: "tables of " + l.operand(1), Wide: true})
	case (name == "manage.py" || name == "django-admin") && l.operand(0) == "dbshell" && slices.Contains(a.Args, "--"):
		client := a.Args[slices.Index(a.Args, "--")+1:]
		a.argv(append([]string{"psql"}, client...))
	case name == "manage.py" && l.operand(0) == "dbshell", name == "prisma" && hasWords(l.operands, []string{"db", "execute"}):
		a.sqlInput(standardSQL)
	case name == "turso" && hasWords(l.operands, []string{"db", "shell"}) && len(l.operands) > 3:
		a.sql(l.operand(3), standardSQL)
	case name == "turso" && hasWords(l.operands, []string{"db", "shell"}), name == "pscale" && l.operand(0) == "shell" && l.value("execute") == "", name == "rails" && (l.operand(0) == "db" || l.operand(0) == "dbconsole"):
		a.sqlInput(standardSQL)
	case name == "pscale" && l.operand(0) == "shell":
		a.sql(l.value("execute"), mySQL)
	case name == "wp" && hasWords(l.operands, []string{"db", "query"}):
		if l.operand(2) == "" {
			a.sqlInput(mySQL)
		}
		a.sql(l.operand(2), mySQL)
	case name == "wp" && hasWords(l.operands, []string{"db", "cli"}):
		a.sqlInput(mySQL)
	case name == "neonctl" && l.operand(0) == "sql", name == "typeorm" && l.operand(0) == "query", name == "console" && (l.operand(0) == "dbal:run-sql" || l.operand(0) == "doctrine:query:sql"),
		name == "drush" && (l.operand(0) == "sql:query" || l.operand(0) == "sql-query" || l.operand(0) == "sqlq"), name == "n98-magerun2" && l.operand(0) == "db:query":
		a.sql(l.operand(1), mySQL)
	case name == "supabase" && (hasWords(l.operands, []string{"db", "execute"}) || hasWords(l.operands, []string{"db", "query"})):
		a.sql(l.operand(2), standardSQL)
	case name == "liquibase" && l.operand(0) == "execute-sql":
		a.sqlFlags()
	}
}

// hasWords reports whether the words are there, one after the other.
func hasWords(list, words []string) bool {
	for i := 0; i+len(words) <= len(list); i++ {
		if slices.Equal(list[i:i+len(words)], words) {
			return true
		}
	}
	return false
}
