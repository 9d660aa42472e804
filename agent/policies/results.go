package policies

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// judgeResults judges what tools returned before the model sees it, and returns the
// request that is sent. What is stored does not change.
//
// A result is judged once in a run: it is sent again with every round, and must be the
// same every time.
func (w *watch) judgeResults(req *agent.Request) (*agent.Request, error) {
	if w.set == nil || !w.set.Judges(llm.ToolResult) {
		return req, nil
	}
	known := resultsOf(req, w.set.Version())
	body, docs := w.bodyOf(req, known)
	if len(docs) > 0 {
		sent, err := w.judgeBody(body)
		if err != nil {
			return nil, err
		}
		if err := known.learn(body, sent, docs); err != nil {
			return nil, err
		}
	}
	return w.conceal(known.change(req), req), nil
}

// conceal returns the request with its calls as the model is shown them, if results in
// it are not sent as they are: a secret that is kept from the model there was put into
// calls for their tools, and these are remembered with it.
func (w *watch) conceal(sent, req *agent.Request) *agent.Request {
	if sent == req {
		return req
	}
	engine := w.current().engine
	for m := range sent.Messages {
		own := false
		for i := range sent.Messages[m].Blocks {
			b := &sent.Messages[m].Blocks[i]
			if b.Kind != llm.ToolCall {
				continue
			}
			arguments, raw := engine.Conceal(b.Arguments), engine.Conceal(string(b.Raw))
			if arguments == b.Arguments && raw == string(b.Raw) {
				continue
			}
			if !own {
				own = true
				sent.Messages[m].Blocks = slices.Clone(sent.Messages[m].Blocks)
				b = &sent.Messages[m].Blocks[i]
			}
			if b.Arguments = arguments; len(b.Raw) > 0 {
				b.Raw = json.RawMessage(raw)
			}
		}
	}
	return sent
}

// document is a message with results that have not been judged, as JSON.
type document []string // the keys of its results

// bodyOf writes the results that have not been judged in the form that the engine
// reads, and sets their positions in the exchange.
func (w *watch) bodyOf(req *agent.Request, known *results) (body []byte, docs []document) {
	messages := slices.Clone(req.Messages)
	for m := range messages {
		messages[m].Span = llm.Span{} // of another body
		var keys document
		from := len(body)
		for i := range messages[m].Blocks {
			b := &messages[m].Blocks[i]
			key, ok := known.key(b)
			if !ok || known.has(key) || slices.Contains(keys, key) {
				continue
			}
			if keys = append(keys, key); len(keys) == 1 {
				body = append(body, `{"content":[`...)
			} else {
				body = append(body, ',')
			}
			body = appendResult(body, b)
		}
		if len(keys) > 0 {
			body = append(body, "]}\n"...)
			messages[m].Span = llm.Span{Start: from, End: len(body) - 1}
			docs = append(docs, keys)
		}
	}
	w.x.Request.Messages = messages
	return body, docs
}

// appendResult writes a result. Annotations of a provider or a client next to its
// text are judged with it.
func appendResult(body []byte, b *llm.Block) []byte {
	body = append(body, `{"type":"tool_result","tool_use_id":`...)
	body = jsonscan.AppendString(body, b.ToolUseID)
	body = append(body, `,"content":`...)
	if !json.Valid(b.Raw) {
		return append(jsonscan.AppendString(body, b.Text), '}')
	}
	body = append(body, `[{"type":"text","text":`...)
	body = jsonscan.AppendString(body, b.Text)
	body = append(body, "},"...)
	return append(append(body, b.Raw...), "]}"...)
}

// judgeBody lets the engine judge results.
func (w *watch) judgeBody(body []byte) (sent []byte, err error) {
	err = w.asideOf(func(ctx context.Context, e *policy.Engine) (err error) {
		sent, err = e.JudgeResults(ctx, body)
		return err
	})
	return sent, err
}

