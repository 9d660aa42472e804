package gemini

import (
	"bytes"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/internal/request"
)

// AppendRequest appends req to dst as the body of a generateContent or
// streamGenerateContent request and returns the extended slice. It only reads req. The
// model and the streaming flag belong in the URL, so Model and Stream are not written.
// If the dialect cannot express the request, dst is returned unchanged, with an
// *llm.RequestError.
//
// Messages of one side are joined; the results of a turn come first in it.
// Leading messages of the role System become part of the system instruction; one
// in the middle of the history is an error. A result is {"output": text}, or
// {"error": text} if it failed. A refusal is written as text, and texts that are
// empty are left out unless they carry a signature. The arguments of a free-form
// call are wrapped as {"input": text}. MaxTokens and Temperature go into the
// generationConfig of Extra, if it has one.
//
// A part whose Raw is of this dialect and still says what the fields say is
// written as its Raw; opaque parts and what the provider executed itself have no
// other form. Thinking of another dialect is left out as a whole, because
// thinking is never altered; so is the signature of another dialect's call.
func AppendRequest(dst []byte, req *llm.Request) ([]byte, error) {
	w := requestWriter{Body: request.NewBody(dst, request.Gemini), names: map[string]string{}}
	w.write(req)
	return w.Bytes()
}

// requestWriter writes one request.
type requestWriter struct {
	*request.Body

	// names are the names of the calls by id, and unnamed those of the calls without an
	// id that have no result yet: a result must name its tool.
	names   map[string]string
	unnamed []string
}

func (w *requestWriter) write(req *llm.Request) {
	turns := request.Turns(req.Messages)
	w.Open('{')
	w.system(req.System, &turns)
	w.Key("contents")
	w.Open('[')
	for i := range turns {
		w.turn(&turns[i])
	}
	w.Close(']')
	w.writeTools(req.Tools)
	extra := req.Extra
	if req.MaxTokens > 0 || req.Temperature != nil {
		name := "generationConfig"
		if _, has := extra["generation_config"]; has {
			name = "generation_config"
		}
		w.Key(name)
		w.config(req, extra[name])
		extra = without(extra, name)
	}
	w.Extra(extra, "contents", "systemInstruction", "system_instruction", "tools")
	w.Close('}')
}

func without[V any](m map[string]V, name string) map[string]V {
	rest := make(map[string]V, len(m))
	for key, value := range m {
		if key != name {
			rest[key] = value
		}
	}
	return rest
}

// config writes the settings that have fields, and the other members of given.
func (w *requestWriter) config(req *llm.Request, given []byte) {
	w.Open('{')
	if req.MaxTokens > 0 {
		w.Int("maxOutputTokens", req.MaxTokens)
	}
	if req.Temperature != nil {
		w.Float("temperature", *req.Temperature)
	}
	var s jsonscan.Scanner
	if len(given) > 0 {
		s.Reset(given)
		if !s.Object() {
			w.Refusef("the generationConfig of Extra is not an object")
			return
		}
		for key, ok := s.Key(); ok; key, ok = s.Key() {
			name, value := string(key), s.Raw()
			switch {
			case (name == "maxOutputTokens" || name == "max_output_tokens") && req.MaxTokens > 0:
			case name == "temperature" && req.Temperature != nil:
			default:
				w.Key(name)
				w.Exact("a member of generationConfig", value)
			}
		}
		if s.End() != nil {
			w.Refusef("the generationConfig of Extra is not JSON")
		}
	}
	w.Close('}')
}

func (w *requestWriter) system(blocks []llm.Block, turns *[]request.Turn) {
	var texts []*llm.Block
	for i := range blocks {
		texts = append(texts, &blocks[i])
	}
	if len(*turns) > 0 && (*turns)[0].Role == llm.System {
		texts = append(texts, (*turns)[0].Blocks...)
		*turns = (*turns)[1:]
	}
	texts = slices.DeleteFunc(texts, leftOut)
	if len(texts) == 0 {
		return
	}
	w.Key("systemInstruction")
	w.Open('{')
	w.Key("parts")
	w.Open('[')
	for _, b := range texts {
		if b.Kind != llm.Content {
			w.Refusef("the system text has a block of kind %s: only text can instruct", b.Kind)
			return
		}
		w.part(b)
	}
	w.Close(']')
	w.Close('}')
}

