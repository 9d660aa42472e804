package store

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// attempts is how often a transaction that the database aborted is tried in total.
	attempts = 8
	// firstPause is roughly the pause before the second attempt; it doubles with each
	// further one.
	firstPause = 2 * time.Millisecond
	// commitWait is how long to wait for the outcome of a commit.
	commitWait = 30 * time.Second
)

// Read runs a read-only function in a transaction that sees one snapshot of the
// database. The function may be called more than once.
func (db *DB) Read(ctx context.Context, read func(tx *sql.Tx) error) error {
	return db.transact(ctx, db.driver.Reader, &db.driver.ReadOptions, read)
}

// Write runs a function in a transaction and commits it if the function returns
// nil. The function may be called more than once.
func (db *DB) Write(ctx context.Context, write func(tx *sql.Tx) error) error {
	return db.transact(ctx, db.driver.Writer, nil, write)
}

func (db *DB) transact(ctx context.Context, pool *sql.DB, options *sql.TxOptions, work func(*sql.Tx) error) error {
	for attempt := 1; ; attempt++ {
		committing, err := db.attempt(ctx, pool, options, work)
		if err == nil {
			return nil
		}
		if attempt == attempts || ctx.Err() != nil || !db.driver.Again(err, committing) {
			return db.failed(ctx, err, committing && options == nil)
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// attempt runs one transaction to its end. committing is true if the error came from
// the commit.
func (db *DB) attempt(
	ctx context.Context, pool *sql.DB, options *sql.TxOptions, work func(*sql.Tx) error,
) (committing bool, err error) {
	if db.closed.Load() {
		return false, ErrClosed
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	// The transaction obeys the caller's context only until the commit: the outcome of
	// a cancelled commit would be unknown.
	following, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	unfollow := context.AfterFunc(ctx, cancel)
	defer unfollow()

	tx, err := pool.BeginTx(following, options)
	if err != nil {
		return false, db.notBegun(ctx, pool, err)
	}
	// A no-op after a commit. It also runs when work panics.
	defer func() { _ = tx.Rollback() }()
	if err := work(tx); err != nil {
		return false, err
	}
	if !unfollow() {
		return false, context.Cause(ctx)
	}
	giveUp := time.AfterFunc(commitWait, cancel)
	defer giveUp.Stop()
	return true, tx.Commit()
}

// notBegun explains why no transaction could begin when all connections may be in use.
func (db *DB) notBegun(ctx context.Context, pool *sql.DB, err error) error {
	if db.closed.Load() {
		return ErrClosed
	}
	err = interrupted(ctx, err)
	if stats := pool.Stats(); ctx.Err() != nil && stats.MaxOpenConnections > 0 && stats.InUse >= stats.MaxOpenConnections {
		return fmt.Errorf("store: %s: no connection came free (%d of %d in use): %w",
			db.driver.Name, stats.InUse, stats.MaxOpenConnections, err)
	}
	return err
}

func (db *DB) failed(ctx context.Context, err error, unsure bool) error {
	err = db.explain(err)
	if e, ok := err.(*Error); ok { //nolint:errorlint // only the one that explain has made, which nobody else holds
		e.Err = interrupted(ctx, e.Err)
		e.Unsure = unsure && db.driver.Again(e.Err, false) && !db.driver.Again(e.Err, true)
	}
	return err
}

// pause waits before the next attempt, with jitter so that two conflicting writers are
// unlikely to conflict again.
func pause(ctx context.Context, attempt int) error {
	most := firstPause << attempt
	timer := time.NewTimer(most/4 + rand.N(most/2)) //nolint:gosec // nothing depends on nobody guessing it
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
