package openaichat

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// list reads content that is a list of typed parts.
func (r *reading) list() {
	r.asList = true
	r.scan.Array()
	for r.scan.Elem() {
		if !r.count() {
			return
		}
		start := r.scan.Pos()
		switch r.scan.Kind() {
		case jsonscan.String:
			r.parts = append(r.parts, part{kind: llm.Content, text: r.str("content")})
		case jsonscan.Object:
			r.part(start)
		case jsonscan.Null:
			r.scan.Skip()
		default:
			r.parts = append(r.parts, part{
				kind: llm.Opaque, raw: r.scan.Raw(),
				text: text{span: llm.Span{Start: start, End: r.scan.Pos()}},
			})
		}
	}
}

// part reads one typed part. A part that is not clearly text or thinking is opaque, so
// that it is judged as a whole.
func (r *reading) part(start int) {
	const (
		kind = 1 << iota
		body
		thinking
		refusal
		signature
	)
	var (
		seen uint32
		typ  text
		said text
		no   text
		sign text
	)
	first := len(r.parts)
	strange := false
	r.scan.Object()
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "type":
			r.once(&seen, kind, "type")
			typ = r.str("a part's type")
		case "text":
			r.once(&seen, body, "text")
			if r.scan.Kind() == jsonscan.Object {
				strange = true
				r.scan.Skip()
				break
			}
			said = r.str("a part's text")
		case "refusal":
			r.once(&seen, refusal, "refusal")
			no = r.str("a part's refusal")
		case "thinking":
			r.once(&seen, thinking, "thinking")
			strange = !r.thoughts() || strange
		case "signature":
			r.once(&seen, signature, "signature")
			sign = r.str("a part's signature")
		default:
			r.scan.Skip()
		}
	}
	thoughts := len(r.parts) - first
	switch word := string(typ.data); {
	case strange:
	case word == "" && len(said.data) == 0:
	case (word == "text" || word == "output_text" || word == "") && thoughts == 0 && len(no.data) == 0:
		r.parts = append(r.parts, part{kind: llm.Content, text: said})
		return
	case word == "thinking" && len(said.data) == 0 && len(no.data) == 0:
		if thoughts > 0 {
			r.parts[len(r.parts)-1].signature = sign
		} else if len(sign.data) > 0 {
			r.parts = append(r.parts, part{kind: llm.Thinking, signature: sign})
		}
		return
	case word == "refusal" && thoughts == 0 && len(said.data) == 0:
		r.parts = append(r.parts, part{kind: llm.Refusal, text: no})
		return
	}
	if r.scan.Err() != nil {
		return
	}
	end := r.scan.Pos()
	r.parts = append(r.parts[:first], part{
		kind: llm.Opaque, typ: typ.data, raw: r.raw[start:end:end],
		text: text{span: llm.Span{Start: start, End: end}},
	})
}

// thoughts reads the value of a thinking part: a string or a list of texts. It
// returns false if there is anything else in it.
func (r *reading) thoughts() bool {
	switch r.scan.Kind() {
	case jsonscan.String:
		r.parts = append(r.parts, part{kind: llm.Thinking, text: r.str("thinking")})
		return true
	case jsonscan.Null:
		r.scan.Skip()
		return true
	case jsonscan.Array:
		r.scan.Array()
	default:
		r.scan.Skip()
		return false
	}
	plain := true
	for r.scan.Elem() {
		if !r.count() {
			return plain
		}
		if !r.scan.Object() {
			plain = plain && r.scan.Kind() == jsonscan.Null
			r.scan.Skip()
			continue
		}
		var seen uint32
		for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
			switch string(key) {
			case "type":
				r.once(&seen, 1, "type")
				t := r.str("a part's type")
				plain = plain && (string(t.data) == "text" || len(t.data) == 0)
			case "text":
				r.once(&seen, 2, "text")
				r.parts = append(r.parts, part{kind: llm.Thinking, text: r.str("a thought's text")})
			default:
				r.scan.Skip()
			}
		}
	}
	return plain
}

// reasoningDetails reads the list that repeats the reasoning with its signatures.
func (r *reading) reasoningDetails() {
	if r.scan.Kind() != jsonscan.Array {
		// Some proxies send an object or a string here; it is not a delta.
		r.other([]byte("reasoning_details"))
		return
	}
	r.scan.Array()
	for r.scan.Elem() {
		if !r.count() {
			return
		}
		d := detail{index: -1, span: llm.Span{Start: r.scan.Pos()}}
		if r.scan.Object() {
			r.detail(&d)
		} else {
			d.opaque = r.scan.Kind() != jsonscan.Null
			r.scan.Skip()
		}
		if r.scan.Err() != nil {
			return
		}
		d.span.End = r.scan.Pos()
		d.raw = r.raw[d.span.Start:d.span.End:d.span.End]
		r.details = append(r.details, d)
	}
}

func (r *reading) detail(d *detail) {
	const (
		body = 1 << iota
		summary
		signature
		index
	)
	var (
		seen  uint32
		short text
	)
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "text":
			r.once(&seen, body, "text")
			d.text = r.str("a reasoning detail's text")
		case "summary":
			r.once(&seen, summary, "summary")
			short = r.str("a reasoning detail's summary")
		case "signature":
			r.once(&seen, signature, "signature")
			d.signature = r.str("a reasoning detail's signature")
		case "index":
			r.once(&seen, index, "index")
			d.index = r.number("a reasoning detail's index")
		case "data":
			d.opaque = says(r.scan.Raw())
		case "type", "format", "id":
			r.scan.Skip()
		default:
			d.opaque = says(r.scan.Raw()) || d.opaque
		}
	}
	if len(d.text.data) == 0 {
		d.text = short
	}
}
