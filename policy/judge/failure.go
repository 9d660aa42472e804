package judge

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/policy/internal/decisions"
	"github.com/sluice-project/sluice/stream"
)

// classify marks the failures that may be temporary: a busy provider, a broken
// connection, an answer that cannot be parsed.
func classify(err error) error {
	if status, ok := errors.AsType[*model.StatusError](err); ok {
		if status.Retryable() && status.Status != 401 && status.Status != 403 {
			return decisions.RetryLater(err, status.RetryAfter)
		}
		return err
	}
	if answer, ok := errors.AsType[*AnswerError](err); ok {
		if answer.lasting {
			return err
		}
		return decisions.RetryNow(err)
	}
	if reported, ok := errors.AsType[*stream.ProviderError](err); ok {
		if isLasting(reported) {
			return err
		}
		return decisions.RetryLater(err, 0)
	}
	if _, ok := errors.AsType[*model.TimeoutError](err); ok {
		return decisions.RetryNow(err)
	}
	if _, ok := errors.AsType[*stream.ProtocolError](err); ok {
		return decisions.RetryNow(err)
	}
	if _, ok := errors.AsType[*model.ContentError](err); ok {
		return decisions.RetryNow(err)
	}
	_, connection := errors.AsType[*model.ConnectionError](err)
	_, network := errors.AsType[net.Error](err)
	if connection || network || errors.Is(err, io.ErrUnexpectedEOF) {
		return decisions.RetryLater(err, 0)
	}
	return err
}

// isLasting reports whether an error in an answer is about the key or the
// request, which do not change.
func isLasting(e *stream.ProviderError) bool {
	word := strings.ToLower(e.Type + " " + e.Code)
	for _, part := range []string{"auth", "permission", "forbidden", "invalid", "not_found", "billing", "quota", "401", "403"} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}
