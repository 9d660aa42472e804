package anthropic

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// tally is the usage of one answer. The provider reports it in parts: each report
// overrides earlier ones, member by member.
type tally struct {
	members []tallyMember
	tokens  llm.Usage
	// input is input_tokens, which excludes cached tokens.
	input int64
	// memory holds the members.
	memory []byte
	// room is inline storage for a usual report.
	room struct {
		members [8]tallyMember
		memory  [tallyMemory]byte
		raw     [tallyMemory]byte
	}
}

type tallyMember struct{ key, value []byte }

// A usage object has about ten members. Beyond these bounds only the last report
// counts, so that merging stays cheap.
const (
	maxTallyMembers = 64
	maxTallyBytes   = 32 << 10
	// tallyMemory is room for a usual one.
	tallyMemory = 320
)

// report merges the usage object at span and returns the total, which is valid until
// the next report. It returns nil if there is no such object.
func (t *tally) report(r *reader, raw []byte, span llm.Span) (*llm.Usage, *fault) {
	if span.IsZero() || raw[span.Start] != '{' {
		return nil, nil
	}
	if span.Len() > maxTallyBytes {
		t.members = nil
	}
	r.within(raw, span)
	s := &r.scan
	var seen uint32
	for s.Object(); ; {
		key, ok := s.Key()
		if !ok {
			break
		}
		if bit := tokenBit(key); bit != 0 && !add(&seen, bit) {
			return nil, r.orFault(twice(string(key)))
		}
		if s.Null() {
			continue
		}
		start := s.Pos()
		n, isNumber := s.Int()
		if !isNumber {
			s.Skip()
		}
		value := r.from(start).In(raw)
		t.overlay(key, value)
		if isNumber {
			t.count(key, n)
		}
		if string(key) == "output_tokens_details" {
			t.details(value)
		}
	}
	if err := s.End(); err != nil {
		return nil, &fault{reason: notJSON, cause: err}
	}
	t.tokens.Input = t.input + t.tokens.CacheRead + t.tokens.CacheWrite
	if span.Len() > maxTallyBytes || len(t.members) > maxTallyMembers || !t.render() {
		t.members = nil
		t.tokens.Raw = append(t.tokens.Raw[:0], span.In(raw)...)
	}
	return &t.tokens, nil
}

func tokenBit(key []byte) uint32 {
	switch string(key) {
	case "input_tokens":
		return 1
	case "output_tokens":
		return 2
	case "cache_read_input_tokens":
		return 4
	case "cache_creation_input_tokens":
		return 8
	}
	return 0
}

func (t *tally) count(key []byte, n int64) {
	switch string(key) {
	case "input_tokens":
		t.input = n
	case "output_tokens":
		t.tokens.Output = n
	case "cache_read_input_tokens":
		t.tokens.CacheRead = n
	case "cache_creation_input_tokens":
		t.tokens.CacheWrite = n
	}
}

// details reads how much of the output was reasoning.
func (t *tally) details(value []byte) {
	for _, name := range [...]string{"reasoning_tokens", "thinking_tokens"} {
		raw, _, ok := jsonscan.Get(value, name)
		if !ok {
			continue
		}
		var s jsonscan.Scanner
		s.Reset(raw)
		if n, ok := s.Int(); ok {
			t.tokens.Reasoning = n
			return
		}
	}
}

// overlay replaces the member of the same name.
func (t *tally) overlay(key, value []byte) {
	if len(t.members) > maxTallyMembers {
		return
	}
	for i := range t.members {
		if m := &t.members[i]; bytes.Equal(m.key, key) {
			m.value = append(m.value[:0], value...)
			return
		}
	}
	if t.members == nil {
		t.members = t.room.members[:0]
	}
	// All in one allocation; none can grow into another.
	t.members = append(t.members, tallyMember{key: t.keep(key), value: t.keep(value)})
}

func (t *tally) keep(p []byte) []byte {
	if t.memory == nil {
		t.memory = t.room.memory[:0]
	}
	if cap(t.memory)-len(t.memory) < len(p) {
		t.memory = make([]byte, 0, max(tallyMemory, len(p)))
	}
	n := len(t.memory)
	t.memory = append(t.memory, p...)
	return t.memory[n:len(t.memory):len(t.memory)]
}

// render writes the merged object, unless it grew too large.
func (t *tally) render() bool {
	raw := t.tokens.Raw[:0]
	if raw == nil {
		raw = t.room.raw[:0]
	}
	raw = append(raw, '{')
	for i := range t.members {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = jsonscan.AppendStringBytes(raw, t.members[i].key)
		raw = append(raw, ':')
		raw = append(raw, t.members[i].value...)
	}
	raw = append(raw, '}')
	t.tokens.Raw = raw
	return len(t.tokens.Raw) <= maxTallyBytes
}
