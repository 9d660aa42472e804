package openairesponses

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// AppendRequest appends req to dst as a request body of the dialect and returns the
// extended slice. It only reads req. If the dialect cannot express the request, dst is
// returned unchanged, with an *llm.RequestError.
//
// The system text becomes the instructions, several blocks of it joined by an
// empty line. The history becomes items: messages, reasoning, calls and their
// outputs; system messages in it get the role developer. Texts that are empty
// are left out. Ids longer than 64 characters, which the API refuses, are mapped,
// always in the same way. Of the citations of what the assistant said those of this
// dialect are written.
//
// An item whose Raw is of this dialect and still says what the fields say is
// written as its Raw; calls of built-in tools and opaque items have no other
// form. The output of a function cannot say that it failed; its text must.
// Thinking of another dialect, or with neither an id nor encrypted content, is left
// out as a whole: nothing proves it here, and thinking is never altered.
//
// The ids of an answer's items are written all or none; see answer.
func AppendRequest(dst []byte, req *llm.Request) ([]byte, error) {
	w := requestWriter{
		Body: request.NewBody(dst, dialect), ids: request.IDs{Limit: maxID}, outputs: map[string]string{},
		used: map[string]bool{}, unsent: map[string]bool{},
		stored: string(bytes.TrimSpace(req.Extra["store"])) != "false",
	}
	w.write(req)
	return w.Bytes()
}

// maxID is the most characters of an id.
const maxID = 64

// requestWriter writes one request.
type requestWriter struct {
	*request.Body

	ids request.IDs
	// outputs is the type of the output of a call, by the call's id, if it is not a
	// function.
	outputs map[string]string
	// stored: the provider stores its answers, so ids are meaningful.
	stored bool
	// used are the ids of items so far.
	used map[string]bool
	// unsent are the calls that the provider executed and that are left out, by the id
	// that their outputs refer to.
	unsent map[string]bool
}

func (w *requestWriter) write(req *llm.Request) {
	w.Open('{')
	w.String("model", req.Model)
	w.instructions(req.System)
	w.Key("input")
	w.Open('[')
	for rest := req.Messages; len(rest) > 0; {
		n := 1
		for rest[0].Role == llm.Assistant && n < len(rest) && rest[n].Role == llm.Assistant {
			n++
		}
		w.answer(rest[:n])
		rest = rest[n:]
	}
	w.Close(']')
	w.writeTools(req.Tools)
	if req.Stream {
		w.True("stream")
	}
	if req.MaxTokens > 0 {
		w.Int("max_output_tokens", req.MaxTokens)
	}
	if req.Temperature != nil {
		w.Float("temperature", *req.Temperature)
	}
	w.Extra(req.Extra, "model", "instructions", "input", "tools", "stream", "max_output_tokens", "temperature")
	w.Close('}')
}

func (w *requestWriter) instructions(blocks []llm.Block) {
	var texts []string
	for i := range blocks {
		if blocks[i].Kind != llm.Content {
			w.Refusef("the system text has a block of kind %s: only text can instruct", blocks[i].Kind)
			return
		}
		if blocks[i].Text != "" {
			texts = append(texts, blocks[i].Text)
		}
	}
	if len(texts) > 0 {
		w.String("instructions", strings.Join(texts, "\n\n"))
	}
}

// isSaid reports whether a block is a part of a message.
func isSaid(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return true
	case llm.Opaque:
		return isPart(b.Type) && b.ToolUseID == ""
	case llm.Thinking, llm.ToolCall, llm.ServerTool, llm.ToolResult:
	}
	return false
}

func isPart(typ string) bool {
	return typ == "input_image" || typ == "input_file" || typ == "input_audio"
}

// said writes the texts of one side as a message.
func (w *requestWriter) said(role llm.Role, blocks []*llm.Block) {
	word, text := string(role), "input_text"
	switch role {
	case llm.System:
		word = "developer"
	case llm.ToolRole:
		word = "user"
	case llm.Assistant:
		text = "output_text"
	default:
	}
	w.Open('{')
	w.String("type", itemMessage)
	w.String("role", word)
	w.Key("content")
	w.Open('[')
	for _, b := range blocks {
		switch {
		case b.Kind == llm.Content && role == llm.Assistant:
			w.part(text, "text", b.Text, b.Citations...)
		case b.Kind == llm.Content:
			w.part(text, "text", b.Text)
		case b.Kind == llm.Refusal && role == llm.Assistant:
			w.part("refusal", "refusal", b.Text)
		case b.Kind == llm.Opaque:
			w.own(b)
		default:
			w.Refusef("a block of kind %s is in a message of role %s: only the assistant can have those", b.Kind, role)
		}
	}
	w.Close(']')
	w.Close('}')
}

// part writes a text with those of its citations that are of this dialect.
func (w *requestWriter) part(typ, member, text string, sources ...json.RawMessage) {
	w.Open('{')
	w.String("type", typ)
	w.String(member, text)
	w.Sources("annotations", sources, isAnnotation)
	w.Close('}')
}

