package openaichat

import (
	"math"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/internal/alloc"
	"github.com/sluice-project/sluice/wire/internal/fault"
)

// meta reports the answer's id and model, each when it is first known.
func (d *Decoder) meta(c *stream.Chunk, m *members) {
	if len(m.id.data) > 0 && d.id != "" && d.id != string(m.id.data) {
		d.notes.Note(c.Seq, "completion-id-varies", "the answer's id changes from payload to payload")
	}
	newID, newModel := d.id == "" && len(m.id.data) > 0, d.model == "" && len(m.model.data) > 0
	if !newID && !newModel {
		return
	}
	at := m.model.span
	switch {
	case newID && newModel:
		d.id, d.model = alloc.StringPair(m.id.data, m.model.data)
		at = m.id.span
	case newID:
		d.id = string(m.id.data)
		at = m.id.span
	default:
		d.model = string(m.model.data)
	}
	c.Events = slices.Insert(c.Events, 0, stream.Event{
		Type: stream.EventMeta, Block: -1, Index: -1, ID: d.id, Name: d.model, Span: at,
	})
}

// tellUsage reports the tokens counted so far: the last non-null object counts.
func (d *Decoder) tellUsage(c *stream.Chunk, m *members) {
	raw := m.usage
	if raw == nil && m.groq != nil {
		raw, _, _ = jsonscan.Get(m.groq, "usage")
	}
	if len(raw) == 0 || raw[0] != '{' {
		return
	}
	d.usage = readUsage(raw)
	c.Events = append(c.Events, stream.Event{
		Type: stream.EventUsage, Block: -1, Index: -1, Usage: &d.usage, Span: llm.Span{End: len(c.Raw)},
	})
}

// readUsage reads a usage object, which is valid JSON.
func readUsage(raw []byte) llm.Usage {
	u := llm.Usage{Raw: raw}
	var (
		s           jsonscan.Scanner
		total       int64
		hit, cached int64 = -1, -1
	)
	s.Reset(raw)
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "prompt_tokens":
			u.Input = count(&s)
		case "completion_tokens":
			u.Output = count(&s)
		case "total_tokens":
			total = count(&s)
		case "prompt_cache_hit_tokens":
			hit = count(&s)
		case "prompt_tokens_details":
			if !s.Object() {
				s.Skip()
				break
			}
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				switch string(key) {
				case "cached_tokens":
					cached = count(&s)
				case "cache_write_tokens":
					u.CacheWrite = count(&s)
				default:
					s.Skip()
				}
			}
		case "completion_tokens_details":
			if !s.Object() {
				s.Skip()
				break
			}
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				if string(key) == "reasoning_tokens" {
					u.Reasoning = count(&s)
					continue
				}
				s.Skip()
			}
		default:
			s.Skip()
		}
	}
	u.CacheRead = max(cached, 0)
	if cached < 0 && hit > 0 {
		u.CacheRead = hit
	}
	// Some providers exclude reasoning from the output; the total shows it.
	if u.Reasoning > 0 && total == u.Input+u.Output+u.Reasoning {
		u.Output += u.Reasoning
	}
	return u
}

// count reads a number of tokens: whole, not negative, and small enough that
// sums cannot overflow. Anything else counts as none.
func count(s *jsonscan.Scanner) int64 {
	n, ok := s.Int()
	if !ok {
		s.Skip()
	}
	if n < 0 || n > math.MaxInt64/8 {
		return 0
	}
	return n
}

// tellError reports an error of the provider. Open blocks then never become whole, so
// it precedes a finish in the same payload.
func (d *Decoder) tellError(c *stream.Chunk, m *members) {
	raw, at := m.err, m.errSpan
	whole := llm.Span{End: len(c.Raw)}
	switch {
	case raw != nil:
	case c.Name == "error" && !m.choices, string(m.object.data) == "error" && !m.choices:
		raw, at = c.Raw, whole
	case m.groq != nil:
		object, _, ok := jsonscan.Get(m.groq, "error")
		if !ok || isNoError(object) {
			return
		}
		raw, at = object, whole
	default:
		return
	}
	d.failed = true
	cause := fault.Read(raw)
	ev := stream.Event{Type: stream.EventError, Block: -1, Index: -1, Err: &cause, Span: at}
	first := slices.IndexFunc(c.Events, isFinish)
	if first < 0 {
		c.Events = append(c.Events, ev)
		return
	}
	var finishes []stream.Event
	for _, e := range c.Events {
		if isFinish(e) {
			finishes = append(finishes, e)
		}
	}
	c.Events = append(slices.DeleteFunc(c.Events, isFinish), ev)
	c.Events = append(c.Events, finishes...)
}

func isFinish(ev stream.Event) bool { return ev.Type == stream.EventFinish }
