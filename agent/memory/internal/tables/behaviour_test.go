package tables_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent/memory/internal/tables"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/store"
)

// One message and several are saved, found in order and deleted.
func TestBehaviour113SaveFindDelete(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		v := repo.append(t, "one", 0, user("a"))
		repo.append(t, "many", 0, users(0, 5)...)
		repo.holds(t, "one", user("a"))
		repo.holds(t, "many", users(0, 5)...)
		repo.append(t, "one", v, user("b"))
		repo.holds(t, "one", user("a"), user("b"))
		if err := repo.Delete(t.Context(), "many"); err != nil {
			t.Error(err)
		}
		repo.holds(t, "many")
		if ids, err := repo.IDs(t.Context()); err != nil || !slices.Equal(ids, []string{"one"}) {
			t.Errorf("%q, %v", ids, err)
		}
	})
}

// Ten thousand messages of one append come back in order.
func TestBehaviour113OrderInLargeBatch(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		repo.append(t, "a", 0, users(0, 10_000)...)
		repo.holds(t, "a", users(0, 10_000)...)
	})
}

// Calls and their results are stored and not dropped: without them a model would
// see an answer that comes from nowhere.
func TestDifferent113ToolMessagesAreKept(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		repo.append(t, "a", 0, round()...)
		repo.holds(t, "a", round()...)
	})
}

// The time of a message stays the same when the rest of the conversation is
// rewritten.
func TestBehaviour113TimesAreStable(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		const times = `SELECT created_at FROM memory_messages ORDER BY position`
		v := repo.append(t, "a", 0, users(0, 4)...)
		v = repo.append(t, "a", v, users(4, 8)...)
		before := repo.numbers(t, times)
		if len(before) != 8 || !slices.IsSorted(before) || before[0] <= 0 {
			t.Fatalf("times %v", before)
		}
		v = repo.replace(t, "a", v, users(0, 8)...) // the same
		if again := repo.numbers(t, times); !slices.Equal(again, before) {
			t.Errorf("saved again: %v, before %v", again, before)
		}
		v = repo.replace(t, "a", v, users(2, 8)...) // the oldest go
		if again := repo.numbers(t, times); !slices.Equal(again, before[2:]) {
			t.Errorf("shortened: %v, before %v", again, before[2:])
		}
		v = repo.replace(t, "a", v, append(users(0, 3), users(6, 8)...)...) // a summary for the middle
		if again := repo.numbers(t, times); len(again) != 5 || !slices.Equal(again[3:], before[6:]) {
			t.Errorf("summarised: %v, before %v", again, before)
		}
		more := append([]llm.Message{user("0")}, users(100, 150)...)
		repo.replace(t, "a", v, append(more, users(6, 8)...)...) // more than there is room for
		again := repo.numbers(t, times)
		if len(again) != 53 || again[51] != before[6] || again[52] != before[7] {
			t.Errorf("lengthened: %v, before %v", again, before)
		}
	})
}

// Media, calls, results and system messages come back with every detail.
func TestBehaviour114EverythingComesBack(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		all := append([]llm.Message{
			{Role: llm.System, Blocks: []llm.Block{{Kind: llm.Content, Text: "be brief", Type: "text", Status: llm.Complete,
				Raw: json.RawMessage(`{"type":"text","cache_control":{"type":"ephemeral"}}`)}}},
			{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Opaque, Type: "image", Status: llm.Complete,
				Raw: json.RawMessage(`{"type":"image","source":{"data":"iVBORw0KGgo="}}`)}}},
		}, round()...)
		repo.append(t, "a", 0, all...)
		repo.holds(t, "a", all...)
	})
}

// An empty list empties a conversation.
func TestBehaviour114EmptyListClears(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		v := repo.append(t, "a", 0, users(0, 3)...)
		repo.replace(t, "a", v)
		repo.holds(t, "a")
		if left := repo.numbers(t, `SELECT count(*) FROM memory_messages`); left[0] != 0 {
			t.Errorf("%d rows are left", left[0])
		}
	})
}

// A name that would become part of a statement is refused if it is not an
// identifier.
func TestBehaviour114BadNamesAreRefused(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		for _, name := range []string{"", "a b", "a-b", `a"b`, "a;b", "A", "1a", "a.b"} {
			if err := repo.db.Migrate(t.Context(), store.Migrations{Name: name}); err == nil || !strings.Contains(err.Error(), "cannot be named") {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

// A repository has no limit and no time to live, because an expired half of a
// conversation cannot be distinguished from one that never existed: a window
// limits what is sent, and Delete deletes.
func TestDifferent115NothingIsLostByItself(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		var v int64
		for i := range 20 {
			v = repo.append(t, "a", v, users(100*i, 100*i+100)...)
		}
		repo.holds(t, "a", users(0, 2000)...)
	})
}

// Many conversations are written and read concurrently and do not affect each
// other.
func TestBehaviour115ManyConversationsAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		var wg sync.WaitGroup
		for c := range 50 {
			wg.Go(func() {
				id := fmt.Sprint("conversation ", c)
				var v int64
				for i := range 4 {
					var err error
					if v, err = repo.Append(t.Context(), id, v, []llm.Message{user("%d.%d", c, i)}); err != nil {
						t.Error(err)
						return
					}
				}
				repo.holds(t, id, user("%d.0", c), user("%d.1", c), user("%d.2", c), user("%d.3", c))
			})
		}
		wg.Wait()
	})
}

