//go:build !unix

package gateway

// takeIn takes in nothing: here a connection cannot be asked without waiting.
func (c *ahead) takeIn(uintptr) {}
