package memorytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

func versionsChange(t *testing.T, repo memory.Repository) {
	seen := []int64{0}
	next := func(v int64) int64 {
		if slices.Contains(seen, v) {
			t.Errorf("version %d came twice: %v", v, seen)
		}
		seen = append(seen, v)
		if c := mustLoad(t, repo, "a"); c.Version != v {
			t.Errorf("version %d is loaded as %d", v, c.Version)
		}
		return v
	}
	v := next(mustAppend(t, repo, "a", 0, user("1")))
	v = next(mustAppend(t, repo, "a", v, user("2")))
	v = next(mustReplace(t, repo, "a", v, user("1"), user("2")))
	v = next(mustReplace(t, repo, "a", v))
	next(mustAppend(t, repo, "a", v, user("1")))
	// A conversation that was deleted does not start with a version that
	// somebody may still hold.
	for range 3 {
		mustDelete(t, repo, "a")
		next(mustAppend(t, repo, "a", 0, user("1")))
		mustDelete(t, repo, "a")
		next(mustReplace(t, repo, "a", 0, user("1")))
	}
}

func otherVersionConflicts(t *testing.T, repo memory.Repository) {
	write := func(id string, at, found int64) {
		t.Helper()
		_, err := repo.Append(t.Context(), id, at, []llm.Message{user("late")})
		conflicts(t, err, id, at, found)
		_, err = repo.Replace(t.Context(), id, at, []llm.Message{user("late")})
		conflicts(t, err, id, at, found)
		_, err = repo.Replace(t.Context(), id, at, nil)
		conflicts(t, err, id, at, found)
	}
	for _, at := range []int64{1, -1, 1 << 62, -1 << 62} {
		write("unknown", at, 0)
	}
	lists(t, repo)

	first := mustAppend(t, repo, "a", 0, user("1"))
	v := mustAppend(t, repo, "a", first, user("2"))
	for _, at := range []int64{0, -1, first, v + 1, 1 << 62} {
		write("a", at, v)
	}
	holds(t, repo, "a", v, user("1"), user("2"))
}

func oldWriterConflictsAfterDelete(t *testing.T, repo memory.Repository) {
	late := []llm.Message{user("late")}
	old := mustAppend(t, repo, "a", 0, user("1"))
	mustDelete(t, repo, "a")
	_, err := repo.Append(t.Context(), "a", old, late)
	conflicts(t, err, "a", old, 0)
	_, err = repo.Replace(t.Context(), "a", old, late)
	conflicts(t, err, "a", old, 0)
	holds(t, repo, "a", 0)
	lists(t, repo)

	anew := mustAppend(t, repo, "a", 0, user("anew"))
	_, err = repo.Append(t.Context(), "a", old, late)
	conflicts(t, err, "a", old, anew)
	_, err = repo.Replace(t.Context(), "a", old, late)
	conflicts(t, err, "a", old, anew)
	holds(t, repo, "a", anew, user("anew"))
}

