package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sluice-project/sluice/wire/sse"
)

// own serves the gateway's own pages and reports whether the path is one.
func (g *Gateway) own(w http.ResponseWriter, r *http.Request) bool {
	path := r.URL.Path
	switch {
	case path == "/" || path == "/api/hello": // clients check whether a server is there
		g.page(w, r, func() { text(w, http.StatusOK, "This is Sluice. Point the base URL of an agent or SDK here.\n") })
	case path == "/healthz":
		g.page(w, r, func() { text(w, http.StatusOK, "ok\n") })
	case path == "/readyz":
		g.page(w, r, func() { g.ready(w) })
	case path == "/metrics":
		g.page(w, r, func() { g.showMetrics(w, r) })
	case path == "/admin" || strings.HasPrefix(path, "/admin/"):
		g.admin(w, r)
	default:
		return false
	}
	return true
}

// page serves read-only pages.
func (g *Gateway) page(w http.ResponseWriter, r *http.Request, show func()) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		text(w, http.StatusMethodNotAllowed, "use GET\n")
		return
	}
	show()
}

func text(w http.ResponseWriter, status int, message string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(message))
}

// ready says whether the gateway is ready to serve new exchanges.
func (g *Gateway) ready(w http.ResponseWriter) {
	g.mu.Lock()
	draining := g.draining
	g.mu.Unlock()
	if draining {
		text(w, http.StatusServiceUnavailable, "stopping\n")
		return
	}
	if err := g.storageFailure(); err != nil {
		text(w, http.StatusServiceUnavailable, "records cannot be written: "+err.Error()+"\n")
		return
	}
	text(w, http.StatusOK, "ready\n")
}

// storageFailure is why records cannot be stored, nil if they can.
func (g *Gateway) storageFailure() error {
	if g.config.Storage == nil {
		return nil
	}
	return g.config.Storage()
}

// showMetrics serves the metrics to this machine, and to others with the admin's
// credential.
func (g *Gateway) showMetrics(w http.ResponseWriter, r *http.Request) {
	if !(fromLoopback(r) && g.knownHost(r.Host)) && !g.permits(w, r, RoleRead, "metrics need the admin token here, or a key with the role read: Authorization: Bearer TOKEN\n") {
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	g.writeMetrics(w)
}

// permits reports whether a request has the admin token, or a key with a role. If
// not, it answers: with what is needed if there is no known key, and with the roles
// of the key if there is one.
func (g *Gateway) permits(w http.ResponseWriter, r *http.Request, role Roles, needed string) bool {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	token, bearer := strings.TrimSpace(token), ok && strings.EqualFold(scheme, "bearer")
	if !bearer {
		token = strings.TrimSpace(r.Header.Get(ownKeyHeader)) // which takes only keys
	}
	have, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(g.config.Admin))
	if bearer && g.config.Admin != "" && subtle.ConstantTimeCompare(have[:], want[:]) == 1 {
		return true
	}
	key, _ := g.findKey(token)
	switch {
	case key == nil:
		w.Header().Set("WWW-Authenticate", `Bearer realm="sluice admin"`)
		text(w, http.StatusUnauthorized, needed)
	case key.Roles.may(role):
		return true
	default:
		text(w, http.StatusForbidden, fmt.Sprintf("the key %s has the roles %s, and this needs the role %s\n", key.Name, max(key.Roles, RoleSend), role))
	}
	return false
}

// admin serves the admin routes. They need a credential even on loopback, where
// every program on the machine and every page in its browser can reach them.
func (g *Gateway) admin(w http.ResponseWriter, r *http.Request) {
	origin, originErr := url.Parse(r.Header.Get("Origin"))
	switch {
	case !g.knownHost(r.Host):
		text(w, http.StatusForbidden, fmt.Sprintf("the admin routes are not served under the host name %q; list it under admin.hosts in the configuration\n", r.Host))
		return
	case r.Header.Get("Origin") != "" && (originErr != nil || !strings.EqualFold(origin.Host, r.Host)):
		text(w, http.StatusForbidden, "the admin routes are not for pages of another origin\n")
		return
	case g.config.Admin == "" && g.keyCount() == 0:
		text(w, http.StatusNotFound, "the admin routes are off: the gateway has no admin token\n")
		return
	}
	role := RoleAdmin
	if r.URL.Path == "/admin/status" || r.URL.Path == "/admin/events" {
		role = RoleRead
	}
	if !g.permits(w, r, role, "an admin token is needed, or a key with the role "+role.String()+": Authorization: Bearer TOKEN\n") {
		return
	}
	switch r.URL.Path {
	case "/admin/status":
		only(w, r, http.MethodGet, func() { g.status(w) })
	case "/admin/events":
		only(w, r, http.MethodGet, func() { g.events(w, r) })
	case "/admin/reload":
		only(w, r, http.MethodPost, func() { g.reload(w) })
	default:
		if name, ok := strings.CutPrefix(r.URL.Path, "/admin/pprof/"); ok {
			only(w, r, http.MethodGet, func() { g.profile(w, r, name) })
			return
		}
		text(w, http.StatusNotFound, "there are GET /admin/status, GET /admin/events, GET /admin/pprof/NAME and POST /admin/reload\n")
	}
}

