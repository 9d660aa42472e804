package openairesponses

import (
	"bytes"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/sse"
)

// count returns the sequence_number of the payload that is about to leave, and
// false if payloads have none.
func (w *Writer) count() (int64, bool) {
	switch w.counting {
	case uncounted:
		return 0, false
	case undecided:
		w.counting = counted
	case counted:
	}
	n := w.number
	w.number++
	return n, true
}

// compose begins a payload of the writer's own.
func (w *Writer) compose(name string) {
	w.out = append(w.out[:0], `{"type":`...)
	w.out = jsonscan.AppendString(w.out, name)
	if n, ok := w.count(); ok {
		w.out = append(w.out, `,"sequence_number":`...)
		w.out = strconv.AppendInt(w.out, n, 10)
	}
}

func (w *Writer) putString(key, value string) {
	w.key(key)
	w.out = jsonscan.AppendString(w.out, value)
}

func (w *Writer) putBytes(key string, value []byte) {
	w.key(key)
	w.out = jsonscan.AppendStringBytes(w.out, value)
}

func (w *Writer) putRaw(key string, value []byte) {
	w.key(key)
	w.out = append(w.out, value...)
}

func (w *Writer) putInt(key string, value int64) {
	w.key(key)
	w.out = strconv.AppendInt(w.out, value, 10)
}

func (w *Writer) key(key string) {
	w.out = append(w.out, ',', '"')
	w.out = append(w.out, key...)
	w.out = append(w.out, '"', ':')
}

// putItem names the item that the payload is about.
func (w *Writer) putItem(it *outItem) {
	w.putString("item_id", it.id)
	w.putInt("output_index", int64(it.out))
}

// send ends the payload and writes it.
func (w *Writer) send(dst []byte, name string) []byte {
	w.out = append(w.out, '}')
	w.begun = true
	return sse.AppendEvent(dst, name, w.out)
}

// relay writes an upstream payload, w.p, with the numbers and ids that it has
// downstream. it is the item it is about, nil if there is none; item is the
// JSON of that item in it, nil to leave that as it is.
func (w *Writer) relay(dst []byte, name string, raw []byte, it *outItem, item []byte) []byte {
	w.prepare(raw, it)
	if item != nil {
		w.edits.Replace(w.p.item, item)
	}
	return w.apply(dst, name, raw)
}

// decide settles by the first upstream payload whether payloads are numbered.
func (w *Writer) decide() {
	switch {
	case w.counting != undecided:
	case w.p.number >= 0:
		w.counting, w.number = counted, w.p.number
	default:
		w.counting = uncounted
	}
}

// prepare collects the edits that every payload may need.
func (w *Writer) prepare(raw []byte, it *outItem) {
	p := &w.p
	w.edits.Reset()
	if n, ok := w.count(); !ok {
		if p.seen&memberNumber != 0 {
			w.edits.Remove(memberSpan(raw, p.numberAt))
		}
	} else if n != p.number {
		value := strconv.AppendInt(nil, n, 10)
		if p.seen&memberNumber != 0 {
			w.edits.Replace(p.numberAt, value)
		} else {
			w.member(raw, "sequence_number", value)
		}
	}
	if it == nil {
		return
	}
	if int64(it.out) != p.index {
		value := strconv.AppendInt(nil, int64(it.out), 10)
		if p.seen&memberIndex != 0 {
			w.edits.Replace(p.indexAt, value)
		} else {
			w.member(raw, "output_index", value)
		}
	}
	switch {
	case p.seen&memberItemID == 0:
		if p.typ.isBody() { // clients that go by the id would miss it
			w.member(raw, "item_id", jsonscan.AppendString(nil, it.id))
		}
	case it.id != string(p.itemID):
		w.edits.ReplaceString(p.idAt, it.id)
	}
}

// isBody reports whether a payload of this type carries the body of a call, or a piece of it.
func (t eventType) isBody() bool {
	switch t {
	case typeArgsDelta, typeArgsDone, typeInputDelta, typeInputDone:
		return true
	default:
		return false
	}
}

// memberSpan is where the member with a value stands, from its key on. The key
// has no quote in it, however it is escaped.
func memberSpan(raw []byte, value llm.Span) llm.Span {
	end := bytes.LastIndexByte(raw[:value.Start], '"')
	if end < 0 {
		return value
	}
	start := bytes.LastIndexByte(raw[:end], '"')
	if start < 0 {
		return value
	}
	return llm.Span{Start: start, End: value.End}
}

// member adds a member to the payload.
func (w *Writer) member(raw []byte, key string, value []byte) {
	member := append(jsonscan.AppendString(nil, key), ':')
	w.edits.InsertLast(raw, objectSpan(raw), append(member, value...))
}

// objectSpan is where the object in raw stands, white space around it left out.
func objectSpan(raw []byte) llm.Span {
	start := 0
	for start < len(raw) && isSpace(raw[start]) {
		start++
	}
	return llm.Span{Start: start, End: start + len(trimmed(raw))}
}

// apply writes the payload with its edits.
func (w *Writer) apply(dst []byte, name string, raw []byte) []byte {
	w.begun = true
	if w.edits.Empty() {
		return sse.AppendEvent(dst, name, raw)
	}
	out, err := w.edits.Apply(w.out[:0], raw)
	w.out = out
	if err != nil {
		return dst // the edits are of disjoint members: they cannot overlap
	}
	return sse.AppendEvent(dst, name, out)
}

// begin writes response.created if nothing has left yet.
func (w *Writer) begin(dst []byte) []byte {
	if w.begun {
		return dst
	}
	w.swallow = true
	if w.id == "" {
		w.id = w.opts.ID("resp_")
	}
	w.response = w.minimal()
	w.compose(nameCreated)
	w.putRaw("response", w.response)
	return w.send(dst, nameCreated)
}

// minimal is a response object with only what is known at its beginning.
func (w *Writer) minimal() []byte {
	obj := append([]byte(nil), `{"id":`...)
	obj = jsonscan.AppendString(obj, w.id)
	obj = append(obj, `,"object":"response","created_at":0,"status":"in_progress","error":null,"incomplete_details":null,"model":`...)
	obj = jsonscan.AppendString(obj, w.model)
	return append(obj, `,"output":[],"usage":null}`...)
}

// isError reports whether raw is an error object with a message, not a whole
// event that has it among others.
func isError(raw []byte) bool {
	if len(raw) == 0 || jsonscan.Valid(raw) != nil {
		return false
	}
	message, _, ok := jsonscan.Get(raw, "message")
	if !ok || message[0] != '"' {
		return false
	}
	_, _, numbered := jsonscan.Get(raw, "sequence_number")
	typ, _, _ := jsonscan.Get(raw, "type")
	return !numbered && string(typ) != `"error"`
}

func quoted(s string) string { return string(jsonscan.AppendString(nil, s)) }

func quotedBytes(s []byte) []byte { return jsonscan.AppendStringBytes(nil, s) }
