package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"regexp"

	"github.com/pressly/goose/v3"
)

// Migrations are the steps that create and change a set of tables, oldest first.
type Migrations struct {
	// Name distinguishes them from others in the same database: lower-case letters,
	// digits and underscores, at most 40. The table NAME_migrations records which of
	// them have run.
	Name string
	// Files holds NUMBER_what.sql files, in Directory or at the top level if that is
	// empty.
	Files     fs.FS
	Directory string
}

var migrationsName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Migrate runs the missing migrations. See the package comment for its guarantees.
func (db *DB) Migrate(ctx context.Context, m Migrations) error {
	if !migrationsName.MatchString(m.Name) {
		return fmt.Errorf("store: migrations cannot be named %q: use up to 40 lower-case letters, digits and underscores", m.Name)
	}
	if db.closed.Load() {
		return ErrClosed
	}
	if m.Directory != "" {
		files, err := fs.Sub(m.Files, m.Directory)
		if err != nil {
			return fmt.Errorf("store: migrations of %q: %w", m.Name, err)
		}
		m.Files = files
	}
	conn, err := db.driver.Writer.Conn(ctx)
	if err != nil {
		return db.failed(ctx, db.notBegun(ctx, db.driver.Writer, err), false)
	}
	defer func() { _ = conn.Close() }()
	err = conn.Raw(func(raw any) error { return db.migrateOn(ctx, raw, m) })
	if err == nil || errors.As(err, new(*NewerError)) {
		return err
	}
	advice, _ := db.driver.Known(err)
	return &Error{
		Database: db.driver.Name, Advice: advice,
		Err: interrupted(ctx, fmt.Errorf("migrations of %q, nothing was changed: %w", m.Name, err)),
	}
}

// migrateOn runs everything in one transaction on one connection. It begins the
// transaction itself, because it must take the lock before it reads the version, and
// passes the connection on with begin and commit as no-ops.
func (db *DB) migrateOn(ctx context.Context, raw any, m Migrations) (err error) {
	session, ok := raw.(session)
	if !ok {
		return fmt.Errorf("the driver's connection %T cannot run statements", raw)
	}
	pool := sql.OpenDB(borrowed{session})
	pool.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, pool.Close()) }()

	for _, statement := range db.lock(m.Name) {
		if _, err := pool.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if err := db.up(ctx, pool, m); err != nil {
		if _, rollback := pool.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); rollback != nil {
			// Whatever state the connection is in, it is not reused.
			return errors.Join(err, driver.ErrBadConn)
		}
		return err
	}
	_, err = pool.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	return err
}

// lock returns the statements that begin a transaction and lock out others that run the
// same migrations.
func (db *DB) lock(name string) []string {
	if db.driver.Dialect == SQLite {
		return []string{"BEGIN IMMEDIATE"}
	}
	key := fnv.New64a()
	_, _ = key.Write([]byte("sluice migrations " + name))
	return []string{"BEGIN", fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", int64(key.Sum64()))}
}

// up runs the missing migrations.
func (db *DB) up(ctx context.Context, pool *sql.DB, m Migrations) error {
	dialect := goose.DialectPostgres
	if db.driver.Dialect == SQLite {
		dialect = goose.DialectSQLite3
	}
	provider, err := goose.NewProvider(dialect, pool, m.Files,
		goose.WithTableName(m.Name+"_migrations"), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	found, known, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if found > known {
		return &NewerError{Database: db.driver.Name, Name: m.Name, Found: found, Known: known}
	}
	_, err = provider.Up(ctx)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		// The ones before it are rolled back with it.
		return fmt.Errorf("%s: %w", partial.Failed.Source.Path, partial.Err)
	}
	return err
}

// session is what a driver's connection must be able to do.
type session interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// borrowed lends a connection to a pool that does not own it.
type borrowed struct{ session }

func (b borrowed) Connect(context.Context) (driver.Conn, error) { return b, nil }
func (b borrowed) Driver() driver.Driver                        { return b }
func (b borrowed) Open(string) (driver.Conn, error)             { return b, nil }

// Close leaves the connection open: its owner closes it.
func (b borrowed) Close() error { return nil }

// BeginTx stays inside the running transaction.
func (b borrowed) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	return nestedTx{}, nil
}

// nestedTx is a nested transaction without effect: the outer one decides.
type nestedTx struct{}

func (nestedTx) Commit() error   { return nil }
func (nestedTx) Rollback() error { return nil }
