package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server says how to reach a server: by Command or by URL.
type Server struct {
	// Name identifies the server: letters, digits, - and _, at most 32. The
	// names of its tools begin with it.
	Name string

	// Command is a program and its arguments. Connect starts it, and Close ends
	// it.
	Command []string
	// Env are its variables, as "NAME=value", in addition to those that every
	// program needs.
	Env []string
	// Dir is its working directory; "" is the current one.
	Dir string

	// URL is the address of a server that speaks streamable HTTP.
	URL string
	// Headers are sent with every request to it.
	Headers http.Header
	// HTTPClient sends the requests; nil means one without a timeout, because
	// answers are streams.
	HTTPClient *http.Client

	// Only selects tools by the server's names for them; nil means all.
	Only func(tool string) bool
	// Bare leaves the server's name out of the names of its tools.
	Bare bool
	// Timeout bounds one call; 0 means DefaultTimeout, negative no bound but
	// that of the run.
	Timeout time.Duration

	// transport is set by tests.
	transport sdk.Transport
}

// DefaultTimeout is the default timeout of a tool call.
const DefaultTimeout = time.Minute

// Limits on what a server may send.
const (
	longestName        = 32       // of a server
	largestMessage     = 16 << 20 // of the protocol
	largestDescription = 16 << 10
	largestSchema      = 256 << 10
	mostTools          = 1000
	mostPages          = 100
	longestError       = 2000
)

// terminateAfter is how long a program may take to exit after its input was
// closed, and again after it was told to terminate.
const terminateAfter = 2 * time.Second

// check says what is wrong with a Server.
func (s *Server) check() error {
	switch {
	case s.Name == "" || len(s.Name) > longestName || legal(s.Name) != s.Name:
		return fmt.Errorf("mcp: the server name %q must be 1 to %d letters, digits, - and _", shortened(s.Name, 100), longestName)
	case s.transport != nil:
		return nil
	case (len(s.Command) > 0) == (s.URL != ""):
		return fmt.Errorf("mcp: server %s needs either a Command or a URL", s.Name)
	case len(s.Command) > 0 && (s.Headers != nil || s.HTTPClient != nil):
		return fmt.Errorf("mcp: server %s is a program: Headers and HTTPClient are for a URL", s.Name)
	case s.URL != "" && (s.Env != nil || s.Dir != ""):
		return fmt.Errorf("mcp: server %s is an address: Env and Dir are for a Command", s.Name)
	}
	if s.URL != "" {
		u, err := url.Parse(s.URL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return fmt.Errorf("mcp: server %s: the URL must begin with http:// or https:// and a host", s.Name)
		}
	}
	return nil
}

// Connect connects to a server, or starts it. Ctx bounds connecting, not the session,
// which lasts until it is closed.
func Connect(ctx context.Context, server Server) (*Session, error) {
	if err := server.check(); err != nil {
		return nil, err
	}
	s := &Session{server: server, said: &tail{}}
	transport := server.transport
	switch {
	case transport != nil:
	case len(server.Command) > 0:
		s.process = exec.Command(server.Command[0], server.Command[1:]...) //nolint:gosec,noctx // running it is what was asked for, and Close ends it
		s.process.Dir = server.Dir
		s.process.Env = append(environment(), server.Env...)
		s.process.Stderr = s.said
		// A child of it may hold its standard error open.
		s.process.WaitDelay = terminateAfter
		transport = &sdk.CommandTransport{Command: s.process, TerminateDuration: terminateAfter}
	default:
		transport = &sdk.StreamableClientTransport{
			Endpoint: server.URL, HTTPClient: guarded(&server), MaxEventSize: largestMessage,
			// Lists are requested when they are needed, so notifications are
			// ignored.
			DisableStandaloneSSE: true,
		}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "sluice", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // it has no files to offer, and nobody to ask
	})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		if ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		return nil, fmt.Errorf("mcp: cannot connect to server %s: %w%s", server.Name, err, s.said)
	}
	s.session = session
	s.closing, s.close = context.WithCancel(context.Background())
	return s, nil
}

// environment are the variables that a program needs to work at all. The others may
// contain secrets of this process.
func environment() []string {
	var list []string
	for _, name := range []string{
		"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
		"APPDATA", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE",
	} {
		if value, ok := os.LookupEnv(name); ok && !strings.HasPrefix(value, "()") {
			list = append(list, name+"="+value)
		}
	}
	return list
}
