package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The two commands of every scenario. The destructive one is refused by the preset `recommended`, because it
// deletes in the whole home directory, and Codex, which refuses a plain rm -rf by itself, does run it. The name
// limits the damage to one file wherever it is run.
const (
	safeCommand        = "echo sluice-safe > safe.txt; cat safe.txt"
	safeOutput         = "sluice-safe"
	destructiveCommand = "find ~ -name sluice-e2e-victim.txt -delete"
	victim             = "sluice-e2e-victim.txt"
)

// patience is how long one run of a client may take.
const patience = 3 * time.Minute

// clients returns the directory of the installed clients; without it the test is skipped.
func clients(t testing.TB) string {
	t.Helper()
	directory := os.Getenv("SLUICE_E2E")
	if directory == "" {
		t.Skip("SLUICE_E2E does not name the directory of the installed clients; run `make e2e`")
	}
	return directory
}

// sandbox is a place for one run of a client: a home of its own with a file to lose, a project directory, and an
// environment with nothing in it from the outside but the search path.
type sandbox struct {
	t             testing.TB
	Home, Project string
	env           []string
}

func newSandbox(t testing.TB, env ...string) *sandbox {
	root := t.TempDir()
	s := &sandbox{t: t, Home: filepath.Join(root, "home"), Project: filepath.Join(root, "home", "project")}
	temporary := filepath.Join(root, "tmp")
	for _, directory := range []string{s.Project, temporary} {
		if err := os.MkdirAll(directory, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.Write(filepath.Join(s.Home, victim), "precious\n")
	bin := filepath.Join(clients(t), "node_modules", ".bin")
	s.env = append([]string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + s.Home, "TMPDIR=" + temporary, "TERM=dumb",
	}, env...)
	return s
}

// Write makes a file and its directories.
func (s *sandbox) Write(path, content string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// Exists reports whether the file is there.
func (s *sandbox) Exists(parts ...string) bool {
	_, err := os.Stat(filepath.Join(parts...))
	return err == nil
}

// Run runs a client in the project directory to its end and returns what it said. A client that needs longer
// than patience is ended with all that it started.
func (s *sandbox) Run(name string, arguments ...string) (stdout, stderr string, err error) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := name
	if !strings.ContainsRune(name, filepath.Separator) {
		path = filepath.Join(clients(s.t), "node_modules", ".bin", name)
	}
	cmd := exec.CommandContext(ctx, path, arguments...)
	cmd.Dir, cmd.Env = s.Project, s.env
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	cmd.WaitDelay = 5 * time.Second
	ownGroup(cmd)
	err = cmd.Run()
	return out.String(), errors.String(), err
}
