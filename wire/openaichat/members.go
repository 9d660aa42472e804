package openaichat

import (
	"bytes"
	"math"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// member is a member of an object: from the first byte of its key to the last
// of its value, and its value alone.
type member struct {
	name        string
	span, value llm.Span
}

// membersOf lists the members of the object at span, nil if there is none.
func membersOf(raw []byte, at llm.Span) []member { return firstMembers(nil, raw, at, math.MaxInt) }

// firstMembers appends the members of the object at span to a list, which becomes
// so long at most.
func firstMembers(list []member, raw []byte, at llm.Span, most int) []member {
	var s jsonscan.Scanner
	s.Reset(raw[at.Start:at.End])
	if !s.Object() {
		return list
	}
	for {
		from := s.Pos()
		key, ok := s.Key()
		if !ok || len(list) == most {
			return list
		}
		m := member{name: known(key)}
		m.span.Start = at.Start + from + bytes.IndexByte(raw[at.Start+from:at.End], '"')
		m.value.Start = at.Start + s.Pos()
		s.Skip()
		if s.Err() != nil {
			return list
		}
		m.value.End = at.Start + s.Pos()
		m.span.End = m.value.End
		list = append(list, m)
	}
}

// known is a name as a string, which takes no memory if it is one of a request's.
func known(key []byte) string {
	for _, name := range requestNames {
		if string(key) == name {
			return name
		}
	}
	return string(key)
}

// elementsOf lists the elements of the array at span, nil if there is none.
func elementsOf(raw []byte, at llm.Span) []llm.Span {
	var s jsonscan.Scanner
	s.Reset(raw[at.Start:at.End])
	if !s.Array() {
		return nil
	}
	var list []llm.Span
	for s.Elem() {
		start := at.Start + s.Pos()
		s.Skip()
		if s.Err() != nil {
			break
		}
		list = append(list, llm.Span{Start: start, End: at.Start + s.Pos()})
	}
	return list
}

// find returns the member with a name, nil if there is none.
func find(list []member, name string) *member {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// saysIn reports whether a member is there and is more than null or empty.
func saysIn(raw []byte, m *member) bool { return m != nil && says(m.value.In(raw)) }

// stringOf returns the string that a member holds, "" if it holds none.
func stringOf(raw []byte, m *member) string {
	if m == nil {
		return ""
	}
	s, _ := jsonscan.Text(m.value.In(raw))
	return s
}

func inside(outer, inner llm.Span) bool { return inner.Start >= outer.Start && inner.End <= outer.End }
