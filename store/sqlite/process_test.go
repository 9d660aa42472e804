package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/sqlite"
)

const each = 25 // rows that each process writes

var counter = store.Migrations{Name: "counter", Files: fstest.MapFS{
	"00001_counter.sql": {Data: []byte("-- +goose Up\nCREATE TABLE counter (n INTEGER NOT NULL);\nINSERT INTO counter VALUES (0);\n")},
}}

// child is what another process does with the file.
func child(path string) (status int) {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err == nil {
		defer db.Close()
		err = db.Migrate(ctx, counter)
	}
	for i := 0; i < each && err == nil; i++ {
		err = db.Write(ctx, func(tx *sql.Tx) error {
			var n int
			if err := tx.QueryRowContext(ctx, `SELECT n FROM counter`).Scan(&n); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `UPDATE counter SET n = $1`, n+1)
			return err
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Processes that start at once on a file that does not exist yet lose nothing.
func TestSeveralProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	const processes = 4
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), "SQLITE_TEST_CHILD="+path)
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
	wg.Wait()
	db := open(t, path, sqlite.Options{})
	var n int
	if err := db.Read(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), `SELECT n FROM counter`).Scan(&n)
	}); err != nil || n != processes*each {
		t.Errorf("%d, %v, want %d", n, err, processes*each)
	}
}
