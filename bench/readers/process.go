package readers

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/sluice-project/sluice/wire"
)

// process is a library in a process of its own. It is fed frames on its standard
// input, and writes one line for each to its standard output, in any order.
type process struct {
	library library
	dir     string // the scripts, removed at the end
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    tail
	maxLine int
	broken  error
	ended   bool
}

// frame is an answer on its way to a process.
type frame struct {
	ID int `json:"id"`
	Answer
}

// line is what a process reports about a frame.
type line struct {
	ID int `json:"id"`
	Reading
}

// maxLine is how much a process may report about one answer.
const maxLine = 64 << 20

func (p *process) Name() string            { return p.library.name }
func (p *process) Dialects() []wire.Format { return slices.Clone(p.library.dialects) }

// start runs the program of the library in dir, which must hold its scripts.
func start(l library, dir, program string, arguments ...string) (*process, error) {
	p := &process{library: l, dir: dir, maxLine: maxLine}
	p.cmd = exec.Command(program, arguments...) //nolint:gosec,noctx // the pinned runtimes; it lives until Close
	p.cmd.Dir = dir
	// Nothing of the user's own settings: no keys, no proxies, no other addresses.
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "PYTHONDONTWRITEBYTECODE=1"}
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = 5 * time.Second
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the reader %s does not start; run scripts/readers-setup.sh again: %w", l.name, err)
	}
	return p, nil
}

func (p *process) Read(ctx context.Context, answers []Answer) ([]Reading, error) {
	if p.broken != nil {
		return nil, p.broken
	}
	// A process that hangs is killed, so that both directions end.
	stop := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	defer stop()

	var feeding sync.WaitGroup
	var fed error
	feeding.Go(func() { fed = feed(p.in, answers) })
	readings, err := p.collect(len(answers))
	if err != nil {
		_ = p.cmd.Process.Kill() // otherwise feed never ends
	}
	feeding.Wait()
	if err = errors.Join(context.Cause(ctx), err, fed); err != nil {
		p.broken = p.failure(err)
		return nil, p.broken
	}
	return readings, nil
}

// feed writes the answers as frames.
func feed(to io.Writer, answers []Answer) error {
	w := bufio.NewWriterSize(to, 1<<16)
	for i, answer := range answers {
		data, err := json.Marshal(frame{ID: i, Answer: answer})
		if err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, uint32(len(data))); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return w.Flush()
}

// collect reads a line for each of n answers.
func (p *process) collect(n int) ([]Reading, error) {
	readings := make([]Reading, n)
	seen := make([]bool, n)
	for read := range n {
		data, err := p.line()
		if err != nil {
			return nil, fmt.Errorf("after %d of %d answers (the first that it did not read is number %d): %w",
				read, n, slices.Index(seen, false), err)
		}
		var l line
		if err := json.Unmarshal(data, &l); err != nil {
			return nil, fmt.Errorf("it wrote %.200q, which is no reading: %w", data, err)
		}
		if l.ID < 0 || l.ID >= n || seen[l.ID] {
			return nil, fmt.Errorf("it wrote a reading of the answer %d, which was not asked for", l.ID)
		}
		readings[l.ID], seen[l.ID] = l.Reading, true
	}
	return readings, nil
}

// line reads up to the next end of a line.
func (p *process) line() ([]byte, error) {
	var all []byte
	for {
		part, err := p.out.ReadSlice('\n')
		all = append(all, part...)
		switch {
		case len(all) > p.maxLine:
			return nil, fmt.Errorf("it wrote a reading of more than %d bytes", p.maxLine)
		case err == nil:
			return all, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// failure ends the process and says how it ended, with its last output.
func (p *process) failure(cause error) error {
	_ = p.cmd.Process.Kill()
	err := p.end()
	return fmt.Errorf("the reader %s is broken: %w (%v); on standard error:\n%s", p.library.name, cause, err, p.said.String()) //nolint:errorlint // it may be nil, and the cause is what counts
}

// Close lets the process end: it has nothing more to read.
func (p *process) Close() error {
	if p.broken != nil {
		return nil //nolint:nilerr // Read told of it
	}
	p.broken = fmt.Errorf("the reader %s is closed", p.library.name)
	if err := p.end(); err != nil {
		return fmt.Errorf("the reader %s ends badly: %w; on standard error:\n%s", p.library.name, err, p.said.String())
	}
	return nil
}

// end waits for the process, once, and removes its scripts.
func (p *process) end() error {
	if p.ended {
		return nil
	}
	p.ended = true
	_ = p.in.Close()
	return errors.Join(p.cmd.Wait(), os.RemoveAll(p.dir))
}

// tail keeps the end of what is written to it. It is written to by the
// goroutine that copies standard error, and read after the process ended.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

const maxTail = 8 << 10

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, data...)
	if over := len(t.kept) - maxTail; over > 0 {
		t.kept = slices.Delete(t.kept, 0, over)
	}
	return len(data), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
