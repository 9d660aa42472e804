package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// grace is how long connections may stay open after their exchanges have ended
// or were ended.
const grace = 2 * time.Second

// errTwice is a second Run, or one after Close.
var errTwice = errors.New("server: it has already been run or closed; create a new one")

// Run serves until ctx is done, then lets running exchanges finish within
// limits.drain. It returns with everything closed: nil if every exchange
// finished and everything that had to be recorded was. Cancelling ctx is the
// orderly way to stop, Close the quick one. Run can be called once.
func (s *Server) Run(ctx context.Context) error { //nolint:contextcheck // what is left when ctx is done has limits of its own
	s.mu.Lock()
	again := s.started || s.force.Err() != nil
	s.started = true
	s.mu.Unlock()
	if again {
		return errTwice
	}
	defer close(s.ended)
	var beside sync.WaitGroup
	looking, stopLooking := context.WithCancel(s.force)
	beside.Go(func() { s.look(looking) })
	failed := make(chan error, 1)
	beside.Go(func() { failed <- s.serve() })

	var err error
	select {
	case <-ctx.Done():
	case <-s.force.Done():
	case err = <-failed:
		err = fmt.Errorf("server: it cannot serve any more: %w", err)
	}
	stopLooking()
	err = errors.Join(err, s.drain()) //nolint:contextcheck // see above
	beside.Wait()
	return errors.Join(err, s.release()) //nolint:contextcheck // see above
}

func (s *Server) serve() error {
	if s.cert != nil {
		return s.http.ServeTLS(s.listener, "", "")
	}
	return s.http.Serve(s.listener)
}

// drain lets the exchanges end and closes all connections.
func (s *Server) drain() error {
	limit := s.settings.Limits.Drain
	if open := s.gateway.Open(); open > 0 {
		s.log.Info("stopping: waiting for exchanges to end; a second signal ends them at once", slog.Int("open", open), slog.Duration("limit", limit))
	}
	ctx, cancel := context.WithTimeout(s.force, limit)
	defer cancel()
	patient, impatient := context.WithCancel(context.Background())
	defer impatient()
	var shut sync.WaitGroup
	shut.Go(func() {
		if s.http.Shutdown(patient) != nil {
			_ = s.http.Close() // the clients that are left read or write too slowly
		}
	})
	// Exchanges that were ended get a moment to tell their clients.
	hurry := context.AfterFunc(ctx, func() { time.AfterFunc(grace, impatient) })
	err := s.gateway.Drain(ctx)
	hurry()
	last := time.AfterFunc(grace, impatient)
	shut.Wait()
	last.Stop()
	return err
}

// Close ends everything at once, and waits until Run has returned if it was
// called. Running exchanges are cut off.
func (s *Server) Close() error {
	s.stop()
	s.mu.Lock()
	running := s.started
	s.mu.Unlock()
	if running {
		<-s.ended
		return s.err
	}
	return s.release()
}

// release closes what is open, once.
func (s *Server) release() error {
	s.closed.Do(func() {
		var errs []error
		if s.gateway != nil {
			_ = s.gateway.Close() // nothing runs any more
		}
		if s.listener != nil {
			_ = s.listener.Close() // it is closed already if it served
		}
		if s.audit != nil {
			errs = append(errs, s.audit.close())
		}
		if s.options.Transport == nil {
			if t, ok := s.transport.(*http.Transport); ok {
				t.CloseIdleConnections()
			}
		}
		s.stop()
		s.err = errors.Join(errs...)
	})
	return s.err
}

// Reload reloads the policies and the certificate and reopens the audit log.
// What cannot be used stays as it was, and the error says why. Other settings
// that have changed are only logged: they need a restart. It can be called at
// any time.
func (s *Server) Reload() error {
	s.tellChanges()
	errs := []error{s.reloadPolicies(), s.reloadCertificate()}
	if s.audit != nil {
		err := s.audit.again()
		if err != nil {
			s.log.Error("the audit log cannot be reopened and stays as it is", slog.Any("error", err))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
