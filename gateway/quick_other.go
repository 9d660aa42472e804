//go:build !unix

package gateway

import "syscall"

// canLook: here a connection cannot be asked without waiting, so none is read ahead
// and none is quick.
const canLook = false

func receiveNow(uintptr, []byte) (int, syscall.Errno) { return 0, syscall.EINVAL }

func sendNow(uintptr, []byte) (int, syscall.Errno) { return 0, syscall.EINVAL }

// tellScheduler is for where the scheduler is not told of calls.
func tellScheduler() {}
