package store

import (
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
)

// Dialect is the SQL dialect of a database.
type Dialect string

// The kinds of databases.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Driver describes a database opened by a driver package: see store/sqlite and
// store/postgres.
type Driver struct {
	Dialect Dialect
	// Name identifies the database in messages. It contains no password.
	Name string
	// Writer and Reader are the pools for transactions. They may be the same.
	Writer, Reader *sql.DB
	// ReadOptions are the options of read-only transactions.
	ReadOptions sql.TxOptions
	// Known reports whether an error comes from the database, and advice if there is
	// any.
	Known func(err error) (advice string, known bool)
	// Again reports whether a transaction that failed with err may succeed when
	// retried. Committing says that the commit failed: then it must also be certain
	// that nothing was committed.
	Again func(err error, committing bool) bool
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	driver Driver
	closed atomic.Bool
	close  func() error
}

// New returns a DB for what a driver opened. The DB owns it: Close closes the pools.
func New(driver Driver) *DB {
	db := &DB{driver: driver}
	db.close = sync.OnceValue(func() error {
		db.closed.Store(true)
		// Close readers first: the last connection to an SQLite file cleans up, and
		// needs write access for that.
		var read error
		if driver.Reader != driver.Writer {
			read = driver.Reader.Close()
		}
		return db.explain(errors.Join(read, driver.Writer.Close()))
	})
	return db
}

// Close closes the connections. It does not wait for running transactions: they end
// with their functions. Further calls return the same result.
func (db *DB) Close() error { return db.close() }

// Dialect returns the SQL dialect of the database.
func (db *DB) Dialect() Dialect { return db.driver.Dialect }

// String identifies the database, without a password.
func (db *DB) String() string { return db.driver.Name }
