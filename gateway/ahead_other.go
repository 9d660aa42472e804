//go:build !unix

package gateway

import "errors"

// canLook: here a connection cannot be asked without waiting, so none is read
// ahead.
const canLook = false

func (c *ahead) takeIn(uintptr) {}

func (c *ahead) wait() error { return errors.ErrUnsupported }
