package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/llm"
)

const turns = 15 // of each process

// child is what another process does with the file: it speaks in one
// conversation with the others, and in one of its own.
func child() bool {
	path, name := os.Getenv("SQLITE_TEST_PATH"), os.Getenv("SQLITE_TEST_NAME")
	if path == "" {
		return false
	}
	if err := speak(context.Background(), path, name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func speak(ctx context.Context, path, name string) error {
	repo, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	defer repo.Close()
	for turn := 0; turn < turns; {
		c, err := repo.Load(ctx, "together")
		if err != nil {
			return err
		}
		_, err = repo.Append(ctx, "together", c.Version, []llm.Message{says("%s asks %d", name, turn), says("answer")})
		switch {
		case err == nil:
			turn++
		case !errors.As(err, new(*memory.ConflictError)):
			return err
		}
	}
	_, err = repo.Append(ctx, "of "+name, 0, []llm.Message{says("done")})
	return err
}

func says(format string, arguments ...any) llm.Message {
	return llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: fmt.Sprintf(format, arguments...), Status: llm.Complete}}}
}

// Processes that share a file, and start when it does not exist yet, lose nothing
// of each other's turns.
func TestSeveralProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	names := []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), "SQLITE_TEST_PATH="+path, "SQLITE_TEST_NAME="+name)
			if said, err := command.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
	wg.Wait()
	c, err := open(t, path).Load(t.Context(), "together")
	if err != nil || len(c.Messages) != 2*turns*len(names) {
		t.Fatalf("%d messages, %v", len(c.Messages), err)
	}
	next := map[string]int{}
	for i := 0; i < len(c.Messages); i += 2 {
		name := c.Messages[i].Blocks[0].Text[:1]
		if want := fmt.Sprintf("%s asks %d", name, next[name]); c.Messages[i].Blocks[0].Text != want || c.Messages[i+1].Blocks[0].Text != "answer" {
			t.Errorf("message %d is %q, want %q and its answer", i, c.Messages[i].Blocks[0].Text, want)
		}
		next[name]++
	}
}