func (w *requestWriter) turn(t *request.Turn) {
	role := "user"
	switch t.Role {
	case llm.User:
	case llm.Assistant:
		role = "model"
	case llm.System:
		w.Refusef("a system message is in the middle of the history: put it first or into System")
		return
	default:
		w.Refusef("unknown role %q: use user or assistant", t.Role)
		return
	}
	blocks := slices.DeleteFunc(slices.Clone(t.Blocks), leftOut)
	if len(blocks) == 0 {
		return
	}
	w.Open('{')
	w.String("role", role)
	w.Key("parts")
	w.Open('[')
	if t.Role == llm.User {
		slices.SortStableFunc(blocks, func(a, b *llm.Block) int { return after(a) - after(b) })
		var results []request.Result
		results, blocks = request.Results(blocks)
		for i := range results {
			w.result(&results[i])
		}
	}
	for _, b := range blocks {
		if t.Role == llm.User && b.Kind != llm.Content && b.Kind != llm.Opaque {
			w.Refusef("a block of kind %s is in a message of role user: only the assistant can have those", b.Kind)
			return
		}
		w.part(b)
	}
	w.Close(']')
	w.Close('}')
}

func after(b *llm.Block) int {
	if request.IsResult(b) {
		return 0
	}
	return 1
}

// leftOut reports whether a block is not written: empty text, and thinking of other
// dialects.
func leftOut(b *llm.Block) bool {
	switch b.Kind {
	case llm.Content, llm.Refusal:
		return b.Text == "" && proof(b) == ""
	case llm.Thinking:
		return b.Type != "" && b.Type != partKeys[partText]
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
	}
	return false
}

// proof is the block's signature if it is one of this dialect.
func proof(b *llm.Block) string {
	switch b.Type {
	case "", partKeys[partText], partKeys[partCall]:
		return b.Signature
	}
	return ""
}

// unchanged reports whether the blocks' Raw is a part of this dialect and matches the
// fields.
func (w *requestWriter) unchanged(blocks ...*llm.Block) bool {
	raw := bytes.TrimSpace(blocks[0].Raw)
	if !request.IsObject(raw) {
		return false
	}
	r := &requestReader{body: raw, req: &llm.Request{}}
	r.scan.Reset(raw)
	var m llm.Message
	err := r.part(&m)
	return err == nil && request.Unchanged(blocks, m.Blocks)
}

func (w *requestWriter) part(b *llm.Block) {
	if b.Kind == llm.ToolCall {
		w.call(b)
		return
	}
	// A text with a type is a block of another dialect with the same text member.
	if w.unchanged(b) && (b.Kind == llm.Opaque || request.TypeOf(b.Raw) == "") {
		if b.Kind == llm.Opaque && (b.Type == "type" || request.Foreign(request.Gemini, b.Type)) {
			w.Refusef("the dialect has no parts of type %q", b.Type)
			return
		}
		w.Exact("the Raw of a part", b.Raw)
		return
	}
	switch b.Kind {
	case llm.Content, llm.Refusal, llm.Thinking:
		w.Open('{')
		w.String("text", b.Text)
		if b.Kind == llm.Thinking {
			w.True("thought")
		}
		if p := proof(b); p != "" {
			w.String("thoughtSignature", p)
		}
		w.Close('}')
	case llm.ToolCall, llm.ServerTool, llm.ToolResult, llm.Opaque:
		w.Refusef("a block of kind %s and type %q can only be written as its own Raw, which is missing or of another dialect", b.Kind, b.Type)
	default:
		w.Refusef("the dialect has no blocks of kind %s", b.Kind)
	}
}

func (w *requestWriter) call(b *llm.Block) {
	if b.ID == "" {
		w.unnamed = append(w.unnamed, b.Name)
	} else {
		w.names[b.ID] = b.Name
	}
	if w.unchanged(b) {
		w.Exact("the Raw of a call", b.Raw)
		return
	}
	if b.Name == "" {
		w.Refusef("a call of type %q has no tool name, and the dialect cannot express it otherwise", b.Type)
		return
	}
	arguments, ok := request.Arguments(b)
	if !ok {
		w.Refusef("the arguments of the call %q of %s are not a JSON object: leave out the call and its result", b.ID, b.Name)
		return
	}
	w.Open('{')
	w.Key("functionCall")
	w.Open('{')
	if b.ID != "" {
		w.String("id", b.ID)
	}
	w.String("name", b.Name)
	w.Key("args")
	w.Exact("the arguments of a call", arguments)
	w.Close('}')
	if p := proof(b); p != "" {
		w.String("thoughtSignature", p)
	}
	w.Close('}')
}

