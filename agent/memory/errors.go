package memory

import (
	"errors"
	"fmt"
)

// ErrNoConversation is a call without the id of a conversation. There is no
// default: whoever shares one by accident reads what others said.
var ErrNoConversation = errors.New("memory: no conversation id: name the conversation, one id for each")

// MessageError is a message that cannot be kept. Nothing was written.
type MessageError struct {
	// Message and Block count from 0; Block is -1 if it is the whole message.
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
