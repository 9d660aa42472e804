package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sluice-project/sluice/gateway/settings"
)

// runLog is the file that the gateway of a run logs to.
type runLog struct {
	*os.File

	// dir is the directory in which old logs are pruned, empty if it is not the
	// program's own.
	dir string
}

// mostRunLogs is how many logs of runs are kept.
const mostRunLogs = 20

// openRunLog creates the log file of a run that starts now.
func openRunLog(s *settings.Settings) (*runLog, error) {
	log := &runLog{}
	dir := os.TempDir()
	if s.Data != "" {
		dir = filepath.Join(s.Data, "logs")
		log.dir = dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot create a directory for the log: %w; name another with --data", err)
	}
	name := fmt.Sprintf("run-%s-%d.log", time.Now().Format("20060102-150405"), os.Getpid())
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600) //nolint:gosec // the user names the directory
	if err != nil {
		return nil, fmt.Errorf("cannot create the log: %w; name another directory with --data", err)
	}
	log.File = file
	return log, nil
}

// end closes the log, removes it if it is empty, and prunes the oldest logs. It
// returns the name, empty if the log was removed.
func (l *runLog) end() string {
	name := l.Name()
	info, err := l.Stat()
	_ = l.Close() // nothing depends on the last lines
	if err == nil && info.Size() == 0 && os.Remove(name) == nil {
		name = ""
	}
	if l.dir != "" {
		pruneRunLogs(l.dir)
	}
	return name
}

// pruneRunLogs keeps the newest logs: their names begin with their time.
func pruneRunLogs(dir string) {
	logs, err := filepath.Glob(filepath.Join(dir, "run-????????-??????-*.log"))
	if err != nil || len(logs) <= mostRunLogs {
		return
	}
	slices.Sort(logs)
	for _, old := range logs[:len(logs)-mostRunLogs] {
		_ = os.Remove(old) // the next run tries again
	}
}
