package store

import (
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
)

// Dialect is the kind of SQL that a database understands.
type Dialect string

// The kinds of databases.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Driver is what a package that opens databases says about one: see
// store/sqlite and store/postgres.
type Driver struct {
	Dialect Dialect
	// Name is what messages call the database. It holds no password.
	Name string
	// Writer and Reader are where transactions begin. They may be the same.
	Writer, Reader *sql.DB
	// ReadOptions are those of transactions that only read.
	ReadOptions sql.TxOptions
	// Known reports whether an error comes from the database, and what to do
	// about it, if that can be said.
	Known func(err error) (advice string, known bool)
	// Again reports whether a transaction that failed with err may succeed if
	// it is tried again. Committing says that the commit failed: then it must
	// also be certain that nothing was kept.
	Again func(err error, committing bool) bool
}

// DB is an opened database. It is safe for concurrent use.
type DB struct {
	driver Driver
	closed atomic.Bool
	close  func() error
}

// New makes a DB of what a driver opened. The DB owns it: Close closes the
// pools.
func New(driver Driver) *DB {
	db := &DB{driver: driver}
	db.close = sync.OnceValue(func() error {
		db.closed.Store(true)
		// Readers go first: the last connection to a file of SQLite tidies up
		// behind all of them, and for that it must be able to write.
		var read error
		if driver.Reader != driver.Writer {
			read = driver.Reader.Close()
		}
		return db.explain(errors.Join(read, driver.Writer.Close()))
	})
	return db
}

// Close ends the connections. Transactions under way are not waited for: they
// end with their functions. It can be called again and says the same.
func (db *DB) Close() error { return db.close() }

// Dialect returns the kind of SQL that the database understands.
func (db *DB) Dialect() Dialect { return db.driver.Dialect }

// String names the database, without a password.
func (db *DB) String() string { return db.driver.Name }
