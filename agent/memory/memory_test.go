package memory_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
)

// counting counts the writes of a repository, and fails on request.
type counting struct {
	memory.Repository

	appends, replaces int
	fail              error
}

func (c *counting) Append(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	if c.fail != nil {
		return 0, c.fail
	}
	c.appends++
	return c.Repository.Append(ctx, id, at, messages)
}

func (c *counting) Replace(ctx context.Context, id string, at int64, messages []llm.Message) (int64, error) {
	if c.fail != nil {
		return 0, c.fail
	}
	c.replaces++
	return c.Repository.Replace(ctx, id, at, messages)
}

func TestAnAddIsOneWrite(t *testing.T) {
	for _, w := range []memory.Window{memory.Messages(4), memory.All()} {
		repo := &counting{Repository: memory.NewInMemory()}
		m, err := memory.New(repo, memory.Options{Window: w})
		if err != nil {
			t.Fatal(err)
		}
		kept := add(t, m, "U1 A1", "U2 A2", "U3 A3")
		switch w {
		case memory.All():
			want(t, kept, "U1 A1 U2 A2 U3 A3")
			if repo.appends != 3 || repo.replaces != 0 {
				t.Errorf("%d appends, %d replaces", repo.appends, repo.replaces)
			}
		default:
			want(t, kept, "U2 A2 U3 A3")
			if repo.appends != 2 || repo.replaces != 1 {
				t.Errorf("%d appends, %d replaces", repo.appends, repo.replaces)
			}
		}
	}
}

func TestSystemMessagesDoNotPileUp(t *testing.T) {
	for name, c := range map[string]struct {
		parts []string
		kept  string
	}{
		"the same again":                 {[]string{"S1 U1 A1", "S1 U2 A2"}, "S1 U1 A1 U2 A2"},
		"the same in the middle":         {[]string{"S1 U1 A1", "U2 S1 A2"}, "S1 U1 A1 U2 A2"},
		"another one":                    {[]string{"S1 U1 A1", "S2 U2 A2"}, "S2 U1 A1 U2 A2"},
		"one that comes late":            {[]string{"U1 A1", "U2 A2 S1"}, "S1 U1 A1 U2 A2"},
		"two for one":                    {[]string{"S1 U1", "S2 S3 A1"}, "S2 S3 U1 A1"},
		"one for two":                    {[]string{"S1 S2 U1", "S3 A1"}, "S3 U1 A1"},
		"one that is kept and a new one": {[]string{"S1 U1", "S1 S2 A1"}, "S1 S2 U1 A1"},
		"one of the two that are kept":   {[]string{"S1 S2 U1", "S2 A1"}, "S1 S2 U1 A1"},
		"twice in one call":              {[]string{"S1 S1 U1"}, "S1 U1"},
		"alone":                          {[]string{"S1"}, "S1"},
		"alone, again":                   {[]string{"S1 U1", "S1"}, "S1 U1"},
		"alone, another one":             {[]string{"S1 U1", "S2"}, "S2 U1"},
	} {
		for _, w := range []memory.Window{nil, memory.All()} {
			t.Run(name, func(t *testing.T) { want(t, add(t, remember(t, w), c.parts...), c.kept) })
		}
	}
}

func TestTheSameInstructionsAloneWriteNothing(t *testing.T) {
	m := remember(t, nil)
	add(t, m, "S1 U1")
	c, _ := m.Get(t.Context(), "a")
	if v, err := m.Add(t.Context(), "a", c.Version, talk("S1")...); err != nil || v != c.Version {
		t.Errorf("version %d, was %d, %v", v, c.Version, err)
	}
}

