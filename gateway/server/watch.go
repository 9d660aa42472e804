package server

import (
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"os"
	"strings"
	"time"

	"github.com/sluice-project/sluice/policy/file"
)

// defaultPoll is the default interval of checks for changed files.
const defaultPoll = 2 * time.Second

// watch is a group of files that are read together. Editors replace files and
// programs write them in pieces, so names are watched, not files, and contents
// count once two reads in a row agree.
type watch struct {
	files  []string
	reload func() error
	// loaded is the hash of what is in force, before that of the last read.
	loaded, before fingerprint
}

type fingerprint [sha256.Size]byte

func newWatch(reload func() error, files ...string) *watch {
	w := &watch{files: files, reload: reload}
	w.loaded = w.fingerprint()
	w.before = w.loaded
	return w
}

// poll reads once, and reloads if there are new contents that have settled.
// Contents that cannot be used are logged by the reload, and not tried again
// before they change.
func (w *watch) poll() {
	now := w.fingerprint()
	settled := now == w.before
	w.before = now
	if settled && now != w.loaded {
		w.loaded = now
		_ = w.reload()
	}
}

// maxWatched is more than any of the files may have.
const maxWatched = 4 << 20

func (w *watch) fingerprint() (sum fingerprint) {
	h := sha256.New()
	for _, name := range w.files {
		list, err := file.Files(name) // a folder is what is in it
		if err != nil {
			list = []string{name}
		}
		for _, name := range list {
			h.Write([]byte(name))
			sumFile(h, name)
			h.Write([]byte{0})
		}
	}
	h.Sum(sum[:0])
	return sum
}

// sumFile adds the contents of a file to the hash, or why there are none. What
// is not a regular file, such as a pipe, can be read only once and is left
// alone.
func sumFile(h hash.Hash, name string) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return
	}
	if err == nil {
		var f *os.File
		if f, err = os.Open(name); err == nil { //nolint:gosec // the settings name it
			_, err = io.Copy(h, io.LimitReader(f, maxWatched))
			_ = f.Close() // it was only read
		}
	}
	if err != nil {
		h.Write([]byte(err.Error()))
	}
}

// watches returns the groups of files that the server watches.
func (s *Server) watches() []*watch {
	var files []string
	for _, name := range s.settings.Policies {
		if !strings.HasPrefix(name, "preset:") {
			files = append(files, name)
		}
	}
	var all []*watch
	if len(files) > 0 {
		all = append(all, newWatch(s.reloadPolicies, files...))
	}
	if s.settings.TLS.Cert != "" {
		all = append(all, newWatch(s.reloadCertificate, s.settings.TLS.Cert, s.settings.TLS.Key))
	}
	return all
}

// look polls the files until ctx is done.
func (s *Server) look(ctx context.Context) {
	if s.options.Poll < 0 || len(s.watched) == 0 {
		return
	}
	tick := time.NewTicker(s.options.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, w := range s.watched {
				w.poll()
			}
		}
	}
}
