package ownfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Every mode in which another one has any right is refused, all others are not.
func TestAFileThatOthersReachIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing on Windows")
	}
	name := filepath.Join(t.TempDir(), "key")
	if err := Create(name, []byte("x")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for mode := range fs.FileMode(0o1000) {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		err := check(f, os.Geteuid())
		unsafe, isUnsafe := errors.AsType[*UnsafeError](err)
		if wanted := mode&0o077 != 0; isUnsafe != wanted || !wanted && err != nil {
			t.Errorf("mode %#o: %v", mode, err)
		} else if isUnsafe && !strings.Contains(unsafe.Error(), fmt.Sprintf("%#o", mode)) {
			t.Errorf("mode %#o is called %v", mode, err)
		}
	}
}

func TestAFileOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no owner that could be compared on Windows")
	}
	name := filepath.Join(t.TempDir(), "key")
	if err := Create(name, []byte("x")); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := check(f, os.Geteuid()); err != nil {
		t.Error(err)
	}
	user := os.Geteuid()
	if user == 0 { // what is root's is good for everybody
		if err := check(f, 54321); err != nil {
			t.Error(err)
		}
		if err := os.Chown(name, 54322, -1); err != nil {
			t.Fatal(err)
		}
	}
	var unsafe *UnsafeError
	if err := check(f, user+1); !errors.As(err, &unsafe) || !strings.Contains(err.Error(), "another user") {
		t.Errorf("it is used: %v", err)
	}
}

// Where others can put files, none is read and none is made.
func TestADirectoryInWhichOthersWriteIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing on Windows")
	}
	for mode, wanted := range map[fs.FileMode]bool{
		0o700: false, 0o755: false, 0o770: true, 0o702: true, 0o777: true, 0o777 | fs.ModeSticky: false, 0o720 | fs.ModeSticky: false,
	} {
		dir := t.TempDir()
		old, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "fresh")
		if err := Create(old, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		_, read := Read(old, 10)
		for what, err := range map[string]error{"read": read, "made": Create(fresh, []byte("x"))} {
			var unsafe *UnsafeError
			if errors.As(err, &unsafe) != wanted || !wanted && err != nil {
				t.Errorf("%v: %s: %v", mode, what, err)
			}
		}
	}
	if user := os.Geteuid(); checkDir("/tmp", user+1) == nil {
		t.Error("a sticky directory of another user is taken for one's own")
	}
}

// A link leads to a file that somebody else has chosen.
func TestALinkIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links are followed on Windows")
	}
	name, link := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "key")
	if err := errors.Join(Create(name, []byte("x")), os.Symlink(name, link)); err != nil {
		t.Fatal(err)
	}
	var unsafe *UnsafeError
	if _, err := Read(link, 10); !errors.As(err, &unsafe) || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("it is read: %v", err)
	}
	if err := Create(link, []byte("y")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it is written: %v", err)
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	var unsafe *UnsafeError
	if _, err := Read(t.TempDir(), 10); !errors.As(err, &unsafe) {
		t.Errorf("a directory is read: %v", err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "key")
	if err := Create(name, []byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(name, 10); err != nil || string(data) != "0123456789" {
		t.Errorf("at the limit: %q %v", data, err)
	}
	if data, err := Read(name, 9); !errors.Is(err, ErrTooLarge) || data != nil {
		t.Errorf("over the limit: %q %v", data, err)
	}
}

// However many make the file at once, one of them does, nobody reads half of it,
// and nothing else is left behind.
func TestOneOfManyMakesTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "key")
	const most = 1 << 16
	made := make([]error, 8)
	seen := make([][]byte, len(made))
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() {
			made[i] = Create(name, bytes.Repeat([]byte{byte('a' + i)}, most))
			seen[i], _ = Read(name, most)
		})
	}
	all.Wait()
	winners := 0
	for i, err := range made {
		switch {
		case err == nil:
			winners++
		case !errors.Is(err, fs.ErrExist):
			t.Error(err)
		}
		if len(seen[i]) != most || !bytes.Equal(seen[i], seen[0]) {
			t.Errorf("reader %d sees %d bytes", i, len(seen[i]))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || winners != 1 || len(entries) != 1 {
		t.Errorf("%d made it, and there are %d files: %v", winners, len(entries), err)
	}
	info, err := os.Stat(name)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}
