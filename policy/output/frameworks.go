package output

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/invocation"
)

// frameworkSecrets are what frameworks call the settings that hold all of an
// application's secrets.
var frameworkSecrets = []string{"application.credentials", "application.secrets", "credentials.config", "settings.SECRET_KEY", "settings.DATABASES", "app.secret_key", `app.config["SECRET_KEY"]`, "app.config['SECRET_KEY']", "secret_key_base"}

// plainSettings follow one that holds more than secrets, where only something else
// is asked for.
var plainSettings = []string{"HOST", "NAME", "ENGINE", "PORT", "USER", "OPTIONS", "keys(", ".keys", "CONN_MAX_AGE", "TIME_ZONE", "TEST"}

// asksOnly is behind one of which only is asked whether there is something.
var asksOnly = []string{"present?", "blank?", "any?", "key?", "keys", "count"}

// frameworkShows notes secrets of an application that a program in its console
// prints: puts Rails.application.credentials.to_yaml.
func frameworkShows(a *invocation.Act, program string) {
	for _, name := range frameworkSecrets {
		before, after, ok := strings.Cut(program, name)
		if !ok {
			continue
		}
		statement := before[strings.LastIndexAny(before, ";\n")+1:]
		if end := strings.IndexAny(after, ";\n"); end >= 0 {
			after = after[:end]
		}
		if invocation.ContainsAny(statement, printing) && !invocation.ContainsAny(statement, checks) && !invocation.ContainsAny(after, checksBehind) && !invocation.ContainsAny(after, asksOnly) && (name != "settings.DATABASES" || !invocation.ContainsAny(after, plainSettings)) {
			guard.Reveals(a, "secrets of the application")
			return
		}
	}
	for rest := program; ; { // config('database.connections.mysql.password')
		_, after, ok := strings.Cut(rest, "config(")
		if !ok {
			return
		}
		rest = after
		if after == "" || after[0] != '\'' && after[0] != '"' {
			continue
		}
		key, behind, _ := strings.Cut(after[1:], after[:1])
		switch key[strings.LastIndexByte(key, '.')+1:] {
		case "password", "secret", "token", "api_key", "private_key", "key":
			if key != "key" && !invocation.ContainsAny(behind[:min(len(behind), 40)], checksBehind) && !invocation.ContainsAny(program[:max(0, len(program)-len(after))], checks) {
				guard.Reveals(a, "secrets of the application")
				return
			}
		}
	}
}
