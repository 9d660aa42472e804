package request

import (
	"slices"

	"github.com/sluice-project/sluice/llm"
)

// Count counts what a request is made of while it is read, before any of it takes
// memory. The zero value counts within the default limits.
type Count struct {
	Limits                 llm.RequestLimits
	messages, parts, tools int
}

// Message counts one more message. The error is a *llm.RequestLimitError, as of
// the other methods.
func (c *Count) Message() error {
	return one(&c.messages, c.Limits.WithDefaults().Messages, "messages")
}

// Part counts one more block.
func (c *Count) Part() error { return one(&c.parts, c.Limits.WithDefaults().Parts, "parts") }

// Tool counts one more declared tool.
func (c *Count) Tool() error { return one(&c.tools, c.Limits.WithDefaults().Tools, "tools") }

func one(count *int, limit int, what string) error {
	if *count >= limit {
		return &llm.RequestLimitError{What: what, Limit: limit}
	}
	*count++
	return nil
}

// Members says whether an object may have n members.
func Members(n int) error {
	if n > llm.MaxMembers {
		return &llm.RequestLimitError{What: "members in one object", Limit: llm.MaxMembers}
	}
	return nil
}

// TooMuch is the error of a request that is over a limit.
func TooMuch(dialect string, at int, cause error) *llm.RequestError {
	return &llm.RequestError{Dialect: dialect, Reason: "it is made of too much", Offset: at, Err: cause}
}

// Append is append for lists that may become long: it doubles what they take, where
// append would copy them again and again.
func Append[T any](list []T, value T) []T {
	if len(list) == cap(list) && len(list) > 0 {
		list = slices.Grow(list, len(list))
	}
	return append(list, value)
}
