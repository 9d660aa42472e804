package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// result is what a tool returned, as it appears in the body of a request.
type result struct {
	// kind is the provider's type, id the call that it answers, name the tool
	// if the result names it.
	kind, id, name string
	span           llm.Span
	// spans and texts are all of its texts, each a JSON string.
	spans []llm.Span
	texts []string
	// content is the value that can be replaced by a single text, parts another
	// value next to it; zero if there is none.
	content, parts llm.Span
	object         bool // content must be an object
}

// MaxResultTexts is the maximum number of texts in all tool results of a request.
// Each is a string in the JSON of a result.
const MaxResultTexts = 50_000

// resultsIn returns the tool results in a message, or in an item of a history
// that is a flat list. left is how many texts they may have; the error is an
// *AbortError if there are more.
func resultsIn(body []byte, in llm.Span, left *int) (list []result, err error) {
	take := func(at llm.Span, of *members) bool {
		r, ok := resultAt(body, at, of)
		if ok {
			*left -= len(r.texts)
			list = append(list, r)
		}
		if *left < 0 {
			limit := &LimitError{What: "texts in the tool results of a request", Limit: MaxResultTexts}
			err = &AbortError{Policy: enginePolicy, Reason: limit.reason() + "; let the tools return less, or fewer of them", Err: limit}
		}
		return ok
	}
	whole := membersOf(body, in)
	if take(in, &whole) {
		return list, err
	}
	for _, parts := range []llm.Span{whole.named("content"), whole.named("parts")} {
		if parts.IsZero() || body[parts.Start] != '[' {
			continue
		}
		var s jsonscan.Scanner
		s.Reset(parts.In(body))
		s.Array()
		for err == nil && s.Elem() {
			start := parts.Start + s.Pos()
			s.Skip()
			part := llm.Span{Start: start, End: parts.Start + s.Pos()}
			of := membersOf(body, part)
			take(part, &of)
		}
	}
	return list, err
}

// resultMembers are the members that tell whether an object is a tool result, and
// hold its texts.
var resultMembers = [...]string{
	"type", "role", "name", "tool_use_id", "tool_call_id", "call_id", "id", "content", "parts", "output", "error", "results", "outputs",
	"functionResponse", "function_response", "codeExecutionResult", "code_execution_result", "toolResponse",
}

// members is where the resultMembers of an object are, first occurrence each: they
// are found in one pass, however large the object is.
type members struct {
	body []byte
	at   [len(resultMembers)]llm.Span
}

// membersOf finds the members of the object at a position; any other value has
// none.
func membersOf(body []byte, in llm.Span) members {
	m := members{body: body}
	if in.IsZero() || body[in.Start] != '{' {
		return m
	}
	var s jsonscan.Scanner
	s.Reset(in.In(body))
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		start := s.Pos()
		s.Skip()
		for i, name := range resultMembers {
			if name == string(key) && m.at[i].IsZero() {
				m.at[i] = llm.Span{Start: in.Start + start, End: in.Start + s.Pos()}
			}
		}
	}
	return m
}

// named is the span of a member's value.
func (m *members) named(name string) llm.Span { return m.at[slices.Index(resultMembers[:], name)] }

// word is the value of a member that is a string, else empty.
func (m *members) word(name string) string {
	text, _ := jsonscan.Text(m.named(name).In(m.body))
	return text
}

// resultAt reads a JSON value as a tool result, if it is one.
func resultAt(body []byte, at llm.Span, of *members) (result, bool) {
	r := result{kind: of.word("type"), span: at}
	for _, key := range []string{"tool_use_id", "tool_call_id", "call_id", "id"} {
		if r.id == "" {
			r.id = of.word(key)
		}
	}
	for _, key := range []string{"functionResponse", "function_response", "codeExecutionResult", "code_execution_result", "toolResponse"} {
		value := of.named(key)
		if value.IsZero() {
			continue
		}
		inner := membersOf(body, value)
		r.kind, r.object, r.name = key, true, inner.word("name")
		r.content, r.parts = member(body, value, "response"), inner.named("parts")
		for _, content := range []llm.Span{r.content, r.parts, inner.named("output")} {
			if !content.IsZero() {
				r.collect(body, content, true)
			}
		}
		return r, true
	}
	role := strings.ToLower(of.word("role"))
	switch {
	case r.kind == "tool_result" || role == "tool" || role == "function":
		r.name, r.content = of.word("name"), of.named("content")
	case strings.HasSuffix(r.kind, "_call_output"):
		if r.content = of.named("output"); !r.content.IsZero() && body[r.content.Start] == '[' && r.kind == "shell_call_output" {
			r.content = llm.Span{} // must stay a list
		}
	case strings.HasSuffix(r.kind, "_tool_result"), strings.HasSuffix(r.kind, "_output"):
	case r.kind == "mcp_call", r.kind == "file_search_call", r.kind == "code_interpreter_call":
		r.name = of.word("name")
		if r.name == "" {
			r.name = r.kind
		}
		for _, key := range []string{"output", "error", "results", "outputs"} {
			if value := of.named(key); !value.IsZero() {
				r.collect(body, value, false)
			}
		}
		return r, len(r.texts) > 0
	default:
		return result{}, false
	}
	r.collect(body, at, false)
	return r, true
}

