package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// ErrNoMessages is returned by an Add without messages.
var ErrNoMessages = errors.New("memory: nothing to add: give at least one message")

// errEmpty is why an empty message is not stored.
var errEmpty = errors.New("it is empty, and providers reject a history with an empty message: leave it out")

// Options configure a Memory.
type Options struct {
	// Window decides what is kept of a conversation. Nil means
	// Messages(DefaultMessages).
	Window Window
}

// Memory keeps conversations in a repository, within bounds. It is safe for
// concurrent use.
type Memory struct {
	repo   Repository
	window Window
	turns  locks
}

// New returns a Memory on a repository. A nil repository, or a window with a
// limit that keeps nothing, is an error.
func New(repo Repository, opts Options) (*Memory, error) {
	if repo == nil {
		return nil, errors.New("memory: no repository: pass one, such as NewInMemory()")
	}
	window := opts.Window
	if window == nil {
		window = Messages(DefaultMessages)
	}
	if f, ok := window.(flawed); ok {
		if err := f.problem(); err != nil {
			return nil, err
		}
	}
	return &Memory{repo: repo, window: window}, nil
}

// Get returns what is kept of a conversation, made valid by Close: a provider
// accepts it. An unknown conversation is empty. Its version is the one to Add
// at.
func (m *Memory) Get(ctx context.Context, id string) (Conversation, error) {
	if id == "" {
		return Conversation{}, ErrNoConversation
	}
	c, err := m.repo.Load(ctx, id)
	if err != nil {
		return Conversation{}, err
	}
	c.Messages = Close(c.Messages)
	return c, nil
}

// Add appends messages to a conversation that still has the version at, forgets
// what the window no longer keeps, and returns the new version. It is one
// atomic write: it happens as a whole or, with an error, not at all. If
// somebody else has written in the meantime, the error is a *ConflictError.
//
// Add messages that belong together, such as a call and its result, with one
// Add: then there is no moment at which only one of them is stored.
//
// System messages do not accumulate. A new one replaces all that are stored and
// comes first; if all that are added are stored already, nothing changes.
//
// Without messages the error is ErrNoMessages. A message that is empty (see
// IsEmpty), or that cannot be stored, is a *MessageError.
func (m *Memory) Add(ctx context.Context, id string, at int64, messages ...llm.Message) (int64, error) {
	if err := addable(id, messages); err != nil {
		return 0, err
	}
	if _, ok := m.window.(all); ok && !slices.ContainsFunc(messages, isSystem) {
		return m.repo.Append(ctx, id, at, messages)
	}
	kept, err := m.repo.Load(ctx, id)
	if err != nil {
		return 0, err
	}
	if kept.Version != at {
		return 0, &ConflictError{Conversation: id, Expected: at, Found: kept.Version}
	}
	stays, added, instructed := merge(kept.Messages, messages)
	if len(added) == 0 && !instructed {
		return at, nil
	}
	whole := slices.Concat(stays, added)
	fitted, err := m.window.Fit(ctx, whole)
	if err != nil {
		return 0, err
	}
	if !instructed && slices.EqualFunc(fitted, whole, Same) {
		return m.repo.Append(ctx, id, at, added)
	}
	return m.repo.Replace(ctx, id, at, fitted)
}

func addable(id string, messages []llm.Message) error {
	if id == "" {
		return ErrNoConversation
	}
	if len(messages) == 0 {
		return ErrNoMessages
	}
	for i, m := range messages {
		if IsEmpty(m) {
			return &MessageError{Message: i, Block: -1, Err: errEmpty}
		}
	}
	return check(messages)
}

func isSystem(m llm.Message) bool { return m.Role == llm.System }

// Clear deletes a conversation. An unknown one is not an error.
func (m *Memory) Clear(ctx context.Context, id string) error {
	if id == "" {
		return ErrNoConversation
	}
	return m.repo.Delete(ctx, id)
}

// Lock waits until no other turn of this Memory holds the conversation, and
// returns the function that ends the turn. Turns that lock before they Get and
// unlock after their last Add never conflict with each other; with another
// process they still may. Waiting ends with the cause of ctx when it is done.
// Calling unlock again does nothing.
func (m *Memory) Lock(ctx context.Context, id string) (unlock func(), err error) {
	if id == "" {
		return nil, ErrNoConversation
	}
	return m.turns.lock(ctx, id)
}
