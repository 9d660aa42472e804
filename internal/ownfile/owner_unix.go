//go:build unix

package ownfile

import (
	"io/fs"
	"syscall"
)

// ownerOf is the id of the user to whom a file belongs.
func ownerOf(info fs.FileInfo) (id int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
