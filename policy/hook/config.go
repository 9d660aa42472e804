package hook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// Config configures a hook. Name and URL are required; zero fields mean the
// defaults.
type Config struct {
	// Name identifies the hook to people.
	Name string
	// Version identifies the contents of the policy that the hook belongs to.
	Version string
	// URL is the endpoint. It must be https, except on this machine.
	URL string
	// Insecure allows http to other machines. Calls and answers can then be
	// read and changed in transit.
	Insecure bool
	// Secret signs the requests. Without one they are not signed, and the
	// endpoint cannot tell who asks.
	Secret string `json:"-"`
	// Then is what a plain "block" of the endpoint means: Ask, a form of block,
	// or Abort. Default policy.Block.
	Then policy.Action
	// Timeout bounds everything from the question to its answer: waiting for a
	// slot, all attempts and the pauses between them. An attempt that can be
	// followed by another gets an equal share of the remaining time. Default 10
	// s.
	Timeout time.Duration
	// Retries is how many attempts may follow the first. Default 1, negative
	// for none.
	Retries int
	// Cache is how long an answer is cached. Default 10 minutes, negative
	// disables the cache.
	Cache time.Duration
	// CacheEntries is the maximum number of cached answers. Default 10,000.
	CacheEntries int
	// Concurrency is how many questions are asked concurrently. Default 16.
	Concurrency int
	// Transport makes the requests, nil for one of the hook's own.
	Transport http.RoundTripper `json:"-"`
	// Now is the clock of signatures and of the cache, nil for time.Now.
	Now func() time.Time `json:"-"`
}

// String names the hook without its secret.
func (c Config) String() string {
	host := "nowhere"
	if u, err := url.Parse(c.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Sprintf("hook %s at %s", c.Name, host)
}

// GoString is String: a dump must not show the secret.
func (c Config) GoString() string { return c.String() }

// New returns a hook. It makes no request. The error says which field cannot be
// used.
func New(cfg Config) (*Hook, error) {
	if cfg.Then == 0 {
		cfg.Then = policy.Block
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	u, err := cfg.check()
	if err != nil {
		return nil, err
	}
	asker := decisions.NewAsker[answer](decisions.Config{
		Timeout: cfg.Timeout, Retries: cfg.Retries, Keep: cfg.Cache, Entries: cfg.CacheEntries,
		Concurrency: cfg.Concurrency, Now: cfg.Now,
	})
	if cfg.Transport == nil {
		cfg.Transport = newTransport()
	}
	client := &http.Client{
		Transport:     cfg.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Hook{cfg: cfg, host: u.Host, url: u.String(), client: client, asker: asker}, nil
}

func (c Config) check() (*url.URL, error) {
	if c.Name == "" {
		return nil, errors.New("hook: Name is empty: name the hook, so that people can see what decided")
	}
	refuse := func(format string, a ...any) (*url.URL, error) {
		return nil, fmt.Errorf("hook %s: "+format, append([]any{c.Name}, a...)...)
	}
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return refuse("URL must be one like https://policy.example.com/sluice") // it may hold a token, so it is not quoted
	case u.User != nil:
		return refuse("URL has a user in it: use Secret instead, because URLs end up in logs")
	case u.Fragment != "":
		return refuse("URL has a fragment, which is never sent: take away what follows the #")
	case u.Scheme == "http" && !c.Insecure && !isLoopback(u.Hostname()):
		return refuse("URL is not https: what is asked and answered could be changed on the way; use https, or set Insecure")
	case c.Then != policy.Ask && c.Then != policy.Abort && !c.Then.Blocks():
		return refuse("Then is %q: use ask, block, block feedback, block end_turn or abort", c.Then)
	case c.Timeout < 0:
		return refuse("Timeout is %s: every question needs an end; 0 means 10s", c.Timeout)
	}
	return u, nil
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// newTransport returns a transport with short timeouts and few idle
// connections.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           16,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // answers are small, and must not grow when decompressed
	}
}
