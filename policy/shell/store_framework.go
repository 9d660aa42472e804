package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// redisPlace says where redis-cli finds its server: numbers of databases and
// ports say nothing of what is in them.
func (a *act) redisPlace(l *line) {
	s := a.data()
	s.On(l.values("h")...)
	for _, socket := range l.values("s") {
		s.In(socket[strings.LastIndexByte(socket, '/')+1:])
	}
	for _, address := range l.values("u") {
		if unknown(address) {
			s.In(address)
		} else {
			s.On(hostOf(address))
		}
	}
}

// Variables that say where a framework finds its database, and which of its
// environments it uses. In places the name of a database is enough.
var (
	addressVariables  = []string{"DATABASE_URL", "DATABASE_URI", "DB_URL", "SQLALCHEMY_DATABASE_URI", "SQLALCHEMY_DATABASE_URL", "FLYWAY_URL", "GOOSE_DBSTRING", "LIQUIBASE_COMMAND_URL", "SPRING_DATASOURCE_URL", "POSTGRES_URL", "DIRECT_URL", "DB_DATABASE", "DB_NAME", "PGDATABASE", "MYSQL_DATABASE", "POSTGRES_DB"}
	hostVariables     = []string{"DB_HOST", "PGHOST", "MYSQL_HOST", "POSTGRES_HOST", "DATABASE_HOST"}
	settingVariables  = []string{"RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV", "DJANGO_ENV", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "FLASK_ENV", "NODE_ENV", "SPRING_PROFILES_ACTIVE", "KNEX_ENV"}
	addressFlags      = valued("url database-url database-uri database connection connection-string D d db-url db dsn u schema-url")
	databaseFileNames = []string{".db", ".sqlite", ".sqlite3", ".duckdb"}
)

// migrationPlace says where a migration tool finds its database.
func (a *act) migrationPlace(name string, l *line) {
	s := a.data()
	for _, variable := range addressVariables {
		if value, set := a.setVariable(variable); set && value != "" {
			s.In(value)
		}
	}
	for _, variable := range hostVariables {
		if value, set := a.setVariable(variable); set {
			s.On(value)
		}
	}
	for i, arg := range a.Args {
		flag, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch isFlag := strings.HasPrefix(arg, "-"); {
		case isFlag && addressFlags[flag] && name != "wp":
			if !given && i+1 < len(a.Args) {
				value = a.Args[i+1]
			}
			s.In(value)
		case isFlag && flag == "settings" && !given && i+1 < len(a.Args):
			s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(a.Args[i+1])) == effect.ForTests
		case isFlag && flag == "settings":
			s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(value)) == effect.ForTests
		case isFlag:
		case strings.Contains(arg, "://"), strings.Contains(arg, "dbname="), strings.Contains(arg, "@tcp("):
			if i == 0 || !addressFlags[strings.TrimLeft(a.Args[i-1], "-")] {
				s.In(arg)
			}
		case endsWithAny(arg, databaseFileNames...):
			s.InFile(arg)
		}
	}
	a.settingPlace(name, l)
	if name == "supabase" && !l.has("linked", "db-url", "project-ref") && hasWords(l.operands, []string{"db", "reset"}) {
		s.TestSetting = true // the stack that it started here
	}
}

// settingPlace says which of its environments a framework uses.
func (a *act) settingPlace(name string, l *line) {
	s := a.data()
	uses := func(variable, value string) {
		p := effect.PurposeOf(value)
		s.Live = s.Live || p&effect.ForUse != 0
		s.TestSetting = s.TestSetting || p&effect.ForTests != 0 || p&effect.ForWork != 0 && variable != "NODE_ENV"
	}
	for _, variable := range settingVariables {
		if value, set := a.setVariable(variable); set {
			uses(variable, value)
		}
	}
	if value, set := a.setVariable("DJANGO_SETTINGS_MODULE"); set && (name == "manage.py" || name == "django-admin") {
		s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(value)) == effect.ForTests
	}
	for _, operand := range l.operands { // rake db:drop RAILS_ENV=test
		if variable, value, ok := strings.Cut(operand, "="); ok && slices.Contains(settingVariables, variable) {
			uses(variable, value)
		}
	}
	for _, value := range l.values("env", "environment", "e") {
		uses("", value)
	}
}

// lastDot is the last part of a dotted name: test of app.settings.test.
func lastDot(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
