package sdk

import (
	"bytes"
	"io"
	"net/http"
)

// served is a transport that answers every request with the same event stream.
// The clients run whole, request included, but no network is involved.
type served []byte

// RoundTrip answers with the stream.
func (s served) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return nil, err
		}
		if err := req.Body.Close(); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		Status:        "200 OK",
		StatusCode:    http.StatusOK,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        http.Header{"Content-Type": {"text/event-stream"}},
		Body:          io.NopCloser(bytes.NewReader(s)),
		ContentLength: -1,
		Request:       req,
	}, nil
}

// client returns an HTTP client whose every answer is the stream.
func (s served) client() *http.Client { return &http.Client{Transport: s} }
