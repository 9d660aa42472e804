//go:build linux || darwin

package gateway_test

import (
	"syscall"
	"testing"
)

// roomFor makes room for the sockets of clients, and returns for how many of them
// there is room. Four clients have at most 15: each has both ends of its connection,
// and three of them both ends of one to the upstream.
func roomFor(t *testing.T, clients int) int {
	t.Helper()
	const own = 500 // files of the test itself, and connections that many share
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skipf("nobody knows how many files may be open: %v", err)
	}
	want := uint64(15*clients/4 + own)
	if limit.Cur < want {
		raised := limit
		if raised.Cur = want; raised.Max < want {
			raised.Max = want
		}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			return clients
		}
		limit.Cur = limit.Max
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Skipf("the limit on open files cannot be raised: %v", err)
		}
		if limit.Cur < own+15*100 {
			t.Skipf("only %d files can be open at once here", limit.Cur)
		}
		clients = min(clients, int(limit.Cur-own)/15*4)
		t.Logf("only %d files can be open at once here, which is enough for %d clients", limit.Cur, clients)
	}
	return clients
}
