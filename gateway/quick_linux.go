//go:build linux && (amd64 || arm64) && !race && !msan && !asan

package gateway

import (
	"syscall"
	"unsafe"
)

// canLook: a connection can be asked what has arrived without waiting.
const canLook = true

// receiveNow reads what has arrived.
func receiveNow(fd uintptr, p []byte) (int, syscall.Errno) {
	return now(syscall.SYS_RECVFROM, fd, p, syscall.MSG_DONTWAIT)
}

// sendNow writes what there is room for.
func sendNow(fd uintptr, p []byte) (int, syscall.Errno) {
	return now(syscall.SYS_SENDTO, fd, p, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func now(call, fd uintptr, p []byte, flags uintptr) (int, syscall.Errno) {
	n, _, why := syscall.RawSyscall6(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), flags, 0, 0) //nolint:gosec // as package unix does it, but for the scheduler
	if why != 0 {
		return 0, why
	}
	return int(n), 0
}

// tellScheduler tells the scheduler of a system call, and that wakes the watcher if it
// sleeps.
func tellScheduler() {
	_, _, _ = syscall.Syscall(syscall.SYS_GETPID, 0, 0, 0) //nolint:dogsled // what it returns is of no use
}
