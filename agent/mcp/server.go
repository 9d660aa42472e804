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

// Server says how a server is reached: by Command or by URL.
type Server struct {
	// Name tells servers apart: letters, digits, - and _, at most 32. It is the
	// beginning of the names of its tools.
	Name string

	// Command is a program and its arguments. It is started by Connect, and ended
	// by Close.
	Command []string
	// Env are its variables, as "NAME=value", beside those that every program
	// needs.
	Env []string
	// Dir is where it is started; "" is here.
	Dir string

	// URL is the address of a server that speaks streamable HTTP.
	URL string
	// Headers are sent with every request to it.
	Headers http.Header
	// HTTPClient sends the requests; nil means one without a time limit, because
	// answers are streams.
	HTTPClient *http.Client

	// Only chooses tools by the names that the server has for them; nil means all.
	Only func(tool string) bool
	// Bare leaves out the name of the server in those of its tools.
	Bare bool
	// Timeout bounds one call; 0 means DefaultTimeout, less than 0 no bound but
	// that of the run.
	Timeout time.Duration

	// transport is set by tests.
	transport sdk.Transport
}

// DefaultTimeout bounds a call of a tool.
const DefaultTimeout = time.Minute

// The limits of what a server may send.
const (
	longestName        = 32       // of a server
	largestMessage     = 16 << 20 // of the protocol
	largestDescription = 16 << 10
	largestSchema      = 256 << 10
	mostTools          = 1000
	mostPages          = 100
	longestError       = 2000
)

// terminateAfter is how long a program may take to end after its input was closed,
// and again after it was told to.
const terminateAfter = 2 * time.Second

// check says what is wrong with a Server.
func (s *Server) check() error {
	switch {
	case s.Name == "" || len(s.Name) > longestName || legal(s.Name) != s.Name:
		return fmt.Errorf("mcp: the name %q of a server must be of 1 to %d letters, digits, - and _", shortened(s.Name, 100), longestName)
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
		// Something that it started may hold its standard error open.
		s.process.WaitDelay = terminateAfter
		transport = &sdk.CommandTransport{Command: s.process, TerminateDuration: terminateAfter}
	default:
		transport = &sdk.StreamableClientTransport{
			Endpoint: server.URL, HTTPClient: guarded(&server), MaxEventSize: largestMessage,
			// Lists are asked for when they are needed, so nothing need be told.
			DisableStandaloneSSE: true,
		}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "sluice", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, // it has no files to show, and nobody to ask
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

// environment are the variables that a program needs to work at all. The others can
// be secrets of this one.
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
