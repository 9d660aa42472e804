package gateway

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/stream"
)

// Config configures a gateway. The zero value is a gateway in front of the public
// providers that enforces nothing; most hosts set Policies.
type Config struct {
	// Upstreams are the providers. Those left empty are the public ones.
	Upstreams Upstreams
	// Policies are what every new exchange is judged by; nil allows everything.
	// Swapping the set is atomic, and running exchanges keep theirs.
	Policies *policy.Live
	// Handler, if it is set, returns a handler that sees the answer of an exchange
	// before the policies do, and passes it on, changes it or ends it; nil leaves the
	// answer as it is. What the handler sends is judged like any answer. It is called
	// for every judged answer, canaries included, and each handler serves one answer.
	// A handler must not wait. If it fails, the answer ends in an error.
	Handler func(Exchange) stream.Handler
	// Approver decides where a policy asks; nil means that nobody can.
	Approver policy.Approver
	// Ledger stores what outlives an exchange; nil means in memory.
	Ledger policy.Ledger

	// Keys say who may use the gateway. Without any, everybody who can reach it may:
	// hosts then listen on loopback only.
	Keys []Key
	// Issued, if it is set, returns further keys that are currently in force, and
	// whether requests need a key even if there is none. It is called for every
	// request and must return at once; the list is not modified.
	Issued func() (keys []Key, needed bool)
	// Admin is the credential of the admin routes; empty switches them off.
	Admin string
	// Hosts are the names under which browsers and admins may reach the gateway,
	// beside loopback ones.
	Hosts []string
	// Forward lists additional paths that are forwarded although their answers are
	// not judged: a path, or a prefix that ends in /*.
	Forward []string

	// Session is what the host already knows about the client, for example because
	// it started it: working directory, home, labels. Requests may say more.
	Session policy.Session

	Failure Failure
	Limits  Limits
	// Observe is called with every event, in order within an exchange. The stream
	// waits for it, so it must not block.
	Observe func(Event)
	// Record, if it is set, gets the bytes of judged answers as the upstream sent
	// them, decoded from any content encoding. It must not block.
	Record func(Exchange) Recorder
	// Storage, if it is set, returns an error while records cannot be stored; see
	// Failure.RefuseWithoutStorage.
	Storage func() error
	// Reload is what the admin route for it calls; nil means that there is
	// nothing to reload.
	Reload func() error

	// Transport sends requests to upstreams; nil means the gateway's own, which is
	// made for streams. It must not follow redirects or decode bodies.
	Transport http.RoundTripper
	// Log is the operator's log; nil means none. Credentials and contents are
	// never logged.
	Log *slog.Logger
}

// Upstream is one provider.
type Upstream struct {
	// URL is its base, without the version in the path: a trailing /v1, /v1beta or
	// /backend-api/codex is removed.
	URL string
	// Key is the provider's key for requests that have no credential of their own.
	// It is sent only to this upstream.
	Key string
	// From says where the URL was set, for messages: a flag, a variable, a line of a
	// file; empty if nothing did.
	From string
}

// Upstreams are the providers, by API.
type Upstreams struct {
	Anthropic, OpenAI, Gemini, ChatGPT Upstream
}

// Key identifies somebody who may use the gateway.
type Key struct {
	// Hash is the SHA-256 of the key.
	Hash [32]byte
	// Roles are what it may be used for; zero means RoleSend.
	Roles Roles
	policy.Key
}

// Failure says what happens when a part of the gateway fails.
type Failure struct {
	// RefuseWithoutStorage makes the gateway refuse new exchanges while Storage
	// reports an error. Otherwise they go on, and /readyz reports the error.
	RefuseWithoutStorage bool
	// RetryUpstream makes the gateway retry once when it cannot connect to an
	// upstream. Otherwise the client is told at once.
	RetryUpstream bool
}

