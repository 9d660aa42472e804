package gateway

import (
	"strings"
	"sync"
	"time"
)

// RefusedPolicies says why policies could not be loaded.
type RefusedPolicies struct {
	// Message is what is wrong with them, with file and line where there is one.
	Message string `json:"message"`
	// Since is when policies were first refused after the last good ones.
	Since time.Time `json:"since"`
}

// reloads remembers the outcome of reloading policies. The zero value is ready;
// it is safe for concurrent use.
type reloads struct {
	mu            sync.Mutex
	good, refused int64
	standing      *RefusedPolicies // nil if the last ones were good; never changed
}

// maxRefused bounds the message about refused policies.
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

// Reloaded is called by the host with the outcome of reloading policies: nil if
// they are in force, otherwise why the old ones stay. The admin status and the
// metrics show it. It returns whether good policies followed refused ones, which
// is worth logging.
func (g *Gateway) Reloaded(err error) (recovered bool) { return g.metrics.reloads.note(err) }
