package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/postgres"
	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/store"
	storepostgres "github.com/sluice-project/sluice/store/postgres"
)

func says(format string, arguments ...any) llm.Message {
	return llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: fmt.Sprintf(format, arguments...), Status: llm.Complete}}}
}

func database(t *testing.T, dsn string) *store.DB {
	t.Helper()
	db, err := storepostgres.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *store.DB, statement string) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestReopen(t *testing.T) {
	dsn := pgtest.Start(t)
	var v int64
	for i := range 3 {
		repo := open(t, dsn)
		c, err := repo.Load(t.Context(), "a")
		if err != nil || c.Version != v || len(c.Messages) != i {
			t.Errorf("open %d: version %d, %d messages, %v", i, c.Version, len(c.Messages), err)
		}
		if v, err = repo.Append(t.Context(), "a", v, []llm.Message{says("x")}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := repo.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNewOnAnotherKind(t *testing.T) {
	if _, err := postgres.New(t.Context(), store.New(store.Driver{Dialect: store.SQLite, Name: "SQLite x"})); err == nil ||
		!strings.Contains(err.Error(), "agent/memory/sqlite") {
		t.Error(err)
	}
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	dsn := pgtest.Start(t)
	open(t, dsn)
	execute(t, database(t, dsn), `INSERT INTO memory_migrations (version_id, is_applied) VALUES (99, true)`)
	if _, err := postgres.Open(t.Context(), dsn); !errors.As(err, new(*store.NewerError)) {
		t.Error(err)
	}
}

// The server breaks connections again and again while turns are written: each
// turn is there once, or its writer was told.
func TestConnectionsBreak(t *testing.T) {
	dsn := pgtest.Start(t)
	repo, other := open(t, dsn), database(t, dsn)
	const writers, turns = 4, 15
	var done atomic.Bool
	var wg, breaker sync.WaitGroup
	breaker.Go(func() {
		for !done.Load() {
			execute(t, other, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid()`)
			execute(t, other, `SELECT pg_sleep(0.05)`)
		}
	})
	told := make([]int, writers) // turns that were reported as written
	unsure := make([]int, writers)
	for w := range writers {
		wg.Go(func() {
			for turn := range turns {
				for attempt := 0; ; attempt++ {
					c, err := repo.Load(t.Context(), "a")
					if err == nil {
						_, err = repo.Append(t.Context(), "a", c.Version, []llm.Message{says("%d", w), says("%d answer", turn)})
					}
					if err == nil {
						told[w]++
						break
					}
					if e, ok := errors.AsType[*store.Error](err); ok && e.Unsure {
						unsure[w]++
						break
					}
					if !errors.As(err, new(*memory.ConflictError)) && attempt > 200 {
						t.Errorf("writer %d: %v", w, err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	done.Store(true)
	breaker.Wait()
	c, err := repo.Load(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	found := make([]int, writers)
	for i := 0; i+1 < len(c.Messages); i += 2 {
		var w int
		fmt.Sscan(c.Messages[i].Blocks[0].Text, &w)
		found[w]++
		if !strings.HasSuffix(c.Messages[i+1].Blocks[0].Text, " answer") {
			t.Fatalf("message %d stands alone", i)
		}
	}
	for w := range writers {
		if found[w] < told[w] || found[w] > told[w]+unsure[w] {
			t.Errorf("writer %d: %d turns are kept, %d were reported and %d in doubt", w, found[w], told[w], unsure[w])
		}
	}
}

// All connections are in use: a call waits, and its context ends the wait.
func TestPoolExhausted(t *testing.T) {
	dsn := pgtest.Start(t) + " pool_max_conns=2"
	db := database(t, dsn)
	repo, err := postgres.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	hold := func(*sql.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := repo.Append(ctx, "a", 0, []llm.Message{says("x")})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 of 2 in use") {
			t.Errorf("%v", err)
		}
		return nil
	}
	err = db.Read(t.Context(), func(*sql.Tx) error { return db.Read(t.Context(), hold) })
	if err != nil {
		t.Error(err)
	}
	if _, err := repo.Append(t.Context(), "a", 0, []llm.Message{says("x")}); err != nil {
		t.Error(err)
	}
}

// Another transaction holds the conversation: a call waits, and its context ends
// the wait.
func TestCancelledWhileWaitingForTheRow(t *testing.T) {
	dsn := pgtest.Start(t)
	db := database(t, dsn)
	repo, err := postgres.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	v, err := repo.Append(t.Context(), "a", 0, []llm.Message{says("1")})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `SELECT 1 FROM memory_conversations FOR UPDATE`); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := repo.Append(ctx, "a", v, []llm.Message{says("2")}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		_, err := repo.Load(t.Context(), "a") // readers do not wait
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Append(t.Context(), "a", v, []llm.Message{says("2")}); err != nil {
		t.Error(err)
	}
}
