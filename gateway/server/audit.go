package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
)

// auditLog writes events to a file. Streams put lines into a bounded queue
// without waiting; one goroutine writes them.
type auditLog struct {
	log   *slog.Logger
	queue chan []byte
	// bytes is how much is in the queue, and lost counts the lines dropped
	// since the last one that was written.
	bytes, lost atomic.Int64
	// failed is why lines cannot currently be written, nil if they can.
	failed atomic.Pointer[error]

	reopen chan chan error
	stop   chan struct{}
	done   chan struct{}
	end    error // valid when done is closed

	// The fields below belong to the writing goroutine.
	file *auditFile
	// looked is when the name of the file was last checked.
	looked time.Time
	// told is when the operator was last told about a failure, and announced
	// whether that was the current one.
	told      time.Time
	announced bool
	retry     time.Duration
}

const (
	// queueLines and queueBytes bound what waits to be written.
	queueLines = 8192
	queueBytes = 16 << 20
	// batchBytes is the approximate size of one write.
	batchBytes = 64 << 10
	// retryEvery is the interval of retries after a failed write, lookEvery
	// that of checks whether the file was moved away, and tellEvery the
	// shortest one between reports of new failures.
	retryEvery = time.Second
	lookEvery  = time.Second
	tellEvery  = time.Minute
	// lastWait is how long a disk that hangs may delay the end of the process.
	lastWait = 10 * time.Second
)

var errQueueFull = errors.New("the audit log is behind: its disk is too slow")

// auditLine is one line.
type auditLine struct {
	Time     time.Time      `json:"time"`
	Event    string         `json:"event"`
	Version  string         `json:"sluice,omitempty"`
	Exchange string         `json:"exchange,omitempty"`
	Session  string         `json:"session,omitempty"`
	Client   string         `json:"client,omitempty"`
	Key      string         `json:"key,omitempty"`
	User     string         `json:"user,omitempty"`
	Model    string         `json:"model,omitempty"`
	Format   string         `json:"format,omitempty"`
	Upstream string         `json:"upstream,omitempty"`
	Method   string         `json:"method,omitempty"`
	Path     string         `json:"path,omitempty"`
	Stream   *bool          `json:"stream,omitempty"`
	Policies string         `json:"policies,omitempty"`
	Text     string         `json:"text_calls,omitempty"`
	Canary   bool           `json:"canary,omitempty"`
	Verdict  *policy.Record `json:"verdict,omitempty"`
	End      *gateway.End   `json:"end,omitempty"`
	// Weaker lists what has become weaker in the policies, or would have if it
	// was not refused.
	Weaker  []string `json:"weaker,omitempty"`
	Refused bool     `json:"refused,omitempty"`
	Lost    int64    `json:"lost,omitempty"`
}

func (l *auditLine) bytes() ([]byte, error) {
	l.Time = time.Now().UTC()
	data, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return append(data, '\n'), nil
}

// openAudit opens the audit log and writes its first line, so that a failing
// disk is noticed before the first exchange.
func (s *Server) openAudit() (*auditLog, error) {
	var file *auditFile
	if s.settings.AuditLog == "-" {
		file = &auditFile{out: s.options.Audit}
		if file.out == nil {
			file.out = io.Discard
		}
	} else {
		f, err := openAuditFile(s.settings.AuditLog)
		if err != nil {
			return nil, fmt.Errorf("the audit log cannot be opened: %w: name another file with --audit-log", err)
		}
		file = f
	}
	a := &auditLog{
		log: s.log, queue: make(chan []byte, queueLines), reopen: make(chan chan error),
		stop: make(chan struct{}), done: make(chan struct{}), file: file, retry: retryEvery,
	}
	first, err := (&auditLine{Event: "start", Version: s.options.Version, Policies: s.policies.live.Load().Version()}).bytes()
	if err != nil {
		return nil, err
	}
	a.file.add(first)
	a.write()
	go a.run()
	return a, nil
}

// observe records an event of the gateway. It never waits.
func (a *auditLog) observe(e gateway.Event) {
	if e.Record == nil && e.End == nil {
		return
	}
	x := e.Exchange
	line := auditLine{
		Event: "verdict", Exchange: x.ID, Session: x.Session, Client: x.Client, Key: x.Key, User: x.User,
		Model: x.Model, Format: x.Format, Upstream: x.Upstream, Canary: x.Canary, Verdict: e.Record, End: e.End,
	}
	if e.End != nil {
		line.Event, line.Method, line.Path, line.Stream, line.Policies, line.Text = "end", x.Method, x.Path, &x.Stream, x.Policies, x.TextCalls
	}
	a.put(&line)
}

