package tables_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A program compiles only the driver that it uses.
func TestDriversStayApart(t *testing.T) {
	for of, not := range map[string][]string{
		"store":                 {"modernc.org/sqlite", "github.com/jackc/pgx"},
		"agent/memory/sqlite":   {"github.com/jackc/pgx"},
		"agent/memory/postgres": {"modernc.org/sqlite"},
	} {
		imported, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "github.com/sluice-project/sluice/"+of).Output()
		if err != nil {
			t.Skipf("the go command: %v", err)
		}
		for _, driver := range not {
			if strings.Contains(string(imported), driver) {
				t.Errorf("%s imports %s", of, driver)
			}
		}
	}
}
