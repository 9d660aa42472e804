package server

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/gateway"
)

// recordings stores answers of upstreams, and the requests for them, as files.
type recordings struct {
	dir string
	log *slog.Logger

	mu sync.Mutex
	// over are finished answers, by exchange; the handler has their requests.
	over map[string]*recording
}

// maxRecording is the size limit of a recorded answer or request.
const maxRecording = 64 << 20

func openRecordings(dir string, log *slog.Logger) (*recordings, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the directory for recordings cannot be created: %w: name another one with --out", err)
	}
	return &recordings{dir: dir, log: log, over: make(map[string]*recording)}, nil
}

// handler records the bodies of requests while next reads them, and writes the
// files when next has answered.
func (k *recordings) handler(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &requestBody{ReadCloser: r.Body, encoding: r.Header.Get("Content-Encoding")}
		if r.Body != http.NoBody {
			r.Body = body
		}
		defer func() {
			if answer := k.take(w.Header().Get("X-Sluice-Exchange")); answer != nil {
				answer.save(body)
			}
		}()
		next(w, r)
	})
}

// take returns the recording of a finished exchange, nil if there is none.
func (k *recordings) take(exchange string) *recording {
	k.mu.Lock()
	defer k.mu.Unlock()
	answer := k.over[exchange]
	delete(k.over, exchange)
	return answer
}

// requestBody records what is read of a body. Bodies of judged requests are read
// by the goroutine that serves them; others are not recorded.
type requestBody struct {
	io.ReadCloser

	encoding string
	data     bytes.Buffer
}

// Read reads and keeps.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.data.Write(p[:min(n, maxRecording-b.data.Len())])
	return n, err
}

// name is the ending of the file name of a request: bodies are stored as they
// were sent.
func (b *requestBody) name() string {
	switch strings.ToLower(strings.TrimSpace(b.encoding)) {
	case "", "identity":
		return ".request.json"
	case "zstd":
		return ".request.json.zst"
	case "gzip", "x-gzip":
		return ".request.json.gz"
	default:
		return ".request.json.encoded"
	}
}

// record starts a recording; it returns nil for a canary, which no upstream
// answers.
func (k *recordings) record(x gateway.Exchange) gateway.Recorder {
	if x.Canary {
		return nil
	}
	name := fmt.Sprintf("%s-%s-%s", x.Started.UTC().Format("20060102T150405.000Z"), x.Format, strings.TrimPrefix(x.ID, "ex_"))
	return &recording{to: k, exchange: x.ID, name: filepath.Join(k.dir, name)}
}

// recording is one answer, in memory until it is over: files are written when
// the client has everything.
type recording struct {
	to       *recordings
	exchange string
	name     string
	answer   bytes.Buffer
	cut      bool
}

// Write keeps a part of the answer.
func (r *recording) Write(p []byte) {
	if room := maxRecording - r.answer.Len(); len(p) > room {
		r.cut, p = true, p[:room]
	}
	r.answer.Write(p)
}

// Close leaves the recording to the handler, which has the request.
func (r *recording) Close(gateway.End) {
	r.to.mu.Lock()
	defer r.to.mu.Unlock()
	r.to.over[r.exchange] = r
}

// save writes the files.
func (r *recording) save(request *requestBody) {
	said := bytes.TrimLeft(r.answer.Bytes(), " \t\r\n")
	if len(said) == 0 {
		return
	}
	kind := ".sse"
	if said[0] == '{' || said[0] == '[' {
		kind = ".json"
	}
	if request.data.Len() > 0 {
		r.write(r.name+request.name(), request.data.Bytes())
	}
	r.write(r.name+kind, r.answer.Bytes())
	if r.cut {
		r.to.log.Warn("a recording has only the beginning of its answer", slog.String("file", r.name+kind), slog.Int("bytes", maxRecording))
	}
}

func (r *recording) write(name string, data []byte) {
	if err := os.WriteFile(name, data, 0o600); err != nil {
		r.to.log.Error("a recording cannot be written", slog.Any("error", err))
	}
}
