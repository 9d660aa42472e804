package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sluice-project/sluice/llm"
)

// InMemory is a Repository that lasts as long as the process. It is safe for
// concurrent use. The zero value is not usable: call NewInMemory.
type InMemory struct {
	mu            sync.RWMutex
	conversations map[string]Conversation
	// last is the newest version of any conversation. Versions are counted
	// across all of them, so that a conversation that is deleted and recreated
	// never reuses a version.
	last int64
}

// NewInMemory returns an empty repository.
func NewInMemory() *InMemory {
	return &InMemory{conversations: make(map[string]Conversation)}
}

// Load returns a copy of a conversation; see Repository.
func (r *InMemory) Load(ctx context.Context, id string) (Conversation, error) {
	if err := admit(ctx, id); err != nil {
		return Conversation{}, err
	}
	r.mu.RLock()
	c := r.conversations[id]
	r.mu.RUnlock()
	// Stored messages are never changed in place, so they are copied without the
	// lock.
	c.Messages = clone(c.Messages)
	return c, nil
}

// Append stores a copy of messages after the others; see Repository.
func (r *InMemory) Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	return r.write(ctx, id, at, messages, true)
}

// Replace stores a copy of messages in place of the others; see Repository.
func (r *InMemory) Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	return r.write(ctx, id, at, messages, false)
}

func (r *InMemory) write(ctx context.Context, id string, at int64, messages []llm.Message, behind bool) (int64, error) {
	if err := admit(ctx, id); err != nil {
		return 0, err
	}
	if err := check(messages); err != nil {
		return 0, err
	}
	messages = clone(messages)
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.conversations[id]
	if c.Version != at {
		return 0, &ConflictError{Conversation: id, Expected: at, Found: c.Version}
	}
	if behind {
		// Readers may still be copying the old list: it may grow beyond what
		// they see, but never changes within it.
		messages = append(c.Messages, messages...)
	}
	r.last++
	r.conversations[id] = Conversation{Messages: messages, Version: r.last}
	return r.last, nil
}

// Delete deletes a conversation; see Repository.
func (r *InMemory) Delete(ctx context.Context, id string) error {
	if err := admit(ctx, id); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conversations, id)
	return nil
}

// IDs returns the ids of the conversations; see Repository.
func (r *InMemory) IDs(ctx context.Context) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Sorted(maps.Keys(r.conversations)), nil
}

// admit rejects calls with a done context or without an id.
func admit(ctx context.Context, id string) error {
	if id == "" {
		return ErrNoConversation
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// check rejects messages that a persistent repository could not store: a kind
// or a status without a name.
func check(messages []llm.Message) error {
	for i, m := range messages {
		for j := range m.Blocks {
			b := &m.Blocks[j]
			if b.Kind < llm.Content || b.Kind > llm.Opaque {
				return &MessageError{Message: i, Block: j, Err: fmt.Errorf("there is no block of %s", b.Kind)}
			}
			if b.Status > llm.Malformed {
				return &MessageError{Message: i, Block: j, Err: fmt.Errorf("there is no %s", b.Status)}
			}
		}
	}
	return nil
}

// clone deep-copies messages, without the spans: they refer to a body that is
// not stored. All blocks of a copy share one allocation, and so does all raw
// JSON.
func clone(messages []llm.Message) []llm.Message {
	if messages == nil {
		return nil
	}
	count, size := 0, 0
	for i := range messages {
		count += len(messages[i].Blocks)
		for j := range messages[i].Blocks {
			size += len(messages[i].Blocks[j].Raw)
		}
	}
	copied := make([]llm.Message, len(messages))
	blocks := make([]llm.Block, 0, count)
	raw := make([]byte, 0, size)
	for i := range messages {
		from := len(blocks)
		for _, b := range messages[i].Blocks {
			if b.Raw != nil {
				at := len(raw)
				raw = append(raw, b.Raw...)
				b.Raw = raw[at:len(raw):len(raw)]
			}
			b.Span, b.BodySpan = llm.Span{}, llm.Span{}
			blocks = append(blocks, b)
		}
		copied[i] = llm.Message{Role: messages[i].Role, Blocks: blocks[from:len(blocks):len(blocks)]}
	}
	return copied
}

var _ Repository = (*InMemory)(nil)
