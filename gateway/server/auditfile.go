package server

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// auditFile is the file and the lines to be written to it. After a failure it
// continues at the byte at which it failed, so that no line is torn.
type auditFile struct {
	name string
	file *os.File // nil for a stream
	out  io.Writer
	// batch has whole lines, of which the first skip bytes are written.
	batch []byte
	skip  int
}

func openAuditFile(name string) (*auditFile, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600) //nolint:gosec // the settings name it
	if err != nil {
		return nil, err
	}
	return &auditFile{name: name, file: f, out: f}, nil
}

func (f *auditFile) add(line []byte) { f.batch = append(f.batch, line...) }

// waits reports whether something is still to be written, and full whether
// that is a whole batch.
func (f *auditFile) waits() bool { return len(f.batch) > 0 }
func (f *auditFile) full() bool  { return len(f.batch) >= batchBytes }

// lines is how many lines are still to be written.
func (f *auditFile) lines() int64 { return int64(bytes.Count(f.batch, []byte{'\n'})) }

func (f *auditFile) write() error {
	n, err := f.out.Write(f.batch[f.skip:])
	if err == nil {
		f.batch, f.skip = f.batch[:0], 0
		return nil
	}
	written := min(f.skip+max(n, 0), len(f.batch))
	begin := bytes.LastIndexByte(f.batch[:written], '\n') + 1
	f.batch = append(f.batch[:0], f.batch[begin:]...)
	f.skip = written - begin
	return err
}

// moved reports whether the name now refers to another file, or to none. Only
// files can be moved: pipes and devices stay.
func (f *auditFile) moved() bool {
	if f.file == nil {
		return false
	}
	open, err := f.file.Stat()
	if err != nil || !open.Mode().IsRegular() {
		return false
	}
	named, err := os.Stat(f.name)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(open, named)
}

// again reopens the file by its name. If it is a different file now, the line
// that was being written is written there as a whole.
func (f *auditFile) again() error {
	if f.file == nil {
		return nil
	}
	next, err := openAuditFile(f.name)
	if err != nil {
		return err
	}
	before, err := f.file.Stat()
	now, err2 := next.file.Stat()
	if err == nil && err2 == nil && os.SameFile(before, now) {
		return next.file.Close()
	}
	err = f.close()
	f.file, f.out, f.skip = next.file, next.out, 0
	return err
}

// close syncs and closes the file.
func (f *auditFile) close() error {
	if f.file == nil {
		return nil
	}
	var synced error
	if info, err := f.file.Stat(); err == nil && info.Mode().IsRegular() {
		synced = f.file.Sync()
	}
	return errors.Join(synced, f.file.Close())
}
