package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/internal/tables"
	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Repository keeps conversations in SQLite. It is safe for concurrent use.
type Repository struct {
	memory.Repository
	close func() error
}

// Open opens the repository in a file, and creates it if there is none.
// ":memory:" is one that lasts until it is closed.
func Open(ctx context.Context, path string) (*Repository, error) {
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	repo, err := New(ctx, db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	repo.close = db.Close
	return repo, nil
}

// New returns the repository in an open database. It creates its tables if they
// are missing; their names begin with memory_.
func New(ctx context.Context, db *store.DB) (*Repository, error) {
	if db.Dialect() != store.SQLite {
		return nil, errors.New("memory: " + db.String() + " is not SQLite: use the package agent/memory/postgres")
	}
	if err := db.Migrate(ctx, store.Migrations{Name: "memory", Files: migrations, Directory: "migrations"}); err != nil {
		return nil, err
	}
	return &Repository{Repository: tables.New(db, insert), close: func() error { return nil }}, nil
}

// Close closes what Open opened. It can be called again.
func (r *Repository) Close() error { return r.close() }

// insert writes row by row: the statement is prepared once, and there is no
// server round trip.
func insert(ctx context.Context, tx *sql.Tx, conversation, position, createdAt int64, messages [][]byte) error {
	statement, err := tx.PrepareContext(ctx,
		`INSERT INTO memory_messages (conversation, position, message, created_at) VALUES ($1, $2, $3, $4)`)
	if err != nil {
		return err
	}
	defer func() { _ = statement.Close() }()
	for i, message := range messages {
		if _, err := statement.ExecContext(ctx, conversation, position+int64(i), message, createdAt); err != nil {
			return err
		}
	}
	return nil
}
