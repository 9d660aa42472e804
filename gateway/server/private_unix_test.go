//go:build unix

package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/server"
)

const planted = "a-token-that-somebody-planted\n"

// A token that somebody else can have put there would let them in.
func TestATokenThatOthersCanPlantIsRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		dir, file os.FileMode
		change    func(t *testing.T, dir, file string)
		want      string // empty if the token is good
	}{
		{name: "a directory and a file of one's own", dir: 0o700, file: 0o600},
		{name: "a directory that others can read", dir: 0o755, file: 0o400},
		{name: "a directory in which the group can write", dir: 0o770, file: 0o600, want: "chmod go-w"},
		{name: "a directory in which others can write", dir: 0o702, file: 0o600, want: "chmod go-w"},
		{name: "a directory in which all can write, like /tmp", dir: 0o777 | os.ModeSticky, file: 0o600},
		{name: "a directory in which all can write, without a token", dir: 0o777, want: "chmod go-w"},
		{name: "a file that the group can read", dir: 0o700, file: 0o640, want: "remove the file"},
		{name: "a file that others can write", dir: 0o700, file: 0o602, want: "remove the file"},
		{name: "a link", dir: 0o700, want: "is a link", change: func(t *testing.T, _, file string) {
			t.Helper()
			elsewhere := write(t, filepath.Join(t.TempDir(), "token"), planted)
			if err := os.Symlink(elsewhere, file); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a directory in the place of the file", dir: 0o700, want: "is not a regular file", change: func(t *testing.T, _, file string) {
			t.Helper()
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a file of another user", dir: 0o700, file: 0o600, want: "belongs to another user", change: func(t *testing.T, _, file string) { t.Helper(); give(t, file) }},
		{name: "a directory of another user", dir: 0o700, file: 0o600, want: "belongs to another user", change: func(t *testing.T, dir, _ string) { t.Helper(); give(t, dir) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := configure(t, nil)
			s.Data = filepath.Join(t.TempDir(), "data")
			file := filepath.Join(s.Data, "admin-token")
			if err := os.Mkdir(s.Data, 0o700); err != nil {
				t.Fatal(err)
			}
			if tc.file != 0 {
				write(t, file, planted)
				chmod(t, file, tc.file)
			}
			if tc.change != nil {
				tc.change(t, s.Data, file)
			}
			chmod(t, s.Data, tc.dir)
			srv, err := server.New(s, server.Options{})
			if err == nil {
				defer srv.Close()
			}
			switch {
			case tc.want == "" && (err != nil || srv.AdminToken().Reveal() != strings.TrimSpace(planted)):
				t.Errorf("a good token is refused: %v", err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "--data")):
				t.Errorf("got %v, want %q and what to do", err, tc.want)
			}
		})
	}
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// give makes something another user's.
func give(t *testing.T, name string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	if err := os.Chown(name, 54321, 54321); err != nil {
		t.Fatal(err)
	}
}
