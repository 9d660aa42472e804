package gateway

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Gateway is the HTTP host of the engine: an http.Handler that agents and SDKs
// use instead of a provider. It is safe for concurrent use.
type Gateway struct {
	config    Config
	upstreams [len(providers) + 1]*upstream
	transport http.RoundTripper
	log       *slog.Logger
	signs     map[wire.Format][]byte // keepalives
	hub       hub
	metrics   metrics
	repairs   repairs
	// conversations are those that providers store.
	conversations conversations
	textCallers   textCallers

	open atomic.Int64
	mu   sync.Mutex
	// draining: no new exchange starts. running waits for those that did; first
	// is the newest of them.
	draining bool
	running  sync.WaitGroup
	first    *exchange
}

// New returns a gateway. An error says what is wrong with the configuration
// and what to do. Close the gateway when it is no longer used.
func New(c Config) (*Gateway, error) {
	c.Limits = c.Limits.withDefaults()
	if c.Policies == nil {
		none, err := policy.NewSet()
		if err != nil {
			return nil, err
		}
		c.Policies = policy.NewLive(none)
	}
	if c.Ledger == nil {
		c.Ledger = &policy.MemoryLedger{}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gateway{config: c, log: c.Log, transport: c.Transport, signs: make(map[wire.Format][]byte)}
	if g.transport == nil {
		g.transport = NewTransport()
	}
	for _, p := range providers {
		up, err := newUpstream(p, c.Upstreams.of(p))
		if err != nil {
			return nil, err
		}
		g.upstreams[p] = up
	}
	for _, path := range c.Forward {
		if err := checkForward(path); err != nil {
			return nil, err
		}
	}
	for _, format := range wire.Formats() {
		g.signs[format] = format.NewWriter(stream.WriterOptions{}).Keepalive(nil)
	}
	return g, nil
}

// checkForward refuses paths that are judged, and paths that are refused because
// their answers can carry tool calls that are not judged.
func checkForward(path string) error {
	if !strings.HasPrefix(path, "/") || !plain(path) && !strings.HasSuffix(path, "/*") {
		return fmt.Errorf("gateway: a path that is forwarded begins with a slash and has no empty or escaped parts: %q", path)
	}
	prefix, isPrefix := strings.CutSuffix(path, "/*")
	for _, table := range [][]rule{anthropicRoutes, openaiRoutes, chatgptRoutes} {
		for i := range table {
			line := &table[i]
			opens := matches(line.path, path) || isPrefix && matches(line.path, prefix+"/x")
			above := isPrefix && strings.HasPrefix(line.path+"/", prefix+"/")
			if line.action == judge && (opens || above) || line.action == refuse && opens && line.why != whyText {
				return fmt.Errorf("gateway: %s cannot be forwarded unjudged, because %s answers with tool calls", path, line.path)
			}
		}
	}
	last := prefix[strings.LastIndexByte(prefix, '/')+1:]
	switch {
	case answers(path) && !strings.HasSuffix(path, "/v1/completions") && !isPrefix,
		isPrefix && (last == "openai" || version.MatchString("/"+strings.ToLower(last)) || strings.HasSuffix(last, "odels")):
		return fmt.Errorf("gateway: %s would forward paths that answer with tool calls; name the single path", path)
	}
	return nil
}

// ServeHTTP serves a client, or the gateway's own pages.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	g.setBodyDeadline(control)
	if g.own(w, r) {
		return
	}
	x := &exchange{g: g, w: w, r: r, control: control}
	x.serve() //nolint:contextcheck // it has the request's
}

// enter lets an exchange start, unless the gateway is draining or full.
func (g *Gateway) enter(x *exchange) *refusal {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.draining {
		return &refusal{http.StatusServiceUnavailable, "the gateway is stopping; try again", Stopped}
	}
	if most := int64(g.config.Limits.Exchanges); most > 0 && g.open.Load() >= most {
		return &refusal{http.StatusServiceUnavailable, fmt.Sprintf("%d exchanges are already running; the limit is limits.streams", most), Refused}
	}
	g.running.Add(1)
	g.open.Add(1)
	x.entered = true
	if x.after = g.first; x.after != nil {
		x.after.before = x
	}
	g.first = x
	return nil
}

// leave removes an exchange from the running ones.
func (g *Gateway) leave(x *exchange) {
	g.mu.Lock()
	if x.before != nil {
		x.before.after = x.after
	} else {
		g.first = x.after
	}
	if x.after != nil {
		x.after.before = x.before
	}
	g.mu.Unlock()
	g.open.Add(-1)
	g.running.Done()
}

// cut ends the running exchanges and returns how many there were.
func (g *Gateway) cut() (n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for x := g.first; x != nil; x = x.after {
		x.cancel(ErrStopping)
		n++
	}
	return n
}

// Open returns the number of running exchanges.
func (g *Gateway) Open() int { return int(g.open.Load()) }

// Drain lets no new exchange start and waits for the running ones. Those that
// still run when ctx is done are ended with an error of their dialect.
func (g *Gateway) Drain(ctx context.Context) error {
	g.mu.Lock()
	g.draining = true
	g.mu.Unlock()
	g.hub.close()
	done := make(chan struct{})
	go func() {
		g.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	cut := g.cut()
	<-done
	if cut > 0 {
		return fmt.Errorf("gateway: %d exchanges were cut off, because they had not ended in time", cut)
	}
	return nil
}

// Close ends everything at once.
func (g *Gateway) Close() error {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	err := g.Drain(done)
	if t, ok := g.transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
	return err
}

// newID returns an id for an exchange.
func newID() string {
	const (
		prefix = "ex_"
		bits   = 130
	)
	var id [len(prefix) + bits/5]byte
	random := id[copy(id[:], prefix):]
	_, _ = rand.Read(random) // it never fails
	for i, b := range random {
		random[i] = "abcdefghijklmnopqrstuvwxyz234567"[b%32]
	}
	return string(id[:])
}

// browserRefused says why a request that a web page may have made a browser
// send is refused: it comes from another origin, or goes to a gateway without
// keys under a foreign host name (DNS rebinding). It is empty for all others.
func (g *Gateway) browserRefused(r *http.Request) string {
	const page = "a web page of another origin cannot use this gateway; list its host under admin.hosts if it may"
	if origin := r.Header.Get("Origin"); origin != "" && origin != "null" {
		u, err := url.Parse(origin)
		if err != nil || !g.knownHost(u.Host) {
			return page
		}
	} else if origin == "null" || r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		return page
	}
	if fromLoopback(r) && !g.knownHost(r.Host) && !g.needsKeys() {
		return fmt.Sprintf("the host name %q is not known here: use localhost or an address, or list it under admin.hosts; without keys any page could choose one", short(r.Host))
	}
	return ""
}

// knownHost reports whether a host is this machine's loopback, or listed.
func (g *Gateway) knownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(strings.ToLower(name), "[]")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip := net.ParseIP(name); ip != nil && ip.IsLoopback() {
		return true
	}
	for _, listed := range g.config.Hosts {
		if strings.EqualFold(listed, name) || strings.EqualFold(listed, host) {
			return true
		}
	}
	return false
}

// fromLoopback reports whether a request arrived at a loopback address.
func fromLoopback(r *http.Request) bool {
	switch addr := r.Context().Value(http.LocalAddrContextKey).(type) {
	case nil:
		return false
	case *net.TCPAddr:
		return addr.IP.IsLoopback()
	case net.Addr:
		host, _, err := net.SplitHostPort(addr.String())
		ip := net.ParseIP(host)
		return err == nil && ip != nil && ip.IsLoopback()
	}
	return false
}
