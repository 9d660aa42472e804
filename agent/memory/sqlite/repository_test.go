package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/store"
	storesqlite "github.com/sluice-project/sluice/store/sqlite"
)

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	var v int64
	for i := range 3 {
		repo, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := repo.Load(t.Context(), "a")
		if err != nil || c.Version != v || len(c.Messages) != i {
			t.Errorf("open %d: version %d, %d messages, %v", i, c.Version, len(c.Messages), err)
		}
		if v, err = repo.Append(t.Context(), "a", v, []llm.Message{says("x")}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := repo.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// New shares a database with others, and Close leaves it open to them.
func TestNewOnAnOpenDatabase(t *testing.T) {
	db, err := storesqlite.Open(t.Context(), storesqlite.Memory, storesqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 {
		repo, err := sqlite.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := repo.IDs(t.Context()); err != nil {
			t.Error(err)
		}
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNewOnAnotherKind(t *testing.T) {
	if _, err := sqlite.New(t.Context(), store.New(store.Driver{Dialect: store.Postgres, Name: "PostgreSQL x"})); err == nil ||
		!strings.Contains(err.Error(), "agent/memory/postgres") {
		t.Error(err)
	}
}

func TestNewerFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	repo := open(t, path)
	if _, err := repo.Append(t.Context(), "a", 0, []llm.Message{says("x")}); err != nil {
		t.Fatal(err)
	}
	db, err := storesqlite.Open(t.Context(), path, storesqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO memory_migrations (version_id, is_applied) VALUES (99, 1)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); !errors.As(err, new(*store.NewerError)) {
		t.Error(err)
	}
}

func TestFileThatIsSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("text ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "choose another path") {
		t.Error(err)
	}
}

// What somebody else has written into a row is an error that names it, never a
// message that is made up.
func TestDamagedRow(t *testing.T) {
	db, err := storesqlite.Open(t.Context(), storesqlite.Memory, storesqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	repo, err := sqlite.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	v, err := repo.Append(t.Context(), "a", 0, []llm.Message{says("x"), says("y")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE memory_messages SET message = x'00ff' WHERE position = 1`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Load(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "message 1") {
		t.Error(err)
	}
	if _, err := repo.Replace(t.Context(), "a", v, []llm.Message{says("z")}); err != nil {
		t.Errorf("it cannot be replaced: %v", err)
	}
}
