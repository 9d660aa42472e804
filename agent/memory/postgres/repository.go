package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/internal/tables"
	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Repository keeps conversations in PostgreSQL. It is safe for concurrent use.
type Repository struct {
	memory.Repository
	close func() error
}

// Open opens the repository in an existing database.
func Open(ctx context.Context, dsn string) (*Repository, error) {
	db, err := postgres.Open(ctx, dsn)
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
	if db.Dialect() != store.Postgres {
		return nil, errors.New("memory: " + db.String() + " is not PostgreSQL: use the package agent/memory/sqlite")
	}
	if err := db.Migrate(ctx, store.Migrations{Name: "memory", Files: migrations, Directory: "migrations"}); err != nil {
		return nil, err
	}
	return &Repository{Repository: tables.New(db, insert), close: func() error { return nil }}, nil
}

// Close closes what Open opened. It can be called again.
func (r *Repository) Close() error { return r.close() }

// insert writes all rows with one statement, however many there are.
func insert(ctx context.Context, tx *sql.Tx, conversation, position, createdAt int64, messages [][]byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO memory_messages (conversation, position, message, created_at)
		SELECT $1, $2 + added.i - 1, added.message, $3
		FROM unnest($4::bytea[]) WITH ORDINALITY AS added (message, i)`, conversation, position, createdAt, messages)
	return err
}
