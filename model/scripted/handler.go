package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// maxRequest is the maximum size of a request.
const maxRequest = 32 << 20

// Handler serves the script as the endpoint of a provider in the format, streaming or
// not as the request asks, at any path. Its requests are recorded like all others, and
// take rounds from the same script. It checks no key.
//
// A *model.StatusError in a Fail at the start of a round becomes that HTTP status; a
// *stream.ProviderError becomes an error inside the answer; after any other error, and
// after Cut, the connection breaks. Some formats do not allow text after a call; there
// the answer ends with an error.
//
// It panics for a format that is not one of the constants of package wire.
func (m *Model) Handler(format wire.Format) http.Handler {
	format.NewDecoder() // panics early if there is no such format
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := &server{Model: m, format: format, w: w, r: r, sequence: -1}
		s.serve(r.Context())
	})
}

// server answers one HTTP request.
type server struct {
	*Model

	format wire.Format
	w      http.ResponseWriter
	r      *http.Request
	number int
	model  string
	calls  int
	usage  llm.Usage
	reason llm.FinishReason
	cut    bool
	// id is that of a chat completion, and tellsUsage whether its client asked for a
	// last chunk with the usage.
	id         string
	tellsUsage bool
	// sequence is the number of the next event, in the format that has one, -1 before
	// the first.
	sequence int
}

func (s *server) serve(ctx context.Context) {
	if s.r.Method != http.MethodPost {
		s.refuse(&model.StatusError{Status: http.StatusMethodNotAllowed, Provider: &stream.ProviderError{Message: "use POST"}})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(s.w, s.r.Body, maxRequest))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		s.refuse(&model.StatusError{Status: http.StatusRequestEntityTooLarge, Provider: &stream.ProviderError{Type: "request_too_large", Message: err.Error()}})
		return
	}
	if err != nil {
		return // the client has gone
	}
	req, err := s.format.ReadRequest(body)
	if err != nil {
		s.refuse(&model.StatusError{Status: http.StatusBadRequest, Provider: &stream.ProviderError{Type: "invalid_request_error", Message: err.Error()}})
		return
	}
	if s.format == wire.Gemini {
		// The model and the method are in the path.
		name, method := geminiPath(s.r.URL.Path)
		req.Model, req.Stream = name, method == "streamGenerateContent"
	}
	var options struct {
		IncludeUsage bool `json:"include_usage"`
	}
	_ = json.Unmarshal(req.Extra["stream_options"], &options)
	s.tellsUsage = s.format == wire.OpenAIChat && options.IncludeUsage
	round, number, err := s.choose(req)
	if err != nil {
		s.refuse(&model.StatusError{Status: http.StatusInternalServerError, Provider: &stream.ProviderError{Type: "server_error", Message: err.Error()}})
		return
	}
	s.number, s.model = number, req.Model
	if s.opts.Model != "" {
		s.model = s.opts.Model
	}
	round, status, gone := s.status(ctx, round)
	if status != nil {
		s.refuse(status)
	}
	if status != nil || gone {
		return
	}
	if req.Stream {
		s.stream(ctx, round)
	} else {
		s.whole(ctx, round)
	}
}

// geminiPath parses the model, whose name may have slashes, and the method from a path
// that ends like models/a:streamGenerateContent.
func geminiPath(path string) (name, method string) {
	if at := strings.LastIndex(path, "models/"); at >= 0 {
		path = path[at+len("models/"):]
	}
	name, method = path, ""
	if at := strings.LastIndexByte(path, ':'); at >= 0 {
		name, method = path[:at], path[at+1:]
	}
	return strings.TrimPrefix(name, "/"), method
}

// status plays the start of a round as far as it needs no HTTP status, and returns the
// rest of it, the error that it starts with or nil, and whether the client has gone.
func (s *server) status(ctx context.Context, round Round) (rest Round, status *model.StatusError, gone bool) {
	for i := range round {
		switch round[i].kind {
		case stepNothing, stepWhen:
			continue
		case stepPause:
			if !s.waited(ctx, round[i].pause) {
				return nil, nil, true
			}
			continue
		case stepFail:
			status, _ = errors.AsType[*model.StatusError](round[i].err)
		case stepBlock, stepUsage, stepFinish, stepCut, stepGarbage:
		}
		return round[i:], status, false
	}
	return nil, nil, false
}

// refuse answers with an error of the dialect.
func (s *server) refuse(e *model.StatusError) {
	h := s.w.Header()
	h.Set("Content-Type", "application/json")
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((e.RetryAfter+time.Second-1)/time.Second), 10))
		h.Set("Retry-After-Ms", strconv.FormatInt(int64(e.RetryAfter/time.Millisecond), 10))
	}
	if e.RequestID != "" {
		h.Set("X-Request-Id", e.RequestID)
	}
	said := stream.ProviderError{Type: "api_error", Message: http.StatusText(e.Status)}
	if e.Provider != nil {
		said = *e.Provider
	}
	var code any
	if said.Code != "" {
		code = said.Code
	}
	body := object{"error": object{"type": said.Type, "code": code, "message": said.Message}}
	switch s.format {
	case wire.Anthropic:
		body = object{"type": "error", "error": object{"type": said.Type, "message": said.Message}}
	case wire.Gemini:
		body = object{"error": object{"code": e.Status, "status": said.Type, "message": said.Message}}
	case wire.OpenAIChat, wire.OpenAIResponses:
	}
	s.w.WriteHeader(e.Status)
	s.write(encode(body))
}

// object is a JSON object that is being put together.
type object = map[string]any

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return data
}

// write sends bytes at once. The context reports a client that has gone.
func (s *server) write(data []byte) {
	if _, err := s.w.Write(data); err == nil {
		_ = http.NewResponseController(s.w).Flush()
	}
}

// waited waits and reports whether the client is still there.
func (s *server) waited(ctx context.Context, d time.Duration) bool {
	return s.opts.Sleep(ctx, d) == nil
}

// abort breaks the connection, as a crashing provider does.
func (s *server) abort() {
	panic(http.ErrAbortHandler) //nolint:forbidigo // the way of net/http to break a connection
}

// named returns a block of the script with an id.
func (s *server) named(b llm.Block) llm.Block {
	if b.Kind == llm.ToolCall {
		s.calls++
		if b.ID == "" {
			b.ID = callID(s.number, s.calls)
		}
	}
	return b
}