// Limits bound what a client or an upstream may cost. Zero values mean the
// defaults; the error of each limit names it.
type Limits struct {
	// Body is the size limit of a request, which also applies after decoding.
	Body int64
	// Request limits the number of messages, parts and tools of a request.
	Request llm.RequestLimits
	// Payload is the size limit of one event of an answer; Answer that of an
	// answer that is not streamed.
	Payload, Answer int
	// FirstByte is how long an upstream may take to start its answer, Idle how
	// long it may be silent during it, and Total how long an exchange may last.
	FirstByte, Idle, Total time.Duration
	// FirstEvent is how long the status line waits for the first event of a
	// stream, so that an upstream's error can keep its status.
	FirstEvent time.Duration
	// Keepalive is the silence after which a client is sent a keepalive.
	Keepalive time.Duration
	// Write is how long a client may take to read what was written.
	Write time.Duration
	// ReadBody is how long a client may take to send its request.
	ReadBody time.Duration
	// Exchanges is how many may run at once; 0 means no limit.
	Exchanges int
	// Policy bounds the memory of the engine.
	Policy policy.Limits
}

// The defaults of Limits.
const (
	DefaultMaxBody    = 32 << 20
	DefaultMaxPayload = 16 << 20
	DefaultMaxAnswer  = 32 << 20
	DefaultFirstByte  = 10 * time.Minute
	DefaultIdle       = 5 * time.Minute
	DefaultTotal      = time.Hour
	DefaultFirstEvent = 10 * time.Second
	DefaultKeepalive  = 10 * time.Second
	DefaultWrite      = time.Minute
	DefaultReadBody   = 2 * time.Minute
)

func (l Limits) withDefaults() Limits {
	l.Body = orDefault(l.Body, DefaultMaxBody)
	l.Request = l.Request.WithDefaults()
	l.Payload = orDefault(l.Payload, DefaultMaxPayload)
	l.Answer = orDefault(l.Answer, DefaultMaxAnswer)
	l.FirstByte = orDefault(l.FirstByte, DefaultFirstByte)
	l.Idle = orDefault(l.Idle, DefaultIdle)
	l.Total = orDefault(l.Total, DefaultTotal)
	l.FirstEvent = orDefault(l.FirstEvent, DefaultFirstEvent)
	l.Keepalive = orDefault(l.Keepalive, DefaultKeepalive)
	l.Write = orDefault(l.Write, DefaultWrite)
	l.ReadBody = orDefault(l.ReadBody, DefaultReadBody)
	return l
}

func orDefault[T int | int64 | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}

// provider names one of the upstreams.
type provider uint8

const (
	anthropic provider = iota + 1
	openai
	gemini
	chatgpt
)

var providers = [...]provider{anthropic, openai, gemini, chatgpt}

// String is the provider's name in configurations and messages.
func (p provider) String() string {
	return [...]string{"", "anthropic", "openai", "gemini", "chatgpt"}[p]
}

// home is the provider's public base URL, and version what a configured base may
// end in although the paths of requests begin with it.
func (p provider) home() (base, version string) {
	switch p {
	case anthropic:
		return "https://api.anthropic.com", "/v1"
	case gemini:
		return "https://generativelanguage.googleapis.com", "/v1beta"
	case chatgpt:
		return "https://chatgpt.com", "/backend-api/codex"
	default:
		return "https://api.openai.com", "/v1"
	}
}

func (u *Upstreams) of(p provider) *Upstream {
	switch p {
	case anthropic:
		return &u.Anthropic
	case gemini:
		return &u.Gemini
	case chatgpt:
		return &u.ChatGPT
	default:
		return &u.OpenAI
	}
}

// base parses the base URL of an upstream.
func (u *Upstream) base(p provider) (*url.URL, error) {
	home, version := p.home()
	text := u.URL
	if text == "" {
		text = home
	}
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("gateway: the URL of the upstream %s cannot be read: %w", p, errors.Unwrap(err))
	case base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return nil, fmt.Errorf("gateway: the upstream %s needs a URL like %s, not %q", p, home, text)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("gateway: the URL of the upstream %s must be a plain base like %s, without user, query or fragment", p, home)
	}
	path := strings.TrimRight(base.EscapedPath(), "/")
	path = strings.TrimRight(strings.TrimSuffix(path, version), "/")
	return &url.URL{Scheme: base.Scheme, Host: base.Host, Path: path}, nil
}
