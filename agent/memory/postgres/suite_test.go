package postgres_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/memorytest"
	"github.com/sluice-project/sluice/agent/memory/postgres"
	"github.com/sluice-project/sluice/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, dsn string) *postgres.Repository {
	t.Helper()
	repo, err := postgres.Open(t.Context(), dsn)
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

func TestRepository(t *testing.T) {
	memorytest.Run(t, func(t *testing.T) memory.Repository { return open(t, pgtest.Start(t)) })
}
