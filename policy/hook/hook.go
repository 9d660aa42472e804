package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/sluice-project/sluice/internal/plain"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 64 << 10

// Hook asks an endpoint about blocks. It is safe for concurrent use and needs no
// closing.
type Hook struct {
	cfg    Config
	host   string
	url    string
	client *http.Client
	asker  *decisions.Asker[answer]
}

// Judge asks the endpoint about a block and waits for the answer, until ctx is
// done or Config.Timeout is over. A failure is a verdict without an action,
// with Err and Cause set.
func (h *Hook) Judge(ctx context.Context, s *policy.Subject) policy.Verdict {
	q, key, err := h.questionOf(s, s.Before())
	if err != nil {
		return h.failure(err)
	}
	var body []byte // made once, by the first attempt: attempts are sequential
	found, err := h.asker.Ask(ctx, key, func(ctx context.Context) (answer, error) {
		if body == nil {
			made, err := q.body()
			if err != nil {
				return answer{}, err
			}
			body = made
		}
		return h.ask(ctx, body)
	})
	if err != nil {
		return h.failure(err)
	}
	return h.verdict(found)
}

// plainly is an error in plain words: without the names of network functions.
type plainly struct{ error }

func (e plainly) Error() string { return plain.Error(e.error) }
func (e plainly) Unwrap() error { return e.error }

func (h *Hook) failure(err error) policy.Verdict {
	return decisions.Failure(fmt.Errorf("hook %s at %s: %w", h.cfg.Name, h.host, plainly{err}))
}

func (h *Hook) verdict(found decisions.Answer[answer]) policy.Verdict {
	a := found.Value
	v := policy.Verdict{Action: a.action, Reason: a.reason}
	v.Notes = append(v.Notes, a.notes...)
	if v.Action == policy.Block {
		v.Action = h.cfg.Then
	}
	if v.Reason == "" && !v.Action.Passes() {
		v.Reason = fmt.Sprintf("the hook %s decided %q and gave no reason", h.cfg.Name, v.Action)
	}
	switch found.Source {
	case decisions.Remembered:
		v.Notes = append(v.Notes, "remembered")
	case decisions.Shared:
		v.Notes = append(v.Notes, "shared with the same question")
	case decisions.Asked:
		if found.Attempts > 1 {
			v.Notes = append(v.Notes, fmt.Sprintf("attempts: %d", found.Attempts))
		}
	}
	return v
}

// ask makes one attempt.
func (h *Hook) ask(ctx context.Context, body []byte) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return answer{}, errors.New("the request cannot be made: check URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "sluice-hook/"+strconv.Itoa(Version))
	if h.cfg.Secret != "" {
		req.Header.Set(SignatureHeader, Sign(h.cfg.Secret, body, h.cfg.Now()))
	}
	res, err := h.client.Do(req)
	if err != nil {
		return answer{}, decisions.RetryLater(withoutURL(err), 0)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case res.StatusCode != http.StatusOK:
		return answer{}, refused(res, h.cfg.Now())
	case err != nil:
		return answer{}, decisions.RetryLater(fmt.Errorf("the answer broke off: %w", withoutURL(err)), 0)
	case len(text) > maxAnswer:
		return answer{}, &AnswerError{Reason: fmt.Sprintf("it is longer than %d bytes", maxAnswer)}
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return answer{}, unusable("its content type is not application/json", string(text))
	}
	return readAnswer(text)
}

// withoutURL removes the URL from an error: it may contain a token.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// StatusError is an answer whose status is not 200.
type StatusError struct {
	Status int
}

// Error includes the status and what to do about it.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("the endpoint answered %d", e.Status)
	if name := http.StatusText(e.Status); name != "" {
		text += " " + name
	}
	switch {
	case e.Status >= 300 && e.Status < 400:
		text += "; redirects are not followed: set URL to the final address"
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		text += "; check Secret"
	case e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed:
		text += "; check URL"
	}
	return text
}

// refused marks the statuses that may be temporary.
func refused(res *http.Response, now time.Time) error {
	err := &StatusError{Status: res.StatusCode}
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode < 500 {
		return err
	}
	return decisions.RetryLater(err, retryAfter(res.Header.Get("Retry-After"), now))
}

// retryAfter parses how long the endpoint asks to wait, 0 if it does not.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
