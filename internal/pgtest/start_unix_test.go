//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Each call gives a database of its own, and it is gone afterwards.
func TestEachDatabaseIsItsOwn(t *testing.T) {
	var first string
	t.Run("one", func(t *testing.T) {
		first = Start(t)
		second := Start(t)
		if first == second {
			t.Fatalf("twice %s", first)
		}
		if err := execute(t.Context(), first, "CREATE TABLE a (b int)"); err != nil {
			t.Fatal(err)
		}
		if err := execute(t.Context(), second, "CREATE TABLE a (b int)"); err != nil {
			t.Fatal(err)
		}
	})
	if first == "" {
		t.Skip("there is no server")
	}
	conn, err := pgx.Connect(t.Context(), first)
	if err == nil {
		conn.Close(t.Context())
		t.Fatal("the database is still there")
	}
	if !strings.Contains(err.Error(), "does not exist") {
		t.Fatal(err)
	}
}

// Another database of a server is named in the form of its address.
func TestInDatabase(t *testing.T) {
	for _, tc := range []struct{ server, want string }{
		{"host=/run user=u", "host=/run user=u dbname=n"},
		{"host=/run dbname=old user=u", "host=/run dbname=old user=u dbname=n"},
		{"postgres://u:p%40@h:1/old?sslmode=disable", "postgres://u:p%40@h:1/n?sslmode=disable"},
		{"postgres://h?dbname=old", "postgres://h/n"},
	} {
		got := inDatabase(tc.server, "n")
		if got != tc.want {
			t.Errorf("%s: %s, want %s", tc.server, got, tc.want)
		}
		config, err := pgx.ParseConfig(got)
		if err != nil || config.Database != "n" {
			t.Errorf("%s names %v, %v", got, config, err)
		}
	}
}

// Without a server the test is skipped, or fails where one is required.
func TestWithoutServer(t *testing.T) {
	if os.Getenv("PGTEST_CHILD") != "" {
		refuse(t, os.ErrNotExist)
	}
	for _, tc := range []struct{ required, want string }{{"", "--- SKIP"}, {"0", "--- SKIP"}, {"1", "--- FAIL"}} {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWithoutServer$", "-test.v")
		child.Env = append(os.Environ(), "PGTEST_CHILD=1", requiredVariable+"="+tc.required)
		said, _ := child.CombinedOutput()
		for _, want := range []string{tc.want, "apt install postgresql", addressVariable} {
			if !strings.Contains(string(said), want) {
				t.Errorf("with %s=%q it does not say %q:\n%s", requiredVariable, tc.required, want, said)
			}
		}
	}
}

// A test binary that is killed leaves neither a server nor files behind.
func TestNothingIsLeftBehind(t *testing.T) {
	if os.Getenv("PGTEST_CHILD") != "" {
		_, err := os.Stdout.WriteString("dsn: " + Start(t) + "\n")
		if err == nil {
			err = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		t.Fatal(err)
	}
	if os.Getenv(addressVariable) != "" {
		t.Skip("the server is not started here")
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNothingIsLeftBehind$", "-test.v")
	child.Env = append(os.Environ(), "PGTEST_CHILD=1")
	said, _ := child.CombinedOutput()
	_, found, ok := strings.Cut(string(said), "dsn: host=")
	if !ok {
		t.Skipf("no server: %s", said)
	}
	directory, _, _ := strings.Cut(found, " ")
	for _, err := os.Stat(directory); err == nil && t.Context().Err() == nil; _, err = os.Stat(directory) {
		time.Sleep(10 * time.Millisecond) // another process removes it
	}
}

// A server that is named is used.
func TestNamedServer(t *testing.T) {
	named := Start(t)
	t.Setenv(addressVariable, named)
	if dsn := Start(t); !strings.HasPrefix(dsn, named+" dbname=") && !strings.Contains(named, "://") {
		t.Errorf("%s is not on %s", dsn, named)
	}
}
