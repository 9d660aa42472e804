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

// server is one that was started here.
type server struct {
	dsn string
	// alive is open as long as the test binary lives. Nobody closes it.
	alive io.Closer
}

// shared is the server of this test binary: the tests of a package share it, and
// it lasts as long as they do.
var shared = sync.OnceValues(serve)

// Start returns the address of an empty database, which is dropped when the test
// ends. It skips the test, or fails it, if there is no server.
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

// inDatabase names another database of the same server.
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
