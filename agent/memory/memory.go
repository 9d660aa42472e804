package memory

import (
	"context"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// ErrNoMessages is an Add without anything to add.
var ErrNoMessages = errors.New("memory: nothing to add: give at least one message")

// errEmpty is why a message that says nothing is not kept.
var errEmpty = errors.New("it says nothing, and providers refuse a history with such a message: leave it out")

// Options say how much a Memory keeps.
type Options struct {
	// Window decides what is kept of a conversation. Nil means
	// Messages(DefaultMessages).
	Window Window
}

// Memory keeps conversations in a repository and in bounds. It is safe for
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
		return nil, errors.New("memory: no repository: give it one, NewInMemory() for a start")
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

// Get returns what is kept of a conversation, made whole by Close: a provider
// accepts it. One that is not known is empty. Its version is the one to Add at.
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

// Add puts messages at the end of a conversation that still has the version at,
// forgets what the window no longer keeps, and returns the new version. All of
// it is one write: it happens as a whole or, with an error, not at all. If
// somebody else has written in the meantime, the error is a *ConflictError.
//
// Messages that belong together, as a call and its result, are added together:
// then there is no moment at which only one of them is kept.
//
// System messages do not pile up. A new one takes the place of all that are
// kept and stands in front; if all that are added are kept already, they change
// nothing.
//
// No messages are ErrNoMessages. A message that says nothing (see IsEmpty), or
// that cannot be kept, is a *MessageError.
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

// Clear forgets a conversation. One that is not known is no error.
func (m *Memory) Clear(ctx context.Context, id string) error {
	if id == "" {
		return ErrNoConversation
	}
	return m.repo.Delete(ctx, id)
}

// Lock waits until no other turn of this Memory has the conversation, and
// returns what ends the turn. Turns that take it before they Get and end it
// after their last Add never conflict with each other; with another process they
// still may. Waiting ends with the cause of ctx when it is done. Calling unlock
// again does nothing.
func (m *Memory) Lock(ctx context.Context, id string) (unlock func(), err error) {
	if id == "" {
		return nil, ErrNoConversation
	}
	return m.turns.lock(ctx, id)
}