// only refuses all methods but one.
func only(w http.ResponseWriter, r *http.Request, method string, serve func()) {
	if r.Method != method {
		w.Header().Set("Allow", method)
		text(w, http.StatusMethodNotAllowed, "use "+method+"\n")
		return
	}
	serve()
}

// Status is what GET /admin/status returns.
type Status struct {
	Open      int               `json:"open"`
	Draining  bool              `json:"draining"`
	Policies  []string          `json:"policies"`
	Version   string            `json:"version"`
	Upstreams map[string]string `json:"upstreams"`
	Keys      int               `json:"keys"`
	// TextCalls are the forms in which agents have models write calls as text,
	// which are not judged.
	TextCalls []string `json:"text_calls,omitempty"`
	// Storage is why records cannot be stored, empty if they can.
	Storage string `json:"storage,omitempty"`
	// PoliciesRefused is set while newer policies are refused and Policies are
	// the last good ones.
	PoliciesRefused *RefusedPolicies `json:"policies_refused,omitempty"`
}

// Status returns the state of the gateway.
func (g *Gateway) Status() Status {
	g.mu.Lock()
	draining := g.draining
	g.mu.Unlock()
	set := g.config.Policies.Load()
	s := Status{
		Open: g.Open(), Draining: draining, Policies: set.Names(), Version: set.Version(),
		Upstreams: make(map[string]string), Keys: g.keyCount(), TextCalls: g.textCallers.seen(),
	}
	for _, p := range providers {
		s.Upstreams[p.String()] = g.upstreams[p].base.String()
	}
	if err := g.storageFailure(); err != nil {
		s.Storage = err.Error()
	}
	_, _, s.PoliciesRefused = g.metrics.reloads.told()
	return s
}

func (g *Gateway) status(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(g.Status()) //nolint:errchkjson // it is the client that may fail
}

func (g *Gateway) reload(w http.ResponseWriter) {
	if g.config.Reload == nil {
		text(w, http.StatusNotFound, "there is nothing to reload\n")
		return
	}
	if err := g.config.Reload(); err != nil {
		text(w, http.StatusUnprocessableEntity, "the policies stay as they were:\n"+err.Error()+"\n")
		return
	}
	text(w, http.StatusOK, "policies "+g.config.Policies.Load().Version()+"\n")
}

// liveSign is the interval of keepalives to a listener.
const liveSign = 15 * time.Second

// events streams events to a listener.
func (g *Gateway) events(w http.ResponseWriter, r *http.Request) {
	l := g.hub.listen()
	if l == nil {
		text(w, http.StatusServiceUnavailable, fmt.Sprintf("the gateway is stopping, or has %d listeners already\n", mostListeners))
		return
	}
	defer g.hub.leave(l)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // it may listen for any length of time
	streamHeaders(w.Header())
	w.WriteHeader(http.StatusOK)
	tick := time.NewTicker(liveSign)
	defer tick.Stop()
	buf := sse.AppendComment(nil, "listening")
	for {
		_ = control.SetWriteDeadline(time.Now().Add(g.config.Limits.Write))
		if _, err := w.Write(buf); err != nil {
			return
		}
		if err := control.Flush(); err != nil {
			return
		}
		buf = buf[:0]
		select {
		case e, more := <-l.events:
			if !more {
				return
			}
			if lost := l.lost.Swap(0); lost > 0 {
				buf = sse.AppendEvent(buf, "lost", fmt.Appendf(nil, `{"lost":%d}`, lost))
			}
			buf = sse.AppendEvent(buf, e.name, e.data)
		case <-tick.C:
			buf = sse.AppendComment(buf, "alive")
		case <-r.Context().Done():
			return
		}
	}
}
