package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/gateway/settings"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// home is in the environment of these tests, so that there is a data directory.
const home = "HOME=/nowhere/ada"

// parsed returns flags as a command would have them.
func parsed(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	fs := pflag.NewFlagSet("sluice", pflag.ContinueOnError)
	settings.Flags(fs)
	settings.ServeFlags(fs)
	settings.SessionFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return fs
}

// mustParse loads a configuration that is right.
func mustParse(t *testing.T, from settings.Sources, content string) *settings.Settings {
	t.Helper()
	s, err := settings.Parse(from, "f.yaml", content)
	if err != nil {
		t.Fatalf("it is refused:\n%v", err)
	}
	return s
}

// problemsOf loads a configuration and returns its problems, one per line.
func problemsOf(t *testing.T, s *settings.Settings, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	if s != nil {
		t.Errorf("there are settings in spite of problems")
	}
	if problems, ok := errors.AsType[settings.Problems](err); !ok || len(problems) == 0 {
		t.Fatalf("the error is %T, want Problems", err)
	}
	return err.Error()
}

// entry returns what people are shown about a key.
func entry(t *testing.T, s *settings.Settings, path string) settings.Entry {
	t.Helper()
	for _, e := range s.Entries() {
		if e.Path == path {
			return e
		}
	}
	t.Fatalf("there is no entry %s", path)
	return settings.Entry{}
}

// write makes a file that only its owner can read, and returns its path.
func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
