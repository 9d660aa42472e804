package model_test

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
)

func TestErrorsSayWhatToDoNext(t *testing.T) {
	for want, err := range map[string]error{
		"model: the answer stalled (5m0s): raise Timeouts.Idle if the model needs longer":                                     &model.TimeoutError{Phase: model.PhaseIdle, After: 5 * time.Minute},
		"model: the first byte of the answer did not arrive in time (1s): raise Timeouts.FirstByte if the model needs longer": &model.TimeoutError{Phase: model.PhaseFirstByte, After: time.Second},
		"model: the answer took too long as a whole (1s): raise Timeouts.Total if the model needs longer":                     &model.TimeoutError{Phase: model.PhaseTotal, After: time.Second},
		"model: h answered 401 Unauthorized: t: m (request r); check the API key":                                             &model.StatusError{Status: 401, Host: "h", RequestID: "r", Provider: &stream.ProviderError{Type: "t", Message: "m"}},
		"model: h answered 404 Not Found: c; check BaseURL and the name of the model":                                         &model.StatusError{Status: 404, Host: "h", Provider: &stream.ProviderError{Code: "c"}},
		"model: h answered 529": &model.StatusError{Status: 529, Host: "h"},
		"model: no answer from h: EOF; check BaseURL and the network":                         &model.ConnectionError{Host: "h", Err: io.EOF},
		"model: the connection to h broke in the middle of the answer: EOF":                   &model.ConnectionError{Host: "h", Err: io.EOF, Cut: true},
		`model: h sent "text/html" instead of an event stream; check BaseURL and Format: EOF`: &model.ContentError{Host: "h", ContentType: "text/html", Err: io.EOF},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if err := (&model.StatusError{Status: 529}); errors.Unwrap(err) != nil || !err.Retryable() {
		t.Error("a status without a body")
	}
}
