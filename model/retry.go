package model

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/stream"
)

// firstError is a retryable error that the provider reported before anything else. To
// everyone but the retry it is the provider's error.
type firstError struct{ err *stream.ProviderError }

func (e *firstError) Error() string { return e.err.Error() }

func (e *firstError) Unwrap() error { return e.err }

// pause reports whether a failed attempt may be retried, and after which pause: a
// random one that grows (full jitter), so that many clients do not come back at once,
// or a random moment more than the provider asks for.
func (r Retry) pause(attempt int, err error) (time.Duration, bool) {
	if status, ok := errors.AsType[*StatusError](err); ok {
		switch {
		case !status.Retryable():
			return 0, false
		case status.RetryAfter > 0:
			return status.RetryAfter + r.backoff(0), status.RetryAfter <= r.MaxWait
		}
		return r.backoff(attempt), true
	}
	_, connection := errors.AsType[*ConnectionError](err)
	_, reported := errors.AsType[*firstError](err)
	if connection || reported || errors.Is(err, stream.ErrIncomplete) {
		return r.backoff(attempt), true
	}
	return 0, false
}

func (r Retry) backoff(attempt int) time.Duration {
	most := r.Base
	for range attempt {
		if most >= r.Cap/2 {
			most = r.Cap
			break
		}
		most *= 2
	}
	most = min(most, r.Cap)
	if most <= 0 {
		return 0
	}
	return rand.N(most) //nolint:gosec // jitter is no secret
}

// isRetryable reports whether an error that a provider reported inside an answer may be
// temporary.
func isRetryable(e *stream.ProviderError) bool {
	if status, err := strconv.Atoi(e.Code); err == nil && isRetryableStatus(status) {
		return true
	}
	for _, word := range []string{e.Type, e.Code} {
		switch strings.ToLower(word) {
		case "overloaded_error", "overloaded", "api_error", "rate_limit_error", "timeout_error", "server_error",
			"rate_limit_exceeded", "internal_server_error", "service_unavailable",
			"resource_exhausted", "unavailable", "internal", "deadline_exceeded":
			return true
		}
	}
	return false
}
