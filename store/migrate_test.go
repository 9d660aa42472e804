package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/sluice-project/sluice/store"
)

const addNote = "INSERT INTO notes (text) VALUES ('migrated');"

func TestMigrateFromNothing(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := k.open(t)
		for range 3 { // each runs once
			if err := db.Migrate(t.Context(), notes(addNote, addNote)); err != nil {
				t.Fatal(err)
			}
		}
		if n := count(t, db); n != 2 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestMigrateFromOlder(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		if err := db.Write(t.Context(), func(tx *sql.Tx) error { return note(t.Context(), tx, "old") }); err != nil {
			t.Fatal(err)
		}
		if err := db.Migrate(t.Context(), notes(addNote)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db); n != 2 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := k.open(t)
		if err := db.Migrate(t.Context(), notes(addNote, addNote)); err != nil {
			t.Fatal(err)
		}
		err := db.Migrate(t.Context(), notes(addNote))
		newer, ok := errors.AsType[*store.NewerError](err)
		if !ok || *newer != (store.NewerError{Database: db.String(), Name: "notes", Found: 3, Known: 2}) {
			t.Fatalf("%v", err)
		}
		if !strings.Contains(err.Error(), "use a newer program") {
			t.Error(err)
		}
		if n := count(t, db); n != 2 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestFailedMigrationLeavesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		err := db.Migrate(t.Context(), notes(addNote, "INSERT INTO nowhere VALUES (1);"))
		if err == nil || !strings.Contains(err.Error(), "00003_step.sql") || !strings.Contains(err.Error(), db.String()) {
			t.Fatalf("%v", err)
		}
		if n := count(t, db); n != 0 {
			t.Errorf("%d rows", n)
		}
		if err := db.Migrate(t.Context(), notes(addNote)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestCancelledMigrationLeavesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := k.open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := db.Migrate(ctx, notes()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if err := db.Migrate(t.Context(), notes()); err != nil {
			t.Error(err)
		}
	})
}

func TestSeveralShareOneDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := migrated(t, k)
		other := store.Migrations{Name: "others", Directory: "sql/others", Files: fstest.MapFS{
			"sql/others/00001_others.sql": file("CREATE TABLE others (a INTEGER);"),
		}}
		if err := db.Migrate(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		if err := db.Migrate(t.Context(), notes(addNote)); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

// Of many that start at once one does the work, and the others wait for it.
func TestMigrateAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		var wg sync.WaitGroup
		shared := k.open(t)
		for range 8 {
			wg.Go(func() {
				db := shared
				if !k.memory {
					db = k.open(t)
				}
				if err := db.Migrate(t.Context(), notes(addNote, addNote)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := count(t, shared); n != 2 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestMigrationsThatCannotBe(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		db := k.open(t)
		for name, m := range map[string]store.Migrations{
			"no name":            {Files: notes().Files},
			"a name for SQL":     {Name: "a; DROP TABLE x", Files: notes().Files},
			"an upper-case name": {Name: "Notes", Files: notes().Files},
			"a name of 41":       {Name: strings.Repeat("a", 41), Files: notes().Files},
			"no files":           {Name: "notes", Files: fstest.MapFS{}},
			"nil files":          {Name: "notes"},
			"a bad directory":    {Name: "notes", Files: notes().Files, Directory: "../x"},
			"no directory":       {Name: "notes", Files: notes().Files, Directory: "x"},
			"no Up":              {Name: "notes", Files: fstest.MapFS{"00001_x.sql": {Data: []byte("CREATE TABLE x (a INTEGER);")}}},
		} {
			if err := db.Migrate(t.Context(), m); err == nil || !strings.Contains(err.Error(), "store: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := db.Migrate(t.Context(), store.Migrations{Name: strings.Repeat("a", 40), Files: notes().Files}); err != nil {
			t.Error(err)
		}
	})
}
