package sluicetest

import "slices"

// responsesReader reads OpenAI Responses: a created response, items that are added and
// done under a running output_index, one terminal event. Its hardest rule is that every
// text exists up to four times and must be the same everywhere, because a client may
// read any copy.
type responsesReader struct {
	*inspector
	id       string
	items    []*responsesItem
	ids      map[string]bool
	callIDs  map[string]bool
	first    bool // a payload was read
	numbered bool
	sequence int
	created  bool
	errored  bool // an error event was read
	terminal string
	sawDone  bool
}

func newResponsesReader(in *inspector) *responsesReader {
	return &responsesReader{inspector: in, ids: map[string]bool{}, callIDs: map[string]bool{}}
}

func (r *responsesReader) read(event string, o object) {
	kind := r.need("type", o, "type", "the payload")
	if event != kind {
		r.fail("event-name", "the event is named %q but the payload's type is %q", event, kind)
	}
	r.count(o)
	switch {
	case r.sawDone:
		r.fail("done-last", "%s follows [DONE]", kind)
	case r.terminal != "":
		r.fail("after-end", "%s follows %s", kind, r.terminal)
	case r.errored && kind != "response.failed":
		r.fail("after-error", "%s follows the error event; only response.failed may", kind)
	case !r.created && kind != "response.created" && kind != "error":
		r.fail("created-first", "%s comes before response.created", kind)
	}
	if r.err != nil {
		return
	}
	switch kind {
	case "response.created":
		if r.created {
			r.fail("created-once", "response.created comes twice")
		}
		r.created = true
		r.response(o)
	case "response.queued", "response.in_progress":
		r.response(o)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		r.terminate(kind, o)
	case "error":
		r.failure(o)
	default:
		r.itemEvent(kind, o)
	}
}

// count checks the sequence number, which all payloads have or none.
func (r *responsesReader) count(o object) {
	n, numbered := r.number(o, "sequence_number")
	switch {
	case !r.first:
		r.first, r.numbered = true, numbered
	case numbered != r.numbered:
		r.fail("sequence", "some payloads have a sequence_number and others do not")
	case numbered && n != r.sequence+1:
		r.fail("sequence", "sequence_number is %d, want %d", n, r.sequence+1)
	}
	r.sequence = n
}

// response checks the response object that life cycle events carry.
func (r *responsesReader) response(o object) object {
	response := r.needObject("response", o, "response", "a life cycle event")
	id := r.need("id", response, "id", "the response")
	if r.id != "" && r.id != id {
		r.fail("id", "the response's id changes from %q to %q", r.id, id)
	}
	r.id = id
	return response
}

// terminate reads the terminal event.
func (r *responsesReader) terminate(kind string, o object) {
	response := r.response(o)
	r.terminal = kind
	want := kind[len("response."):]
	if status := r.text(response, "status"); status != want {
		r.fail("status", "%s has the status %q", kind, status)
	}
	if want == "failed" || want == "cancelled" {
		r.report.Failed = true
		return
	}
	if response["error"] != nil {
		r.fail("status", "%s carries an error", kind)
	}
	if want == "incomplete" && r.text(r.object(response, "incomplete_details"), "reason") == "" {
		r.fail("status", "response.incomplete does not say why in incomplete_details.reason")
	}
	for _, item := range r.items {
		if item.done == nil && want == "completed" {
			r.fail("item-unfinished", "response.completed comes before item %d is done", item.index)
		}
	}
	r.output(r.needList("output", response, "output", "the response"))
	r.report.Ended = true
	r.finishes(0, want)
}

// output compares the items in the terminal event with the items that were sent.
func (r *responsesReader) output(output []object) {
	if len(output) == 0 && !r.opts.RequireOutput {
		return
	}
	if len(output) != len(r.items) {
		r.fail("output", "the response has %d items in its output but %d were sent", len(output), len(r.items))
		return
	}
	for i, item := range r.items {
		if item.done == nil {
			if id := r.text(output[i], "id"); id != item.id {
				r.fail("output", "output[%d] has the id %q, the item sent had %q", i, id, item.id)
			}
			continue
		}
		sent, final := copies(item.done), copies(output[i])
		if !slices.Equal(sent, final) {
			r.fail("four-copies", "output[%d] differs from the item that was done: %s", i, difference(sent, final))
		}
	}
}

// failure reads an error event, flat or nested.
func (r *responsesReader) failure(o object) {
	failure := o
	if o["error"] != nil {
		failure = r.object(o, "error")
	}
	r.needString("error", failure, "message", "the error")
	r.errored = true
	r.report.Failed = true
}

// done accepts [DONE], which OpenAI does not send but its clients know.
func (r *responsesReader) done() {
	switch {
	case r.sawDone:
		r.fail("done-once", "[DONE] comes twice")
	case r.terminal == "" && !r.errored:
		r.fail("terminal-missing", "[DONE] comes before a terminal event")
	}
	r.sawDone = true
}

func (r *responsesReader) end() {}
