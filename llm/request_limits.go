package llm

import "fmt"

// RequestLimits bound what a request may be made of. A part of three bytes
// becomes a Block of some two hundred, so that the size of a body alone does not
// bound what reading it costs. A limit that is zero is the default.
type RequestLimits struct {
	// Messages is the most messages; in dialects whose history is a flat list,
	// the most items.
	Messages int
	// Parts is the most blocks of all messages and of the instructions: parts of
	// contents, calls, results and the parts of results.
	Parts int
	// Tools is the most declared tools.
	Tools int
}

// The defaults of RequestLimits. Conversations of agents have some thousand
// messages and parts, and some hundred tools, at most.
const (
	DefaultMaxMessages = 10_000
	DefaultMaxParts    = 20_000
	DefaultMaxTools    = 5_000
)

// MaxMembers is the most members of one object of a request where they are
// looked at one by one: of the body itself, of a message, a part or a tool.
// Arguments, schemas and what tools returned may have more.
const MaxMembers = 1_000

// WithDefaults returns the limits with the defaults where there is none.
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

// RequestLimitError is the cause of a RequestError for a request that is made of
// too much.
type RequestLimitError struct {
	// What there is too much of: messages, parts, tools or members.
	What  string
	Limit int
}

// Error says what there is too much of.
func (e *RequestLimitError) Error() string {
	return fmt.Sprintf("the request has more than %d %s", e.Limit, e.What)
}
