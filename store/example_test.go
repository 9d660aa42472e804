package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing/fstest"

	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/sqlite"
)

// Most programs embed their migrations; here they are written out.
func Example() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	err = db.Migrate(ctx, store.Migrations{Name: "notes", Files: fstest.MapFS{
		"00001_notes.sql": {Data: []byte("-- +goose Up\nCREATE TABLE notes (text TEXT NOT NULL);\n")},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO notes (text) VALUES ($1), ($2)`, "buy milk", "call Ada")
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var n int
	err = db.Read(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `SELECT count(*) FROM notes`).Scan(&n)
	})
	fmt.Println(db, "has", n, "notes", err)
	// Output: SQLite in memory has 2 notes <nil>
}
