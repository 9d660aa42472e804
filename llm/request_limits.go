package llm

import "fmt"

// RequestLimits bound the number of parts of a request. A part of three bytes becomes a
// Block of about two hundred, so the size of a body alone does not bound the memory
// needed to read it. Zero means the default.
type RequestLimits struct {
	// Messages is the maximum number of messages; of items, in dialects whose history
	// is a flat list.
	Messages int
	// Parts is the maximum number of blocks in all messages and instructions: content
	// parts, calls, results and the parts of results.
	Parts int
	// Tools is the maximum number of declared tools.
	Tools int
}

// The defaults of RequestLimits. Agent conversations have at most a few thousand
// messages and parts, and a few hundred tools.
const (
	DefaultMaxMessages = 10_000
	DefaultMaxParts    = 20_000
	DefaultMaxTools    = 5_000
)

// MaxMembers is the maximum number of members of a request object whose members are
// read one by one: the body itself, a message, a part or a tool. Arguments, schemas and
// tool results may have more.
const MaxMembers = 1_000

// WithDefaults returns the limits with zero fields set to the defaults.
func (l RequestLimits) WithDefaults() RequestLimits {
	if l.Messages <= 0 {
		l.Messages = DefaultMaxMessages
	}
	if l.Parts <= 0 {
		l.Parts = DefaultMaxParts
	}
	if l.Tools <= 0 {
		l.Tools = DefaultMaxTools
	}
	return l
}

// RequestLimitError is the cause of a RequestError for a request that exceeds one of
// the limits.
type RequestLimitError struct {
	// What exceeds its limit: messages, parts, tools or members.
	What  string
	Limit int
}

// Error says which limit was exceeded.
func (e *RequestLimitError) Error() string {
	return fmt.Sprintf("the request has more than %d %s", e.Limit, e.What)
}
