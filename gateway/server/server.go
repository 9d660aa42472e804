package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/issued"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/secret"
)

// Options are what a server needs besides the settings. The zero value is silent.
type Options struct {
	// Log is the operator's log; nil means none.
	Log *slog.Logger
	// Out gets the startup message, as JSON if the log is JSON; nil means
	// nowhere.
	Out io.Writer
	// Settings reads the settings again, so that a reload can say which of them
	// need a restart; nil means that it cannot.
	Settings func() (*settings.Settings, error)
	// Version is the program's, for Out and the audit log.
	Version string
	// Audit gets the audit log where its file is "-"; nil means nowhere.
	Audit io.Writer
	// Recordings is a directory for the answers of upstreams and the requests
	// for them; empty means that nothing is recorded.
	Recordings string
	// Transport sends requests to upstreams and judges; nil means the server's
	// own.
	Transport http.RoundTripper
	// Observe gets every event, in addition to the audit log; see gateway.Config.
	Observe func(gateway.Event)
	// Notice gets what the user should know: that the preset recommended is left
	// out, and that the policies have become weaker, or would have. Nil means that
	// nobody is told.
	Notice func(text string)
	// Shadow puts all policies into shadow mode: nothing is blocked.
	Shadow bool
	// Poll is the interval at which files are checked for changes; 0 means 2 s,
	// negative means never.
	Poll time.Duration
}

// Server is a gateway on a listener. Make one with New, then Run it or Close it.
type Server struct {
	settings *settings.Settings
	options  Options
	log      *slog.Logger

	gateway   *gateway.Gateway
	listener  net.Listener
	http      *http.Server
	transport http.RoundTripper
	policies  *policies
	redactor  *secret.Redactor // nil until a policy needs it
	cert      *certificate     // nil without TLS
	audit     *auditLog        // nil if there is none
	token     adminToken
	issued    *issued.Ring // nil where no keys can be issued
	watched   []*watch

	// force is done when everything must end at once.
	force context.Context //nolint:containedctx // it lives as long as the server
	stop  context.CancelFunc

	mu      sync.Mutex
	started bool
	ended   chan struct{} // Run is over, or will never be
	closed  sync.Once
	err     error // of closing what is open
}

// Time limits for clients. Answers have limits of their own.
const (
	readHeader = 15 * time.Second
	idle       = 3 * time.Minute
)

// New opens everything that a gateway needs and listens, but does not serve yet:
// Run does. The error says what cannot be used and what to do about it. It is
// file.Problems for policies and *ListenError for the address.
func New(s *settings.Settings, o Options) (*Server, error) {
	srv := &Server{settings: s, options: o, log: o.Log, transport: o.Transport, ended: make(chan struct{})}
	if srv.log == nil {
		srv.log = slog.New(slog.DiscardHandler)
	}
	srv.options.Poll = cmp.Or(o.Poll, defaultPoll)
	if o.Transport == nil {
		srv.transport = gateway.NewTransport()
	}
	srv.force, srv.stop = context.WithCancel(context.Background())
	if err := srv.open(); err != nil {
		srv.stop()
		_ = srv.release() // what is wrong is known
		return nil, err
	}
	srv.greet()
	return srv, nil
}

// open opens what the settings name; what was opened before a failure is
// released by the caller.
func (s *Server) open() (err error) {
	s.watched = s.watches() // before anything is read, so that no change is missed
	if s.listener, err = listen(s.settings.Listen); err != nil {
		return err
	}
	if err := checkReach(s.settings, s.listener); err != nil {
		return err
	}
	if s.settings.IssuedKeys != "" {
		s.issued = issued.Watch(s.settings.IssuedKeys, s.log)
	}
	var loaded *file.Loaded
	if s.policies, loaded, err = s.openPolicies(s.findRedactor); err != nil { // which protect the port, too
		return err
	}
	s.warn(loaded)
	if note := loaded.Note(); note != "" && s.options.Notice != nil {
		s.options.Notice(note)
	}
	if s.settings.TLS.Cert != "" {
		if s.cert, err = openCertificate(s.settings.TLS); err != nil {
			return err
		}
	}
	if s.token, err = findToken(s.settings); err != nil {
		return err
	}
	if s.settings.AuditLog != "" {
		if s.audit, err = s.openAudit(); err != nil {
			return err
		}
	}
	config := s.config()
	var handler http.Handler
	if s.options.Recordings != "" {
		keep, err := openRecordings(s.options.Recordings, s.log)
		if err != nil {
			return err
		}
		config.Record = keep.record
		handler = keep.handler(func(w http.ResponseWriter, r *http.Request) { s.gateway.ServeHTTP(w, r) })
	}
	if s.gateway, err = gateway.New(config); err != nil {
		return err
	}
	if handler == nil {
		handler = s.gateway
	}
	s.http = &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeader,
		IdleTimeout:       idle,
		MaxHeaderBytes:    int(s.settings.Limits.Header),
		ErrorLog:          log.New(withoutQuotes{s.log}, "", 0), //nolint:forbidigo // it is what net/http takes
	}
	s.listener = gateway.Tune(s.http, s.listener)
	if s.cert != nil {
		s.http.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.cert.get}
	}
	return nil
}

// withoutQuotes logs what net/http says about connections, up to where it quotes the
// peer.
type withoutQuotes struct{ log *slog.Logger }

// Write logs a line.
func (q withoutQuotes) Write(line []byte) (int, error) {
	said, _, _ := strings.Cut(strings.TrimSpace(string(line)), `"`)
	q.log.Warn(said)
	return len(line), nil
}

// Addr returns the address that the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL returns the URL for clients on this machine, without a trailing slash.
func (s *Server) URL() string {
	scheme := "http"
	if s.cert != nil {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(s.Addr().String())
	if err != nil {
		return scheme + "://" + s.Addr().String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// Gateway is the handler that is served.
func (s *Server) Gateway() *gateway.Gateway { return s.gateway }

// AdminToken is the credential of the admin routes, empty if they are off.
func (s *Server) AdminToken() settings.Secret { return settings.NewSecret(s.token.text) }
