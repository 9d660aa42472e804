package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// upstream plays the provider: it answers with the script that the request
// names as its model.
type upstream struct {
	scripts map[string]*script
	// requests and http2 count the requests, and those over HTTP/2.
	requests, http2 atomic.Int64
}

// ServeHTTP writes the script, each event with a write of its own.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	u.requests.Add(1)
	if r.ProtoMajor == 2 {
		u.http2.Add(1)
	}
	s := u.scripts[modelOf(body)]
	if s == nil || s.path != r.URL.Path || len(body) != len(s.request) {
		http.Error(w, "no such script, or not its request", http.StatusNotFound)
		return
	}
	if s.plain {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(s.body)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	_ = s.play(w, r) // the client is gone
}

// modelOf finds the model in a request of ours, where it comes first.
func modelOf(body []byte) string {
	rest, ok := bytes.CutPrefix(body, []byte(`{"model":"`))
	name, _, found := bytes.Cut(rest, []byte(`"`))
	if !ok || !found {
		return ""
	}
	return string(name)
}

var errGone = errors.New("the client is gone")

// play writes the events of a script at its pace. With a pace, each carries
// the time at which it was written.
func (s *script) play(w http.ResponseWriter, r *http.Request) error {
	control := http.NewResponseController(w)
	if s.pace == 0 {
		for _, e := range s.events {
			if _, err := w.Write(s.body[e.from:e.to]); err != nil {
				return err
			}
			if err := control.Flush(); err != nil {
				return err
			}
		}
		return nil
	}
	var out []byte
	tick := time.NewTicker(s.pace)
	defer tick.Stop()
	for i := 0; i < len(s.events); i++ {
		e := s.events[i]
		out = append(out[:0], s.body[e.from:e.to]...)
		if e.stamp >= 0 {
			strconv.AppendInt(out[e.stamp-e.from:e.stamp-e.from], time.Now().UnixNano(), 10)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
		if s.endless && i == len(s.events)-1 {
			i = 0
		}
		if i == len(s.events)-1 {
			return nil
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return errGone
		}
	}
	return nil
}
