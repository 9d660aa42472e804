//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Reading a pipe that nobody writes to would never end.
func TestPipesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := call1(t, readFile(root), `{"path":"pipe"}`); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Error(err)
	}
}
