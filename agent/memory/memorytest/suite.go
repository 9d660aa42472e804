package memorytest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// Run runs every behaviour as a subtest. Open returns an empty repository for
// one subtest; it registers what has to be closed with t.Cleanup. With -short
// the largest conversations are left out.
func Run(t *testing.T, open func(t *testing.T) memory.Repository) {
	t.Helper()
	for _, b := range []struct {
		name string
		test func(*testing.T, memory.Repository)
	}{
		{"what is not known is empty", unknownIsEmpty},
		{"an append keeps the order", appendKeepsOrder},
		{"a replace leaves nothing of before", replaceLeavesNothing},
		{"an empty replace empties and does not forget", emptyReplace},
		{"an append of nothing changes no message", appendOfNothing},
		{"a delete forgets one conversation", deleteForgets},
		{"ids are listed in the order of their bytes", idsAreSorted},
		{"an empty id is refused", emptyIDIsRefused},
		{"hostile ids are ids", hostileIDs},

		{"every kind and field is kept byte for byte", everyFieldIsKept},
		{"every byte is kept in every text", everyByteIsKept},
		{"where a block stood in a request is not kept", spansAreNotKept},
		{"a text of 5 MB is kept", largeTextIsKept},
		{"10,000 messages keep their order", manyMessagesKeepOrder},
		{"what cannot be kept is refused whole", badMessageIsRefused},
		{"what was given may be changed afterwards", givenMayBeChanged},
		{"what was loaded may be changed afterwards", loadedMayBeChanged},

		{"every write has a version of its own", versionsChange},
		{"a write on another version is a conflict", otherVersionConflicts},
		{"a writer from before a delete conflicts", oldWriterConflictsAfterDelete},
		{"a cancelled context writes nothing", cancelledWritesNothing},
		{"of many writers on one version one wins", oneWriterWins},
		{"writers that try again lose nothing", nothingIsLost},
		{"a reader sees whole writes", readersSeeWholeWrites},
		{"conversations do not meet", conversationsDoNotMeet},
	} {
		t.Run(b.name, func(t *testing.T) { b.test(t, open(t)) })
	}
}

func user(text string) llm.Message      { return says(llm.User, text) }
func assistant(text string) llm.Message { return says(llm.Assistant, text) }

func says(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text, Status: llm.Complete}}}
}

// numbered returns the messages from "n" to "n+count-1".
func numbered(n, count int) []llm.Message {
	messages := make([]llm.Message, count)
	for i := range messages {
		messages[i] = user(strconv.Itoa(n + i))
	}
	return messages
}

func mustLoad(t *testing.T, repo memory.Repository, id string) memory.Conversation {
	t.Helper()
	c, err := repo.Load(t.Context(), id)
	if err != nil {
		t.Fatalf("load %.60q: %v", id, err)
	}
	return c
}

func mustAppend(t *testing.T, repo memory.Repository, id string, at int64, messages ...llm.Message) int64 {
	t.Helper()
	version, err := repo.Append(t.Context(), id, at, messages)
	if err != nil {
		t.Fatalf("append to %.60q at %d: %v", id, at, err)
	}
	return version
}

func mustReplace(t *testing.T, repo memory.Repository, id string, at int64, messages ...llm.Message) int64 {
	t.Helper()
	version, err := repo.Replace(t.Context(), id, at, messages)
	if err != nil {
		t.Fatalf("replace %.60q at %d: %v", id, at, err)
	}
	return version
}

func mustDelete(t *testing.T, repo memory.Repository, id string) {
	t.Helper()
	if err := repo.Delete(t.Context(), id); err != nil {
		t.Fatalf("delete %.60q: %v", id, err)
	}
}

// holds checks that a conversation is exactly these messages, at this version.
func holds(t *testing.T, repo memory.Repository, id string, version int64, want ...llm.Message) {
	t.Helper()
	c := mustLoad(t, repo, id)
	if c.Version != version {
		t.Errorf("conversation %.60q has version %d, want %d", id, c.Version, version)
	}
	if difference := compare(c.Messages, want); difference != "" {
		t.Errorf("conversation %.60q: %s", id, difference)
	}
}

func lists(t *testing.T, repo memory.Repository, want ...string) {
	t.Helper()
	ids, err := repo.IDs(t.Context())
	if err != nil {
		t.Fatalf("ids: %v", err)
	}
	if !slices.Equal(ids, want) {
		t.Errorf("ids are %.300q, want %.300q", ids, want)
	}
}

// conflicts checks that err is a conflict between two known versions.
func conflicts(t *testing.T, err error, id string, expected, found int64) {
	t.Helper()
	conflict, ok := errors.AsType[*memory.ConflictError](err)
	if !ok {
		t.Fatalf("a write of %.60q at %d, where %d is, gave %v, want a *memory.ConflictError", id, expected, found, err)
	}
	if conflict.Conversation != id || conflict.Expected != expected || conflict.Found != found {
		t.Errorf("the conflict says %+v, want %.60q, expected %d, found %d", *conflict, id, expected, found)
	}
}

// compare says how two histories differ, empty if they do not. Empty lists are
// equal, nil or not.
func compare(got, want []llm.Message) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d messages, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Role != want[i].Role {
			return fmt.Sprintf("message %d has role %q, want %q", i, got[i].Role, want[i].Role)
		}
		if got[i].Span != want[i].Span {
			return fmt.Sprintf("message %d has span %v, want %v", i, got[i].Span, want[i].Span)
		}
		if len(got[i].Blocks) != len(want[i].Blocks) {
			return fmt.Sprintf("message %d has %d blocks, want %d", i, len(got[i].Blocks), len(want[i].Blocks))
		}
		for j := range want[i].Blocks {
			if !equal(&got[i].Blocks[j], &want[i].Blocks[j]) {
				return fmt.Sprintf("message %d, block %d: %.400s, want %.400s", i, j,
					fmt.Sprintf("%+v", got[i].Blocks[j]), fmt.Sprintf("%+v", want[i].Blocks[j]))
			}
		}
	}
	return ""
}

func equal(a, b *llm.Block) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Name == b.Name && a.Text == b.Text &&
		a.Arguments == b.Arguments && a.Signature == b.Signature && a.ToolUseID == b.ToolUseID &&
		a.Type == b.Type && a.Status == b.Status && a.Failed == b.Failed && bytes.Equal(a.Raw, b.Raw) &&
		a.Span == b.Span && a.BodySpan == b.BodySpan
}