func (w *requestWriter) result(r *request.Result) {
	name := w.nameOf(r)
	if w.unchanged(r.Parts...) {
		w.Exact("the Raw of a result", r.Parts[0].Raw)
		return
	}
	if name == "" {
		w.Refusef("the result of the call %q names no tool, and no call before it has that id: set Name", r.ToolUseID)
		return
	}
	w.Open('{')
	w.Key("functionResponse")
	w.Open('{')
	if r.ToolUseID != "" {
		w.String("id", r.ToolUseID)
	}
	w.String("name", name)
	w.Key("response")
	w.Open('{')
	if r.Failed {
		w.Key("error")
	} else {
		w.Key("output")
	}
	if text, only := r.Text(); only {
		w.Text(text)
	} else {
		w.Open('[')
		for _, b := range r.Parts {
			if b.Kind != llm.ToolResult {
				w.Refusef("a result has a part of type %q, which the dialect does not have", b.Type)
				return
			}
			w.Text(b.Text)
		}
		w.Close(']')
	}
	w.Close('}')
	w.Close('}')
	w.Close('}')
}

// nameOf returns the name of the tool that returned this result.
func (w *requestWriter) nameOf(r *request.Result) string {
	name := r.Name
	if r.ToolUseID == "" && len(w.unnamed) > 0 {
		if name == "" {
			name = w.unnamed[0]
		}
		w.unnamed = w.unnamed[1:]
	}
	if name == "" {
		name = w.names[r.ToolUseID]
	}
	return name
}

func (w *requestWriter) writeTools(tools []llm.Tool) {
	if len(tools) == 0 {
		return
	}
	w.Key("tools")
	w.Open('[')
	for i := 0; i < len(tools); i++ {
		if !request.Plain(&tools[i]) {
			w.ownTool(&tools[i])
			continue
		}
		w.Open('{')
		w.Key("functionDeclarations")
		w.Open('[')
		for i < len(tools) && request.Plain(&tools[i]) {
			w.function(&tools[i])
			i++
		}
		i--
		w.Close(']')
		w.Close('}')
	}
	w.Close(']')
}

// ownTool writes a tool of the provider. Its Raw is the whole element, or a member of
// one that declares several.
func (w *requestWriter) ownTool(t *llm.Tool) {
	raw := bytes.TrimSpace(t.Raw)
	if len(raw) > 0 && raw[0] == '"' {
		raw = slices.Concat([]byte("{"), raw, []byte("}"))
	}
	for _, key := range []string{t.Type, snake(t.Type)} {
		if _, _, ok := jsonscan.Get(raw, key); ok && request.IsObject(raw) && t.Type != "type" {
			w.Exact("the Raw of a tool", raw)
			return
		}
	}
	w.Refusef("the tool %q of type %q belongs to another dialect", t.Name, t.Type)
}

// snake is the second spelling of a tool's member.
func snake(name string) string {
	var out []byte
	for _, c := range []byte(name) {
		if c >= 'A' && c <= 'Z' {
			out = append(out, '_', c-'A'+'a')
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

func (w *requestWriter) function(t *llm.Tool) {
	if raw := bytes.TrimSpace(t.Raw); request.IsObject(raw) && t.Schema != nil {
		r := &requestReader{body: slices.Concat([]byte("["), raw, []byte("]")), req: &llm.Request{}}
		r.scan.Reset(r.body)
		if r.functions() == nil && len(r.req.Tools) == 1 {
			read := &r.req.Tools[0]
			if read.Name == t.Name && read.Description == t.Description && bytes.Equal(read.Schema, t.Schema) && !isResponsesTool(raw) {
				w.Exact("the Raw of a function", raw)
				return
			}
		}
	}
	w.Open('{')
	w.String("name", t.Name)
	if t.Description != "" {
		w.String("description", t.Description)
	}
	switch {
	case len(t.Schema) > 0:
		w.Key("parametersJsonSchema")
		w.Exact("the schema of the tool "+t.Name, t.Schema)
	case request.IsFreeform(t):
		w.Key("parametersJsonSchema")
		w.Exact("", []byte(request.FreeformSchema))
	}
	w.Close('}')
}

// isResponsesTool reports whether a declaration is that of OpenAI Responses, which has the same
// members and a type in addition.
func isResponsesTool(raw []byte) bool {
	_, _, typed := jsonscan.Get(raw, "type")
	return typed
}