func TestAddRefusesWhatCannotBeKept(t *testing.T) {
	m := remember(t, nil)
	v, err := m.Add(t.Context(), "a", 0, talk("U A")...)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]llm.Message{
		"no blocks": {Role: llm.Assistant}, "an empty text": says(llm.Assistant, ""),
		"empty texts": {Role: llm.User, Blocks: []llm.Block{{Kind: llm.Thinking}, {Kind: llm.Refusal}}}, "nothing": {},
		"no kind": {Role: llm.User, Blocks: []llm.Block{{Text: "x"}}},
	} {
		_, err := m.Add(t.Context(), "a", v, says(llm.User, "x"), bad)
		if at, ok := errors.AsType[*memory.MessageError](err); !ok || at.Message != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Add(t.Context(), "a", v); !errors.Is(err, memory.ErrNoMessages) {
		t.Errorf("%v", err)
	}
	if c, err := m.Get(t.Context(), "a"); err != nil || c.Version != v || words(c.Messages) != "U A" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAddOnAnotherVersionIsAConflict(t *testing.T) {
	for _, w := range []memory.Window{nil, memory.All(), memory.Messages(1)} {
		m := remember(t, w)
		v, err := m.Add(t.Context(), "a", 0, talk("U A")...)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{0, v + 1, -1} {
			_, err := m.Add(t.Context(), "a", at, talk("U2")...)
			if conflict, ok := errors.AsType[*memory.ConflictError](err); !ok || *conflict != (memory.ConflictError{Conversation: "a", Expected: at, Found: v}) {
				t.Errorf("%v", err)
			}
		}
		if c, _ := m.Get(t.Context(), "a"); words(c.Messages) != "U A" {
			t.Errorf("%+v", c)
		}
	}
}

func TestGetReturnsAHistoryThatIsAccepted(t *testing.T) {
	repo := memory.NewInMemory()
	v, err := repo.Append(t.Context(), "a", 0, talk("Ta U1 Ca U2 0 S A2"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := memory.New(repo, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.Get(t.Context(), "a")
	if err != nil || c.Version != v {
		t.Errorf("%+v, %v", c, err)
	}
	want(t, words(c.Messages), "S U1 Ca ?a U2 A2")
	// What is kept stays as it was written.
	if kept, _ := repo.Load(t.Context(), "a"); !reflect.DeepEqual(kept.Messages, talk("Ta U1 Ca U2 0 S A2")) {
		t.Errorf("%+v", kept)
	}
}

// A result that is added after its call was loaded and closed is still the
// result.
func TestARoundMayBeAddedInParts(t *testing.T) {
	for _, w := range []memory.Window{nil, memory.All(), memory.Messages(1)} {
		m := remember(t, w)
		want(t, add(t, m, "U1 A1", "U2", "Ca"), map[bool]string{true: "U2 Ca ?a", false: "U1 A1 U2 Ca ?a"}[isSmall(w)])
		kept := add(t, m, "Ta", "A2")
		if kept != "U2 Ca Ta A2" && kept != "U1 A1 U2 Ca Ta A2" {
			t.Errorf("%s", kept)
		}
	}
}

func TestARepositoryThatFailsIsAnErrorAndLosesNothing(t *testing.T) {
	failed := errors.New("disk full")
	repo := &counting{Repository: memory.NewInMemory()}
	for _, w := range []memory.Window{memory.Messages(1), memory.Messages(100), memory.All()} {
		m, err := memory.New(repo, memory.Options{Window: w})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Clear(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		want(t, add(t, m, "U1 A1"), "U1 A1")
		c, _ := m.Get(t.Context(), "a")
		repo.fail = failed
		if _, err := m.Add(t.Context(), "a", c.Version, talk("U2")...); !errors.Is(err, failed) {
			t.Errorf("%v", err)
		}
		repo.fail = nil
		want(t, add(t, m, "U3"), map[bool]string{true: "U3", false: "U1 A1 U3"}[isSmall(w)])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, _ := memory.New(repo, memory.Options{})
	_, got := m.Get(ctx, "a")
	_, added := m.Add(ctx, "a", 0, talk("U")...)
	for _, err := range []error{got, added, m.Clear(ctx, "a")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// isSmall reports whether a window keeps only the current turn of a test.
func isSmall(w memory.Window) bool {
	if w == nil {
		return false
	}
	left, _ := w.Fit(context.Background(), talk("U A U A"))
	return len(left) == 2
}

func TestConcurrentTurnsThatLockLoseNothing(t *testing.T) {
	m := remember(t, memory.All())
	const turns = 50
	var wg sync.WaitGroup
	for range turns {
		wg.Go(func() {
			unlock, err := m.Lock(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			c, err := m.Get(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := m.Add(t.Context(), "a", c.Version, talk("U A")...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if c, err := m.Get(t.Context(), "a"); err != nil || len(c.Messages) != 2*turns {
		t.Errorf("%d messages, %v", len(c.Messages), err)
	}
}

func TestAMemoryNeedsARepository(t *testing.T) {
	if m, err := memory.New(nil, memory.Options{}); err == nil || m != nil {
		t.Errorf("%v, %v", m, err)
	}
}

func TestWithoutAWindowOneHundredMessagesAreKept(t *testing.T) {
	m := remember(t, nil)
	var parts []string
	for range memory.DefaultMessages/2 + 1 {
		parts = append(parts, "U A")
	}
	add(t, m, parts[1:]...)
	if c, _ := m.Get(t.Context(), "a"); len(c.Messages) != memory.DefaultMessages {
		t.Errorf("%d messages at the limit", len(c.Messages))
	}
	add(t, m, parts[0])
	if c, _ := m.Get(t.Context(), "a"); len(c.Messages) != memory.DefaultMessages {
		t.Errorf("%d messages over the limit", len(c.Messages))
	}
}
