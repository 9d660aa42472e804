package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/sluice-project/sluice/gateway/settings"
)

// ListenError is an address on which the server cannot listen.
type ListenError struct {
	// Address is the requested address.
	Address string
	Err     error
}

// Error says what to do.
func (e *ListenError) Error() string {
	host, _, err := net.SplitHostPort(e.Address)
	if err != nil {
		host = "127.0.0.1"
	}
	free := net.JoinHostPort(host, "0")
	switch {
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return fmt.Sprintf("%s is already in use, perhaps by another Sluice: stop that one, or listen elsewhere, for example with --listen %s for any free port", e.Address, free)
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL):
		return e.Address + " is not an address of this machine: use --listen 127.0.0.1:0, or one of its addresses"
	case errors.Is(e.Err, fs.ErrPermission):
		return fmt.Sprintf("%s needs privileges that this user does not have: use port 1024 or higher, for example with --listen %s", e.Address, net.JoinHostPort(host, "8484"))
	}
	return fmt.Sprintf("cannot listen on %s: %v: use --listen HOST:PORT", e.Address, e.Err)
}

// Unwrap returns the system's error.
func (e *ListenError) Unwrap() error { return e.Err }

func listen(address string) (net.Listener, error) {
	var config net.ListenConfig
	network := "tcp"
	if host, _, err := net.SplitHostPort(address); err == nil && net.ParseIP(host).To4() != nil {
		network = "tcp4" // 0.0.0.0 does not include IPv6
	}
	l, err := config.Listen(context.Background(), network, address)
	if err != nil {
		return nil, &ListenError{Address: address, Err: err}
	}
	return l, nil
}

// checkReach refuses an address whose name looked like loopback but is not: a
// gateway without keys serves only this machine.
func checkReach(s *settings.Settings, l net.Listener) error {
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok || addr.IP.IsLoopback() || s.NeedsKeys() || s.Insecure {
		return nil
	}
	return fmt.Errorf("%s means %v here, which others can reach: listen on 127.0.0.1, or configure keys", s.Listen, addr)
}
