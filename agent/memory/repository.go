package memory

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

// Conversation is what is stored of one conversation.
type Conversation struct {
	Messages []llm.Message
	// Version changes with every write. It is 0 if nothing is stored.
	Version int64
}

// Repository stores conversations by their ids. Implementations are safe for
// concurrent use, preserve every kind of message and block byte for byte, and
// write atomically: all of a call or nothing of it.
//
// An id is any non-empty text; a repository treats it as data, never as part of
// a statement, a path or a pattern.
type Repository interface {
	// Load returns what is stored. An unknown conversation is empty. The
	// returned messages share no memory with the stored ones.
	Load(ctx context.Context, id string) (Conversation, error)
	// Append adds messages at the end if the conversation still has the version
	// at, and returns its new version. If it has another one, nothing is
	// written and the error is a *ConflictError.
	Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error)
	// Replace replaces all stored messages, under the same condition. Without
	// messages the conversation is emptied, not deleted.
	Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error)
	// Delete deletes a conversation. An unknown one is not an error.
	Delete(ctx context.Context, id string) error
	// IDs returns the ids of the conversations, in ascending order of bytes.
	IDs(ctx context.Context) ([]string, error)
}

// ConflictError is returned for a write to a conversation that somebody else
// has written to in the meantime. Nothing was written. Load it again and
// decide.
type ConflictError struct {
	Conversation string
	// Expected is the version that the writer knew, Found the current one.
	Expected, Found int64
}

// Error says what to do.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("memory: conversation %q was changed by another turn (version %d, expected %d): "+
		"ask again, or let turns wait for each other with Serialise", e.Conversation, e.Found, e.Expected)
}
