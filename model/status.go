package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/stream"
)

// maxErrorBody is the most that is read of a body that tells an error.
const maxErrorBody = 1 << 20

// keptErrorBody is how much of a body that is no error of an API is kept.
const keptErrorBody = 4 << 10

// refused turns an answer that is not 2xx into a *StatusError. If the error
// itself cannot be read in time, the status is still told.
func (c *call) refused(ctx context.Context, res *http.Response, watch *watch) error {
	body, err := io.ReadAll(io.LimitReader(watch, maxErrorBody))
	if err != nil && len(body) == 0 {
		if timeout, ok := errors.AsType[*TimeoutError](context.Cause(ctx)); ok {
			return timeout
		}
	}
	e := &StatusError{
		Status: res.StatusCode, Host: c.base.Host, Provider: providerError(body),
		RetryAfter:  retryAfter(res.Header, time.Now()),
		contentType: res.Header.Get("Content-Type"),
		shouldRetry: res.Header.Get("X-Should-Retry"),
	}
	for _, name := range []string{"Request-Id", "X-Request-Id", "Apim-Request-Id", "X-Goog-Request-Id"} {
		if e.RequestID == "" {
			e.RequestID = res.Header.Get(name)
		}
	}
	return e
}

// retryAfter reads how long the provider asks to wait.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// seconds converts without overflow; a year is as good as for ever.
func seconds(s float64) time.Duration {
	const year = 365 * 24 * time.Hour
	if !(s < year.Seconds()) {
		return year
	}
	return time.Duration(s * float64(time.Second))
}

// providerError reads the errors of all dialects and of the proxies before
// them: {"error":{…}}, [{"error":{…}}], {"error":"…"}, {"message":"…"},
// {"detail":"…"}.
func providerError(body []byte) *stream.ProviderError {
	e := &stream.ProviderError{Raw: bytes.Clone(body[:min(len(body), keptErrorBody)])}
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
	if len(raw) <= maxErrorBody {
		e.Raw = bytes.Clone(raw)
	}
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

// word returns a string or a number as text, cut to what people read.
func word(raw json.RawMessage) string {
	const most = 2000
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var number json.Number
		if json.Unmarshal(raw, &number) != nil {
			return ""
		}
		text = number.String()
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
