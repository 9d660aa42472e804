package request

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// Kind is the kind of thing that is counted.
type Kind uint8

// The kinds of things in a request.
const (
	Messages Kind = iota
	Parts
	Tools
	kinds
)

// Count counts the parts of a request while it is read, before they take memory. The
// zero value uses the default limits.
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

// within checks whether n more are allowed.
func (c *Count) within(k Kind, n int) error {
	limits := c.Limits.WithDefaults()
	limit := [kinds]int{limits.Messages, limits.Parts, limits.Tools}[k]
	if c.seen[k]+n > limit {
		return &llm.RequestLimitError{What: [kinds]string{"messages", "parts", "tools"}[k], Limit: limit}
	}
	return nil
}

// Many is the number of list elements from which on looking ahead pays off.
const Many = 256

// Ahead counts the rest of a list before it takes memory. The cursor of s is on an
// element; s is a copy, so the caller's cursor does not move.
func (c *Count) Ahead(k Kind, s jsonscan.Scanner) error {
	n := 1
	for s.Skip(); s.Elem(); s.Skip() {
		n++
	}
	c.ahead[k] = n
	return c.within(k, n)
}

// Members checks whether an object may have n members.
func Members(n int) error {
	if n > llm.MaxMembers {
		return &llm.RequestLimitError{What: "members in one object", Limit: llm.MaxMembers}
	}
	return nil
}

// TooMuch returns the error of a request that exceeds a limit.
func TooMuch(dialect string, at int, cause error) *llm.RequestError {
	return &llm.RequestError{Dialect: dialect, Reason: "it is made of too much", Offset: at, Err: cause}
}

// Append is append for lists that may become long: it grows to the length that Ahead
// counted, or doubles, where append would copy more often.
func Append[T any](c *Count, k Kind, list []T, value T) []T {
	if n := len(list); n == cap(list) && n >= Many {
		list = slices.Grow(list, max(n, c.ahead[k]))
	}
	return append(list, value)
}
