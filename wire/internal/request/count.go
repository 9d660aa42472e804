package request

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Kind is what is counted.
type Kind uint8

// The kinds of what a request is made of.
const (
	Messages Kind = iota
	Parts
	Tools
	kinds
)

// Count counts what a request is made of while it is read, before any of it takes
// memory. The zero value counts within the default limits.
type Count struct {
	Limits llm.RequestLimits
	seen   [kinds]int
	ahead  [kinds]int
}

// One counts one more. The error is a *llm.RequestLimitError.
func (c *Count) One(k Kind) error {
	c.seen[k]++
	return c.within(k, 0)
}

// within says whether there may be n more.
func (c *Count) within(k Kind, n int) error {
	limits := c.Limits.WithDefaults()
	limit := [kinds]int{limits.Messages, limits.Parts, limits.Tools}[k]
	if c.seen[k]+n > limit {
		return &llm.RequestLimitError{What: [kinds]string{"messages", "parts", "tools"}[k], Limit: limit}
	}
	return nil
}

// Many is after how many elements of a list it is worth to look ahead.
const Many = 256

// Ahead looks how long the rest of a list is, before it takes memory. The cursor of
// s is on an element; s is a copy, so that it stays there.
func (c *Count) Ahead(k Kind, s jsonscan.Scanner) error {
	n := 1
	for s.Skip(); s.Elem(); s.Skip() {
		n++
	}
	c.ahead[k] = n
	return c.within(k, n)
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

// Append is append for lists that may become long: they take what Ahead has seen, or
// twice as much as before, where append would copy them again and again.
func Append[T any](c *Count, k Kind, list []T, value T) []T {
	if n := len(list); n == cap(list) && n >= Many {
		list = slices.Grow(list, max(n, c.ahead[k]))
	}
	return append(list, value)
}