// collect collects all strings in a value, except those that identify or encode
// something. In a value that a tool is free to choose nothing is left out. It stops
// at the limit.
func (r *result) collect(body []byte, in llm.Span, free bool) {
	var s jsonscan.Scanner
	s.Reset(in.In(body))
	var walk func()
	walk = func() {
		switch s.Kind() {
		case jsonscan.Object:
			r.collectObject(&s, free, walk)
		case jsonscan.Array:
			s.Array()
			for s.Elem() {
				walk()
			}
		case jsonscan.String:
			raw := s.Raw()
			if len(r.texts) > MaxResultTexts {
				return
			}
			if text, ok := jsonscan.Text(raw); ok {
				end := in.Start + s.Pos()
				if n := len(r.texts); n == cap(r.texts) {
					r.spans, r.texts = slices.Grow(r.spans, max(n, 1)), slices.Grow(r.texts, max(n, 1))
				}
				r.spans = append(r.spans, llm.Span{Start: end - len(raw), End: end})
				r.texts = append(r.texts, text)
			}
		default:
			s.Skip()
		}
	}
	walk()
}

// collectObject collects the strings of the object at the cursor. Its data is left
// out if its first type, before or after it, says that this is encoded.
func (r *result) collectObject(s *jsonscan.Scanner, free bool, walk func()) {
	typed, encoded := false, false
	type textRange struct{ from, to int }
	var data []textRange // what was collected from members called data
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch {
		case !free && string(key) == "type":
			raw := s.Raw()
			if text, _ := jsonscan.Text(raw); !typed {
				typed, encoded = true, text == "base64"
			}
		case !free && encodes(string(key)) || free && string(key) == "thoughtSignature":
			s.Skip()
		case !free && string(key) == "data":
			from := len(r.texts)
			walk()
			data = append(data, textRange{from, len(r.texts)})
		default:
			walk()
		}
	}
	if !encoded || len(data) == 0 {
		return
	}
	kept := data[0].from
	for i, d := range data {
		next := len(r.texts)
		if i+1 < len(data) {
			next = data[i+1].from
		}
		copy(r.spans[kept:], r.spans[d.to:next])
		kept += copy(r.texts[kept:], r.texts[d.to:next])
	}
	r.texts, r.spans = r.texts[:kept], r.spans[:kept]
}

// encodes reports whether a member of a result is not text that a tool wrote.
func encodes(key string) bool {
	switch key {
	case "id", "tool_use_id", "tool_call_id", "call_id", "role", "media_type", "mime_type", "status",
		"encrypted_content", "encrypted_index", "signature", "file_id", "image_url", "file_data":
		return true
	}
	return false
}

var errNoPlace = errors.New("policy: the tool result has no place for another text")

// withhold replaces all texts of a result with a notice.
func (r *result) withhold(edits *edit.Edits, v *Verdict) error {
	notice := withheldResult(v)
	switch {
	case !r.content.IsZero() && r.object:
		value := jsonscan.AppendString([]byte(`{"error":`), notice)
		edits.Replace(r.content, append(value, '}'))
		if !r.parts.IsZero() {
			edits.Replace(r.parts, []byte("[]"))
		}
	case !r.content.IsZero():
		edits.ReplaceString(r.content, notice)
	case len(r.spans) == 0:
		return &AbortError{Policy: v.Policy, Reason: v.Reason, Err: errNoPlace}
	default:
		for i, span := range r.spans {
			if i > 0 {
				notice = "[withheld]" // some dialects reject empty texts
			}
			edits.ReplaceString(span, notice)
		}
	}
	return nil
}

// member returns the span of an object member's value.
func member(body []byte, object llm.Span, key string) llm.Span {
	_, at, ok := jsonscan.Get(object.In(body), key)
	if !ok {
		return llm.Span{}
	}
	return llm.Span{Start: at[0] + object.Start, End: at[1] + object.Start}
}
