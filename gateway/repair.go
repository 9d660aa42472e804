package gateway

import (
	"container/list"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/edit"
)

// Some providers keep the conversation themselves: the client's next request
// only names the answer that it goes on from. After a block the provider still
// remembers the call, but the client never saw it and will not answer it, and the
// provider refuses to go on without. So the gateway answers blocked calls itself
// in the next request, or, where a thread is kept, tells the client that it is
// gone, upon which the client sends its history.

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

// deny remembers a blocked call until the answer's id is known to have ended.
func (x *exchange) deny(r *policy.Record) {
	if r.Stage == policy.StageAnswer && r.Kind == llm.ToolCall && !r.Delivered && r.ID != "" && len(x.denied) < 1000 {
		text := "Blocked by Sluice"
		if r.Verdict.Reason != "" {
			text += ": " + r.Verdict.Reason
		}
		x.denied = append(x.denied, denied{r.ID, r.Type, text + " (policy " + r.Verdict.Policy + "). The call did not run."})
	}
}

// named is a source of payloads that notes the id of the answer.
type named struct {
	policy.Source

	format wire.Format
	id     string
	looked bool
}

// watchID notes the id of the answer, where providers keep conversations.
func (x *exchange) watchID(src policy.Source) *named { return &named{Source: src, format: x.format} }

// Next returns the next payload.
func (n *named) Next() (string, []byte, error) {
	name, payload, err := n.Source.Next()
	if err == nil && !n.looked {
		n.looked = true
		n.id = answerID(n.format, payload)
	}
	return name, payload, err
}

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

// remember keeps the blocked calls of the answer for the request that goes on
// from it.
func (x *exchange) remember(n *named) {
	if len(x.denied) == 0 {
		return
	}
	if n.id != "" {
		x.g.repairs.add(n.id, x.denied)
	}
	if x.in.conversation != "" {
		x.g.repairs.add(x.in.conversation, x.denied)
	}
}

// errRepair is a request that goes on from an answer with blocked calls and has
// no place for their results.
var errRepair = errors.New("the request goes on from an answer of which calls were blocked, and its input cannot be read")

// repair makes a request that goes on from an answer with blocked calls one that
// the provider accepts. answered: the client was told instead.
func (x *exchange) repair(body []byte) (repaired []byte, answered bool, err error) {
	from := x.in.previous
	if from == "" {
		from = x.in.conversation
	}
	calls := x.g.repairs.of(from)
	if from == "" || len(calls) == 0 {
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
	for i, call := range calls {
		if strings.Contains(string(raw), call.id) {
			continue // the client knows of it after all
		}
		if i > 0 && len(results) > 0 {
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
	repaired, err = edits.Apply(nil, body)
	return repaired, false, err
}

// appendResult appends the result that stands for a blocked call.
func appendResult(dst []byte, call denied) []byte {
	kind := "function_call_output"
	if base, ok := strings.CutSuffix(call.kind, "_call"); ok {
		kind = base + "_call_output"
	}
	dst = jsonscan.AppendString(append(dst, `{"type":`...), kind)
	dst = jsonscan.AppendString(append(dst, `,"call_id":`...), call.id)
	dst = jsonscan.AppendString(append(dst, `,"output":`...), call.text)
	return append(dst, '}')
}

// threadGone tells the client to send its history, as the provider does when a
// thread is no longer kept.
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
