//go:build unix

package server

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// openPrivate opens a file with a secret in it. It refuses one that somebody else can
// read, or can have put there: a link, a file or directory of another user, a
// directory in which others can write.
func openPrivate(name string) (*os.File, error) {
	dir := filepath.Dir(name)
	if err := checkPrivateDirectory(dir); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link: remove it, and a file is made", name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0) //nolint:gosec // the program's own file
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file: remove it, and one is made", name)
	case !isOurs(info):
		err = fmt.Errorf("%s belongs to another user, who may know what is in it: remove it, and a new one is made", name)
	case info.Mode().Perm()&0o077 != 0:
		err = fmt.Errorf("others can read or write %s (mode %v): remove the file, and a new one is made", name, info.Mode().Perm())
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// checkPrivateDirectory refuses a directory in which somebody else can put files.
func checkPrivateDirectory(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !isOurs(info):
		return fmt.Errorf("the directory %s belongs to another user, who can put files there", dir)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others can put files into the directory %s (mode %v): look whether they did, then chmod go-w %s", dir, info.Mode().Perm(), dir)
	}
	return nil
}

// isOurs reports whether something belongs to this user or to root.
func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0)
}
