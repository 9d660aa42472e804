//go:build !linux && !darwin

package gateway_test

import "testing"

// roomFor says that there is room for few clients: how many files may be open is
// not asked here.
func roomFor(t *testing.T, clients int) int {
	t.Helper()
	return min(clients, 100)
}
