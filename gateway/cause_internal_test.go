package gateway

import (
	"net"
	"os"
	"syscall"
	"testing"
)

// The cause of a failed connection names the address, which the gateway chose itself,
// and no words of the network package.
func TestCausesOfFailedConnectionsNameTheAddress(t *testing.T) {
	t.Parallel()

	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	for want, err := range map[string]error{
		"no connection to 127.0.0.1:9: connection refused": &net.OpError{Op: "dial", Net: "tcp", Addr: address, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
		"while reading: connection reset by peer":          &net.OpError{Op: "read", Net: "tcp", Addr: address, Err: os.NewSyscallError("read", syscall.ECONNRESET)},
		"no connection: the name x.invalid cannot be looked up (not found: true, timeout: false)": &net.OpError{
			Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "x.invalid", IsNotFound: true},
		},
	} {
		if got := networkCause(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
