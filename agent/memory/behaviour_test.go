package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// A window of zero or fewer messages is refused when the memory is built.
func TestBehaviour095AWindowThatKeepsNothingIsRefused(t *testing.T) {
	for _, limit := range []int{0, -1} {
		if _, err := memory.New(memory.NewInMemory(), memory.Options{Window: memory.Messages(limit)}); err == nil {
			t.Errorf("a window of %d was accepted", limit)
		}
	}
}

// Several messages are added with one call, read back in order, and removed by a clear.
func TestBehaviour096ManyMessagesAreAddedReadAndCleared(t *testing.T) {
	m := remember(t, nil)
	want(t, add(t, m, "U1 A1 U2 A2"), "U1 A1 U2 A2")
	if err := m.Clear(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	want(t, add(t, m), "")
}

// A single message is added and read back.
func TestBehaviour097OneMessageIsAdded(t *testing.T) {
	want(t, add(t, remember(t, nil), "U1"), "U1")
}

// Adding, reading and clearing without a conversation id is an error of its own type.
func TestBehaviour098AnEmptyIDIsRefused(t *testing.T) {
	m := remember(t, nil)
	_, added := m.Add(t.Context(), "", 0, talk("U")...)
	_, got := m.Get(t.Context(), "")
	for _, err := range []error{added, got, m.Clear(t.Context(), "")} {
		if !errors.Is(err, memory.ErrNoConversation) {
			t.Errorf("%v", err)
		}
	}
}

// Adding no messages, or one without content among others, is refused and writes nothing.
func TestBehaviour099NothingCannotBeAdded(t *testing.T) {
	m := remember(t, nil)
	if _, err := m.Add(t.Context(), "a", 0); !errors.Is(err, memory.ErrNoMessages) {
		t.Errorf("%v", err)
	}
	if _, err := m.Add(t.Context(), "a", 0, says(llm.User, "U"), llm.Message{}); err == nil {
		t.Error("an empty message was added")
	}
	want(t, add(t, m), "")
}

// A window of two over three questions with two answers keeps only the last question, because turns are not split.
func TestBehaviour100WindowOfTwoKeepsOnlyTheLastQuestion(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(2)), "U1 A1 U2 A2 U3"), "U3")
}

// As long as everything fits, nothing is forgotten.
func TestBehaviour101WithinTheLimitNothingIsForgotten(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(4)), "U1 A1", "U2 A2"), "U1 A1 U2 A2")
}

// A second turn in a window of two replaces the first.
func TestBehaviour102ANewTurnPushesTheOldOneOut(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(2)), "U1 A1", "U2 A2"), "U2 A2")
}

// System messages stay when turns are forgotten.
func TestBehaviour103SystemMessagesStay(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(3)), "S U1 A1", "U2 A2"), "S U2 A2")
}

// Two system messages and two turns in a window of three leave the system messages and the last turn, where Spring AI
// leaves only the system messages: forgetting the turn in progress would orphan its next result.
func TestDifferent104TheLastTurnStaysBesideTheSystemMessages(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(3)), "S1 S2 U1 A1 U2 A2"), "S1 S2 U2 A2")
}

// An unknown conversation is empty.
func TestBehaviour105AnUnknownConversationIsEmpty(t *testing.T) {
	c, err := remember(t, nil).Get(t.Context(), "nobody")
	if err != nil || c.Version != 0 || len(c.Messages) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Three turns in a window of three leave the last one, never an answer without its question.
func TestBehaviour106NoAnswerIsLeftWithoutItsQuestion(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(3)), "U1 A1 U2 A2 U3 A3"), "U3 A3")
}

// A turn with calls, results and several answers is forgotten as a whole.
func TestBehaviour107ALongTurnIsForgottenWhole(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(5)), "U1 Ca Ta A1 A1", "U2 A2"), "U2 A2")
}

// If the limit falls exactly between two turns, only the older ones are dropped.
func TestBehaviour108ACutBetweenTurnsForgetsNoMore(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(4)), "U1 A1 U2 A2 U3 A3"), "U2 A2 U3 A3")
}

// With more system messages than the limit, all of them and the last turn stay, where Spring AI keeps only the system
// messages.
func TestDifferent109MoreSystemMessagesThanTheLimit(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(2)), "S1 S2 S3 U1 A1 U2 A2"), "S1 S2 S3 U2 A2")
}

// A new system message replaces all old ones.
func TestBehaviour110ANewSystemMessageReplacesTheOldOnes(t *testing.T) {
	want(t, add(t, remember(t, nil), "S1 S2 U1 A1", "S3 U2"), "S3 U1 A1 U2")
}