// put puts a line into the queue. It never waits.
func (a *auditLog) put(line *auditLine) {
	data, err := line.bytes()
	if err != nil {
		a.lose(err)
		return
	}
	if a.bytes.Add(int64(len(data))) > queueBytes {
		a.bytes.Add(-int64(len(data)))
		a.lose(errQueueFull)
		return
	}
	select {
	case a.queue <- data:
	default:
		a.bytes.Add(-int64(len(data)))
		a.lose(errQueueFull)
	}
}

// lose counts a dropped line.
func (a *auditLog) lose(why error) {
	a.lost.Add(1)
	a.failed.CompareAndSwap(nil, &why)
}

// failure is why lines cannot currently be written, nil if they can.
func (a *auditLog) failure() error {
	if why := a.failed.Load(); why != nil {
		return *why
	}
	return nil
}

// again reopens the file after the old one was moved away.
func (a *auditLog) again() error {
	answer := make(chan error, 1)
	select {
	case a.reopen <- answer:
		return <-answer
	case <-a.done:
		return nil
	}
}

// close writes what is left, and returns an error if lines were lost.
func (a *auditLog) close() error {
	close(a.stop)
	select {
	case <-a.done:
		return a.end
	case <-time.After(lastWait):
		return errors.New("the audit log is incomplete: its disk does not answer")
	}
}

func (a *auditLog) run() {
	defer close(a.done)
	for {
		lines := a.queue
		var again <-chan time.Time
		if a.file.waits() {
			again = time.After(a.retry)
		}
		if a.file.full() {
			lines = nil // the rest waits in the queue
		}
		select {
		case line := <-lines:
			a.take(line)
			a.write()
		case <-again:
			a.write()
		case answer := <-a.reopen:
			answer <- a.file.again()
			a.write()
		case <-a.stop:
			a.end = a.finish()
			return
		}
	}
}

// take takes a line and those behind it, up to one batch.
func (a *auditLog) take(line []byte) {
	for {
		a.bytes.Add(-int64(len(line)))
		a.file.add(line)
		if a.file.full() {
			return
		}
		select {
		case line = <-a.queue:
		default:
			return
		}
	}
}

// write writes the batch and notes the outcome.
func (a *auditLog) write() {
	err := a.follow()
	if err == nil {
		err = a.file.write()
	}
	if err != nil {
		a.fail(err)
		return
	}
	a.failed.Store(nil)
	lost := a.lost.Swap(0)
	switch {
	case a.announced:
		a.announced = false
		a.log.Info("the audit log can be written again", slog.String("file", a.file.name), slog.Int64("lost", lost))
	case lost > 0 && time.Since(a.told) >= tellEvery:
		a.told = time.Now()
		a.log.Error("lines of the audit log were lost", slog.Int64("lost", lost))
	}
	if lost == 0 {
		return
	}
	line, err := (&auditLine{Event: "lost", Lost: lost}).bytes()
	if err == nil {
		a.file.add(line)
		a.write()
	}
}

// follow checks periodically whether the file was moved or removed, and then
// continues in a new one: lines written to a removed file are lost.
func (a *auditLog) follow() error {
	if time.Since(a.looked) < lookEvery {
		return nil
	}
	if a.file.moved() {
		if err := a.file.again(); err != nil {
			return err
		}
		a.log.Info("the audit log was moved or removed and continues in a new file", slog.String("file", a.file.name))
	}
	a.looked = time.Now()
	return nil
}

// fail notes why lines cannot be written. The operator is told once, with what
// to do, and not again within a minute unless the failure persists.
func (a *auditLog) fail(err error) {
	failed := fmt.Errorf("the audit log cannot be written: %w", err)
	a.failed.Store(&failed)
	if a.announced || time.Since(a.told) < tellEvery {
		return
	}
	a.announced, a.told = true, time.Now()
	a.log.Error("the audit log cannot be written", slog.Any("error", err), slog.Int64("lost", a.lost.Load()),
		slog.String("advice", "free space on its disk or fix its directory; it is retried every second, lines wait in memory until that is full, "+
			"and failure.storage says whether requests are refused"))
}

// finish writes what is in the queue, and syncs it to disk.
func (a *auditLog) finish() error {
	for a.failure() == nil || !a.file.full() {
		select {
		case line := <-a.queue:
			a.take(line)
			a.write()
			continue
		default:
		}
		break
	}
	if a.file.waits() {
		a.write()
	}
	missing := a.lost.Load() + int64(len(a.queue)) + a.file.lines()
	err := errors.Join(a.failure(), a.file.close())
	if err == nil && missing > 0 {
		err = errQueueFull
	}
	if err != nil {
		return fmt.Errorf("the audit log is incomplete: %d lines are missing: %w", missing, err)
	}
	return nil
}
