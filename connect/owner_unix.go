//go:build unix

package connect

import (
	"io/fs"
	"os"
	"syscall"
)

// sameOwner reports whether two files belong to the same user.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, also := b.Sys().(*syscall.Stat_t)
	return ok && also && x.Uid == y.Uid
}

// keepOwner gives a file the owner of another. Only root can, and only root
// needs to.
func keepOwner(path string, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(path, int(stat.Uid), int(stat.Gid))
	}
}
