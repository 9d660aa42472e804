package pgtest

import (
	"context"
	"crypto/rand"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	addressVariable  = "SLUICE_TEST_POSTGRES"
	requiredVariable = "SLUICE_REQUIRE_POSTGRES"
)

// server is a server that this package started.
type server struct {
	dsn string
	// alive stays open as long as the test binary runs. It is never closed.
	alive io.Closer
}

// shared is the server of this test binary: the tests of a package share it for as long
// as they run.
var shared = sync.OnceValues(serve)

// Start returns the address of an empty database, which is dropped when the test ends.
// Without a server it skips the test, or fails it if a server is required.
func Start(tb testing.TB) (dsn string) {
	tb.Helper()
	address := os.Getenv(addressVariable)
	if address == "" {
		started, err := shared()
		if err != nil {
			refuse(tb, err)
		}
		address = started.dsn
	}
	name := "sluice_test_" + strings.ToLower(rand.Text())
	if err := execute(tb.Context(), address, "CREATE DATABASE "+name); err != nil {
		tb.Fatalf("pgtest: making a database (the user needs the right CREATEDB): %v", err)
	}
	tb.Cleanup(func() {
		if err := execute(context.Background(), address, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			tb.Errorf("pgtest: dropping the database: %v", err)
		}
	})
	return inDatabase(address, name)
}

func refuse(tb testing.TB, err error) {
	tb.Helper()
	const how = "pgtest: no PostgreSQL: %v\n" +
		"install one (apt install postgresql), or set " + addressVariable + " to the address of a server"
	if required := os.Getenv(requiredVariable); required != "" && required != "0" {
		tb.Fatalf(how+" ("+requiredVariable+" is set, so this is a failure)", err)
	}
	tb.Skipf(how, err)
}

// execute runs one statement on a connection of its own.
func execute(ctx context.Context, dsn, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// inDatabase returns the address of another database on the same server.
func inDatabase(server, name string) string {
	if strings.Contains(server, "://") {
		if address, err := url.Parse(server); err == nil {
			address.Path = "/" + name
			query := address.Query()
			query.Del("dbname")
			query.Del("database")
			address.RawQuery = query.Encode()
			return address.String()
		}
	}
	return server + " dbname=" + name
}
