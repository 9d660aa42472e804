//go:build linux

package gateway

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/sluice-project/sluice/llm"
)

// quickPair is a quick connection and its other end.
func quickPair(t *testing.T) (*quick, *net.TCPConn) {
	t.Helper()
	other, conn := connected(t)
	q := quickly(conn)
	tcp, ok := other.(*net.TCPConn)
	if !ok {
		t.Fatalf("%T is not TCP", other)
	}
	return q, tcp
}

// A quick connection does and says what any connection does and says.
func TestAQuickConnectionIsAsAnyOther(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, conn net.Conn, other *net.TCPConn) (int, error){
		"nothing is read into nothing": func(_ *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			return conn.Read(nil)
		},
		"nothing is written": func(_ *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			return conn.Write(nil)
		},
		"the other end has closed": func(_ *testing.T, conn net.Conn, other *net.TCPConn) (int, error) {
			_ = other.Close()
			return conn.Read(make([]byte, 10))
		},
		"what came before the end is read": func(t *testing.T, conn net.Conn, other *net.TCPConn) (int, error) {
			if _, err := other.Write([]byte("last words")); err != nil {
				t.Fatal(err)
			}
			_ = other.Close()
			got, err := io.ReadAll(conn)
			return len(got), err
		},
		"the other end has cut it off": func(t *testing.T, conn net.Conn, other *net.TCPConn) (int, error) {
			if err := other.SetLinger(0); err != nil {
				t.Fatal(err)
			}
			_ = other.Close()
			return conn.Read(make([]byte, 10))
		},
		"nothing comes in time": func(t *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			if err := conn.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			return conn.Read(make([]byte, 10))
		},
		"the time is over before": func(t *testing.T, conn net.Conn, other *net.TCPConn) (int, error) {
			if _, err := other.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if err := conn.SetDeadline(time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			if n, err := conn.Write([]byte("x")); n != 0 || !isTimeout(err) {
				t.Errorf("wrote %d: %v", n, err)
			}
			return conn.Read(make([]byte, 10))
		},
		"it was closed before a read": func(_ *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			_ = conn.Close()
			return conn.Read(make([]byte, 10))
		},
		"it was closed before a write": func(_ *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			_ = conn.Close()
			return conn.Write(make([]byte, 10))
		},
		"it is closed while it is read": func(_ *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			go func() { _ = conn.Close() }()
			return conn.Read(make([]byte, 10))
		},
		"nobody reads what is written": func(t *testing.T, conn net.Conn, _ *net.TCPConn) (int, error) {
			if err := conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			for {
				if n, err := conn.Write(make([]byte, mostQuick)); err != nil {
					return min(n, 1), err // how much went is the system's to say
				}
			}
		},
		"the other end is gone when it is written to": func(t *testing.T, conn net.Conn, other *net.TCPConn) (int, error) {
			if err := other.SetLinger(0); err != nil {
				t.Fatal(err)
			}
			_ = other.Close()
			_, _ = conn.Read(make([]byte, 1)) // until that was heard
			return conn.Write(make([]byte, 10))
		},
	} {
		t.Run(name, func(t *testing.T) {
			q, other := quickPair(t)
			n, err := do(t, q, other)
			plain, otherPlain := quickPair(t)
			wantN, want := do(t, plain.TCPConn, otherPlain)
			if n != wantN || kindOf(err) != kindOf(want) {
				t.Errorf("%d and %s, but any other connection: %d and %s", n, kindOf(err), wantN, kindOf(want))
			}
		})
	}
}

// kindOf is an error without its addresses.
func kindOf(err error) string {
	var why syscall.Errno
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		why, _ = call.Err.(syscall.Errno)
	}
	s := fmt.Sprintf("EOF %v, closed %v, timeout %v, errno %d", err == io.EOF, errors.Is(err, net.ErrClosed), isTimeout(err), why)
	if op, ok := errors.AsType[*net.OpError](err); ok {
		s += fmt.Sprintf(", %s %s, from %v, to %v: %v", op.Op, op.Net, op.Source != nil, op.Addr != nil, op.Err)
	}
	return s
}