// Ids are data: statements, patterns, wildcards, bytes that are not text, and
// ids that hardly differ each name a conversation of their own.
func TestBehaviour115EdgeCaseIDs(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		ids := []string{
			"a", "A", "a ", " a", "a\x00", "a\x00b", "\x00", "\xff", "\xff\xfe", "ä", "a\u0308", "%", "_", "*", "?", "$1", "-1", "0", "NULL",
			"'; DROP TABLE memory_messages; --", `" OR 1=1 --`, "a' OR 'a'='a", `\`, `\x61`, "../../etc/passwd", "{a}:*", "\n", "👩‍👩‍👧",
			strings.Repeat("long ", 20_000), strings.Repeat("long ", 20_000) + "er", strings.Repeat("\x00", 3000),
		}
		for i, id := range ids {
			repo.append(t, id, 0, user("%d", i))
		}
		for i, id := range ids {
			repo.holds(t, id, user("%d", i))
		}
		found, err := repo.IDs(t.Context())
		slices.Sort(ids)
		if err != nil || !slices.Equal(found, ids) {
			t.Errorf("%d ids, %v, want %d", len(found), err, len(ids))
		}
	})
}

// A repository whose database is gone returns an error, and nothing is half
// written.
func TestBehaviour115ConnectionFailure(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		v := repo.append(t, "a", 0, user("1"))
		if err := repo.db.Close(); err != nil {
			t.Fatal(err)
		}
		_, appended := repo.Append(t.Context(), "a", v, users(0, 2))
		_, replaced := repo.Replace(t.Context(), "a", v, nil)
		_, loaded := repo.Load(t.Context(), "a")
		_, listed := repo.IDs(t.Context())
		for what, err := range map[string]error{
			"append": appended, "replace": replaced, "load": loaded, "ids": listed, "delete": repo.Delete(t.Context(), "a"),
		} {
			if !errors.Is(err, store.ErrClosed) || !strings.Contains(err.Error(), "memory: ") {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// A message with several results, and media with any bytes, are stored as they
// are.
func TestBehaviour115SeveralResultsAndBinaryMedia(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	onEach(t, func(t *testing.T, repo kept) {
		message := llm.Message{Role: llm.ToolRole, Blocks: []llm.Block{
			{Kind: llm.ToolResult, ToolUseID: "1", Name: "a", Text: "one", Status: llm.Complete},
			{Kind: llm.ToolResult, ToolUseID: "2", Name: "b", Text: string(every), Failed: true, Status: llm.Complete},
			{Kind: llm.Opaque, Type: "image", Raw: every, Status: llm.Complete},
		}}
		repo.append(t, "a", 0, message)
		repo.holds(t, "a", message)
	})
}

// Batches that follow each other do not overwrite each other.
func TestBehaviour115ConsecutiveBatches(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		v := repo.append(t, "a", 0, users(0, 3)...)
		v = repo.append(t, "a", v, users(3, 6)...)
		repo.append(t, "a", v, users(6, 9)...)
		repo.holds(t, "a", users(0, 9)...)
	})
}

// A delete leaves nothing of a long conversation behind, and touches no other.
func TestBehaviour115DeleteManyMessages(t *testing.T) {
	onEach(t, func(t *testing.T, repo kept) {
		repo.append(t, "a", 0, users(0, 500)...)
		repo.append(t, "b", 0, user("b"))
		if err := repo.Delete(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		repo.holds(t, "a")
		repo.holds(t, "b", user("b"))
		if left := repo.numbers(t, `SELECT count(*) FROM memory_messages`); left[0] != 1 {
			t.Errorf("%d rows are left", left[0])
		}
	})
}

// A write that is cancelled, or fails, in the middle of a large batch leaves
// nothing.
func TestWriteThatEndsInTheMiddle(t *testing.T) {
	errFull := errors.New("no room")
	for name, want := range map[string]error{"cancelled": context.Canceled, "failed": errFull} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, repo kept) {
				v := repo.append(t, "a", 0, user("1"))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				statements := 0
				breaking := tables.New(repo.db, func(ctx context.Context, tx *sql.Tx, c, position, at int64, messages [][]byte) error {
					if statements++; statements == 2 {
						if want == errFull {
							return errFull
						}
						cancel()
					}
					for i, m := range messages {
						if _, err := tx.ExecContext(ctx, `INSERT INTO memory_messages (conversation, position, message, created_at)
							VALUES ($1, $2, $3, $4)`, c, position+int64(i), m, at); err != nil {
							return err
						}
					}
					return nil
				})
				_, appended := breaking.Append(ctx, "a", v, users(0, 1500))
				if !errors.Is(appended, want) || statements != 2 {
					t.Errorf("%v in statement %d", appended, statements)
				}
				repo.holds(t, "a", user("1"))
				repo.append(t, "a", v, user("2"))
				repo.holds(t, "a", user("1"), user("2"))
			})
		})
	}
}

// round is a question, two calls, their results and the answer.
func round() []llm.Message {
	return []llm.Message{
		user("How is the weather?"),
		{Role: llm.Assistant, Blocks: []llm.Block{
			{Kind: llm.Thinking, Text: "hm", Signature: "c2ln+/=", Status: llm.Complete},
			{Kind: llm.ToolCall, ID: "1", Name: "weather", Arguments: `{ "city" : "Ulm" }`, Status: llm.Complete},
			{Kind: llm.ToolCall, ID: "2", Name: "weather", Arguments: `{"city":"Bonn"}`, Signature: "s", Status: llm.Complete},
		}},
		{Role: llm.ToolRole, Blocks: []llm.Block{
			{Kind: llm.ToolResult, ToolUseID: "1", Text: "rain", Status: llm.Complete},
			{Kind: llm.ToolResult, ToolUseID: "2", Text: "no such city", Failed: true, Status: llm.Complete},
		}},
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.Content, Text: "Rain in Ulm.", Status: llm.Complete}}},
	}
}
