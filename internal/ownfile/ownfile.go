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

// UnsafeError is a file whose content others may know or have chosen.
type UnsafeError struct {
	Name string
	// Reason says what is wrong with it, as the rest of a sentence.
	Reason string
}

func (e *UnsafeError) Error() string { return e.Name + " " + e.Reason }

// Check reports whether an open file is its owner's alone: a regular file of the
// user who runs the program, which nobody else can read or write. The error is an
// *UnsafeError if it is not. On Windows, where modes and owners say nothing of
// this, only the kind of the file counts. What is checked is the open file, so
// that nobody can put another one in its place meanwhile.
func Check(f *os.File) error { return check(f, os.Geteuid()) }

func check(f *os.File, user int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	unsafe := func(format string, args ...any) error {
		return &UnsafeError{f.Name(), fmt.Sprintf(format, args...)}
	}
	if !info.Mode().IsRegular() {
		return unsafe("is not a regular file")
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	if owner, known := ownerOf(info); known && owner != user {
		return unsafe("belongs to another user (with the id %d)", owner)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return unsafe("can be read or written by others (its mode is %#o, and must be 0600)", mode)
	}
	return nil
}

// ErrTooLarge is a file that is larger than was asked for.
var ErrTooLarge = errors.New("the file is too large")

// Read checks a file and reads all of it.
func Read(name string, most int64) ([]byte, error) {
	// Opening something else than a file, such as a pipe, may wait forever.
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &UnsafeError{name, "is not a regular file"}
	}
	f, err := os.Open(name) //nolint:gosec // the caller's own file
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if err := Check(f); err != nil {
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

// Create makes a file that only its owner can read, with all of its content or
// not at all: whoever reads it at the same time never sees half of it. The error
// is fs.ErrExist if there is one of that name already, which is left as it is.
func Create(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // its mode is 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it has another name by then, or is of no use
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), name) // unlike a rename, it replaces nothing
}
