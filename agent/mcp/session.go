package mcp

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Session is a connection to a server. It can be used by several goroutines.
type Session struct {
	server  Server
	session *sdk.ClientSession
	process *exec.Cmd // nil if it is not a program
	said    *tail     // what the program wrote to its standard error

	closing context.Context //nolint:containedctx // the lifetime of the session, which calls end with
	close   context.CancelFunc

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	once   sync.Once
	err    error
}

// errClosed is the error of calls after Close.
var errClosed = errors.New("the session was closed")

// Name is the name of the server.
func (s *Session) Name() string { return s.server.Name }

// Close ends the session: running calls end, and a program is asked to exit, told to,
// and killed, in this order, with time in between. It returns when all that is done.
// Closing again does nothing and returns the same error.
func (s *Session) Close() error {
	s.once.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.close()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			// The caller can do nothing about how a program exited or whether a
			// server said goodbye.
			_ = s.session.Close()
			s.calls.Wait()
		}()
		if s.process == nil {
			<-ended
			return
		}
		timer := time.NewTimer(4 * terminateAfter)
		defer timer.Stop()
		select {
		case <-ended:
		case <-timer.C:
			// It does not read its input, so it cannot even be told that the
			// session ends.
			if err := s.process.Process.Kill(); err != nil {
				s.err = fmt.Errorf("mcp: server %s cannot be stopped: %w", s.server.Name, err)
			}
			<-ended
		}
	})
	return s.err
}

// do sends a request to the server. It returns when ctx is done even if the server
// does not read its input; Close waits for what is left then.
func (s *Session) do(ctx context.Context, ask func(ctx context.Context) error) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return errClosed
	}
	s.calls.Add(1)
	s.mu.Unlock()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	unlink := context.AfterFunc(s.closing, func() { stop(errClosed) }) //nolint:contextcheck // a call ends with its session, whatever its own context is
	defer unlink()
	answered := make(chan error, 1)
	go func() {
		defer s.calls.Done()
		answered <- ask(ctx)
	}()
	select {
	case err := <-answered:
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// explain adds a program's last output to an error.
func (s *Session) explain(err error) string {
	text := shortened(err.Error(), longestError)
	var refusal *jsonrpc.Error
	if s.process != nil && !errors.As(err, &refusal) {
		// It did not answer: its last output comes with its exit.
		s.waitFor(terminateAfter)
		text += s.said.String()
	}
	return text
}

// waitFor waits briefly for the connection to end.
func (s *Session) waitFor(long time.Duration) {
	ended := make(chan struct{})
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.calls.Add(1)
	s.mu.Unlock()
	go func() {
		defer s.calls.Done()
		defer close(ended)
		_ = s.session.Wait()
	}()
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
}