// Both ways at once, in pieces of all sizes, with an end that reads slower than is
// written: every byte comes, in its order.
func TestAQuickConnectionLosesNothing(t *testing.T) {
	q, other := quickPair(t)
	for _, conn := range []*net.TCPConn{q.TCPConn, other} {
		if err := conn.SetWriteBuffer(8 << 10); err != nil {
			t.Fatal(err)
		}
	}
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = byte(i * 7 >> 3)
	}
	var all sync.WaitGroup
	for _, way := range []struct{ from, to net.Conn }{{q, other}, {other, q}} {
		all.Go(func() {
			size := 1
			for rest := text; len(rest) > 0; size = size*5%(mostQuick+1000) + 1 {
				n := min(size, len(rest))
				if m, err := way.from.Write(rest[:n]); m != n || err != nil {
					t.Errorf("of %d bytes %d were written: %v", n, m, err)
					return
				}
				rest = rest[n:]
			}
		})
		all.Go(func() {
			got, size := make([]byte, 0, len(text)), 1
			for len(got) < len(text) {
				size = min(size*3%(mostQuick+1000)+1, len(text)-len(got))
				n, err := way.to.Read(got[len(got) : len(got)+size])
				if err != nil || n == 0 {
					t.Errorf("after %d bytes: %d, %v", len(got), n, err)
					_ = way.from.Close()
					return
				}
				got = got[:len(got)+n]
			}
			if !bytes.Equal(got, text) {
				t.Error("other bytes came")
			}
		})
	}
	all.Wait()
}

// woken counts how often the watcher is woken until the test ends.
func woken(t *testing.T) *atomic.Int64 {
	t.Helper()
	n := new(atomic.Int64)
	t.Cleanup(func() { wakeWatcher = tellScheduler })
	wakeWatcher = func() { n.Add(1) }
	return n
}

// Who takes much and never has to wait for more wakes the watcher; who has to wait
// does not.
func TestWhoNeverWaitsWakesTheWatcher(t *testing.T) {
	const piece = 1 << 10
	for _, tc := range []struct {
		waits  bool
		pieces int
		want   int64
	}{
		{false, mostQuick / piece, 0},
		{false, mostQuick/piece + 1, 1},
		{false, 2 * (mostQuick/piece + 1), 2},
		{true, 4 * mostQuick / piece, 0},
	} {
		ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		n, m, buf := woken(t), new(move), make([]byte, piece)
		for range tc.pieces {
			if _, err := syscall.Write(ends[0], buf); err != nil {
				t.Fatal(err)
			}
			if got, why := m.take(uintptr(ends[1]), buf); got != piece || why != 0 {
				t.Fatalf("%d bytes came: %v", got, why)
			}
			if !tc.waits {
				continue
			}
			if _, why := m.take(uintptr(ends[1]), buf); why != syscall.EAGAIN {
				t.Fatalf("nothing has arrived, but %v", why)
			}
		}
		if n.Load() != tc.want {
			t.Errorf("%+v: the watcher was woken %d times", tc, n.Load())
		}
		_, _ = syscall.Close(ends[0]), syscall.Close(ends[1])
	}
}

