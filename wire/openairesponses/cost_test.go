package openairesponses_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func shellAdded(index int) string {
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"shell_call","id":"sh_%[1]d","call_id":"call_%[1]d","action":{"commands":[]}}}`, index)
}

func shellDelta(index, number int, text string) string {
	return fmt.Sprintf(`{"type":"response.shell_call_command.delta","output_index":%d,"command_index":%d,"delta":%q}`, index, number, text)
}

func shellWhole(index, number int, text string) string {
	return fmt.Sprintf(`{"type":"response.shell_call_command.done","output_index":%d,"command_index":%d,"command":%q}`, index, number, text)
}

func shellDone(index int, action string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"shell_call","id":"sh_%[1]d","call_id":"call_%[1]d","action":%s}}`, index, action)
}

func decodeOnly(t *testing.T, payloads []string) {
	t.Helper()
	d, c := openairesponses.NewDecoder(), stream.Chunk{}
	for _, p := range payloads {
		c.Raw, c.Name = []byte(p), ""
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
	}
}

// A detail that grows is not copied for each of its deltas.
func TestDetailsGrowInLinearWork(t *testing.T) {
	cost := func(n int) uint64 {
		payloads := []string{created, shellAdded(0)}
		for range n {
			payloads = append(payloads, shellDelta(0, 0, "twenty bytes of text"))
		}
		return allocated(func() { decodeOnly(t, payloads) })
	}
	if a, b := cost(1000), cost(10_000); b > 20*a {
		t.Errorf("ten times the deltas allocate %d times the bytes", b/a)
	}
}

// What a call is given is read once, not once for each detail: its strings have
// escapes, so that each reading of one shows in the allocations.
func TestABodyIsReadOnceForAllDetails(t *testing.T) {
	const texts = 2000
	cost := func(details int) float64 {
		payloads := []string{created, shellAdded(0)}
		var last []string
		for i := range details {
			payloads = append(payloads, shellWhole(0, i, fmt.Sprintf("c%d", i)))
			last = append(last, fmt.Sprintf(`"c%d"`, i))
		}
		action := `{"commands":[` + strings.Repeat(`"a\nb",`, texts) + strings.Join(last, ",") + `]}`
		payloads = append(payloads, shellDone(0, action))
		return testing.AllocsPerRun(3, func() { decodeOnly(t, payloads) })
	}
	if a, b := cost(1), cost(50); b > a+50*50 {
		t.Errorf("50 details take %v allocations, one %v", b, a)
	}
}

// Details of all calls that are open count together, each text once.
func TestDetailsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	call := func(index int) []string {
		return []string{shellAdded(index), shellDelta(index, 0, long[:len(long)/2]), shellDelta(index, 0, long[len(long)/2:]), shellWhole(index, 0, long)}
	}
	var oneByOne, open, texts []string
	for i := range 5 {
		oneByOne = append(append(oneByOne, call(i)...), shellDone(i, `{"commands":["`+long+`"]}`))
	}
	oneByOne = append(oneByOne, completed)
	if a := decode(append([]string{created}, oneByOne...)...); a.err != nil {
		t.Errorf("long commands one after the other: %v", a.err)
	}
	for i := range 3 {
		open = append(open, shellAdded(i), shellDelta(i, 0, long[:400<<10]))
	}
	for i := range 200 {
		texts = append(texts, shellAdded(i))
		for n := range 10 {
			texts = append(texts, shellDelta(i, n, "x"))
		}
	}
	for name, payloads := range map[string][]string{
		"bytes of open calls": open,
		"texts of open calls": texts,
	} {
		a := decode(append([]string{created}, payloads...)...)
		if protocol := new(stream.ProtocolError); !errors.As(a.err, &protocol) || !strings.Contains(a.err.Error(), "too long") {
			t.Errorf("%s: got %v", name, a.err)
		}
	}
}
