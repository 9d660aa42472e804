//go:build unix && !(linux && (amd64 || arm64))

package gateway

import (
	"errors"
	"syscall"
)

// canLook: a connection can be asked what has arrived without waiting, but not,
// canBeQuick: without a word to the scheduler.
const canLook, canBeQuick = true, false

// receiveNow reads what has arrived.
func receiveNow(fd uintptr, p []byte) (int, syscall.Errno) {
	return moved(syscall.Read(int(fd), p))
}

// sendNow writes what there is room for.
func sendNow(fd uintptr, p []byte) (int, syscall.Errno) {
	return moved(syscall.Write(int(fd), p))
}

func moved(n int, err error) (int, syscall.Errno) {
	var why syscall.Errno
	errors.As(err, &why)
	return max(0, n), why
}

// tellScheduler is for where the scheduler is not told of calls.
func tellScheduler() {}