// Before long work begins, the watcher is woken: others have the processor too.
// What arrives comes from another program, so that no system call of this one wakes
// the watcher.
func TestLongWorkLeavesTheProcessorToOthers(t *testing.T) {
	if to := os.Getenv("SLUICE_TEST_SEND"); to != "" {
		conn, err := net.Dial("tcp", to)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		waitForSleep(t, os.Getppid())
		_, _ = conn.Write([]byte("x"))
		_, _ = conn.Read(make([]byte, 1))
		return
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(self, "-test.run=^TestLongWorkLeavesTheProcessorToOthers$")
	other.Env = append(os.Environ(), "SLUICE_TEST_SEND="+l.Addr().String())
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Wait() }()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := quickly(conn).Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	beginWork(shortWork + 1)
	var ran atomic.Bool
	go ran.Store(true)
	for began := worked(t); !ran.Load(); {
		if worked(t)-began > 300*time.Millisecond {
			t.Fatal("nobody else had the processor while this had it for 300 ms")
		}
	}
}

// waitForSleep waits until no thread of a program has done anything for a while in
// which the runtime's watcher, if it does not sleep, looks around several times.
func waitForSleep(t *testing.T, pid int) {
	t.Helper()
	const looks = 10 * time.Millisecond // at least as often, see sysmon
	for before := -1; ; time.Sleep(5 * looks) {
		now := switches(t, pid)
		if now == before {
			return
		}
		before = now
	}
}

// switches is how often the threads of a program began to wait.
func switches(t *testing.T, pid int) (n int) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("no threads of %d: %v", pid, err)
	}
	for _, status := range threads {
		text, _ := os.ReadFile(status) // one that has ended does nothing
		for line := range strings.Lines(string(text)) {
			if count, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				more, err := strconv.Atoi(strings.TrimSpace(count))
				if err != nil {
					t.Fatal(err)
				}
				n += more
			}
		}
	}
	return n
}

// worked is how long this thread has had a processor, asked without a word to the
// scheduler.
func worked(t *testing.T) time.Duration {
	t.Helper()
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var ts syscall.Timespec
	if _, _, why := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&ts)), 0); why != 0 {
		t.Fatal(why)
	}
	return time.Duration(ts.Nano())
}

// A body in which much is said with little wakes the watcher while it is decoded.
func TestDecodingMuchWakesTheWatcher(t *testing.T) {
	for size, want := range map[int]int64{mostQuick: 0, 4*mostQuick + 4<<10: 4} {
		var body bytes.Buffer
		w := gzip.NewWriter(&body)
		_, _ = w.Write(make([]byte, size))
		_ = w.Close()
		n := woken(t)
		r, err := decoded(&body, "gzip")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, r, make([]byte, 1<<10)); err != nil {
			t.Fatal(err)
		}
		if n.Load() != want {
			t.Errorf("%d bytes woke the watcher %d times", size, n.Load())
		}
	}
}

// Judging counts for the block, for the request that policies look at as well, and
// for something in any case: many small blocks are much.
func TestJudgingMuchWakesTheWatcher(t *testing.T) {
	earlier := func() ([]llm.Message, bool) { return nil, false }
	for _, tc := range []struct {
		name           string
		request, block int
		earlier        func() ([]llm.Message, bool)
		blocks         int
		want           int64
	}{
		{"little", 1000, 100, nil, 7, 0},
		{"a long block", 0, shortWork, nil, 1, 1},
		{"a short block of a long request", shortWork, 1, nil, 3, 3},
		{"many small blocks", 0, 0, nil, shortWork/leastWork + 1, 1},
		{"a conversation", 0, 1, earlier, 2, 2},
	} {
		n, x := woken(t), &exchange{in: &received{plain: make([]byte, tc.request)}}
		x.mem.about.Earlier = tc.earlier
		for range tc.blocks {
			x.judging(tc.block)
		}
		if n.Load() != tc.want {
			t.Errorf("%s: the watcher was woken %d times, want %d", tc.name, n.Load(), tc.want)
		}
	}
}

// Only work on much is told of.
func TestShortWorkWakesNobody(t *testing.T) {
	n := woken(t)
	if beginWork(shortWork); n.Load() != 0 {
		t.Error("short work woke the watcher")
	}
	if beginWork(shortWork + 1); n.Load() != 1 {
		t.Error("long work did not wake the watcher")
	}
}
