package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/postgres"
	"github.com/sluice-project/sluice/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kind is a kind of database; open opens the same one each time.
type kind struct {
	name string
	// memory has one connection, and a database for each open.
	memory bool
	open   func(t *testing.T) *store.DB
}

// onEach runs a test on a database of each kind that has nothing in it.
func onEach(t *testing.T, test func(t *testing.T, k kind)) {
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "test.db")
		test(t, kind{name: "sqlite", open: func(t *testing.T) *store.DB {
			return opened(t)(sqlite.Open(t.Context(), path, sqlite.Options{}))
		}})
	})
	t.Run("SQLite in memory", func(t *testing.T) {
		test(t, kind{name: "memory", memory: true, open: func(t *testing.T) *store.DB {
			return opened(t)(sqlite.Open(t.Context(), sqlite.Memory, sqlite.Options{}))
		}})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		dsn := pgtest.Start(t)
		test(t, kind{name: "postgres", open: func(t *testing.T) *store.DB {
			return opened(t)(postgres.Open(t.Context(), dsn+" pool_max_conns=8"))
		}})
	})
}

func opened(t *testing.T) func(*store.DB, error) *store.DB {
	return func(db *store.DB, err error) *store.DB {
		t.Helper()
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
}

// notes is a table, and steps names more migrations behind it.
func notes(steps ...string) store.Migrations {
	files := fstest.MapFS{"00001_notes.sql": file("CREATE TABLE notes (text TEXT NOT NULL);")}
	for i, step := range steps {
		files["0000"+string(rune('2'+i))+"_step.sql"] = file(step)
	}
	return store.Migrations{Name: "notes", Files: files}
}

func file(statements string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + statements + "\n")}
}

func migrated(t *testing.T, k kind) *store.DB {
	t.Helper()
	db := k.open(t)
	if err := db.Migrate(t.Context(), notes()); err != nil {
		t.Fatal(err)
	}
	return db
}

func note(ctx context.Context, tx *sql.Tx, text string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO notes (text) VALUES ($1)`, text)
	return err
}

func count(t *testing.T, db *store.DB) (n int) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), `SELECT count(*) FROM notes`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
