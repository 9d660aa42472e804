package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// Variables that say where a framework finds its database, and which of its
// environments it uses. In places the name of a database is enough.
var (
	addressVariables  = []string{"DATABASE_URL", "DATABASE_URI", "DB_URL", "SQLALCHEMY_DATABASE_URI", "SQLALCHEMY_DATABASE_URL", "FLYWAY_URL", "GOOSE_DBSTRING", "LIQUIBASE_COMMAND_URL", "SPRING_DATASOURCE_URL", "POSTGRES_URL", "DIRECT_URL", "DB_DATABASE", "DB_NAME", "PGDATABASE", "MYSQL_DATABASE", "POSTGRES_DB"}
	hostVariables     = []string{"DB_HOST", "PGHOST", "MYSQL_HOST", "POSTGRES_HOST", "DATABASE_HOST"}
	settingVariables  = []string{"RAILS_ENV", "RACK_ENV", "MIX_ENV", "APP_ENV", "DJANGO_ENV", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "FLASK_ENV", "NODE_ENV", "SPRING_PROFILES_ACTIVE", "KNEX_ENV"}
	databaseFileNames = []string{".db", ".sqlite", ".sqlite3", ".duckdb"}
)

// frameworkPlace says where a framework, or a tool of one, finds its database.
func frameworkPlace(a *act, in *command.Reading) {
	s := a.data()
	for _, variable := range addressVariables {
		if value, set := a.Variable(variable); set && value != "" {
			s.In(value)
		}
	}
	for _, variable := range hostVariables {
		if value, set := a.Variable(variable); set {
			s.On(value)
		}
	}
	s.In(in.Values("address")...)
	for _, module := range in.Values("settings") {
		s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(module)) == effect.ForTests
	}
	words := append(in.Values("command"), in.Values("words")...)
	for _, word := range words {
		switch {
		case strings.Contains(word, "://"), strings.Contains(word, "dbname="), strings.Contains(word, "@tcp("):
			s.In(word)
		case endsWithAny(word, databaseFileNames...):
			s.InFile(word)
		}
	}
	a.settingPlace(in, words)
}

// settingPlace says which of its environments a framework uses.
func (a *act) settingPlace(in *command.Reading, words []string) {
	s := a.data()
	uses := func(variable, value string) {
		p := effect.PurposeOf(value)
		s.Live = s.Live || p&effect.ForUse != 0
		s.TestSetting = s.TestSetting || p&effect.ForTests != 0 || p&effect.ForWork != 0 && variable != "NODE_ENV"
	}
	for _, variable := range settingVariables {
		if value, set := a.Variable(variable); set {
			uses(variable, value)
		}
	}
	if value, set := a.Variable("DJANGO_SETTINGS_MODULE"); set {
		s.TestSetting = s.TestSetting || effect.PurposeOf(lastDot(value)) == effect.ForTests
	}
	for _, word := range words { // rake db:drop RAILS_ENV=test
		if variable, value, ok := strings.Cut(word, "="); ok && slices.Contains(settingVariables, variable) {
			uses(variable, value)
		}
	}
	for _, value := range in.Values("environment") {
		uses("", value)
	}
}

// lastDot is the last part of a dotted name: test of app.settings.test.
func lastDot(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
