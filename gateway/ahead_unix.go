//go:build unix

package gateway

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// canLook: a connection can be asked what has arrived without waiting.
const canLook = true

// takeIn takes in what has arrived.
func (c *ahead) takeIn(fd uintptr) {
	buf := c.borrow()
	n, err := syscall.Read(int(fd), buf)
	for errors.Is(err, syscall.EINTR) {
		n, err = syscall.Read(int(fd), buf)
	}
	if n > 0 {
		c.rest = buf[:n]
		return
	}
	c.giveBack()
	switch {
	case err == nil:
		c.err = io.EOF
	case errors.Is(err, syscall.EAGAIN):
	default:
		c.err = &net.OpError{Op: "read", Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: os.NewSyscallError("read", err)}
	}
}

// wait waits until something was taken in.
func (c *ahead) wait() error { return c.raw.Read(c.await) }
