package server

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Contents count when two looks in a row agree on them, so that a file that is
// still being written is not taken for a whole one, and what was refused is not
// tried again and again.
func TestChangesCountWhenTheyHaveSettled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	put := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(one, "1")
	reloads := 0
	w := newWatch(func() error { reloads++; return errors.New("refused") }, one, two)
	expect := func(what string, want int) {
		t.Helper()
		if w.poll(); reloads != want {
			t.Errorf("%s: %d reloads, want %d", what, reloads, want)
		}
	}
	expect("nothing changed", 0)
	put(one, "1\n")
	expect("the file is being written", 0)
	put(one, "1\n2")
	expect("it is still being written", 0)
	expect("it has settled", 1)
	expect("it was refused", 1)
	put(two, "new")
	expect("another file", 1)
	expect("it has settled", 2)
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	expect("a file is gone for a moment", 2)
	put(one, "1\n2")
	expect("and is back as it was", 2)
	expect("nothing changed", 2)
	if err := os.Remove(two); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(two, 0o700); err != nil {
		t.Fatal(err)
	}
	expect("what is no file", 2)
	expect("is not read", 3)
}

// A folder has changed when a policy file in it was put there, changed or removed.
func TestAFolderIsWatchedWithWhatIsInIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	reloads := 0
	w := newWatch(func() error { reloads++; return nil }, dir)
	change := func(what string, do func() error, want int) {
		t.Helper()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		w.poll()
		if w.poll(); reloads != want {
			t.Errorf("%s: %d reloads, want %d", what, reloads, want)
		}
	}
	write := func(name, content string) func() error {
		return func() error { return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600) }
	}
	change("a file", write("a.yaml", "1"), 1)
	change("another text", write("a.yaml", "2"), 2)
	change("another file", write("b.yml", "1"), 3)
	change("no policy file", write("notes.md", "1"), 3)
	change("another name", func() error { return os.Rename(filepath.Join(dir, "a.yaml"), filepath.Join(dir, "c.yaml")) }, 4)
	change("a file less", func() error { return os.Remove(filepath.Join(dir, "b.yml")) }, 5)
}
