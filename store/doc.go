// Package store runs migrations and transactions on an open database. It does not know
// what is stored.
//
// A database is opened by the package for its kind, so that a program links only the
// driver it uses:
//
//	db, err := sqlite.Open(ctx, "sluice.db", sqlite.Options{})        // store/sqlite
//	db, err := postgres.Open(ctx, "postgres://sluice@db/sluice")      // store/postgres
//	defer db.Close()
//
// Each user of a database brings its own tables, as numbered SQL files under a name of
// its own, so that several can share one database:
//
//	//go:embed migrations/*.sql
//	var files embed.FS
//
//	err = db.Migrate(ctx, store.Migrations{Name: "notes", Files: files, Directory: "migrations"})
//
// # Transactions
//
// All work is done in functions that get a transaction. If the function returns nil, it
// is committed; if it returns an error, panics, or its context ends, it is rolled back:
//
//	err = db.Write(ctx, func(tx *sql.Tx) error {
//		_, err := tx.ExecContext(ctx, `INSERT INTO notes (text) VALUES ($1)`, text)
//		return err
//	})
//	err = db.Read(ctx, func(tx *sql.Tx) error {
//		return tx.QueryRowContext(ctx, `SELECT count(*) FROM notes`).Scan(&n)
//	})
//
// The function may be called more than once: a transaction that the database aborted (a
// deadlock, conflicting writers, a broken connection) is retried. So it must have no
// side effects but those on the database and on variables that it sets anew each time.
// It must not open another transaction: SQLite has one writer, and it would wait for
// itself.
//
// The context applies until the commit begins. From then on the outcome is awaited, so
// that an error means that nothing was committed. Only a connection that breaks during
// the commit leaves that open; the error says so ([Error.Unsure]).
//
// Both kinds understand SQL with $1, $2. Where they differ, check [DB.Dialect].
//
// # Migrations
//
// Files are named 00001_what.sql and so on, and start with "-- +goose Up". All missing
// ones run in one transaction, under a lock: a failed migration leaves the database
// unchanged, and of several programs that start at once one migrates while the others
// wait. Statements that cannot run inside a transaction cannot be used. A database
// newer than the program is refused with a [*NewerError].
package store
