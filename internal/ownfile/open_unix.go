//go:build unix

package ownfile

import (
	"io/fs"
	"os"
	"syscall"
)

// open opens a file without following a symbolic link, which somebody else may have
// created, and without waiting for the other end of a pipe.
func open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0) //nolint:gosec // the caller's own file
	if err != nil {
		if info, failed := os.Lstat(name); failed == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, &UnsafeError{name, "is a link: remove the file, and a new one is made"}
		}
		return nil, err
	}
	return f, nil
}

// ownerOf returns the user id of a file's owner.
func ownerOf(info fs.FileInfo) (id int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