// With as many system messages as the limit, they and the last turn stay, where Spring AI keeps only the system messages.
func TestDifferent111AsManySystemMessagesAsTheLimit(t *testing.T) {
	want(t, add(t, remember(t, memory.Messages(2)), "S1 S2 U1 A1 U2 A2"), "S1 S2 U2 A2")
}

// The in-memory repository lists, stores, replaces and deletes conversations, and refuses empty ids and messages that
// cannot be stored.
func TestBehaviour112TheInMemoryRepository(t *testing.T) {
	repo := memory.NewInMemory()
	ctx := t.Context()
	_, err := repo.Append(ctx, "b", 0, talk("U1"))
	v, err2 := repo.Append(ctx, "a", 0, talk("U1 A1"))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if ids, err := repo.IDs(ctx); err != nil || !slices.Equal(ids, []string{"a", "b"}) {
		t.Errorf("%q, %v", ids, err)
	}
	if _, err := repo.Replace(ctx, "a", v, talk("U2")); err != nil {
		t.Error(err)
	}
	if c, err := repo.Load(ctx, "a"); err != nil || words(c.Messages) != "U2" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := repo.Delete(ctx, "a"); err != nil {
		t.Error(err)
	}
	if c, err := repo.Load(ctx, "a"); err != nil || c.Version != 0 || len(c.Messages) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if ids, err := repo.IDs(ctx); err != nil || !slices.Equal(ids, []string{"b"}) {
		t.Errorf("%q, %v", ids, err)
	}
	if _, err := repo.Append(ctx, "", 0, talk("U")); !errors.Is(err, memory.ErrNoConversation) {
		t.Errorf("%v", err)
	}
	if _, err := repo.Append(ctx, "c", 0, []llm.Message{{Blocks: []llm.Block{{}}}}); err == nil {
		t.Error("a block without a kind was kept")
	}
}

// Every repository stores calls and their results, where Spring AI drops them in databases: a history without them is
// another history. There are no timestamps: the order is that of the list.
func TestDifferent113CallsAndResultsAreKept(t *testing.T) {
	repo := memory.NewInMemory()
	given := talk("U1 Cab Tab A1 U2 Cc Rc A2")
	if _, err := repo.Append(t.Context(), "a", 0, given); err != nil {
		t.Fatal(err)
	}
	if c, err := repo.Load(t.Context(), "a"); err != nil || !reflect.DeepEqual(c.Messages, given) {
		t.Errorf("%+v, %v", c, err)
	}
}

// Media, calls, results and signatures survive storing byte for byte, and replacing a conversation with nothing empties it.
func TestBehaviour114EveryKindSurvivesStoring(t *testing.T) {
	given := []llm.Message{
		{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Opaque, Type: "image", Raw: json.RawMessage("{ \"data\":\"AAAA\" }")}}},
		{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.Thinking, Text: "hm", Signature: "s+/="}, call("a")}},
		{Role: llm.ToolRole, Blocks: []llm.Block{result("a")}},
	}
	stored, err := memory.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := memory.Unmarshal(stored); err != nil || !reflect.DeepEqual(read, given) {
		t.Errorf("%+v, %v", read, err)
	}
	repo := memory.NewInMemory()
	v, err := repo.Append(t.Context(), "a", 0, given)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Replace(t.Context(), "a", v, nil); err != nil {
		t.Error(err)
	}
	if c, err := repo.Load(t.Context(), "a"); err != nil || len(c.Messages) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Order, concurrent conversations, hostile ids, several results in a message and consecutive batches are preserved, as the
// suite for all repositories shows; but nothing expires and nothing is searched: delete by id, or query the database.
func TestDifferent115NothingExpiresOnItsOwn(t *testing.T) {
	repo := memory.NewInMemory()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			id := fmt.Sprintf("%d'; DROP TABLE x; -- %%_*\x00", i)
			var v int64
			for n := range 12 {
				var err error
				if v, err = repo.Append(t.Context(), id, v, talk(fmt.Sprintf("U%d Cab Tab A%d", n, n))); err != nil {
					t.Error(err)
				}
			}
			c, err := repo.Load(t.Context(), id)
			if err != nil || len(c.Messages) != 48 || !strings.HasSuffix(words(c.Messages), "U11 CaCb TaTb A11") {
				t.Errorf("%s, %v", words(c.Messages), err)
			}
			if err := repo.Delete(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if ids, err := repo.IDs(t.Context()); err != nil || len(ids) != 0 {
		t.Errorf("%q, %v", ids, err)
	}
}
