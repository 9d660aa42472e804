package gateway

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/wire"
)

// refusal is the gateway's own answer to a request that it does not serve:
// why, and what to do about it, in the client's dialect.
type refusal struct {
	status  int
	message string
	// outcome is the recorded outcome.
	outcome Outcome
}

// Error is what the client is told; with it a refusal can be returned as an
// error.
func (r *refusal) Error() string {
	if strings.HasPrefix(r.message, "Sluice") {
		return r.message
	}
	return "Sluice: " + r.message
}

// write sends the refusal.
func (r *refusal) write(w http.ResponseWriter, format wire.Format) {
	h := w.Header()
	for name := range h {
		if name != "X-Sluice-Exchange" && name != "Allow" {
			h.Del(name)
		}
	}
	body := r.body(format)
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(body)
}

// body is the refusal as the client's SDK reads errors.
func (r *refusal) body(format wire.Format) []byte {
	message := r.Error()
	b := []byte(nil)
	switch format {
	case wire.Anthropic:
		b = jsonscan.AppendString(append(b, `{"type":"error","error":{"type":`...), r.kind(format))
		b = jsonscan.AppendString(append(b, `,"message":`...), message)
		return append(b, "}}\n"...)
	case wire.Gemini:
		b = strconv.AppendInt(append(b, `{"error":{"code":`...), int64(r.status), 10)
		b = jsonscan.AppendString(append(b, `,"message":`...), message)
		b = jsonscan.AppendString(append(b, `,"status":`...), r.kind(format))
		return append(b, "}}\n"...)
	case wire.OpenAIChat, wire.OpenAIResponses:
	}
	b = jsonscan.AppendString(append(b, `{"error":{"message":`...), message)
	b = jsonscan.AppendString(append(b, `,"type":`...), r.kind(format))
	b = append(b, `,"param":null,"code":`...)
	b = jsonscan.AppendString(b, "sluice_"+string(r.outcome))
	return append(b, "}}\n"...)
}

// kind is the dialect's error type for a status.
func (r *refusal) kind(format wire.Format) string {
	words := map[int][3]string{ // Anthropic, OpenAI, Gemini
		http.StatusBadRequest:            {"invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"},
		http.StatusUnauthorized:          {"authentication_error", "authentication_error", "UNAUTHENTICATED"},
		http.StatusForbidden:             {"permission_error", "permission_error", "PERMISSION_DENIED"},
		http.StatusNotFound:              {"not_found_error", "invalid_request_error", "NOT_FOUND"},
		http.StatusMethodNotAllowed:      {"invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"},
		http.StatusRequestEntityTooLarge: {"request_too_large", "invalid_request_error", "INVALID_ARGUMENT"},
		http.StatusUnsupportedMediaType:  {"invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"},
		http.StatusUpgradeRequired:       {"invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"},
		http.StatusTooManyRequests:       {"rate_limit_error", "rate_limit_error", "RESOURCE_EXHAUSTED"},
		http.StatusBadGateway:            {"api_error", "server_error", "UNAVAILABLE"},
		http.StatusGatewayTimeout:        {"timeout_error", "server_error", "DEADLINE_EXCEEDED"},
		http.StatusServiceUnavailable:    {"overloaded_error", "server_error", "UNAVAILABLE"},
	}
	word, known := words[r.status]
	if !known {
		word = [3]string{"api_error", "server_error", "INTERNAL"}
	}
	switch format {
	case wire.Anthropic:
		return word[0]
	case wire.Gemini:
		return word[2]
	default:
		return word[1]
	}
}
