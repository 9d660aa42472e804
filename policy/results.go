package policy

import (
	"errors"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// result is what a tool returned, as it stands in the body of a request.
type result struct {
	// kind is the provider's word for it, id the call that it answers, name the
	// tool where the result says it.
	kind, id, name string
	span           llm.Span
	// spans and texts are everything that it says, each a JSON string.
	spans []llm.Span
	texts []string
	// content is the value that can be a text as a whole, parts another value
	// beside it; zero if there is none.
	content, parts llm.Span
	object         bool // content must be an object
}

// resultsIn returns the tool results in a message, or in an item of a history
// that is a flat list.
func resultsIn(body []byte, in llm.Span) (list []result) {
	if in.IsZero() {
		return nil
	}
	if r, ok := resultAt(body, in); ok {
		return []result{r}
	}
	raw := in.In(body)
	for _, key := range []string{"content", "parts"} {
		_, at, ok := jsonscan.Get(raw, key)
		if !ok || raw[at[0]] != '[' {
			continue
		}
		var s jsonscan.Scanner
		s.Reset(raw[at[0]:at[1]])
		s.Array()
		for s.Elem() {
			value := s.Raw()
			end := in.Start + at[0] + s.Pos()
			if r, ok := resultAt(body, llm.Span{Start: end - len(value), End: end}); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

// resultAt reads a JSON value as a tool result, if it is one.
func resultAt(body []byte, at llm.Span) (result, bool) {
	raw := at.In(body)
	if len(raw) == 0 || raw[0] != '{' {
		return result{}, false
	}
	r := result{kind: word(raw, "type"), span: at}
	for _, key := range []string{"tool_use_id", "tool_call_id", "call_id", "id"} {
		if r.id == "" {
			r.id = word(raw, key)
		}
	}
	for _, key := range []string{"functionResponse", "function_response", "codeExecutionResult", "code_execution_result", "toolResponse"} {
		_, inner, ok := jsonscan.Get(raw, key)
		if !ok {
			continue
		}
		r.kind, r.object = key, true
		r.name = word(raw, key, "name")
		value := shift(inner, at.Start)
		r.content, r.parts = member(body, value, "response"), member(body, value, "parts")
		for _, content := range []llm.Span{r.content, r.parts, member(body, value, "output")} {
			if !content.IsZero() {
				r.collect(body, content, true)
			}
		}
		return r, true
	}
	role := strings.ToLower(word(raw, "role"))
	switch {
	case r.kind == "tool_result" || role == "tool" || role == "function":
		r.name = word(raw, "name")
		r.content = member(body, at, "content")
	case strings.HasSuffix(r.kind, "_call_output"):
		if r.content = member(body, at, "output"); !r.content.IsZero() && body[r.content.Start] == '[' && r.kind == "shell_call_output" {
			r.content = llm.Span{} // must stay a list
		}
	case strings.HasSuffix(r.kind, "_tool_result"), strings.HasSuffix(r.kind, "_output"):
	case r.kind == "mcp_call", r.kind == "file_search_call", r.kind == "code_interpreter_call":
		r.name = word(raw, "name")
		if r.name == "" {
			r.name = r.kind
		}
		for _, key := range []string{"output", "error", "results", "outputs"} {
			if value := member(body, at, key); !value.IsZero() {
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

// collect takes all strings in a value, except those that identify or encode
// something. In a value that a tool is free to choose nothing is left out.
func (r *result) collect(body []byte, in llm.Span, free bool) {
	var s jsonscan.Scanner
	s.Reset(in.In(body))
	var walk func(free bool)
	walk = func(free bool) {
		switch s.Kind() {
		case jsonscan.Object:
			start := s.Pos()
			encoded := !free && word(in.In(body)[start:], "type") == "base64"
			s.Object()
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				if !free && encodes(string(key), encoded) || free && string(key) == "thoughtSignature" {
					s.Skip()
					continue
				}
				walk(free)
			}
		case jsonscan.Array:
			s.Array()
			for s.Elem() {
				walk(free)
			}
		case jsonscan.String:
			raw := s.Raw()
			if text, ok := jsonscan.Unquote(nil, raw); ok {
				end := in.Start + s.Pos()
				r.spans = append(r.spans, llm.Span{Start: end - len(raw), End: end})
				r.texts = append(r.texts, string(text))
			}
		default:
			s.Skip()
		}
	}
	walk(free)
}

// encodes reports whether the member of a result is not text that a tool wrote.
func encodes(key string, encoded bool) bool {
	switch key {
	case "type", "id", "tool_use_id", "tool_call_id", "call_id", "role", "media_type", "mime_type", "status",
		"encrypted_content", "encrypted_index", "signature", "file_id", "image_url", "file_data":
		return true
	case "data":
		return encoded
	}
	return false
}

var errNoPlace = errors.New("policy: the tool result has no place for another text")

// withhold puts a notice in the place of everything that a result says.
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
				notice = "[withheld]" // some dialects refuse empty texts
			}
			edits.ReplaceString(span, notice)
		}
	}
	return nil
}

// word returns the string at a path, empty if there is none.
func word(raw []byte, path ...string) string {
	value, _, ok := jsonscan.Get(raw, path...)
	if !ok {
		return ""
	}
	text, _ := jsonscan.Unquote(nil, value)
	return string(text)
}

// member returns where the value of an object's member stands.
func member(body []byte, object llm.Span, key string) llm.Span {
	_, at, ok := jsonscan.Get(object.In(body), key)
	if !ok {
		return llm.Span{}
	}
	return shift(at, object.Start)
}

func shift(at [2]int, by int) llm.Span { return llm.Span{Start: at[0] + by, End: at[1] + by} }
