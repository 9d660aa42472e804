package tables

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/store"
)

// Insert writes messages of a conversation at ascending positions.
type Insert func(ctx context.Context, tx *sql.Tx, conversation, position, createdAt int64, messages [][]byte) error

// versions is how many versions each row has of its own.
const versions = 1 << 24

// Repository is a memory.Repository on existing tables.
type Repository struct {
	db     *store.DB
	insert Insert
}

var _ memory.Repository = (*Repository)(nil)

// New returns a repository on the tables in db.
func New(db *store.DB, insert Insert) *Repository {
	return &Repository{db: db, insert: insert}
}

// Load returns what is stored; see memory.Repository.
func (r *Repository) Load(ctx context.Context, id string) (memory.Conversation, error) {
	if err := admit(ctx, id); err != nil {
		return memory.Conversation{}, err
	}
	var c memory.Conversation
	err := r.db.Read(ctx, func(tx *sql.Tx) error {
		c = memory.Conversation{}
		rows, err := tx.QueryContext(ctx, `SELECT c.version, m.message FROM memory_conversations c
			LEFT JOIN memory_messages m ON m.conversation = c.number
			WHERE c.hash = $1 ORDER BY m.position`, hash(id))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var kept []byte
			if err := rows.Scan(&c.Version, &kept); err != nil {
				return err
			}
			if kept == nil {
				break // there is no message
			}
			message, err := memory.UnmarshalMessage(kept)
			if err != nil {
				return fmt.Errorf("message %d: %w", len(c.Messages), err)
			}
			c.Messages = append(c.Messages, message)
		}
		return rows.Err()
	})
	if err != nil {
		return memory.Conversation{}, failed("loading", id, err)
	}
	return c, nil
}

// Append adds messages at the end; see memory.Repository.
func (r *Repository) Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	return r.write(ctx, "appending to", id, at, messages, r.behind)
}

// Replace replaces all messages; see memory.Repository.
func (r *Repository) Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	return r.write(ctx, "replacing", id, at, messages, r.instead)
}

// Delete deletes a conversation; see memory.Repository.
func (r *Repository) Delete(ctx context.Context, id string) error {
	if err := admit(ctx, id); err != nil {
		return err
	}
	return failed("deleting", id, r.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM memory_conversations WHERE hash = $1`, hash(id))
		return err
	}))
}

// IDs returns the stored ids; see memory.Repository.
func (r *Repository) IDs(ctx context.Context) ([]string, error) {
	var ids []string
	err := r.db.Read(ctx, func(tx *sql.Tx) error {
		ids = nil
		rows, err := tx.QueryContext(ctx, `SELECT id FROM memory_conversations ORDER BY id`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id []byte
			if err := rows.Scan(&id); err != nil {
				return err
			}
			ids = append(ids, string(id))
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("memory: listing the conversations: %w", err)
	}
	return ids, nil
}

// conversation is a row that this transaction has locked.
type conversation struct {
	number int64
	// version is the one after this write, next the first free position, now
	// the time.
	version, next, now int64
}

// write locks the conversation and calls put to write its messages.
func (r *Repository) write(ctx context.Context, doing, id string, at int64, messages []llm.Message,
	put func(context.Context, *sql.Tx, *conversation, [][]byte) error,
) (int64, error) {
	if err := admit(ctx, id); err != nil {
		return 0, err
	}
	kept, err := encode(messages)
	if err != nil {
		return 0, err
	}
	var c conversation
	err = r.db.Write(ctx, func(tx *sql.Tx) error {
		var err error
		if c, err = take(ctx, tx, id, at); err != nil {
			return err
		}
		if err := put(ctx, tx, &c, kept); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE memory_conversations SET version = $1, next_position = $2, updated_at = $3
			WHERE number = $4`, c.version, c.next, c.now, c.number)
		return err
	})
	if err != nil {
		return 0, failed(doing, id, err)
	}
	return c.version, nil
}

// take finds the conversation at a version, or creates it if that is 0, and
// locks it until the transaction ends.
func take(ctx context.Context, tx *sql.Tx, id string, at int64) (conversation, error) {
	c := conversation{now: time.Now().UnixMicro()}
	var err error
	if at == 0 {
		err = tx.QueryRowContext(ctx, `INSERT INTO memory_conversations (hash, id, version, next_position, created_at, updated_at)
			VALUES ($1, $2, 0, 0, $3, $3) ON CONFLICT (hash) DO NOTHING RETURNING number`,
			hash(id), []byte(id), c.now).Scan(&c.number)
		c.version = c.number * versions
	} else {
		// An update that changes nothing, because both kinds of databases lock
		// the row for it.
		err = tx.QueryRowContext(ctx, `UPDATE memory_conversations SET version = version
			WHERE hash = $1 AND version = $2 RETURNING number, next_position`, hash(id), at).Scan(&c.number, &c.next)
		c.version = at + 1
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return c, err
	}
	conflict := &memory.ConflictError{Conversation: id, Expected: at}
	err = tx.QueryRowContext(ctx, `SELECT version FROM memory_conversations WHERE hash = $1`, hash(id)).Scan(&conflict.Found)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return c, err
	}
	if conflict.Found == at {
		// It existed, and was deleted before its version could be read.
		return take(ctx, tx, id, at)
	}
	return c, conflict
}

func admit(ctx context.Context, id string) error {
	if id == "" {
		return memory.ErrNoConversation
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// failed adds what was being done to an error. A conflict is a regular result and
// returned unchanged.
func failed(doing, id string, err error) error {
	if err == nil || errors.As(err, new(*memory.ConflictError)) {
		return err
	}
	if len(id) > 100 {
		id = id[:100] + "..."
	}
	return fmt.Errorf("memory: %s conversation %q: %w", doing, id, err)
}

func hash(id string) []byte {
	sum := sha256.Sum256([]byte(id))
	return sum[:]
}

func encode(messages []llm.Message) ([][]byte, error) {
	kept := make([][]byte, len(messages))
	for i := range messages {
		var err error
		if kept[i], err = memory.MarshalMessage(messages[i]); err != nil {
			if e, ok := errors.AsType[*memory.MessageError](err); ok {
				return nil, &memory.MessageError{Message: i, Block: e.Block, Err: e.Err}
			}
			return nil, &memory.MessageError{Message: i, Block: -1, Err: err}
		}
	}
	return kept, nil
}
