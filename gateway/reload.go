package gateway

import (
	"strings"
	"sync"
	"time"
)

// RefusedPolicies say why policies that were to be loaded are not in force.
type RefusedPolicies struct {
	// Message is what is wrong with them, with file and line where there is one.
	Message string `json:"message"`
	// Since is when policies were first refused that nothing good followed.
	Since time.Time `json:"since"`
}

// reloads notes what came of loading policies again. The zero value is ready; it
// is safe for concurrent use.
type reloads struct {
	mu            sync.Mutex
	good, refused int64
	standing      *RefusedPolicies // nil if the last ones were good; never changed
}

// maxRefused bounds what is told of refused policies: nobody reads more.
const maxRefused = 4096

func (r *reloads) note(err error) (recovered bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.good++
		recovered = r.standing != nil
		r.standing = nil
		return recovered
	}
	r.refused++
	now := &RefusedPolicies{Message: err.Error(), Since: time.Now().UTC()}
	if len(now.Message) > maxRefused {
		now.Message = strings.ToValidUTF8(now.Message[:maxRefused], "") + " …"
	}
	if r.standing != nil {
		now.Since = r.standing.Since
	}
	r.standing = now
	return false
}

func (r *reloads) told() (good, refused int64, standing *RefusedPolicies) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.good, r.refused, r.standing
}

// Reloaded is for the host to say what came of loading policies again: nil if
// they are in force, else why the old ones stay. The admin status and the
// metrics tell it. It reports whether good policies followed refused ones, which
// is worth a line in a log.
func (g *Gateway) Reloaded(err error) (recovered bool) { return g.metrics.reloads.note(err) }
