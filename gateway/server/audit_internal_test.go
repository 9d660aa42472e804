package server

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sluice-project/sluice/gateway"
)

var errDisk = errors.New("no space left")

// moody is a disk that takes only a part of what is written while it is full.
type moody struct {
	bytes.Buffer

	random *rand.Rand
	full   bool
}

func (m *moody) Write(p []byte) (int, error) {
	if !m.full {
		return m.Buffer.Write(p)
	}
	n := m.random.IntN(len(p))
	m.Buffer.Write(p[:n])
	return n, errDisk
}

// Whatever fails and however much of it was written, the file has every line
// once, in order and whole.
func TestNoLineIsTornOrWrittenTwice(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		disk := &moody{random: random}
		file := &auditFile{out: disk}
		var want strings.Builder
		for i := range 50 {
			line := fmt.Sprintf("%d %s\n", i, strings.Repeat("x", random.IntN(20)))
			want.WriteString(line)
			file.add([]byte(line))
			disk.full = random.IntN(2) == 0
			if err := file.write(); (err != nil) != disk.full {
				t.Fatal(err)
			}
		}
		disk.full = false
		if err := file.write(); err != nil || file.waits() || file.lines() != 0 {
			t.Fatal(err, file.lines())
		}
		if disk.String() != want.String() {
			t.Fatalf("seed %d: the file has\n%s\nwant\n%s", seed, disk.String(), want.String())
		}
	}
}

// gatedDisk fails until it is mended, and says what it got after that.
type gatedDisk struct {
	mended atomic.Bool
	got    bytes.Buffer
}

func (d *gatedDisk) Write(p []byte) (int, error) {
	if !d.mended.Load() {
		return 0, errDisk
	}
	return d.got.Write(p)
}

func newAudit(disk *gatedDisk) *auditLog { return newAuditWithLog(disk, slog.New(slog.DiscardHandler)) }

func newAuditWithLog(disk *gatedDisk, log *slog.Logger) *auditLog {
	a := &auditLog{
		log: log, queue: make(chan []byte, queueLines), reopen: make(chan chan error),
		stop: make(chan struct{}), done: make(chan struct{}), file: &auditFile{out: disk}, retry: retryEvery,
	}
	go a.run()
	return a
}

var anEnd = gateway.Event{Exchange: &gateway.Exchange{ID: "ex_1"}, End: &gateway.End{Outcome: gateway.Complete}}

func TestADiskThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &gatedDisk{}
		a := newAudit(disk)
		if a.failure() != nil {
			t.Error("it fails before anything was written")
		}
		a.observe(anEnd)
		synctest.Wait()
		if !errors.Is(a.failure(), errDisk) {
			t.Errorf("the failure is %v", a.failure())
		}
		disk.mended.Store(true)
		time.Sleep(retryEvery) // of the bubble: nobody writes, as when requests are refused
		synctest.Wait()
		if a.failure() != nil {
			t.Errorf("it still fails: %v", a.failure())
		}
		if err := a.close(); err != nil || bytes.Count(disk.got.Bytes(), []byte("\n")) != 1 {
			t.Errorf("%v, written: %s", err, disk.got.String())
		}
	})
}

func TestAFullQueueLosesLinesAndSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &gatedDisk{}
		a := newAudit(disk)
		const sent = 2 * queueLines
		for i := range sent {
			if i%64 == 0 {
				synctest.Wait()
			}
			a.observe(anEnd)
		}
		synctest.Wait()
		lost := a.lost.Load()
		if lost == 0 || a.failure() == nil || len(a.queue) != queueLines {
			t.Errorf("%d lost, %d in the queue, failure %v", lost, len(a.queue), a.failure())
		}
		disk.mended.Store(true)
		time.Sleep(2 * retryEvery)
		synctest.Wait()
		if a.failure() != nil || a.bytes.Load() != 0 {
			t.Errorf("afterwards: %v, %d bytes wait", a.failure(), a.bytes.Load())
		}
		if err := a.close(); err != nil {
			t.Error(err)
		}
		kept := int64(bytes.Count(disk.got.Bytes(), []byte(`"event":"end"`)))
		if kept+lost != sent || !strings.Contains(disk.got.String(), fmt.Sprintf(`"event":"lost","lost":%d}`, lost)) {
			t.Errorf("%d kept and %d lost of %d", kept, lost, sent)
		}
		a.observe(anEnd) // after the end: nobody waits, nothing breaks
	})
}

func TestTheQueueIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &gatedDisk{}
		a := newAudit(disk)
		large := gateway.Event{Exchange: &gateway.Exchange{ID: "ex_1", Model: strings.Repeat("m", 1<<20)}, End: &gateway.End{}}
		for range 40 {
			a.observe(large)
			synctest.Wait()
		}
		if a.bytes.Load() > queueBytes || a.lost.Load() == 0 {
			t.Errorf("%d bytes wait, %d lines were lost", a.bytes.Load(), a.lost.Load())
		}
		if err := a.close(); err == nil || !errors.Is(err, errDisk) {
			t.Errorf("closing with lines that are not written: %v", err)
		}
	})
}

// lockedBuffer is read while a log is written to it.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// The operator is told about a failure once and about its end, and is not
// flooded by a flapping disk.
func TestAFailureIsToldOnceAndSoIsItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk, told := &gatedDisk{}, new(lockedBuffer)
		a := newAuditWithLog(disk, slog.New(slog.NewTextHandler(told, nil)))
		count := func(failures, ends int) {
			t.Helper()
			synctest.Wait()
			if f, e := strings.Count(told.String(), "cannot be written"), strings.Count(told.String(), "can be written again"); f != failures || e != ends {
				t.Errorf("told of %d failures and %d ends, want %d and %d:\n%s", f, e, failures, ends, told)
			}
		}
		pass := func(d time.Duration) { time.Sleep(d); synctest.Wait() } // of the bubble
		a.observe(anEnd)
		count(1, 0)
		pass(10 * tellEvery)
		count(1, 0)
		disk.mended.Store(true)
		pass(retryEvery)
		count(1, 1)

		disk.mended.Store(false)
		a.observe(anEnd)
		count(2, 1)
		for range 5 { // it comes and goes
			disk.mended.Store(true)
			pass(retryEvery)
			disk.mended.Store(false)
			a.observe(anEnd)
			pass(retryEvery)
		}
		count(2, 2)
		pass(tellEvery) // the last failure stays
		count(3, 2)
		disk.mended.Store(true)
		pass(retryEvery)
		count(3, 3)
		if err := a.close(); err != nil {
			t.Error(err)
		}
	})
}
