package issued

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sluice-project/sluice/gateway"
)

const (
	// LookEvery is the shortest interval at which a gateway checks for new and
	// revoked keys.
	LookEvery = 100 * time.Millisecond
	// coarse exceeds the resolution of file system timestamps: two changes within it
	// can leave the directory with the same timestamp.
	coarse = 3 * time.Second
)

// Ring has the current keys of a directory. It is safe for concurrent use.
type Ring struct {
	dir  string
	log  *slog.Logger
	now  atomic.Pointer[keys]
	next atomic.Int64 // when to check again

	looking sync.Mutex
	changed time.Time // of the directory when it was read
	settled bool      // a later change would have another timestamp
	told    string    // the last problem that was logged
}

// keys are those in force. needed: requests must have one.
type keys struct {
	list   []gateway.Key
	needed bool
}

// Watch returns the keys of a directory, which need not exist yet. A nil log is none.
func Watch(dir string, log *slog.Logger) *Ring {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r := &Ring{dir: dir, log: log}
	r.now.Store(&keys{})
	r.Now()
	return r
}

// Now returns the keys in force, which must not be changed, and whether requests need
// one. They do from the first issued key on, even when all are revoked or the
// directory can no longer be read: removing something must not open a gateway.
func (r *Ring) Now() (list []gateway.Key, needed bool) {
	now := time.Now()
	if now.UnixNano() >= r.next.Load() && r.looking.TryLock() {
		r.look(now)
		r.next.Store(time.Now().Add(LookEvery).UnixNano())
		r.looking.Unlock()
	}
	k := r.now.Load()
	return k.list, k.needed
}

// look rereads the directory if it may have changed.
func (r *Ring) look(now time.Time) {
	before := r.now.Load()
	info, err := os.Stat(r.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		r.changed, r.settled = time.Time{}, false
		r.now.Store(&keys{needed: before.needed})
		return
	case err != nil:
		r.report(err)
		r.now.Store(&keys{needed: true})
		return
	case r.settled && info.ModTime().Equal(r.changed):
		return
	}
	// A change during the read changes the timestamp again, or is so recent that the
	// directory is read once more.
	r.changed, r.settled = info.ModTime(), now.Sub(info.ModTime()) > coarse
	issued, err := List(r.dir)
	r.report(err)
	after := &keys{needed: true}
	for i := range issued {
		if k, err := issued[i].gateway(); err == nil {
			after.list = append(after.list, k)
		}
	}
	switch {
	case len(after.list) == len(before.list) && before.needed:
	case len(after.list) == 0:
		r.log.Warn("no key is left, so every request is refused: issue one with `sluice keys new NAME`, or remove the directory and restart the gateway", slog.String("directory", r.dir))
	default:
		r.log.Info("keys are in force", slog.Int("keys", len(after.list)))
	}
	r.now.Store(after)
}

// report logs a problem once.
func (r *Ring) report(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != r.told {
		r.log.Error("some issued keys cannot be used", slog.String("error", text))
	}
	r.told = text
}
