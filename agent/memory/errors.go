package memory

import (
	"errors"
	"fmt"
)

// ErrNoConversation is returned for a call without a conversation id. There is
// no default: programs that share one by accident would read each other's
// messages.
var ErrNoConversation = errors.New("memory: no conversation id: give each conversation an id of its own")

// MessageError is a message that cannot be stored. Nothing was written.
type MessageError struct {
	// Message and Block are indexes; Block is -1 if it is the whole message.
	Message, Block int
	Err            error
}

// Error says which message it is and why.
func (e *MessageError) Error() string {
	if e.Block < 0 {
		return fmt.Sprintf("memory: message %d cannot be kept: %v", e.Message, e.Err)
	}
	return fmt.Sprintf("memory: message %d, block %d cannot be kept: %v", e.Message, e.Block, e.Err)
}

// Unwrap returns the cause.
func (e *MessageError) Unwrap() error { return e.Err }