// asideOf has the engine judge a part of the request concurrently with the range,
// which meanwhile reports questions to people.
func (w *watch) asideOf(judge func(context.Context, *policy.Engine) error) (err error) {
	h := w.current()
	w.concurrent.open(w.ctx)
	done := make(chan struct{})
	w.concurrent.running.Go(func() {
		defer close(done)
		defer func() {
			if x := recover(); x != nil {
				err = fmt.Errorf("policies: the request could not be judged: %v", x)
			}
		}()
		err = judge(w.concurrent.ctx, h.engine)
	})
	for {
		select {
		case <-done:
			if w.ctx.Err() != nil {
				return context.Cause(w.ctx)
			}
			return err
		case q := <-w.concurrent.asks:
			if left := w.tell(h, q); left != nil {
				w.concurrent.cancel()
				<-done
				return left
			}
		}
	}
}

// results are the judged results of a run.
type results struct {
	version string
	*decided
}

type decided struct {
	mu sync.Mutex
	by map[string]outcome
}

// outcome is what is sent of a result.
type outcome struct {
	changed bool
	text    string
	raw     json.RawMessage
	// withheld: nothing of it is sent.
	withheld bool
}

// resultsName is the key of the judged results among the run's values.
const resultsName = "sluice/agent/policies: results"

func resultsOf(req *agent.Request, version string) *results {
	if have, ok := req.Values.Get(resultsName).(*decided); ok {
		return &results{version, have}
	}
	d := &decided{by: make(map[string]outcome)}
	if req.Values != nil {
		req.Values.Set(resultsName, d)
	}
	return &results{version, d}
}

// key identifies a result; it returns false if the block is not one.
func (r *results) key(b *llm.Block) (string, bool) {
	if b.Kind != llm.ToolResult && (b.Kind != llm.Opaque || b.ToolUseID == "") {
		return "", false
	}
	h := sha256.New()
	for _, part := range []string{r.version, b.ToolUseID, b.Text, string(b.Raw)} {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return string(h.Sum(nil)), true
}

func (r *results) has(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.by[key]
	return ok
}

// learn records what the engine made of the results.
func (r *results) learn(body, sent []byte, docs []document) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, after := json.NewDecoder(bytes.NewReader(body)), json.NewDecoder(bytes.NewReader(sent))
	for _, keys := range docs {
		var was, is struct {
			Content []struct {
				Content json.RawMessage `json:"content"`
			} `json:"content"`
		}
		if err := before.Decode(&was); err != nil {
			return fmt.Errorf("policies: the results cannot be read: %w", err)
		}
		if err := after.Decode(&is); err != nil {
			return fmt.Errorf("policies: the results cannot be read: %w", err)
		}
		if len(was.Content) != len(keys) || len(is.Content) != len(keys) {
			return fmt.Errorf("policies: there are %d results, but %d were judged", len(keys), len(is.Content))
		}
		for i, key := range keys {
			o, err := outcomeOf(was.Content[i].Content, is.Content[i].Content)
			if err != nil {
				return err
			}
			r.by[key] = o
		}
	}
	return nil
}

func outcomeOf(was, is json.RawMessage) (o outcome, err error) {
	if bytes.Equal(was, is) {
		return o, nil
	}
	o.changed = true
	if is[0] == '"' {
		o.withheld = was[0] != '"'
		return o, json.Unmarshal(is, &o.text)
	}
	var parts [2]json.RawMessage
	if err = json.Unmarshal(is, &parts); err == nil {
		var first struct {
			Text string `json:"text"`
		}
		err = json.Unmarshal(parts[0], &first)
		o.text, o.raw = first.Text, bytes.Clone(parts[1])
	}
	return o, err
}

// change returns the request with the results as they are sent: the same request if
// none was changed.
func (r *results) change(req *agent.Request) *agent.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := req
	for m := range req.Messages {
		own := false
		for i := range req.Messages[m].Blocks {
			key, ok := r.key(&req.Messages[m].Blocks[i])
			if !ok || !r.by[key].changed {
				continue
			}
			if sent == req {
				sent = req.Clone()
				sent.Messages = slices.Clone(req.Messages)
			}
			if !own {
				own = true
				sent.Messages[m].Blocks = slices.Clone(req.Messages[m].Blocks)
			}
			o, b := r.by[key], &sent.Messages[m].Blocks[i]
			if b.Text, b.Raw = o.text, o.raw; o.withheld {
				b.Kind, b.Type = llm.ToolResult, ""
			}
		}
	}
	return sent
}
