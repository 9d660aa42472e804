// Package store holds an opened database: its tables are brought up to date, and
// work on it is done in transactions. It does not know what is stored.
//
// A database is opened by the package of its kind, so that a program compiles
// only the driver that it uses:
//
//	db, err := sqlite.Open(ctx, "sluice.db", sqlite.Options{})        // store/sqlite
//	db, err := postgres.Open(ctx, "postgres://sluice@db/sluice")      // store/postgres
//	defer db.Close()
//
// Whoever keeps something in it brings its own tables, as numbered files of SQL
// under a name of its own, so that several can share one database:
//
//	//go:embed migrations/*.sql
//	var files embed.FS
//
//	err = db.Migrate(ctx, store.Migrations{Name: "notes", Files: files, Directory: "migrations"})
//
// # Transactions
//
// All work is done in functions that get a transaction. When one returns nil it
// is committed; when it returns an error, panics, or its context ends, nothing of
// it is kept:
//
//	err = db.Write(ctx, func(tx *sql.Tx) error {
//		_, err := tx.ExecContext(ctx, `INSERT INTO notes (text) VALUES ($1)`, text)
//		return err
//	})
//	err = db.Read(ctx, func(tx *sql.Tx) error {
//		return tx.QueryRowContext(ctx, `SELECT count(*) FROM notes`).Scan(&n)
//	})
//
// The function may be called more than once: a transaction that a database ended
// on its own (a deadlock, two writers that met, a connection that broke) is tried
// again. So it must change nothing but the database and what it sets anew each
// time. It must not open another transaction: with SQLite there is one writer,
// and it would wait for itself.
//
// A context counts until the commit begins. From then on the outcome is awaited,
// so that an error means that nothing was kept. Only a connection that breaks
// within the commit leaves that open; the error says so ([Error.Unsure]).
//
// SQL with $1, $2 is understood by both kinds. Where they differ, [DB.Dialect]
// tells.
//
// # Migrations
//
// Files are named 00001_what.sql and so on, and start with "-- +goose Up". All
// that are missing run in one transaction, under a lock: a migration that fails
// leaves the database as it was, and of several programs that start at once one
// does the work while the others wait. What cannot run inside a transaction
// cannot be a migration. A database that is newer than the program is refused
// with a [*NewerError].
package store