// isAnnotation reports whether a source is an annotation of this dialect. Chat
// Completions has one of the same type, with its members one level deeper.
func isAnnotation(source []byte) bool {
	switch typ := request.TypeOf(source); typ {
	case "url_citation", "file_citation", "container_file_citation", "file_path":
		_, _, nested := jsonscan.Get(source, typ)
		return !nested
	}
	return false
}

// own writes an opaque block unchanged.
func (w *requestWriter) own(b *llm.Block) {
	if b.Type == "" || request.Foreign(dialect, b.Type) || request.TypeOf(b.Raw) != b.Type {
		w.Refusef("the dialect has no blocks of type %q, or Raw is of another dialect", b.Type)
		return
	}
	w.Exact("the Raw of a block of type "+b.Type, b.Raw)
}

// results writes neighbouring results.
func (w *requestWriter) results(blocks []*llm.Block) {
	results, _ := request.Results(blocks)
	for i := range results {
		if r := &results[i]; r.ToolUseID == "" || !w.unsent[r.ToolUseID] {
			w.result(r)
		}
	}
}

func (w *requestWriter) result(r *request.Result) {
	id := w.ids.Result(r.ToolUseID)
	if id == r.ToolUseID && w.unchanged(r.Parts...) {
		w.Exact("the Raw of a result", r.Parts[0].Raw)
		return
	}
	typ := w.outputs[r.ToolUseID]
	switch typ {
	case "":
		typ = itemFunctionCall + "_output"
	case "custom_tool_call_output":
	default:
		w.Refusef("the output of a call of type %q can only be written as its own Raw, which is missing", strings.TrimSuffix(typ, "_output"))
		return
	}
	w.Open('{')
	w.String("type", typ)
	w.String("call_id", id)
	if text, only := r.Text(); only {
		w.String("output", text)
	} else {
		w.Key("output")
		w.Open('[')
		for _, b := range r.Parts {
			if b.Kind == llm.ToolResult {
				w.part("input_text", "text", b.Text)
			} else {
				w.outputPart(b)
			}
		}
		w.Close(']')
	}
	w.Close('}')
}

// outputPart writes a part of a result that is not text. Its Type may be that of
// the item it was read from.
func (w *requestWriter) outputPart(b *llm.Block) {
	typ := request.TypeOf(b.Raw)
	if !isPart(typ) {
		w.Refusef("a result has a part of type %q, which the dialect does not have", b.Type)
		return
	}
	w.Exact("the Raw of a part", b.Raw)
}

func (w *requestWriter) writeTools(tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Key("tools")
	w.Open('[')
	var group []byte
	for i := range tools {
		t := &tools[i]
		raw := bytes.TrimSpace(t.Raw)
		switch {
		case request.TypeOf(raw) == "namespace" && request.IsObject(raw):
			// All tools of a group have the group as their declaration.
			if !bytes.Equal(group, raw) {
				w.Exact("the Raw of a group of tools", raw)
			}
			group = raw
		case w.unchangedTool(t, raw):
			w.Exact("the Raw of a tool", raw)
		default:
			w.tool(t)
		}
	}
	w.Close(']')
}

func (w *requestWriter) tool(t *llm.Tool) {
	if !request.Plain(t) {
		w.Refusef("the tool %q of type %q belongs to another dialect", t.Name, t.Type)
		return
	}
	typ := "function"
	if request.IsFreeform(t) {
		typ = "custom"
	}
	w.Open('{')
	w.String("type", typ)
	w.String("name", t.Name)
	if t.Description != "" {
		w.String("description", t.Description)
	}
	if typ == "function" {
		w.Key("parameters")
		if len(t.Schema) > 0 {
			w.Exact("the schema of the tool "+t.Name, t.Schema)
		} else {
			w.Exact("", []byte(request.EmptySchema))
		}
		w.Key("strict")
		w.Exact("", []byte("false"))
	}
	w.Close('}')
}

// unchangedTool reports whether the declaration is of this dialect and says what
// the fields say. A type with a date is Anthropic's.
func (w *requestWriter) unchangedTool(t *llm.Tool, raw []byte) bool {
	if !request.IsObject(raw) || t.Type == "" || request.TypeOf(raw) != t.Type {
		return false
	}
	if n := len(t.Type); strings.ContainsRune(t.Type, '_') && n > 8 && t.Type[n-8] == '2' && t.Type[n-9] == '_' && !strings.HasPrefix(t.Type, "web_search_preview") {
		return false
	}
	if _, _, nested := jsonscan.Get(raw, t.Type); nested && request.Plain(t) {
		return false // Chat Completions: {"type":"function","function":{…}}
	}
	r := &requestReader{body: raw, req: &llm.Request{}}
	if r.tool(llm.Span{End: len(raw)}, llm.Span{}, 0) != nil || len(r.req.Tools) != 1 {
		return false
	}
	read := &r.req.Tools[0]
	return read.Name == t.Name && read.Description == t.Description && bytes.Equal(read.Schema, t.Schema) && (t.Schema != nil || t.Type != "function")
}
