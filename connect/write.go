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
	"regexp"
	"slices"
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
	}
	return kept, replace(path, e.After, mode, path)
}

// Undo restores what a file was before [Edit.Write], however often it was
// written, and reports whether there was something to restore. A file that was
// changed since is left alone, so that no change is lost.
func Undo(path string) (restored bool, err error) {
	path, mode, err := target(path)
	if err != nil {
		return false, err
	}
	for {
		back, err := restore(path, mode)
		if err != nil {
			return restored, err
		}
		if !back {
			break
		}
		restored = true
	}
	if left := keptCopies(path); len(left) > 0 && !restored {
		return false, fmt.Errorf("%s was changed since it was written: take %s out by hand, or compare it with %s", path, addedLines(path, left[len(left)-1]), left[len(left)-1])
	}
	return restored, nil
}

// ourMembers are in the lines that set a client up for a gateway.
var ourMembers = regexp.MustCompile(`(?i)base_?url|sluice|_FIRST_PARTY_`)

// addedLines names the lines of a file that set the client up, and that the copy of what
// the file was before does not have.
func addedLines(path, kept string) string {
	now, err := readOwn(path)
	before, failed := readOwn(kept)
	if err != nil || failed != nil {
		return "the gateway's members"
	}
	was := strings.Split(string(before), "\n")
	var lines []string
	for i, line := range strings.Split(string(now), "\n") {
		if ourMembers.MatchString(line) && !slices.Contains(was, line) {
			lines = append(lines, fmt.Sprintf("line %d (%s)", i+1, strings.TrimSpace(line)))
		}
	}
	if len(lines) == 0 {
		return "the gateway's members"
	}
	return strings.Join(lines, " and ")
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
			err = os.Remove(kept)
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
	word := ".before-sluice-"
	if !existed {
		word = createdMark
	}
	return path + word + hex.EncodeToString(sum[:6])
}

// keptCopies returns the copies of a file.
func keptCopies(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		for _, word := range []string{".before-sluice-", createdMark} {
			if len(e.Name()) == len(filepath.Base(path)+word)+12 && e.Name()[:len(e.Name())-12] == filepath.Base(path)+word {
				list = append(list, filepath.Join(filepath.Dir(path), e.Name()))
			}
		}
	}
	return list
}

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
