package gateway

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/edit"
)

// Some providers store the conversation themselves: the client's next request
// only names the answer that it continues from. After a call is blocked the
// provider still waits for its result, but the client never saw the call and will
// not send one. So the gateway inserts results for blocked calls into the next
// request, or, for a stored thread, tells the client that the thread is gone, and
// the client then sends its history.

// denied is a blocked call of an answer.
type denied struct{ id, kind, text string }

// repairs remembers the blocked calls of the latest answers. The zero value is
// ready; it is safe for concurrent use.
type repairs struct {
	mu    sync.Mutex
	order list.List // of ids, the oldest first
	calls map[string]*list.Element
}

type repairEntry struct {
	id    string
	calls []denied
}

// mostRepairs is how many answers with blocked calls are remembered.
const mostRepairs = 10_000

func (r *repairs) add(id string, calls []denied) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = make(map[string]*list.Element)
	}
	if old, known := r.calls[id]; known {
		r.order.Remove(old)
	}
	r.calls[id] = r.order.PushBack(&repairEntry{id, calls})
	if r.order.Len() > mostRepairs {
		if oldest, ok := r.order.Remove(r.order.Front()).(*repairEntry); ok {
			delete(r.calls, oldest.id)
		}
	}
}

// forget forgets the calls of a conversation once they have been answered.
func (r *repairs) forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, known := r.calls[id]; known {
		r.order.Remove(e)
		delete(r.calls, id)
	}
}

func (r *repairs) of(id string) []denied {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, known := r.calls[id]; known {
		if entry, ok := e.Value.(*repairEntry); ok {
			return entry.calls
		}
	}
	return nil
}

// mostDenied is how many blocked calls of an answer are remembered; their ids
// are at most as long as a label.
const mostDenied = 64

// deny remembers a blocked call until the answer is over.
func (x *exchange) deny(r *policy.Record) {
	if r.Stage != policy.StageAnswer || r.Kind != llm.ToolCall || r.Delivered || r.ID == "" || len(r.ID) > maxLabel || len(x.denied) == mostDenied {
		return
	}
	text := "Blocked by Sluice"
	if r.Verdict.Attempt != "" {
		text += " (" + r.Verdict.Attempt + ")"
	}
	if r.Verdict.Reason != "" {
		text += ": " + short(r.Verdict.Reason)
	}
	x.denied = append(x.denied, denied{r.ID, short(r.Type), text + " (policy " + short(r.Verdict.Policy) + "). The call did not run."})
}

// owned qualifies the id of a conversation with its owner, so that nobody else
// can refer to it.
func (x *exchange) owned(id string) string {
	if x.owner == "" {
		// A Sluice key identifies the owner, with its user where hosts give out keys of
		// one name; without keys the gateway belongs to one person. Providers' tokens do
		// not: they are renewed.
		who := []string{x.who.Name, x.who.User, x.header.Get("Chatgpt-Account-Id"), x.header.Get("Openai-Organization")}
		h := sha256.Sum256(fmt.Appendf(nil, "%s %q", x.provider, who))
		x.owner = string(h[:])
	}
	return x.owner + id
}

// answerID finds the id of an answer in one of its first payloads, for providers
// that store conversations by it.
func answerID(format wire.Format, payload []byte) string {
	var inner string
	switch format {
	case wire.OpenAIResponses:
		inner = "response"
	case wire.Anthropic:
		inner = "message"
	case wire.OpenAIChat, wire.Gemini:
		return ""
	}
	raw, _, ok := jsonscan.Get(payload, inner, "id")
	if !ok {
		if raw, _, ok = jsonscan.Get(payload, "id"); !ok {
			return ""
		}
	}
	id, ok := jsonscan.Unquote(nil, raw)
	if !ok || len(id) > maxLabel {
		return ""
	}
	return string(id)
}

// remember keeps the blocked calls of the answer for the request that continues
// from it.
func (x *exchange) remember(id string) {
	if len(x.denied) == 0 || x.isCanary() {
		return
	}
	if id != "" {
		x.g.repairs.add(x.owned(id), x.denied)
	}
	if x.in.conversation != "" {
		x.g.repairs.add(x.owned(x.in.conversation), x.denied)
	}
}

