package sluice_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Importing a package pulls in only what it needs: the agent runtime no policy language, database or
// protocol, and one database not the other.
func TestPackagesPullInOnlyWhatTheyAreFor(t *testing.T) {
	t.Parallel()

	const (
		cel      = "cel.dev/"
		sqlite   = "modernc.org/sqlite"
		pgx      = "github.com/jackc/"
		mcp      = "github.com/modelcontextprotocol/"
		goose    = "github.com/pressly/"
		shell    = "mvdan.cc/"
		policies = "github.com/sluice-project/sluice/policy"
	)

	for pkg, refused := range map[string][]string{
		"./agent":                 {cel, sqlite, pgx, mcp, goose, shell, policies},
		"./agent/memory":          {cel, sqlite, pgx, mcp, goose, shell, policies},
		"./agent/memory/sqlite":   {cel, pgx, mcp, shell, policies},
		"./agent/memory/postgres": {cel, sqlite, mcp, shell, policies},
		"./agent/mcp":             {cel, sqlite, pgx, goose, shell, policies},
		"./agent/policies":        {sqlite, pgx, mcp, goose},
		"./store":                 {cel, sqlite, pgx, mcp, shell, policies},
	} {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()

			out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
			if err != nil {
				t.Fatalf("go list -deps %s: %v", pkg, err)
			}

			for imported := range strings.Lines(string(out)) {
				imported = strings.TrimSpace(imported)
				for _, prefix := range refused {
					if strings.HasPrefix(imported, prefix) {
						t.Errorf("%s pulls in %s: put what needs it into a package of its own", pkg, imported)
					}
				}
			}
		})
	}
}
