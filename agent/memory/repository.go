package memory

import (
	"context"
	"fmt"

	"github.com/sluice-project/sluice/llm"
)

// Conversation is what is kept of one conversation.
type Conversation struct {
	Messages []llm.Message
	// Version changes with every write. It is 0 if nothing is kept.
	Version int64
}

// Repository keeps conversations by their ids. Implementations are safe for
// concurrent use, keep every kind of message and block byte for byte, and
// write all of a call or nothing of it.
//
// Ids are any text that is not empty; a repository takes them as data, never as
// a part of a statement, a path or a pattern.
type Repository interface {
	// Load returns what is kept. A conversation that is not known is empty.
	// What it returns shares no memory with what is kept.
	Load(ctx context.Context, id string) (Conversation, error)
	// Append adds messages at the end if the conversation still has the version
	// at, and returns its new version. If it has another one, nothing is
	// written and the error is a *ConflictError.
	Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error)
	// Replace puts messages in the place of all that is kept, under the same
	// condition. Without messages the conversation is emptied, not forgotten.
	Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error)
	// Delete forgets a conversation. One that is not known is no error.
	Delete(ctx context.Context, id string) error
	// IDs returns the ids of the conversations, in ascending order of bytes.
	IDs(ctx context.Context) ([]string, error)
}

// ConflictError is a write on a conversation that somebody else has written to
// in the meantime. Nothing was written. Load it again and decide.
type ConflictError struct {
	Conversation string
	// Expected is the version that the writer knew, Found the one there is.
	Expected, Found int64
}

// Error says what to do.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("memory: conversation %q was changed by another turn (version %d, expected %d): "+
		"ask again, or let turns wait for each other with Serialise", e.Conversation, e.Found, e.Expected)
}
