package memory_test

import (
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/memorytest"
)

func TestInMemory(t *testing.T) {
	memorytest.Run(t, func(*testing.T) memory.Repository { return memory.NewInMemory() })
}
