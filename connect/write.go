package connect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxEdited is the size limit of a settings file that is edited.
const maxEdited = 4 << 20

// readOwn reads a file that is to be edited; nil when there is none. Unlike a file
// that is only looked at, one that cannot be read is an error: it would be
// replaced.
func readOwn(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(path); linkErr == nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist: remove the link, or make the file", path)
		}
		return nil, nil
	}
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxEdited:
		return nil, fmt.Errorf("%s has %d bytes, more than settings have", path, info.Size())
	}
	data, err := os.ReadFile(path) //nolint:gosec // it is the client's own file
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// Write makes the change atomically and keeps the mode of the file. A link is
// followed to the file that it names, if both belong to the same user. A copy of
// the original is kept beside it, for [Undo]; its name is returned, empty if
// nothing had to be written.
func (e Edit) Write() (kept string, err error) {
	if !e.Changes() {
		return "", nil
	}
	path, mode, err := target(e.Path)
	if err != nil {
		return "", err
	}
	now, err := readOwn(path)
	if err != nil {
		return "", err
	}
	if (now == nil) != (e.Before == nil) || !bytes.Equal(now, e.Before) {
		return "", fmt.Errorf("%s has changed in the meantime: try again", e.Path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	kept = keptName(path, e.After, e.Before != nil)
	if _, err := os.Lstat(kept); errors.Is(err, fs.ErrNotExist) { // otherwise the original is already kept
		if err := replace(kept, e.Before, mode, path); err != nil {
			return "", fmt.Errorf("a copy of %s cannot be kept: %w", e.Path, err)
		}
		if err := replace(writtenName(kept), e.After, mode, path); err != nil {
			return "", fmt.Errorf("a copy of %s cannot be kept: %w", e.Path, err)
		}
	}
	return kept, replace(path, e.After, mode, path)
}

// restore undoes one change; false if the file is not the result of a change.
func restore(path string, mode fs.FileMode) (bool, error) {
	now, err := readOwn(path)
	if err != nil || now == nil {
		return false, err
	}
	for _, existed := range []bool{true, false} {
		kept := keptName(path, now, existed)
		before, err := readOwn(kept)
		if err != nil {
			return false, err
		}
		if before == nil {
			continue
		}
		if existed {
			err = replace(path, before, mode, path)
		} else {
			err = os.Remove(path)
		}
		if err == nil {
			err = discard(kept)
		}
		return err == nil, err
	}
	return false, nil
}

// keptName is the name of the copy of a file that was replaced by new content. It
// contains the hash of that content, so that a copy is never taken for that of
// something else. For a file that did not exist the copy is empty and has another
// name.
func keptName(path string, after []byte, existed bool) string {
	sum := sha256.Sum256(after)
	word := keptMark
	if !existed {
		word = createdMark
	}
	return path + word + hex.EncodeToString(sum[:hashDigits/2])
}

// keptCopies returns the copies of a file.
func keptCopies(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		for _, word := range []string{keptMark, createdMark} {
			if len(e.Name()) == len(filepath.Base(path)+word)+hashDigits && e.Name()[:len(e.Name())-hashDigits] == filepath.Base(path)+word {
				list = append(list, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
	return list
}

// discard removes a copy, and that of what was written instead.
func discard(kept string) error {
	if err := os.Remove(writtenName(kept)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(kept)
}

// writtenName is the name of the copy of what was written in the place of a kept file.
func writtenName(kept string) string {
	at := len(kept) - hashDigits
	for _, word := range []string{keptMark, createdMark} {
		if before, ok := strings.CutSuffix(kept[:at], word); ok {
			return before + writtenMark + kept[at:]
		}
	}
	return kept + writtenMark
}

// hashDigits is how many digits of a hash are in the name of a copy.
const hashDigits = 12

// keptMark and writtenMark are in the names of copies of what was there, and of what was
// written.
const (
	keptMark    = ".before-sluice-"
	writtenMark = ".by-sluice-"
)

// createdMark is in the name of a copy where there was no file to copy.
const createdMark = ".new-by-sluice-"

// Created reports whether the copy that Write returned means that there was no file
// before.
func Created(backup string) bool { return strings.Contains(filepath.Base(backup), createdMark) }

// target is the file that a path resolves to, and its mode.
func target(path string) (file string, mode fs.FileMode, err error) {
	link, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, 0o600, nil
	}
	if err != nil {
		return "", 0, err
	}
	if link.Mode()&fs.ModeSymlink == 0 {
		return path, link.Mode().Perm(), nil
	}
	if file, err = filepath.EvalSymlinks(path); err != nil {
		return "", 0, err
	}
	info, err := os.Lstat(file)
	if err != nil {
		return "", 0, err
	}
	if !sameOwner(link, info) {
		return "", 0, fmt.Errorf("%s is a link to %s, which belongs to another user", path, file)
	}
	return file, info.Mode().Perm(), nil
}

// replace writes a temporary file and renames it, with the mode and, if possible,
// the owner of another.
func replace(path string, data []byte, mode fs.FileMode, like string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	temporary := f.Name()
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		if info, statErr := os.Stat(like); statErr == nil {
			keepOwner(temporary, info)
		}
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}
