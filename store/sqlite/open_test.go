package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/sqlite"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("SQLITE_TEST_CHILD"); path != "" {
		os.Exit(child(path))
	}
	goleak.VerifyTestMain(m)
}

func open(t *testing.T, path string, options sqlite.Options) *store.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, options)
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

func execute(t *testing.T, db *store.DB, statement string) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement)
		return err
	}); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(directory, "test.db")
	db := open(t, path, sqlite.Options{})
	execute(t, db, `CREATE TABLE t (a INTEGER)`)
	for name, want := range map[string]fs.FileMode{
		directory: fs.ModeDir | 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", name, info, err, want)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(directory + "/*")
	if len(left) != 1 {
		t.Errorf("closing leaves %q", left)
	}
}

func TestSettings(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "test.db"), sqlite.Options{})
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "foreign_keys": "1", "synchronous": "1", "busy_timeout": "10000",
	} {
		var got string
		if err := db.Write(t.Context(), func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got)
		}); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", pragma, got, err, want)
		}
	}
}

// A path is a path, whatever characters it has.
func TestPathsAreNotAddresses(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{
		"a b.db", "what?mode=ro", "50%25.db", "#1.db", "ü.db", "a;b'c\".db", "&_pragma=x", "-wal", "a:b", ":memory: ",
	} {
		path := filepath.Join(directory, name)
		db := open(t, path, sqlite.Options{})
		execute(t, db, `CREATE TABLE t (a INTEGER)`)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
	left, _ := os.ReadDir(directory)
	if len(left) != 10 {
		t.Errorf("files: %v", left)
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	open(t, "test.db", sqlite.Options{})
	if _, err := os.Stat("test.db"); err != nil {
		t.Error(err)
	}
}

func TestPathsThatCannotBe(t *testing.T) {
	directory := t.TempDir()
	text := filepath.Join(directory, "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("This is no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, path, want string }{
		{"none", "", "name the file"},
		{"a NUL byte", "a\x00b", "NUL"},
		{"an address", "file:test.db?mode=ro", "the path alone"},
		{"a directory", directory, "choose a path for a file"},
		{"below a file", filepath.Join(text, "test.db"), "choose a path for a file"},
		{"where nobody can write", "/proc/sluice/test.db", "choose"},
		{"another file", text, "choose another path"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db, err := sqlite.Open(t.Context(), tc.path, sqlite.Options{})
			if err == nil {
				db.Close()
				t.Fatal("it opened")
			}
			if !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "store: SQLite "+tc.path) {
				t.Error(err)
			}
		})
	}
	if read, err := os.ReadFile(text); err != nil || !strings.HasPrefix(string(read), "This is no") {
		t.Errorf("the other file was changed: %q, %v", read, err)
	}
}

func TestPermissionDenied(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can write everywhere")
	}
	directory := t.TempDir()
	if err := os.Chmod(directory, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), filepath.Join(directory, "test.db"), sqlite.Options{})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "let this user write") {
		t.Error(err)
	}
}

// A writer waits for another program as long as it is told to, and a context
// ends the wait sooner.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	holder := open(t, path, sqlite.Options{})
	execute(t, holder, `CREATE TABLE t (a INTEGER)`)
	impatient, patient := open(t, path, sqlite.Options{Wait: 10 * time.Millisecond}), open(t, path, sqlite.Options{Wait: time.Hour})
	began := func(*sql.Tx) error { t.Error("two write at the same time"); return nil }
	err := holder.Write(t.Context(), func(*sql.Tx) error {
		err := impatient.Write(t.Context(), began)
		if e, ok := errors.AsType[*store.Error](err); !ok || !strings.Contains(e.Advice, "another program is writing") {
			t.Errorf("%v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := patient.Write(ctx, began); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		var n int
		return patient.Read(t.Context(), func(tx *sql.Tx) error { // readers do not wait
			return tx.QueryRowContext(t.Context(), `SELECT count(*) FROM t`).Scan(&n)
		})
	})
	if err != nil {
		t.Error(err)
	}
	execute(t, impatient, `INSERT INTO t VALUES (1)`)
	execute(t, patient, `INSERT INTO t VALUES (1)`)
}

// What is in memory stays there when a transaction is cancelled, and is gone when
// it is closed.
func TestMemory(t *testing.T) {
	db, other := open(t, sqlite.Memory, sqlite.Options{}), open(t, sqlite.Memory, sqlite.Options{})
	execute(t, db, `CREATE TABLE t (a INTEGER)`)
	execute(t, other, `CREATE TABLE t (a INTEGER)`)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Write(ctx, func(tx *sql.Tx) error {
			cancel()
			_, err := tx.ExecContext(ctx, `INSERT INTO t VALUES (1)`)
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	execute(t, db, `INSERT INTO t VALUES (1)`)
	if err := db.Read(t.Context(), func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(t.Context(), `SELECT count(*) FROM t`).Scan(&n); err != nil || n != 1 {
			t.Errorf("%d rows, %v", n, err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
