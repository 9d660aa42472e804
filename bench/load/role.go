package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/server"
)

// The roles that this program plays in other processes, and the variable that
// selects one.
const (
	roleFlag     = "role"
	roleUpstream = "upstream"
	roleFloor    = "floor"
	roleSluice   = "sluice"
)

// addresses is what a role says on its standard output once it is ready.
type addresses struct {
	// URL is where it answers.
	URL string `json:"url"`
	// HTTP1 and HTTP2 are where the upstream answers with TLS and one protocol
	// only. Certificate is the file with what it shows.
	HTTP1       string `json:"http1,omitempty"`
	HTTP2       string `json:"http2,omitempty"`
	Certificate string `json:"certificate,omitempty"`
	// Control is where it reports its usage.
	Control string `json:"control"`
}

// play runs a process with a role: it serves until its standard input ends,
// which happens at the latest when its parent is gone.
func play(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) != 3 {
		return errors.New("a role needs its name, the upstream and whether it is profiled; the program starts roles itself")
	}
	name, to := args[0], args[1]
	if args[2] == "profile" {
		runtime.MemProfileRate = 4 << 10 // streams are small
	}
	var said addresses
	up := &upstream{}
	switch name {
	case roleUpstream:
		up.scripts = scripts()
		dir, err := os.MkdirTemp("", "load")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		pair, file, err := certificate(dir)
		if err != nil {
			return err
		}
		said.Certificate = file
		if said.URL, err = serve(up, nil); err != nil {
			return err
		}
		if said.HTTP1, err = serve(up, tlsConfig(pair, "http/1.1")); err != nil {
			return err
		}
		if said.HTTP2, err = serve(up, tlsConfig(pair, "h2")); err != nil {
			return err
		}
	case roleFloor, roleSluice:
		proxy := newFloor
		if name == roleSluice {
			proxy = newSluice
		}
		handler, err := proxy(to)
		if err != nil {
			return err
		}
		if said.URL, err = serve(handler, nil); err != nil {
			return err
		}
	default:
		return fmt.Errorf("there is no role %q", name)
	}
	var err error
	if said.Control, err = serve(control(up), nil); err != nil {
		return err
	}
	if name == roleSluice {
		server.SpareCollections() // as the program does
	}
	if err := json.NewEncoder(stdout).Encode(said); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, stdin)
	return err
}

// serve answers on a free port of this machine.
func serve(h http.Handler, secure *tls.Config) (string, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s := &http.Server{
		Handler: h, TLSConfig: secure, ReadHeaderTimeout: 30 * time.Second,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	if g, ok := h.(*gateway.Gateway); ok && g != nil {
		l = gateway.Tune(s, l) // as the program does
	}
	if secure == nil {
		go func() { _ = s.Serve(l) }() // ends with the process
		return "http://" + l.Addr().String(), nil
	}
	go func() { _ = s.ServeTLS(l, "", "") }() // ends with the process
	return "https://" + l.Addr().String(), nil
}

// control reports the usage of this process, and profiles it.
func control(up *upstream) http.Handler {
	var cpu bytes.Buffer
	mux := http.NewServeMux()
	mux.HandleFunc("GET /usage", func(w http.ResponseWriter, _ *http.Request) {
		u := usageNow()
		u.Requests, u.HTTP2 = up.requests.Load(), up.http2.Load()
		_ = json.NewEncoder(w).Encode(u)
	})
	mux.HandleFunc("GET /memory", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(memoryNow()) })
	mux.HandleFunc("GET /cpu/start", func(http.ResponseWriter, *http.Request) {
		cpu.Reset()
		_ = pprof.StartCPUProfile(&cpu)
	})
	mux.HandleFunc("GET /cpu/stop", func(w http.ResponseWriter, _ *http.Request) {
		pprof.StopCPUProfile()
		_, _ = w.Write(cpu.Bytes())
	})
	mux.HandleFunc("GET /profile/{name}", func(w http.ResponseWriter, r *http.Request) {
		if p := pprof.Lookup(r.PathValue("name")); p != nil {
			runtime.GC() // a profile of memory shows what the last one left; nothing is measured after it
			_ = p.WriteTo(w, 0)
		}
	})
	return mux
}
