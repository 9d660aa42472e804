package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sluice-project/sluice/store"
)

func TestWriteIsKeptWhole(t *testing.T) {
	errOwn := errors.New("my own")
	for _, tc := range []struct {
		name string
		// end is what the function does after it has written.
		end  func(cancel context.CancelFunc) error
		kept int
		want error
	}{
		{"when it returns nil", func(context.CancelFunc) error { return nil }, 1, nil},
		{"not when it returns an error", func(context.CancelFunc) error { return errOwn }, 0, errOwn},
		{"not when its context ends", func(c context.CancelFunc) error { c(); return nil }, 0, context.Canceled},
		{"not when it panics", func(context.CancelFunc) error { panic(errOwn) }, 0, errOwn},
	} {
		t.Run(tc.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, k kind) {
				db := migrated(t, k)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				err := func() (err error) {
					defer func() {
						if r := recover(); r != nil {
							err = r.(error)
						}
					}()
					return db.Write(ctx, func(tx *sql.Tx) error {
						if err := note(ctx, tx, "x"); err != nil {
							return err
						}
						return tc.end(cancel)
					})
				}()
				if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
					t.Errorf("error %v, want %v", err, tc.want)
				}
				if n := count(t, db); n != tc.kept {
					t.Errorf("%d rows are kept, want %d", n, tc.kept)
				}
				// The database is as usable as before.
				if err := db.Write(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "y") }); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestErrorOfTheDatabaseIsExplained(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := k.open(t)
		for _, work := range []func(context.Context, func(*sql.Tx) error) error{db.Read, db.Write} {
			err := work(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "no such table") })
			e, ok := errors.AsType[*store.Error](err)
			if !ok || e.Unsure || e.Database != db.String() || !strings.Contains(err.Error(), db.String()) {
				t.Errorf("%#v", err)
			}
		}
	})
}

func TestReadSeesOneState(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		if k.memory {
			t.Skip("one connection: a reader and a writer wait for each other")
		}
		db := migrated(t, k)
		err := db.Read(t.Context(), func(tx *sql.Tx) error {
			for range 2 {
				var n int
				if err := tx.QueryRowContext(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil || n != 0 {
					t.Errorf("%d rows, %v", n, err)
				}
				if err := db.Write(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "x") }); err != nil {
					t.Error(err)
				}
			}
			return nil
		})
		if err != nil || count(t, db) != 2 {
			t.Errorf("%d rows in the end, %v", count(t, db), err)
		}
	})
}

func TestReadDoesNotWrite(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		if k.memory {
			t.Skip("the one connection writes")
		}
		db := migrated(t, k)
		if err := db.Read(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "x") }); err == nil {
			t.Error("a read has written")
		}
	})
}

func TestManyWriters(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		others := db
		if !k.memory {
			others = k.open(t)
		}
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				on := db
				if i%2 == 0 {
					on = others
				}
				if err := on.Write(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "x") }); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := count(t, db); n != 40 {
			t.Errorf("%d rows", n)
		}
	})
}

// A transaction that finds no free connection waits as long as its context
// allows, and says why it waited.
func TestWaitForConnectionEndsWithContext(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		var hold func(n int) error
		hold = func(n int) error {
			if n == 0 {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
				defer cancel()
				return db.Write(ctx, func(*sql.Tx) error { return errors.New("it began") })
			}
			return db.Write(t.Context(), func(*sql.Tx) error { return hold(n - 1) })
		}
		connections := 1
		if k.name == "postgres" {
			connections = 8
		}
		err := hold(connections)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no connection came free") {
			t.Errorf("%v", err)
		}
		if n := count(t, db); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestClosed(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		for range 3 {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
		work := func(*sql.Tx) error { t.Error("work on a closed database"); return nil }
		for what, err := range map[string]error{
			"read": db.Read(t.Context(), work), "write": db.Write(t.Context(), work), "migrate": db.Migrate(t.Context(), notes()),
		} {
			if !errors.Is(err, store.ErrClosed) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// A transaction in progress when the database is closed ends normally.
func TestCloseWithinTransaction(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		err := db.Write(t.Context(), func(tx *sql.Tx) error {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			return note(t.Context(), tx, "x")
		})
		if err != nil {
			t.Error(err)
		}
		if !k.memory {
			if n := count(t, k.open(t)); n != 1 {
				t.Errorf("%d rows", n)
			}
		}
	})
}
