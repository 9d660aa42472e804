package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/postgres"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, dsn string) *store.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func execute(t *testing.T, db *store.DB, statement string, arguments ...any) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement, arguments...)
		return err
	}); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func number(t *testing.T, db *store.DB, query string, arguments ...any) (n int) {
	t.Helper()
	if err := db.Read(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), query, arguments...).Scan(&n)
	}); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// endOthers breaks all connections to the database but the one that asks.
func endOthers(t *testing.T, from *store.DB) {
	t.Helper()
	execute(t, from, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}

func TestSettingsOfTheAddress(t *testing.T) {
	dsn := pgtest.Start(t)
	if db := open(t, dsn); number(t, db, `SELECT 1 WHERE current_setting('application_name') = 'sluice'`) != 1 {
		t.Error("the name of the application")
	}
	if db := open(t, dsn+" application_name=mine"); number(t, db, `SELECT 1 WHERE current_setting('application_name') = 'mine'`) != 1 {
		t.Error("the name of the application")
	}
	// Poolers that give each transaction another connection.
	db := open(t, dsn+" default_query_exec_mode=exec")
	execute(t, db, `CREATE TABLE t (a BIGINT, b BYTEA)`)
	execute(t, db, `INSERT INTO t VALUES ($1, $2)`, 1, []byte{0, 255})
}

func TestPoolHasALimit(t *testing.T) {
	dsn := pgtest.Start(t)
	db, watcher := open(t, dsn+" pool_max_conns=3"), open(t, dsn)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if err := db.Write(t.Context(), func(tx *sql.Tx) error {
				_, err := tx.ExecContext(t.Context(), `SELECT pg_sleep(0.005)`)
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
	if n := number(t, watcher, others); n < 1 || n > 3 {
		t.Errorf("%d connections", n)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	// A server takes a moment to notice that a client has gone.
	for number(t, watcher, others) != 0 && t.Context().Err() == nil {
		continue
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	for _, tc := range []struct{ name, dsn, want string }{
		{"nothing listens", "postgres://me:SeCrEt@127.0.0.1:1/chat", "check that the server runs"},
		{"no socket", "host=/nonexistent user=me password=SeCrEt dbname=chat", "check that the server runs"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := postgres.Open(t.Context(), tc.dsn)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "PostgreSQL me@") {
				t.Errorf("%v", err)
			}
			if strings.Contains(err.Error(), "SeCrEt") {
				t.Errorf("the password is shown: %v", err)
			}
		})
	}
}

func TestAddressThatCannotBeRead(t *testing.T) {
	for _, dsn := range []string{
		"postgres://me:SeCrEt@host:port/chat", "postgres://me:SeC%rEt@host/chat",
		"host=h password='SeCrEt", "password=SeCrEt nonsense", "postgres://me:SeCrEt@h/chat?sslmode=SeCrEt",
		"postgres://me:SeCrEt@h/chat?pool_max_conns=0", "\x00SeCrEt",
	} {
		_, err := postgres.Open(t.Context(), dsn)
		if err == nil || strings.Contains(err.Error(), "SeC") || !strings.Contains(err.Error(), "postgres://user:password@host") {
			t.Errorf("%q: %v", dsn, err)
		}
	}
}

func TestRefusedByTheServer(t *testing.T) {
	dsn := pgtest.Start(t)
	for _, tc := range []struct{ name, dsn, want string }{
		{"no such database", dsn + " dbname=nowhere", "createdb"},
		{"no such user", dsn + " user=nobody_at_all", "check the user"},
	} {
		_, err := postgres.Open(t.Context(), tc.dsn)
		if e, ok := errors.AsType[*store.Error](err); !ok || !strings.Contains(e.Advice, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestCancelledWhileTheServerWorks(t *testing.T) {
	db := open(t, pgtest.Start(t))
	execute(t, db, `CREATE TABLE t (a BIGINT)`)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO t VALUES (1)`); err != nil {
			return err
		}
		go cancel()
		_, err := tx.ExecContext(ctx, `SELECT pg_sleep(600)`)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if n := number(t, db, `SELECT count(*) FROM t`); n != 0 {
		t.Errorf("%d rows", n)
	}
}
