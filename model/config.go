package model

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/wire"
)

// Config says which model to call, where, and with which timeouts. Format is required,
// and Model unless every request names its own; the rest has defaults.
type Config struct {
	// Format is the dialect that the endpoint speaks.
	Format wire.Format
	// BaseURL is where the API is: https://api.groq.com/openai/v1. A path
	// without a version gets the dialect's (v1, v1beta); one that ends with the
	// endpoint itself (/chat/completions) is taken as it is. Empty means the
	// provider that the dialect belongs to.
	BaseURL string
	// APIKey is the key. If it is empty, the host is the provider's own and
	// Headers bring no credential, it is read from the environment:
	// OPENAI_API_KEY, ANTHROPIC_API_KEY, or GEMINI_API_KEY and then
	// GOOGLE_API_KEY. A key from the environment is never sent to any other
	// host; there, no key means a request without one.
	APIKey string `json:"-"`
	// Model is used when a request names none.
	Model string
	// HTTPClient makes the requests, nil for one with Go's defaults: it goes
	// through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name (one
	// for http:// sees the key; localhost is never asked through one) and
	// shares its connections with the rest of the program. For another choice
	// set its Transport. It is copied: redirects are followed only on the same
	// host, whatever it says. Leave its Timeout at 0: it would end answers
	// with a *ConnectionError.
	HTTPClient *http.Client
	// Headers are sent with every request and override those that Sluice sets:
	// anthropic-beta, OpenAI-Organization, api-key.
	Headers http.Header `json:"-"`
	// Timeouts bound how long an answer may take.
	Timeouts Timeouts
	// Retry configures retries.
	Retry Retry
	// Limits bound the memory that an answer may take.
	Limits Limits
}

// Timeouts bound how long an answer may take. Zero means the default, negative
// means never.
type Timeouts struct {
	// FirstByte is the time from sending the request to the first byte of the
	// body, for each attempt. Default 10 minutes: large prompts are read first.
	FirstByte time.Duration
	// Idle is how long the body may stay silent while it is being read; what
	// the consumer does in between does not count. Default 5 minutes.
	Idle time.Duration
	// Total bounds everything, from the first attempt to the last event.
	// Default 60 minutes.
	Total time.Duration
}

// Retry configures how often a request is retried, which happens only before the first
// event was yielded, and only if the pause leaves time for it. An answer that exceeded
// one of the Timeouts is not retried. Zero fields mean the defaults.
type Retry struct {
	// Max is the number of attempts after the first. Default 2, negative for
	// none.
	Max int
	// Base and Cap bound the pause: it is random between nothing and Base
	// doubled with each attempt, at most Cap. Defaults 500 ms and 8 s.
	Base, Cap time.Duration
	// MaxWait is the longest pause that the provider may ask for; a longer one is
	// returned as an error instead. Default 60 s, negative for none.
	MaxWait time.Duration
}

// Limits bound what the reader of an answer must keep in memory. Zero fields mean the
// defaults.
type Limits struct {
	// Payload is the maximum size of one payload in bytes. Default 16 MiB.
	Payload int
	// Answer is the maximum size of an answer's body in bytes. Default 256 MiB.
	Answer int
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		FirstByte: orDuration(t.FirstByte, 10*time.Minute),
		Idle:      orDuration(t.Idle, 5*time.Minute),
		Total:     orDuration(t.Total, 60*time.Minute),
	}
}

func (r Retry) withDefaults() Retry {
	if r.Max == 0 {
		r.Max = 2
	}
	r.Base = orDuration(r.Base, 500*time.Millisecond)
	r.Cap = orDuration(r.Cap, 8*time.Second)
	r.MaxWait = orDuration(r.MaxWait, time.Minute)
	return r
}

func (l Limits) withDefaults() Limits {
	if l.Payload <= 0 {
		l.Payload = 16 << 20
	}
	if l.Answer <= 0 {
		l.Answer = 256 << 20
	}
	return l
}

func orDuration(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// String identifies the model without its key.
func (c Config) String() string {
	host := "its provider"
	if u, err := url.Parse(c.BaseURL); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Sprintf("%s (%s) at %s", c.Model, c.Format, host)
}

// GoString is String: a dump must not show the key.
func (c Config) GoString() string { return c.String() }

// New returns a model behind an HTTP API. It makes no request. The error says which
// field of the Config is invalid.
func New(cfg Config) (*Provider, error) {
	d, ok := dialectOf(cfg.Format)
	if !ok {
		return nil, fmt.Errorf("model: Format is %q: use one of %s", cfg.Format, wire.Names())
	}
	base := cfg.BaseURL
	if base == "" {
		base = d.home
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return nil, errors.New("model: BaseURL is not a URL: use one like " + d.home)
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return nil, fmt.Errorf("model: BaseURL must begin with https:// or http:// and name a host, like %s", d.home)
	case u.User != nil:
		return nil, errors.New("model: BaseURL has a user in it: put the key into APIKey, because URLs end up in logs")
	case u.Scheme == "http" && strings.EqualFold(u.Hostname(), d.host):
		return nil, fmt.Errorf("model: BaseURL must begin with https:// for %s: the key would go in the clear", d.host)
	}
	u.Fragment = ""
	headers, key := canonical(cfg.Headers), cfg.APIKey
	if key == "" && d.owns(u) && !authorized(headers) {
		if key = keyFrom(os.Getenv, d.variables); key == "" {
			return nil, fmt.Errorf("model: no API key for %s: set APIKey or %s", d.host, strings.Join(d.variables, " or "))
		}
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("model: the API key has a character that is not allowed in a header: check for a line break or a space")
	}
	p := &Provider{
		format: cfg.Format, dialect: d, base: u, secrets: newSecrets(key, headers, u), model: cfg.Model,
		timeouts: cfg.Timeouts.withDefaults(), retry: cfg.Retry.withDefaults(), limits: cfg.Limits.withDefaults(),
		client: sameHostClient(cfg.HTTPClient),
	}
	return p, nil
}

func keyFrom(getenv func(string) string, variables []string) string {
	for _, name := range variables {
		if key := strings.TrimSpace(getenv(name)); key != "" {
			return key
		}
	}
	return ""
}
