package tables_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent/memory"
	memorypostgres "github.com/sluice-project/sluice/agent/memory/postgres"
	memorysqlite "github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/store"
	"github.com/sluice-project/sluice/store/postgres"
	"github.com/sluice-project/sluice/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kept is a repository and the database below it.
type kept struct {
	memory.Repository
	db *store.DB
}

// onEach runs a test on an empty repository of each kind.
func onEach(t *testing.T, test func(t *testing.T, repo kept)) {
	t.Run("SQLite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) {
		db, err := postgres.Open(t.Context(), pgtest.Start(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		repo, err := memorypostgres.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		test(t, kept{repo, db})
	})
}

func onSQLite(t *testing.T) kept {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "chat.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	repo, err := memorysqlite.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return kept{repo, db}
}

func user(format string, arguments ...any) llm.Message {
	return llm.Message{Role: llm.User, Blocks: []llm.Block{
		{Kind: llm.Content, Text: fmt.Sprintf(format, arguments...), Status: llm.Complete},
	}}
}

func users(from, to int) (messages []llm.Message) {
	for i := from; i < to; i++ {
		messages = append(messages, user("%d", i))
	}
	return messages
}

func (k kept) append(t *testing.T, id string, at int64, messages ...llm.Message) int64 {
	t.Helper()
	v, err := k.Append(t.Context(), id, at, messages)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (k kept) replace(t *testing.T, id string, at int64, messages ...llm.Message) int64 {
	t.Helper()
	v, err := k.Replace(t.Context(), id, at, messages)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (k kept) holds(t *testing.T, id string, want ...llm.Message) {
	t.Helper()
	c, err := k.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Messages) != len(want) || len(want) > 0 && !reflect.DeepEqual(c.Messages, want) {
		t.Errorf("%q holds %d messages, want %d:\n%.2000v\n%.2000v", id, len(c.Messages), len(want), c.Messages, want)
	}
}

func (k kept) numbers(t *testing.T, query string) (numbers []int64) {
	t.Helper()
	if err := k.db.Read(t.Context(), func(tx *sql.Tx) error {
		numbers = nil
		rows, err := tx.QueryContext(context.WithoutCancel(t.Context()), query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var n int64
			if err := rows.Scan(&n); err != nil {
				return err
			}
			numbers = append(numbers, n)
		}
		return rows.Err()
	}); err != nil {
		t.Fatal(err)
	}
	return numbers
}
