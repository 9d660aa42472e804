package mcp

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
)

// guarded is the HTTP client for a server: it adds the headers to requests to
// the server's own address only, and bounds the size of answers.
func guarded(server *Server) *http.Client {
	client := &http.Client{}
	if server.HTTPClient != nil {
		c := *server.HTTPClient
		client = &c
	}
	next := client.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	home, err := url.Parse(server.URL)
	if err != nil {
		home = &url.URL{}
	}
	client.Transport = &guard{next: next, home: home, headers: server.Headers}
	return client
}

type guard struct {
	next    http.RoundTripper
	home    *url.URL
	headers http.Header
}

// RoundTrip sends a request.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if len(g.headers) > 0 && req.URL.Scheme == g.home.Scheme && req.URL.Host == g.home.Host {
		req = req.Clone(req.Context())
		for name, values := range g.headers {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	// A stream may be long; its events are bounded where they are read.
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		resp.Body = &bounded{ReadCloser: resp.Body, left: largestMessage}
	}
	return resp, nil
}

// errTooLarge is the error of an answer that is too large.
var errTooLarge = errors.New("the answer exceeds the maximum message size")

type bounded struct {
	io.ReadCloser
	left int
}

// Read reads up to the limit.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