// errRepair is a request that continues from an answer with blocked calls and
// has no place for their results.
var errRepair = errors.New("the request continues from an answer with blocked calls, and its input cannot be read")

// repair changes a request that continues from an answer with blocked calls so
// that the provider accepts it. answered: the client was answered instead.
func (x *exchange) repair(body []byte) (repaired []byte, answered bool, err error) {
	from := x.in.previous
	if from == "" {
		from = x.in.conversation
	}
	if from == "" {
		return body, false, nil
	}
	from = x.owned(from)
	calls := x.g.repairs.of(from)
	if len(calls) == 0 {
		return body, false, nil
	}
	if x.format == wire.Anthropic {
		if !x.in.thread {
			return body, false, nil
		}
		x.threadGone()
		return nil, true, nil
	}
	raw, span, ok := jsonscan.Get(body, "input")
	if !ok {
		return nil, false, &refusal{http.StatusBadRequest, errRepair.Error(), Refused}
	}
	var results []byte
	for _, call := range calls {
		if raw[0] == '[' && bytes.Contains(raw, jsonscan.AppendString(nil, call.id)) {
			continue // the client knows about it after all
		}
		if len(results) > 0 {
			results = append(results, ',')
		}
		results = appendResult(results, call)
	}
	if len(results) == 0 {
		return body, false, nil
	}
	at := llm.Span{Start: span[0], End: span[1]}
	var edits edit.Edits
	switch raw[0] {
	case '[':
		edits.InsertFirst(body, at, results)
	case '"':
		items := append([]byte{'['}, results...)
		items = append(items, `,{"type":"message","role":"user","content":`...)
		items = append(append(items, raw...), "}]"...)
		edits.Replace(at, items)
	default:
		return nil, false, &refusal{http.StatusBadRequest, errRepair.Error(), Refused}
	}
	if x.in.previous == "" {
		x.answering = from // an answer can be continued from again; a conversation only moves forward
	}
	repaired, err = edits.Apply(nil, body)
	return repaired, false, err
}

// appendResult appends a result for a blocked call, in the form that the
// provider expects for a call of its kind.
func appendResult(dst []byte, call denied) []byte {
	id := string(jsonscan.AppendString(nil, call.id))
	text := string(jsonscan.AppendString(nil, call.text))
	switch call.kind {
	case "mcp_approval_request":
		return append(dst, `{"type":"mcp_approval_response","approval_request_id":`+id+`,"approve":false,"reason":`+text+`}`...)
	case "shell_call":
		return append(dst, `{"type":"shell_call_output","call_id":`+id+`,"output":[{"stdout":"","stderr":`+text+`,"outcome":{"type":"exit","exit_code":1}}]}`...)
	case "apply_patch_call":
		return append(dst, `{"type":"apply_patch_call_output","call_id":`+id+`,"status":"failed","output":`+text+`}`...)
	}
	kind := "function_call_output"
	if base, ok := strings.CutSuffix(call.kind, "_call"); ok {
		kind = base + "_call_output"
	}
	return append(dst, `{"type":`+string(jsonscan.AppendString(nil, kind))+`,"call_id":`+id+`,"output":`+text+`}`...)
}

// threadGone tells the client to send its history, as the provider does when a
// thread is no longer stored.
func (x *exchange) threadGone() {
	const body = `{"type":"error","error":{"type":"not_found_error","message":"Sluice: a call of this thread was blocked, so the thread cannot be continued; send the history",` +
		`"details":{"error_code":"thread_not_found"}}}`
	x.sink.retract()
	x.end.Outcome, x.end.Status, x.end.Error = Refused, http.StatusNotFound, "the thread has a blocked call"
	h := x.w.Header()
	h.Set("Content-Type", "application/json")
	x.w.WriteHeader(http.StatusNotFound)
	_, _ = x.w.Write([]byte(body))
}
