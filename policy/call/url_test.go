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

func quoted(command string) string {
	text, _ := json.Marshal(map[string]string{"command": command})
	return string(text)
}
