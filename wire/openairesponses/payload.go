package openairesponses

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// payload holds the members of one event. All are collected in one pass, because the
// type, which defines their meaning, may come last.
type payload struct {
	typ  eventType
	name string // the type's own name, a constant if it is known

	seen  uint32 // members that are present, including null
	has   uint32 // members with a value of the expected type
	wrong uint32 // members with a value of another type

	number  int64 // sequence_number, -1 if there is none
	index   int64 // output_index, -1 if there is none
	part    int64 // content_index or summary_index, -1 if there is none
	itemID  []byte
	delta   []byte
	text    []byte // the whole of a text, of arguments, of an input, of a refusal
	args    []byte
	input   []byte
	refusal []byte
	tool    []byte // name
	code    []byte
	message []byte

	numberAt, indexAt, idAt         llm.Span
	deltaAt, paddingAt              llm.Span
	item, partAt, response, errorAt llm.Span
	isResponse, isDone, hasOutput   bool
	byName                          bool // the type comes from the event name
}

// The members that are read. Each may occur once: a payload with a duplicate could be
// read in two ways.
const (
	memberType uint32 = 1 << iota
	memberNumber
	memberIndex
	memberItemID
	memberContentIndex
	memberSummaryIndex
	memberDelta
	memberText
	memberArguments
	memberInput
	memberRefusal
	memberName
	memberItem
	memberPart
	memberResponse
	memberError
	memberCode
	memberMessage
	memberObject
	memberOutput
)

func (p *payload) got(member uint32) bool { return p.has&member != 0 }

// scan reads the members of raw. It returns the reason why raw cannot be read
// and the cause, both empty if it can. Unescaped strings go to buf.
func (p *payload) scan(s *jsonscan.Scanner, raw []byte, buf *[]byte) (reason string, cause error) {
	*p = payload{number: -1, index: -1, part: -1}
	s.Reset(raw)
	if !s.Object() {
		if string(trimmed(raw)) == "[DONE]" {
			p.isDone = true
			return "", nil
		}
		s.Skip()
		return "the payload is not a JSON object", s.End()
	}
	var typ []byte
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		member := memberOf(key)
		if member == 0 {
			if jsonscan.Disguised(key, names) {
				return disguised, nil
			}
			start, padding := s.Pos(), string(key) == "obfuscation" && s.Kind() == jsonscan.String
			if s.Skip(); padding {
				p.paddingAt = llm.Span{Start: start, End: s.Pos()}
			}
			continue
		}
		if p.seen&member != 0 {
			return "a member occurs twice: " + string(key), nil
		}
		p.seen |= member
		switch member {
		case memberType:
			typ = p.str(s, buf, member)
		case memberDelta:
			start := s.Pos()
			p.delta = p.str(s, buf, member)
			p.deltaAt = llm.Span{Start: start, End: s.Pos()}
		case memberIndex:
			start := s.Pos()
			p.index = p.integer(s, member)
			p.indexAt = llm.Span{Start: start, End: s.Pos()}
		case memberNumber:
			start := s.Pos()
			p.number = p.integer(s, member)
			p.numberAt = llm.Span{Start: start, End: s.Pos()}
		case memberContentIndex, memberSummaryIndex:
			p.part = p.integer(s, member)
		case memberItemID:
			start := s.Pos()
			p.itemID = p.str(s, buf, member)
			p.idAt = llm.Span{Start: start, End: s.Pos()}
		case memberText:
			p.text = p.str(s, buf, member)
		case memberArguments:
			p.args = p.str(s, buf, member)
		case memberInput:
			p.input = p.str(s, buf, member)
		case memberRefusal:
			p.refusal = p.str(s, buf, member)
		case memberName:
			p.tool = p.str(s, buf, member)
		case memberCode:
			p.code = p.str(s, buf, member)
		case memberMessage:
			p.message = p.str(s, buf, member)
		case memberObject:
			p.isResponse = string(p.str(s, buf, member)) == "response"
		case memberOutput:
			p.hasOutput = s.Kind() == jsonscan.Array
			s.Skip()
		case memberItem:
			p.item = p.object(s, member)
		case memberPart:
			p.partAt = p.object(s, member)
		case memberResponse:
			p.response = p.object(s, member)
		case memberError:
			start := s.Pos()
			if s.Null() {
				continue
			}
			s.Skip()
			p.has |= member
			p.errorAt = llm.Span{Start: start, End: s.Pos()}
		}
	}
	if err := s.End(); err != nil {
		return "the payload is not valid JSON", err
	}
	p.typ, p.name = classify(typ)
	if p.name == "" && len(typ) > 0 {
		p.name = string(typ)
	}
	return "", nil
}

// names are the significant members of an answer.
var names = []string{
	"type", "output_index", "item", "part", "response", "output", "delta", "arguments", "input", "name", "text",
	"id", "call_id", "action", "actions", "operation", "content", "environment", "execution", "item_id", "error",
}

// disguised refuses a member whose name is a known one in different case: a client with
// a case-insensitive JSON parser would read something that was not judged.
const disguised = "a member's name differs from a known one only in case"

// memberOf returns the bit of a member that is read, 0 for others.
func memberOf(key []byte) uint32 {
	switch string(key) {
	case "type":
		return memberType
	case "delta":
		return memberDelta
	case "output_index":
		return memberIndex
	case "sequence_number":
		return memberNumber
	case "item_id":
		return memberItemID
	case "content_index":
		return memberContentIndex
	case "summary_index":
		return memberSummaryIndex
	case "text":
		return memberText
	case "arguments":
		return memberArguments
	case "input":
		return memberInput
	case "refusal":
		return memberRefusal
	case "name":
		return memberName
	case "item":
		return memberItem
	case "part":
		return memberPart
	case "response":
		return memberResponse
	case "error":
		return memberError
	case "code":
		return memberCode
	case "message":
		return memberMessage
	case "object":
		return memberObject
	case "output":
		return memberOutput
	}
	return 0
}

// str takes a string; null counts as absent.
func (p *payload) str(s *jsonscan.Scanner, buf *[]byte, member uint32) []byte {
	if v, ok := s.Str(buf); ok {
		p.has |= member
		return v
	}
	if !s.Null() {
		p.wrong |= member
		s.Skip()
	}
	return nil
}

func (p *payload) integer(s *jsonscan.Scanner, member uint32) int64 {
	if v, ok := s.Index(); ok && v >= 0 {
		p.has |= member
		return v
	} else if ok {
		p.wrong |= member
		return -1
	}
	if !s.Null() {
		p.wrong |= member
		s.Skip()
	}
	return -1
}

func (p *payload) object(s *jsonscan.Scanner, member uint32) llm.Span {
	start := s.Pos()
	switch s.Kind() {
	case jsonscan.Object:
		p.has |= member
	case jsonscan.Null:
	default:
		p.wrong |= member
	}
	s.Skip()
	return llm.Span{Start: start, End: s.Pos()}
}

func trimmed(raw []byte) []byte {
	for len(raw) > 0 && isSpace(raw[0]) {
		raw = raw[1:]
	}
	for len(raw) > 0 && isSpace(raw[len(raw)-1]) {
		raw = raw[:len(raw)-1]
	}
	return raw
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
