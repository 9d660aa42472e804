package decisions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/policy"
)

// TimeoutError means that no answer came in time. It matches
// context.DeadlineExceeded.
type TimeoutError struct {
	// After is the time that passed.
	After time.Duration
	// Last is the error of the previous attempt, nil if there was none.
	Last error
}

// Error says how long was waited and what went wrong before.
func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("no answer within %s", e.After.Round(time.Millisecond))
	if e.Last != nil {
		text += fmt.Sprintf(" (an attempt before it failed: %v)", e.Last)
	}
	return text
}

// Unwrap returns context.DeadlineExceeded and the earlier error.
func (e *TimeoutError) Unwrap() []error {
	if e.Last == nil {
		return []error{context.DeadlineExceeded}
	}
	return []error{context.DeadlineExceeded, e.Last}
}

// PanicError means that a question panicked.
type PanicError struct {
	// Value is what it panicked with.
	Value any
	// Stack is where, empty if it ended its goroutine instead.
	Stack []byte
}

// Error includes the value.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Failure returns the verdict of a policy that could not decide: none, so that
// the policy's on_error applies.
func Failure(err error) policy.Verdict {
	v := policy.Verdict{Err: err, Cause: policy.CauseError}
	if _, panicked := errors.AsType[*PanicError](err); panicked {
		v.Cause = policy.CausePanic
	} else if errors.Is(err, context.DeadlineExceeded) {
		v.Cause = policy.CauseTimeout
	}
	return v
}
