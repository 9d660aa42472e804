package rule

import (
	"errors"

	"github.com/sluice-project/sluice/policy/internal/advice"
)

// Error says why an expression is rejected. Line and Column are positions in
// the expression's source, counted from 1; columns count characters.
type Error = advice.Error

// UnknownError says that a value depends on something that is not known.
type UnknownError struct {
	// What names the unknown attributes, such as "session.cwd".
	What string
}

// Error names what is not known.
func (e *UnknownError) Error() string { return "not known: " + e.What }

var (
	// ErrCost is returned when an evaluation costs more than is allowed, as
	// when a list or a text is very long.
	ErrCost = errors.New("rule: the evaluation costs too much")
	// ErrMissingKey is returned when a value uses a key that a map does not
	// have, or an element of a list that is shorter. What a condition asks of it is false.
	ErrMissingKey = errors.New("rule: no such key")
)
