package ownfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// UnsafeError reports a file whose content others may know or have chosen, or a
// directory in which they can create one.
type UnsafeError struct {
	Name string
	// Reason says what is wrong and what to do, as the rest of a sentence.
	Reason string
}

func (e *UnsafeError) Error() string { return e.Name + " " + e.Reason }

// check refuses an open file that others have access to: it must be a regular file of
// the user or of root that nobody else can read or write. The error is an *UnsafeError.
// On Windows, where modes and owners say nothing about this, only the file type is
// checked. It checks the open file, so that nobody can swap it meanwhile.
func check(f *os.File, user int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	const anew = ": remove the file, and a new one is made"
	if !info.Mode().IsRegular() {
		return &UnsafeError{f.Name(), "is not a regular file: remove it, and one is made"}
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	if owner, isOurs := ours(info, user); !isOurs {
		return &UnsafeError{f.Name(), fmt.Sprintf("belongs to another user (with the id %d)", owner) + anew}
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return &UnsafeError{f.Name(), fmt.Sprintf("can be read or written by others (its mode is %#o, and must be 0600)", mode) + anew}
	}
	return nil
}

// checkDir refuses a directory in which somebody else can create files or replace those
// of the user. In the user's own sticky directory others cannot replace them, and files
// that they create are refused as theirs.
func checkDir(dir string, user int) error {
	info, err := os.Stat(dir)
	if err != nil || runtime.GOOS == "windows" {
		return err
	}
	owner, isOurs := ours(info, user)
	switch mode := info.Mode(); {
	case !info.IsDir():
		return &UnsafeError{dir, "is not a directory"}
	case !isOurs:
		return &UnsafeError{dir, fmt.Sprintf("is a directory that belongs to another user (with the id %d), who can put files there", owner)}
	case mode.Perm()&0o022 != 0 && (mode&fs.ModeSticky == 0 || owner != user):
		return &UnsafeError{dir, fmt.Sprintf("is a directory in which others can put files (its mode is %#o): look whether they did, then chmod go-w %s", mode.Perm(), dir)}
	}
	return nil
}

// ours reports whether a file belongs to the user or to root, who can read and write
// everything anyway. Where owners are unknown, it reports true.
func ours(info fs.FileInfo, user int) (owner int, isOurs bool) {
	owner, known := ownerOf(info)
	return owner, !known || owner == user || owner == 0
}

// ErrTooLarge means that a file is larger than the given limit.
var ErrTooLarge = errors.New("the file is too large")

// Read checks a file and its directory and reads all of it. The error is an
// *UnsafeError if others may know or have chosen the content.
func Read(name string, most int64) ([]byte, error) {
	user := os.Geteuid()
	if err := checkDir(filepath.Dir(name), user); err != nil {
		return nil, err
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if err := check(f, user); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Create creates a file that only its owner can read, atomically: concurrent readers
// never see a part of it. The error is fs.ErrExist if the file exists, which is then
// left unchanged, and an *UnsafeError if others can create files in the directory.
func Create(name string, data []byte) error {
	if err := checkDir(filepath.Dir(name), os.Geteuid()); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // its mode is 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it was linked to its name, or is useless
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	err = os.Link(f.Name(), name) // unlike a rename, it replaces nothing
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, missing := os.Lstat(name); !errors.Is(missing, fs.ErrNotExist) {
		return err
	}
	return os.Rename(f.Name(), name) // some file systems have no links
}
