package sqlite_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/memorytest"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
)

func TestMain(m *testing.M) {
	if child() {
		return
	}
	goleak.VerifyTestMain(m)
}

func open(t *testing.T, path string) *sqlite.Repository {
	t.Helper()
	repo, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	})
	return repo
}

func TestRepositoryInFile(t *testing.T) {
	memorytest.Run(t, func(t *testing.T) memory.Repository { return open(t, filepath.Join(t.TempDir(), "chat.db")) })
}

func TestRepositoryInMemory(t *testing.T) {
	memorytest.Run(t, func(t *testing.T) memory.Repository { return open(t, ":memory:") })
}
