package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

// newFloor returns a minimal proxy for streams: the standard library's. It
// reads the request first, because a reverse proxy that streams the request
// cuts off answers that arrive early.
func newFloor(to string) (http.Handler, error) {
	u, err := url.Parse(to)
	if err != nil {
		return nil, err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(u) },
		FlushInterval: -1,
		Transport: &http.Transport{
			MaxIdleConnsPerHost: 1024, IdleConnTimeout: 90 * time.Second,
			ForceAttemptHTTP2: true, DisableCompression: true,
		},
		// The client reports failures.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		proxy.ServeHTTP(w, r)
	}), nil
}
