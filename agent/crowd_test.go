package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/agent/memory/postgres"
	"github.com/sluice-project/sluice/agent/memory/sqlite"
	"github.com/sluice-project/sluice/internal/pgtest"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/sluicetest"
)

// crowd is how many runs there are at the same time, and how many conversations
// they have.
const (
	crowd         = 1000
	conversations = 250
	crowdRounds   = 3
)

// mark is what a call of the crowd carries, so that it can be found again.
type mark struct {
	Run   int `json:"run"`
	Round int `json:"round"`
	N     int `json:"n"`
}

func (m mark) String() string {
	raw, _ := json.Marshal(m)
	return string(raw)
}

// A thousand runs at once, with tools, cancelled at random points: nothing leaks,
// every round in which a tool ran is stored whole, and no other is.
func TestCrowdOfRunsLosesNothing(t *testing.T) {
	t.Run("in memory", func(t *testing.T) {
		tryCrowd(t, memory.NewInMemory())
	})
	t.Run("sqlite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "memory.db")
		before := openFiles(t)
		repo, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		tryCrowd(t, repo)
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
		if after := openFiles(t); after > before {
			t.Errorf("%d files are open, %d were", after, before)
		}
	})
	t.Run("postgres", func(t *testing.T) {
		dsn := pgtest.Start(t)
		before := openFiles(t)
		repo, err := postgres.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		tryCrowd(t, repo)
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
		if after := openFiles(t); after > before {
			t.Errorf("%d files and connections are open, %d were", after, before)
		}
	})
}

// openFiles counts what the process has open, connections included.
func openFiles(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Logf("open files are not counted here: %v", err)
		return 0
	}
	return len(open)
}

func tryCrowd(t *testing.T, repo memory.Repository) {
	t.Helper()
	seed := uint64(1)
	if s := os.Getenv("SLUICE_SEED"); s != "" {
		_, _ = fmt.Sscan(s, &seed)
	}
	kept, err := memory.New(repo, memory.Options{Window: memory.All()})
	if err != nil {
		t.Fatal(err)
	}
	// What is open before, once everything that opens late has.
	if _, err := kept.Get(t.Context(), "nobody"); err != nil {
		t.Fatal(err)
	}
	before := goleak.IgnoreCurrent()

	// ran has the rounds in which a tool ran; failed the runs whose memory failed,
	// because another turn of their conversation was stored first.
	var (
		mu     sync.Mutex
		ran    = make(map[[2]int]bool)
		failed = make(map[int]bool)
		wait   sync.WaitGroup
		start  = make(chan struct{})
	)
	for i := range crowd {
		wait.Go(func() {
			<-start
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			tool := &agent.Tool{Name: "work", Sequential: random.IntN(4) == 0, Run: func(ctx context.Context, c agent.Call) (agent.Output, error) {
				var m mark
				if err := json.Unmarshal(c.Arguments, &m); err != nil {
					return agent.Output{}, agent.Fatal(err)
				}
				mu.Lock()
				ran[[2]int{m.Run, m.Round}] = true
				mu.Unlock()
				for range m.N {
					runtime.Gosched()
				}
				return agent.Output{Text: "done " + m.String()}, ctx.Err()
			}}
			if err := runOne(t, kept, i, random, tool); err != nil {
				if _, conflict := errors.AsType[*memory.ConflictError](err); !conflict {
					t.Errorf("run %d: %v", i, err)
				}
				mu.Lock()
				failed[i] = true
				mu.Unlock()
			}
		})
	}
	close(start)
	wait.Wait()
	goleak.VerifyNone(t, before)
	checkCrowd(t, kept, ran, failed)
}

// runOne makes one run that ends at a random point, and returns the error of its
// memory.
func runOne(t *testing.T, kept *memory.Memory, i int, random *rand.Rand, tool *agent.Tool) error {
	t.Helper()
	var rounds []scripted.Round
	for r := range crowdRounds {
		round := scripted.Round{scripted.Text("Let me see, this takes a while.")}
		for n := range 1 + random.IntN(3) {
			round = append(round, scripted.Call("work", mark{i, r, n}.String()))
		}
		rounds = append(rounds, round)
	}
	rounds = append(rounds, scripted.Round{scripted.Text("That is all that there was to do.")})
	cfg := agent.Config{
		Model: scripted.New(rounds...), Tools: []*agent.Tool{tool}, Memory: kept,
		Loop: agent.LoopConfig{Stream: agent.StreamMode(random.IntN(3)), Parallel: 1 + random.IntN(4)},
		// Every other conversation lets its turns wait for each other; in the rest
		// they get into each other's way.
		Remember: agent.MemoryConfig{Serialise: i%conversations%2 == 0},
	}
	if random.IntN(2) == 0 {
		cfg.Remember.Order = agent.InsideLoop
		cfg.Loop.NoHistory = random.IntN(2) == 0
	}
	client, err := agent.New(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := client.Run(ctx, &agent.Request{Text: fmt.Sprintf("run %d", i), Conversation: fmt.Sprintf("conversation %d", i%conversations)})
	how, at, n := random.IntN(6), random.IntN(60), 0
	var failed error
events:
	for _, err := range run.Events() {
		if err != nil {
			if ctx.Err() == nil && !errors.Is(err, agent.ErrCancelled) {
				failed = err
			}
			break
		}
		if n++; n != at {
			continue
		}
		switch how {
		case 0:
			cancel()
		case 1:
			run.Cancel(agent.Now)
		case 2:
			run.Cancel(agent.AfterModel)
		case 3:
			run.Cancel(agent.AfterTools)
		case 4:
			break events
		}
	}
	if lost := run.Result().NotKept; lost != nil {
		return lost
	}
	return failed
}

// checkCrowd looks at what was stored.
func checkCrowd(t *testing.T, kept *memory.Memory, ran map[[2]int]bool, failed map[int]bool) {
	t.Helper()
	stored := make(map[[2]int]bool)
	for c := range conversations {
		conversation, err := kept.Get(t.Context(), fmt.Sprintf("conversation %d", c))
		if err != nil {
			t.Fatal(err)
		}
		if err := sluicetest.ValidateHistories(conversation.Messages); err != nil {
			t.Fatalf("conversation %d: %v", c, err)
		}
		for _, m := range conversation.Messages {
			for _, b := range m.Blocks {
				if b.Kind != llm.ToolCall {
					continue
				}
				var at mark
				if err := json.Unmarshal([]byte(b.Arguments), &at); err != nil {
					t.Fatal(err)
				}
				stored[[2]int{at.Run, at.Round}] = true
			}
		}
	}
	lost := 0
	for round := range ran {
		if !stored[round] && !failed[round[0]] {
			lost++
			t.Errorf("run %d: round %d ran and is not stored", round[0], round[1])
		}
	}
	for round := range stored {
		if !ran[round] {
			t.Errorf("run %d: round %d is stored, and no tool of it ran", round[0], round[1])
		}
	}
	for i := range failed {
		if i%conversations%2 == 0 {
			t.Errorf("run %d: a turn that waits for others met one", i)
		}
	}
	t.Logf("%d rounds ran, %d are stored, %d lost; %d runs met another turn", len(ran), len(stored), lost, len(failed))
	if len(stored) < crowd/4 || len(failed) == 0 {
		t.Errorf("too little happened: %d rounds stored, %d conflicts", len(stored), len(failed))
	}
}
