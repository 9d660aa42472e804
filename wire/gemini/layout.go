package gemini

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// layout holds the positions of what a writer edits in a payload. The decoder has read
// the payload before, so it is known to be valid.
type layout struct {
	candidates []candidateAt
	ids        []llm.Span // values of responseId
	models     []llm.Span // values of modelVersion
	// more is true if the payload has members besides candidates.
	more bool
}

// candidateAt is the position of a candidate.
type candidateAt struct {
	number  int
	span    llm.Span
	indexed bool
	// content is the whole member, inside is its object.
	content, inside llm.Span
	role            bool
	parts           []llm.Span
	finish          llm.Span // the whole member
	// copies are members that repeat or point into the text: they must be removed with
	// it.
	copies []llm.Span
	// more is true if the candidate has members besides its content.
	more bool
}

// scanLayout returns nil if the payload cannot be read.
func scanLayout(raw []byte) *layout {
	l := &layout{}
	s := &jsonscan.Scanner{}
	s.Reset(raw)
	if s.Array() {
		for s.Elem() {
			l.response(s, raw)
		}
	} else {
		l.response(s, raw)
	}
	if s.End() != nil {
		return nil
	}
	return l
}

// member moves to the next member and returns its name and start.
func member(s *jsonscan.Scanner, raw []byte) (key []byte, start int, ok bool) {
	from := s.Pos()
	if key, ok = s.Key(); !ok {
		return nil, 0, false
	}
	return key, from + bytes.IndexByte(raw[from:], '"'), true
}

// value skips the value at the cursor and returns its span.
func value(s *jsonscan.Scanner) llm.Span {
	start := s.Pos()
	s.Skip()
	return llm.Span{Start: start, End: s.Pos()}
}

func (l *layout) response(s *jsonscan.Scanner, raw []byte) {
	if !s.Object() {
		s.Skip()
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "candidates":
			if !s.Array() {
				s.Skip()
				break
			}
			for s.Elem() {
				l.candidate(s, raw)
			}
		case "responseId", "response_id":
			l.ids = append(l.ids, value(s))
		case "modelVersion", "model_version":
			l.models = append(l.models, value(s))
		case "createTime", "create_time", "modelStatus", "model_status":
			s.Skip()
		default:
			l.more = l.more || s.Kind() != jsonscan.Null
			s.Skip()
		}
	}
}

func (l *layout) candidate(s *jsonscan.Scanner, raw []byte) {
	start := s.Pos()
	if !s.Object() {
		s.Skip()
		return
	}
	at := candidateAt{}
	for key, from, ok := member(s, raw); ok; key, from, ok = member(s, raw) {
		switch string(key) {
		case "index":
			if n, ok := s.Int(); ok {
				at.number, at.indexed = int(n), true
			} else {
				s.Skip()
			}
		case "content":
			at.scanContent(s)
			at.content = llm.Span{Start: from, End: s.Pos()}
		case "finishReason", "finish_reason":
			empty := s.Kind() != jsonscan.String
			s.Skip()
			if !empty {
				at.finish = llm.Span{Start: from, End: s.Pos()}
			}
		case "logprobsResult", "logprobs_result", "avgLogprobs", "avg_logprobs", "citationMetadata", "citation_metadata":
			s.Skip()
			at.copies = append(at.copies, llm.Span{Start: from, End: s.Pos()})
		case "groundingMetadata", "grounding_metadata":
			at.more = true
			at.scanGrounding(s, raw)
		case "safetyRatings", "safety_ratings", "tokenCount", "token_count":
			s.Skip()
		default:
			at.more = at.more || s.Kind() != jsonscan.Null
			s.Skip()
		}
	}
	at.span = llm.Span{Start: start, End: s.Pos()}
	l.candidates = append(l.candidates, at)
}

func (at *candidateAt) scanContent(s *jsonscan.Scanner) {
	start := s.Pos()
	if !s.Object() {
		s.Skip()
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "role":
			at.role = s.Kind() == jsonscan.String
			s.Skip()
		case "parts":
			if !s.Array() {
				s.Skip()
				break
			}
			for s.Elem() {
				at.parts = append(at.parts, value(s))
			}
		default:
			s.Skip()
		}
	}
	at.inside = llm.Span{Start: start, End: s.Pos()}
}

// scanGrounding finds the supports of a grounding, which quote the text.
func (at *candidateAt) scanGrounding(s *jsonscan.Scanner, raw []byte) {
	if !s.Object() {
		s.Skip()
		return
	}
	for key, from, ok := member(s, raw); ok; key, from, ok = member(s, raw) {
		quotes := string(key) == "groundingSupports" || string(key) == "grounding_supports"
		s.Skip()
		if quotes {
			at.copies = append(at.copies, llm.Span{Start: from, End: s.Pos()})
		}
	}
}
