package openaichat

import (
	"bytes"
	"strconv"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/sse"
)

// envelope is what all chunks of one answer share, as raw JSON values: those of
// the first payload that has them.
type envelope struct {
	id, created, model, fingerprint []byte
	looks                           int
	memory                          []byte // what holds them
}

// envelopeMemory is room for a usual one.
const envelopeMemory = 128

// enough is how many payloads are looked at on the fast path: later ones bring
// nothing new.
const enough = 16

// wants reports whether a payload that passes may have something new. Many
// answers have no fingerprint: then one that only goes on with a block, and has
// no other choice beside it, is not searched for it.
func (e *envelope) wants(c *stream.Chunk) bool {
	if e.looks >= enough {
		return false
	}
	e.looks++
	switch {
	case e.id == nil || e.created == nil || e.model == nil:
		return true
	case e.fingerprint != nil:
		e.looks = enough // all is known
		return false
	}
	return len(c.Events) != 1 || c.Events[0].Type != stream.EventDelta || bytes.Count(c.Raw, deltaKey) != 1
}

var deltaKey = []byte(`"delta"`)

// slot returns where a member of the payload is kept, nil if it is not.
func (e *envelope) slot(name string) *[]byte {
	switch name {
	case "id":
		return &e.id
	case "created":
		return &e.created
	case "model":
		return &e.model
	case "system_fingerprint":
		return &e.fingerprint
	}
	return nil
}

// keep remembers a value unless one is known; empty values, and those of another type than
// the dialect's, are none.
func (e *envelope) keep(name string, value []byte) {
	if slot := e.slot(name); slot != nil && *slot == nil && says(value) && string(value) != "0" && (value[0] == '"') == (name != "created") && value[0] != '{' && value[0] != '[' {
		if cap(e.memory)-len(e.memory) < len(value) {
			e.memory = make([]byte, 0, max(envelopeMemory, len(value)))
		}
		n := len(e.memory)
		e.memory = append(e.memory, value...)
		*slot = e.memory[n:len(e.memory):len(e.memory)]
	}
}

// learn looks at a payload that passes as it is: its envelope, and the choices
// whose role the client sees in it.
func (w *Writer) learn(raw []byte) {
	s := &w.scan
	s.Reset(raw)
	if !s.Object() {
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "id", "created", "model", "system_fingerprint":
			name := string(key)
			w.envelope.keep(name, s.Raw())
		case "choices":
			if !s.Array() {
				s.Skip()
				break
			}
			for s.Elem() {
				w.learnChoice(s)
			}
		default:
			s.Skip()
		}
	}
	s.Reset(nil)
}

func (w *Writer) learnChoice(s *jsonscan.Scanner) {
	if !s.Object() {
		s.Skip()
		return
	}
	number, role := 0, false
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "index":
			if n, ok := s.Int(); ok {
				number = int(n)
				break
			}
			s.Skip()
		case "delta":
			if !s.Object() {
				s.Skip()
				break
			}
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				if string(key) == "role" {
					role = says(s.Raw())
					continue
				}
				s.Skip()
			}
		default:
			s.Skip()
		}
	}
	ch := w.choice(number)
	ch.role = ch.role || role
}

// answerID returns the answer's id, a new one if the upstream has none.
func (w *Writer) answerID() []byte {
	if w.envelope.id == nil {
		w.envelope.id = jsonscan.AppendString(nil, w.opts.ID("chatcmpl-"))
	}
	return w.envelope.id
}

// chunk appends a payload of Sluice's own with one choice to dst, framed.
func (w *Writer) chunk(dst []byte, ch *outChoice, delta []byte, finish string) []byte {
	e := &w.envelope
	w.answerID()
	if e.created == nil {
		e.created = []byte("0")
	}
	b := w.buf[:0]
	b = append(b, `{"id":`...)
	b = append(b, e.id...)
	b = append(b, `,"object":"chat.completion.chunk","created":`...)
	b = append(b, e.created...)
	b = append(b, `,"model":`...)
	if e.model == nil {
		b = append(b, `""`...)
	}
	b = append(b, e.model...)
	if e.fingerprint != nil {
		b = append(b, `,"system_fingerprint":`...)
		b = append(b, e.fingerprint...)
	}
	b = append(b, `,"choices":[{"index":`...)
	b = strconv.AppendInt(b, int64(ch.number), 10)
	b = append(b, `,"delta":{`...)
	if !ch.role {
		ch.role, ch.swallow = true, true
		b = append(b, `"role":"assistant"`...)
		if len(delta) > 0 {
			b = append(b, ',')
		}
	}
	b = append(b, delta...)
	b = append(b, `},"finish_reason":`...)
	if finish == "" {
		b = append(b, "null"...)
	} else {
		b = jsonscan.AppendString(b, finish)
	}
	b = append(b, `}]}`...)
	w.buf = b
	return sse.AppendEvent(dst, "", b)
}
