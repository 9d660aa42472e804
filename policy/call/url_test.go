package call_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/call"
)

func TestAddressesOfDatabasesAreAddresses(t *testing.T) {
	for command, want := range map[string]string{
		`psql postgres://u:p@db.prod.example/app -c "select 1"`:          "postgres://u:p@db.prod.example/app",
		`psql "postgresql://u@db.prod.example:5432/app?sslmode=require"`: "postgresql://u@db.prod.example:5432/app?sslmode=require",
		`mongosh mongodb+srv://u@cluster.example/db`:                     "mongodb+srv://u@cluster.example/db",
		`redis-cli -u redis://cache.example:6379`:                        "redis://cache.example:6379",
		`alembic -x url=mysql+pymysql://u@db.example/x upgrade head`:     "mysql+pymysql://u@db.example/x",
		`DATABASE_URL=postgres://u@db.example/app npm run migrate`:       "postgres://u@db.example/app",
		`flyway -url=jdbc:postgresql://db.example/app migrate`:           "postgresql://db.example/app",
	} {
		if got := call.Read(function("Bash", quoted(command)), call.Place{}).URLs; !slices.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
	if got := call.Read(function("Bash", quoted(`go test ./... -run 'x://y' && echo postgres://u@db.example`)), call.Place{}).URLs; len(got) != 0 {
		t.Errorf("got %q, want none", got)
	}
}

func TestAddressesInArgumentsOfAnyNameAreAddresses(t *testing.T) {
	for _, tc := range []struct {
		tool, arguments string
		want            []string
		effects         int
	}{
		{"mcp__postgres__query", `{"dsn":"postgres://a@db.prod.acme.example/o"}`, []string{"postgres://a@db.prod.acme.example/o"}, 1},
		{"mcp__postgres__query", `{"connection_string":"jdbc:mysql://db.prod.acme.example/o"}`, []string{"mysql://db.prod.acme.example/o"}, 1},
		{"mcp__postgres__query", `{"url":"postgres://a@db.prod.acme.example/o"}`, []string{"postgres://a@db.prod.acme.example/o"}, 1},
		{"mcp__x__query", `{"connection":{"hosts":[" https:\/\/a.example\/x ", 1, null]}}`, []string{"https://a.example/x"}, 0},
		{"query_db", `{"dsn":"redis://cache.example"}`, []string{"redis://cache.example"}, 1},
		{"mcp__x__post", `{"text":"see https://a.example","content":"https://a.example"}`, nil, 0},
		{"Write", `{"file_path":"/a","content":"https://a.example"}`, nil, 1},
	} {
		c := call.Read(function(tc.tool, tc.arguments), call.Place{})
		if !slices.Equal(c.URLs, tc.want) {
			t.Errorf("%s %s: got %q, want %q", tc.tool, tc.arguments, c.URLs, tc.want)
		}
		if n := len(c.Effects); n != tc.effects && tc.tool != "mcp__x__post" {
			t.Errorf("%s %s: %d effects, want %d: %v", tc.tool, tc.arguments, n, tc.effects, c.Effects)
		}
	}
}

func quoted(command string) string {
	text, _ := json.Marshal(map[string]string{"command": command})
	return string(text)
}
