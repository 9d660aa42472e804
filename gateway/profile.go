package gateway

import (
	"fmt"
	"net/http"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"
)

// profiles are those that are snapshots; profile is the CPU profile. Package
// net/http/pprof is not used, because importing it registers its pages on the
// default server of the program that embeds the gateway.
var profiles = []string{"allocs", "goroutine", "heap", "threadcreate"}

// The duration of a CPU profile.
const (
	usualProfile   = 10 * time.Second
	longestProfile = time.Minute
)

// profile shows what the process spends memory and time on, in the form that go
// tool pprof reads; the goroutines also as text.
func (g *Gateway) profile(w http.ResponseWriter, r *http.Request, name string) {
	query := r.URL.Query()
	if slices.Contains(profiles, name) {
		level, kind := 0, "application/octet-stream"
		if query.Get("debug") != "" {
			level, kind = 1, "text/plain; charset=utf-8"
		}
		profileHeaders(w.Header(), kind)
		_ = pprof.Lookup(name).WriteTo(w, level) // only the client can fail
		return
	}
	if name != "profile" {
		text(w, http.StatusNotFound, "the profiles are profile (?seconds=10), "+strings.Join(profiles, ", ")+"\n")
		return
	}
	length := usualProfile
	if said := query.Get("seconds"); said != "" {
		seconds, err := strconv.Atoi(said)
		if err != nil || seconds < 1 || seconds > int(longestProfile/time.Second) { // before it can overflow
			text(w, http.StatusBadRequest, fmt.Sprintf("seconds is a whole number from 1 to %d\n", int(longestProfile.Seconds())))
			return
		}
		length = time.Duration(seconds) * time.Second
	}
	profileHeaders(w.Header(), "application/octet-stream")
	if err := pprof.StartCPUProfile(w); err != nil {
		text(w, http.StatusConflict, "a CPU profile is already being taken; try again later\n")
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(length):
	case <-r.Context().Done():
	}
}

func profileHeaders(h http.Header, kind string) {
	h.Set("Content-Type", kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
}
