package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/store"
)

// All idle connections of the pool are broken, and nobody notices.
func TestIdleConnectionsBreak(t *testing.T) {
	dsn := pgtest.Start(t)
	db, other := open(t, dsn+" pool_max_conns=20"), open(t, dsn)
	execute(t, db, `CREATE TABLE t (a BIGINT)`)
	for round := range 3 {
		var wg, all sync.WaitGroup
		all.Add(20)
		for range 20 {
			wg.Go(func() {
				if err := db.Read(t.Context(), func(*sql.Tx) error { all.Done(); all.Wait(); return nil }); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		endOthers(t, other)
		execute(t, db, `INSERT INTO t VALUES (1)`)
		endOthers(t, other)
		if n := number(t, db, `SELECT count(*) FROM t`); n != round+1 {
			t.Errorf("%d rows", n)
		}
	}
}

// A connection that breaks within a transaction costs another attempt, not more.
func TestConnectionBreaksWithinTransaction(t *testing.T) {
	dsn := pgtest.Start(t)
	db, other := open(t, dsn), open(t, dsn)
	execute(t, db, `CREATE TABLE t (a BIGINT)`)
	for name, work := range map[string]func(context.Context, func(*sql.Tx) error) error{"read": db.Read, "write": db.Write} {
		tries := 0
		err := work(t.Context(), func(tx *sql.Tx) error {
			tries++
			if name == "write" {
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO t VALUES (1)`); err != nil {
					return err
				}
			}
			if tries < 3 {
				endOthers(t, other)
			}
			var n int
			return tx.QueryRowContext(t.Context(), `SELECT count(*) FROM t`).Scan(&n)
		})
		if err != nil || tries != 3 {
			t.Errorf("%s: %v after %d tries", name, err, tries)
		}
	}
	if n := number(t, db, `SELECT count(*) FROM t`); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// A connection that breaks within the commit leaves open what became of it: it is
// not tried again, and the error says so.
func TestConnectionBreaksWithinCommit(t *testing.T) {
	db := open(t, pgtest.Start(t))
	execute(t, db, `CREATE TABLE t (a BIGINT)`)
	execute(t, db, `CREATE FUNCTION break_here() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`)
	execute(t, db, `CREATE CONSTRAINT TRIGGER break_here AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION break_here()`)
	tries := 0
	err := db.Write(t.Context(), func(tx *sql.Tx) error {
		tries++
		_, err := tx.ExecContext(t.Context(), `INSERT INTO t VALUES (1)`)
		return err
	})
	if e, ok := errors.AsType[*store.Error](err); !ok || !e.Unsure || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

// Each of two transactions has what the other one needs.
func TestDeadlock(t *testing.T) {
	db := open(t, pgtest.Start(t))
	execute(t, db, `CREATE TABLE t (a BIGINT PRIMARY KEY, n BIGINT)`)
	execute(t, db, `INSERT INTO t VALUES (1, 0), (2, 0)`)
	var wg, both sync.WaitGroup
	both.Add(2)
	for _, order := range [][]int{{1, 2}, {2, 1}} {
		wg.Go(func() {
			meet := sync.OnceFunc(func() { both.Done(); both.Wait() })
			if err := db.Write(t.Context(), func(tx *sql.Tx) error {
				for _, a := range order {
					if _, err := tx.ExecContext(t.Context(), `UPDATE t SET n = n + 1 WHERE a = $1`, a); err != nil {
						return err
					}
					meet()
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := number(t, db, `SELECT sum(n) FROM t`); n != 4 {
		t.Errorf("%d updates", n)
	}
}

// Two transactions that cannot be put in an order.
func TestSerialisationFailure(t *testing.T) {
	db := open(t, pgtest.Start(t)+" options='-c default_transaction_isolation=serializable'")
	execute(t, db, `CREATE TABLE t (n BIGINT)`)
	execute(t, db, `INSERT INTO t VALUES (0)`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if err := db.Write(t.Context(), func(tx *sql.Tx) error {
					var n int
					if err := tx.QueryRowContext(t.Context(), `SELECT n FROM t`).Scan(&n); err != nil {
						return err
					}
					_, err := tx.ExecContext(t.Context(), `UPDATE t SET n = $1`, n+1)
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := number(t, db, `SELECT n FROM t`); n != 20 {
		t.Errorf("%d", n)
	}
}