func cancelledWritesNothing(t *testing.T, repo memory.Repository) {
	v := mustAppend(t, repo, "a", 0, user("1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, appended := repo.Append(ctx, "a", v, numbered(2, 3))
	_, replaced := repo.Replace(ctx, "a", v, numbered(2, 3))
	_, made := repo.Append(ctx, "b", 0, numbered(2, 3))
	deleted := repo.Delete(ctx, "a")
	_, loaded := repo.Load(ctx, "a")
	_, listed := repo.IDs(ctx)
	for what, err := range map[string]error{
		"append": appended, "replace": replaced, "a first append": made, "delete": deleted, "load": loaded, "ids": listed,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", what, err)
		}
	}
	holds(t, repo, "a", v, user("1"))
	lists(t, repo, "a")
}

func oneWriterWins(t *testing.T, repo memory.Repository) {
	const writers, races = 8, 10
	want := make([]llm.Message, 0, 2*races)
	var v int64
	for race := range races {
		messages := make([][]llm.Message, writers)
		versions := make([]int64, writers)
		failed := make([]error, writers)
		var wg sync.WaitGroup
		for w := range writers {
			messages[w] = []llm.Message{user(fmt.Sprintf("%d.%d", race, w)), assistant("answer")}
			wg.Go(func() { versions[w], failed[w] = repo.Append(t.Context(), "a", v, messages[w]) })
		}
		wg.Wait()
		winner := -1
		for w, err := range failed {
			switch {
			case err == nil && winner < 0:
				winner = w
			case err == nil:
				t.Fatalf("two writers won at version %d", v)
			default:
				if conflict, ok := errors.AsType[*memory.ConflictError](err); !ok || conflict.Expected != v {
					t.Fatalf("a writer at version %d that lost: %v", v, err)
				}
			}
		}
		if winner < 0 {
			t.Fatalf("nobody won at version %d", v)
		}
		want, v = append(want, messages[winner]...), versions[winner]
	}
	holds(t, repo, "a", v, want...)
}

func nothingIsLost(t *testing.T, repo memory.Repository) {
	const writers, each = 6, 8
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range each {
				if err := insist(t, repo, "a", user(fmt.Sprintf("%d %d", w, n)), assistant("answer")); err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
			}
		})
	}
	wg.Wait()
	messages := mustLoad(t, repo, "a").Messages
	if len(messages) != 2*writers*each {
		t.Fatalf("%d messages, want %d", len(messages), 2*writers*each)
	}
	next := make([]int, writers)
	for i := 0; i < len(messages); i += 2 {
		var w, n int
		if _, err := fmt.Sscanf(messages[i].Blocks[0].Text, "%d %d", &w, &n); err != nil {
			t.Fatalf("message %d is %q: %v", i, messages[i].Blocks[0].Text, err)
		}
		if n != next[w] || messages[i+1].Role != llm.Assistant {
			t.Fatalf("message %d is number %d of writer %d, want %d, with its answer behind it", i, n, w, next[w])
		}
		next[w]++
	}
}

// insist appends, retrying until no other writer came first.
func insist(t *testing.T, repo memory.Repository, id string, messages ...llm.Message) error {
	for {
		c, err := repo.Load(t.Context(), id)
		if err != nil {
			return err
		}
		_, err = repo.Append(t.Context(), id, c.Version, messages)
		if _, conflict := errors.AsType[*memory.ConflictError](err); !conflict {
			return err
		}
	}
}

func readersSeeWholeWrites(t *testing.T, repo memory.Repository) {
	const unit, writes = 5, 30
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			last := 0
			for {
				c, err := repo.Load(t.Context(), "a")
				if err != nil {
					t.Errorf("load: %v", err)
					return
				}
				if len(c.Messages)%unit != 0 || len(c.Messages) < last || (c.Version == 0) != (len(c.Messages) == 0) {
					t.Errorf("%d messages at version %d after %d: writes are %d messages", len(c.Messages), c.Version, last, unit)
					return
				}
				last = len(c.Messages)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	var v int64
	for n := range writes {
		if n%3 == 2 {
			v = mustReplace(t, repo, "a", v, numbered(0, (n+1)*unit)...)
		} else {
			v = mustAppend(t, repo, "a", v, numbered(n*unit, unit)...)
		}
	}
	close(done)
	readers.Wait()
	holds(t, repo, "a", v, numbered(0, writes*unit)...)
}

func conversationsDoNotMeet(t *testing.T, repo memory.Repository) {
	const conversations, turns = 40, 5
	var wg sync.WaitGroup
	for c := range conversations {
		wg.Go(func() {
			id := "conversation " + strconv.Itoa(c)
			var v int64
			for n := range turns {
				next, err := repo.Append(t.Context(), id, v, []llm.Message{user(id), assistant(strconv.Itoa(n))})
				if err != nil {
					t.Errorf("%s: %v", id, err)
					return
				}
				v = next
			}
		})
	}
	wg.Wait()
	for c := range conversations {
		id := "conversation " + strconv.Itoa(c)
		want := make([]llm.Message, 0, 2*turns)
		for n := range turns {
			want = append(want, user(id), assistant(strconv.Itoa(n)))
		}
		holds(t, repo, id, mustLoad(t, repo, id).Version, want...)
	}
}
