package model

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/stream"
)

const (
	// maxErrorBody is the maximum number of bytes read from an error body, and
	// errorBodyTime how long to wait for them: the status alone says enough.
	maxErrorBody  = 1 << 20
	errorBodyTime = 5 * time.Second
	// maxErrorKept is how much of the provider's original error is kept.
	maxErrorKept = 8 << 10
)

// refused turns a non-2xx response into a *StatusError, however much of its body can be
// read.
func (c *call) refused(res *http.Response, watch *watch) error {
	body, _ := io.ReadAll(watch.rest(maxErrorBody, errorBodyTime))
	watch.stop()
	e := &StatusError{
		Status: res.StatusCode, Host: c.base.Host, Provider: c.secrets.reported(providerError(body)),
		RetryAfter:  retryAfter(res.Header, time.Now()),
		contentType: c.secrets.tell(res.Header.Get("Content-Type"), maxName),
		shouldRetry: strings.TrimSpace(res.Header.Get("X-Should-Retry")),
	}
	for _, name := range []string{"Request-Id", "X-Request-Id", "Apim-Request-Id", "X-Goog-Request-Id"} {
		if e.RequestID == "" {
			e.RequestID = c.secrets.tell(res.Header.Get(name), maxName)
		}
	}
	return e
}

// retryAfter reads the delay that the provider asks for.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return seconds(max(0, at.Sub(now)).Seconds())
	}
	return 0
}

// seconds converts without overflow; a year is as good as forever.
func seconds(s float64) time.Duration {
	const year = 365 * 24 * time.Hour
	if !(s < year.Seconds()) {
		return year
	}
	return time.Duration(s * float64(time.Second))
}

// providerError reads the errors of all dialects and of proxies in front of them:
// {"error":{…}}, [{"error":{…}}], {"error":"…"}, {"message":"…"}, {"detail":"…"}. The
// result borrows body.
func providerError(body []byte) *stream.ProviderError {
	e := &stream.ProviderError{Raw: body}
	top := bytes.TrimSpace(body)
	if len(top) > 0 && top[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(top, &list) == nil && len(list) > 0 {
			top = list[0]
		}
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(top, &object) != nil {
		return e
	}
	raw := top
	if inner, ok := object["error"]; ok {
		var nested map[string]json.RawMessage
		if json.Unmarshal(inner, &nested) == nil && nested != nil {
			object, raw = nested, inner
		} else {
			e.Message = word(inner)
		}
	}
	e.Raw = raw
	e.Type = firstWord(object, "type", "status")
	e.Code = firstWord(object, "code")
	if e.Message == "" {
		e.Message = firstWord(object, "message", "detail")
	}
	if e.Type == "error" {
		e.Type = ""
	}
	return e
}

func firstWord(object map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		if text := word(object[name]); text != "" {
			return text
		}
	}
	return ""
}

// word returns a string or a number as text.
func word(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}
