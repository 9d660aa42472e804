package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// upstream is the address of a provider.
type upstream struct {
	provider provider
	base     *url.URL
	// versioned: the base ends in a version of its own, which replaces the one
	// in the path of a request.
	versioned bool
	key       string
	from      string // where it was set, for people
}

// version matches a path that ends in a version, such as /api/paas/v4.
var version = regexp.MustCompile(`/v\d+[a-z0-9]*$`)

func newUpstream(p provider, u *Upstream) (*upstream, error) {
	base, err := u.base(p)
	if err != nil {
		return nil, err
	}
	return &upstream{provider: p, base: base, versioned: version.MatchString(base.Path), key: u.Key, from: u.From}, nil
}

// url returns where a request for a path goes.
func (u *upstream) url(path, query string) *url.URL {
	if u.versioned {
		if first, rest, ok := strings.Cut(path[1:], "/"); ok && version.MatchString("/"+first) {
			path = "/" + rest
		}
	}
	to := *u.base
	to.RawPath = u.base.Path + path
	if plain, err := url.PathUnescape(to.RawPath); err == nil {
		to.Path = plain
	} else {
		to.Path = to.RawPath
	}
	to.RawQuery = query
	return &to
}

// NewTransport returns a transport for streams of answers: HTTP/2 with health
// pings if the upstream speaks it, pooled connections, no decoding, and no time
// limits, which the gateway enforces itself.
func NewTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           aheadOf(dialer.DialContext),
		ForceAttemptHTTP2:     true,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		MaxIdleConns:          1024,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true,
		ReadBufferSize:        2 << 10, // fast streams are read ahead
	}
}

// asked is a request to an upstream.
type asked struct {
	to     *upstream
	method string
	url    *url.URL
	header http.Header
	body   []byte
}

// send sends a request. The body is in memory, so an upstream may answer before it
// has read all of it, and a pooled connection that was closed can be replaced.
func (g *Gateway) send(ctx context.Context, a *asked) (*http.Response, error) {
	res, err := g.attempt(ctx, a)
	if err != nil && g.config.Failure.RetryUpstream && ctx.Err() == nil && notConnected(err) {
		res, err = g.attempt(ctx, a)
	}
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, &unreachableError{provider: a.to.provider, host: a.to.base.Host, from: a.to.from, err: err}
	}
	return res, nil
}

func (g *Gateway) attempt(ctx context.Context, a *asked) (*http.Response, error) {
	req := http.Request{
		Method: a.method, URL: a.url, Host: a.url.Host, Header: a.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	switch {
	case len(a.body) > 0:
		req.ContentLength = int64(len(a.body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(a.body)), nil }
		req.Body, _ = req.GetBody()
	case a.method == http.MethodPost || a.method == http.MethodPut:
		req.Body = http.NoBody // sends Content-Length: 0
	}
	if _, said := a.header["X-Idempotency-Key"]; !said {
		// Without a value it is not sent. It lets the transport retry on a new
		// connection when a pooled one turns out to have been closed before a
		// byte of the answer arrived, as upstreams do with idle ones.
		a.header["X-Idempotency-Key"] = unsent
	}
	return g.transport.RoundTrip(req.WithContext(ctx))
}

// notConnected reports whether it is certain that nothing reached the upstream.
func notConnected(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// unreachableError means that the upstream could not be reached.
type unreachableError struct {
	provider provider
	host     string
	from     string
	err      error
}

// Error says what happened and what to do, for clients: the cause may reveal
// more about the network than they should know.
func (e *unreachableError) Error() string {
	return fmt.Sprintf("the upstream %s at %s cannot be reached: %s", e.provider, e.host, e.why())
}

func (e *unreachableError) why() string {
	if dns, ok := errors.AsType[*net.DNSError](e.err); ok {
		if dns.IsNotFound {
			return "there is no host of that name; check " + e.setting() + " and the network"
		}
		return "its name cannot be looked up; check the network"
	}
	switch {
	case errors.Is(e.err, syscall.ECONNREFUSED):
		return "the connection was refused; check that it runs and that " + e.setting() + " names its port"
	case errors.Is(e.err, context.DeadlineExceeded) || isTimeout(e.err):
		return "it did not answer in time"
	case strings.Contains(e.err.Error(), "tls") || strings.Contains(e.err.Error(), "x509"):
		return "no secure connection could be made: its certificate is not trusted here, or it does not speak TLS"
	case errors.Is(e.err, io.EOF) || errors.Is(e.err, syscall.ECONNRESET):
		return "it closed the connection without an answer"
	}
	return "the connection failed; see the gateway's log"
}

// setting is what named the address.
func (e *unreachableError) setting() string {
	if e.from == "" {
		return "--upstream-" + e.provider.String()
	}
	return "upstreams." + e.provider.String() + ".url (" + e.from + ")"
}

// Unwrap returns the cause.
func (e *unreachableError) Unwrap() error { return e.err }

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
