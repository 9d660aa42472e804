package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/sluice-project/sluice/store"
)

// Memory is the path of an in-memory database.
const Memory = ":memory:"

// Options configure how a file is opened. The zero value is right for most uses.
type Options struct {
	// Wait is how long a writer waits for another one before it gives up; 10 seconds if
	// 0.
	Wait time.Duration
	// Readers is the number of concurrent read transactions; 8 if 0.
	Readers int
}

// Open opens the database in a file and creates it if there is none. path is a plain
// path, never a URI with parameters.
func Open(ctx context.Context, path string, options Options) (*store.DB, error) {
	if options.Wait <= 0 {
		options.Wait = 10 * time.Second
	}
	if options.Readers <= 0 {
		options.Readers = 8
	}
	if path == Memory {
		return open(ctx, "SQLite in memory", options, address{pragmas: []string{"foreign_keys(1)"}})
	}
	absolute, err := prepare(path)
	if err != nil {
		return nil, fmt.Errorf("store: SQLite %s: %w", path, err)
	}
	return open(ctx, "SQLite "+path, options, address{
		path: absolute, pragmas: []string{"journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"},
	})
}

// prepare creates the file and its directory, readable by the owner only, and returns
// the absolute path. SQLite gives its auxiliary files the same mode.
func prepare(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("no path: name the file, or say :memory: for none")
	case strings.ContainsRune(path, 0):
		return "", errors.New("the path has a NUL byte")
	case strings.HasPrefix(path, "file:"):
		return "", errors.New("give the path alone, without file: and parameters")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(absolute), 0o700); err != nil {
		return "", hint(err)
	}
	file, err := os.OpenFile(absolute, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the caller's to choose
	if err != nil {
		return "", hint(err)
	}
	return absolute, file.Close()
}

// hint says what to do about a path that cannot be used.
func hint(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: let this user write there, or choose another path", err)
	}
	return fmt.Errorf("%w: choose a path for a file in a directory that can be written", err)
}

func open(ctx context.Context, name string, options Options, at address) (*store.DB, error) {
	at.wait = options.Wait
	writer, err := pool(at.dsn(true), 1)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", name, err)
	}
	reader := writer
	if at.path != "" {
		if reader, err = pool(at.dsn(false), options.Readers); err != nil {
			return nil, errors.Join(fmt.Errorf("store: %s: %w", name, err), writer.Close())
		}
	}
	db := store.New(store.Driver{
		Dialect: store.SQLite, Name: name, Writer: writer, Reader: reader,
		ReadOptions: sql.TxOptions{ReadOnly: true}, Known: known, Again: again,
	})
	// The first transaction shows whether the file is a database at all.
	if err := first(ctx, db, options.Wait); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// first begins a transaction. If several programs switch a new file to write-ahead
// logging at once, SQLite refuses all but one without waiting.
func first(ctx context.Context, db *store.DB, wait time.Duration) error {
	for deadline := time.Now().Add(wait); ; {
		err := db.Write(ctx, func(*sql.Tx) error { return nil })
		if err == nil || !busy(err) || time.Now().After(deadline) {
			return err
		}
		timer := time.NewTimer(5 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// address is the location of a database and the settings of its connections.
type address struct {
	path    string // absolute; empty for an in-memory database
	pragmas []string
	wait    time.Duration
}

func (a address) dsn(write bool) string {
	query := url.Values{"_busy_timeout": {strconv.FormatInt(a.wait.Milliseconds(), 10)}}
	switch {
	case write:
		query["_pragma"] = a.pragmas
		query.Set("_txlock", "immediate")
	default:
		query.Set("_query_only", "1")
	}
	if a.path == "" {
		return "file::memory:?" + query.Encode()
	}
	path := filepath.ToSlash(a.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String()
}

func pool(dsn string, connections int) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}
