package policy

import (
	"bytes"
	"errors"
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

var errStrayCall = errors.New("policy: the answer has a tool call in a form or a place that its dialect does not have, so it cannot be judged")

// strayCall decides about a payload that was parsed member by member: whatever the
// decoder did not read as a call, or as a block that is judged as one, must not hold
// a call of any dialect. A client might read it there, and it cannot be cut out of
// its payload, so it ends the answer.
func (e *Engine) strayCall(c *stream.Chunk) error {
	if !e.set.enforces || c.Repeats || c.Known || len(c.Raw) == 0 {
		return nil
	}
	w := walkerOf(c)
	w.engine = e
	// JSON that the walker cannot read has not been seen as a whole.
	if w.value(placesOf(e.opts.Format, c)) || w.Err() != nil && isJSON(c.Raw) {
		return errStrayCall
	}
	return nil
}

func isJSON(raw []byte) bool {
	var s jsonscan.Scanner
	s.Reset(raw)
	s.Skip()
	return s.End() == nil
}

// HoldsCall reports whether a JSON value contains, at any depth, a tool call or a
// piece of one in any dialect. Anything that is not JSON contains none.
func HoldsCall(raw []byte) bool {
	w := walker{}
	w.Reset(raw)
	return w.value(nil) && w.Err() == nil
}

// place is a part of a payload as its dialect defines it. Outside of these no call
// is expected.
type place struct {
	// call: the value here is a call; typed: it is one if its type says so. Its
	// body is judged, so it is not searched.
	call, typed bool
	// body is the one member with the input of a call at this position, empty if its
	// type says which.
	body string
	// speaks: what is here is not a call, whatever its type.
	speaks bool
	// told: what is here was sent before, and judged then.
	told bool
	// event: it is an event of the Responses API, whose type may name the call that
	// it concerns.
	event bool
	// echo: it repeats the request. declares: it is a tool that the request declared,
	// which has a name and parameters like a call.
	echo, declares bool
	// labels: names and values chosen by people, some of which have the same names as
	// the parts of a call.
	labels bool
	// elem is the place of a list's elements, members are the places of an object's
	// members.
	elem    *place
	members []placed
}

type placed struct {
	name string
	at   *place
}

func list(of *place) *place              { return &place{elem: of} }
func object(members ...placed) *place    { return &place{members: members} }
func (p *place) with(m ...placed) *place { q := *p; q.members = m; return &q }
func (p *place) member(key []byte) *place {
	if p == nil {
		return nil
	}
	for i := range p.members {
		if p.members[i].name == string(key) {
			return p.members[i].at
		}
	}
	return nil
}

// Where the dialects have their calls.
var (
	callPlace   = &place{call: true, body: "arguments"}
	customPlace = &place{call: true, body: "input"}
	piecePlace  = &place{} // of what a call acts on
	blockPlace  = &place{typed: true}
	echoPlace   = &place{echo: true}
	labelsPlace = &place{labels: true}
	toolsPlace  = list(&place{declares: true, members: []placed{
		{"function", &place{declares: true}},
		{"tools", list(&place{declares: true})}, // of a namespace
		{"input_schema", echoPlace},             // of a server's list
	}})

	chatMessage = object(
		placed{"tool_calls", list(object(placed{"function", callPlace}, placed{"custom", customPlace}))},
		placed{"function_call", callPlace},
		placed{"executed_tools", echoPlace}) // what the provider has run, with its output
	chatPlaces = object(
		placed{"choices", list(object(placed{"delta", chatMessage}, placed{"message", chatMessage}))},
		placed{"tools", toolsPlace}, placed{"metadata", labelsPlace})

	geminiCall   = (&place{call: true, body: "args"}).with(placed{"partialArgs", piecePlace}, placed{"partial_args", piecePlace})
	geminiPart   = object(placed{"functionCall", geminiCall}, placed{"function_call", geminiCall})
	geminiAnswer = []placed{{"candidates", list(object(placed{"content", object(placed{"parts", list(geminiPart)})}))}}
	geminiPlaces = &place{elem: object(geminiAnswer...), members: geminiAnswer} // alone, or in a list

	anthropicStart   = object(placed{"content_block", blockPlace})
	anthropicDelta   = object(placed{"delta", (&place{speaks: true}).with(placed{"partial_json", piecePlace})})
	anthropicMessage = object(placed{"content", list(blockPlace)})
	anthropicBegin   = object(placed{"message", anthropicMessage})

	echoes = []placed{
		{"tools", toolsPlace}, {"instructions", echoPlace}, {"metadata", labelsPlace},
		{"prompt", object(placed{"variables", labelsPlace})},
		{"text", object(placed{"format", object(placed{"schema", echoPlace})})},
	}
	responsesBegun   = object(placed{"response", object(echoes...)})
	responsesBody    = object(append(echoes, placed{"output", list(&place{typed: true, told: true, members: itemPlace.members})})...)
	responsesEnd     = object(placed{"response", responsesBody})
	itemPlace        = blockPlace.with(placed{"tools", toolsPlace}, placed{"results", list(object(placed{"attributes", labelsPlace}))})
	responsesItem    = object(placed{"item", itemPlace})
	responsesPiece   = &place{event: true, typed: true}
	responsesUnknown = &place{event: true}
)

// placesOf returns the places of a payload.
func placesOf(format wire.Format, c *stream.Chunk) *place {
	switch format {
	case wire.OpenAIChat:
		return chatPlaces
	case wire.Gemini:
		return geminiPlaces
	case wire.Anthropic:
		switch c.Name {
		case "content_block_start":
			return anthropicStart
		case "content_block_delta":
			return anthropicDelta
		case "message_start":
			return anthropicBegin
		}
		if c.Whole {
			return anthropicMessage
		}
	case wire.OpenAIResponses:
		switch c.Name {
		case "response.output_item.added", "response.output_item.done":
			return responsesItem
		case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
			return responsesEnd
		case "response.created", "response.in_progress", "response.queued":
			return responsesBegun
		}
		switch {
		case c.Whole:
			return responsesBody
		case slices.ContainsFunc(c.Events, isUnknown):
			return responsesUnknown
		}
		return responsesPiece
	}
	return nil
}

func isUnknown(ev stream.Event) bool { return ev.Type == stream.EventUnknown }

// walker looks for calls in a JSON value, in one pass.
type walker struct {
	jsonscan.Scanner

	chunk  *stream.Chunk
	engine *Engine // nil where the request is not known
	// judged is where the blocks begin that are judged by their JSON as a whole.
	judged map[*byte]struct{}
	// key and kind are buffers for the lower-case form of a member's name and a
	// type.
	key  [16]byte
	kind [64]byte
}

// walkerOf returns a walker at the start of a payload. A payload can have many
// blocks and many more objects, so the blocks are looked up in a map and not
// searched.
func walkerOf(c *stream.Chunk) walker {
	w := walker{chunk: c}
	for i := range c.Events {
		if ev := &c.Events[i]; isJudgedWhole(ev) && !isInert(ev.ProviderType) {
			if w.judged == nil {
				w.judged = make(map[*byte]struct{})
			}
			w.judged[&ev.Raw[0]] = struct{}{}
		}
	}
	w.Reset(c.Raw)
	return w
}

// value reads the value at the cursor and reports whether it holds a call that the
// place does not account for.
func (w *walker) value(at *place) bool {
	if at != nil && at.echo {
		w.Skip()
		return false
	}
	switch w.Kind() {
	case jsonscan.Array:
		w.Array()
		var elem *place
		if at != nil {
			elem = at.elem
		}
		for w.Elem() {
			if w.value(elem) {
				return true
			}
		}
	case jsonscan.Object:
		if (w.judged != nil || at != nil && at.told) && w.isJudged(at) {
			w.Skip()
			return false
		}
		return w.object(at)
	default:
		w.Skip()
	}
	return false
}

// isJudged reports whether the object at the cursor is a block of an unknown type,
// which is judged by all of its JSON.
func (w *walker) isJudged(at *place) bool {
	told := at != nil && at.told
	if !told {
		// The type is read only then: if it were read for all objects, nested ones
		// would be read once for each level.
		if _, ok := w.judged[&w.chunk.Raw[w.Pos()]]; !ok {
			return false
		}
	}
	kind := w.typeHere()
	if isInert(string(kind)) {
		return false
	}
	return !told || string(kind) != "message" && string(kind) != "reasoning" && !bytes.HasSuffix(kind, []byte("_output")) && !namesCall(kind)
}

func isJudgedWhole(ev *stream.Event) bool {
	return ev.Kind == llm.Opaque && ev.Type != stream.EventUnknown && len(ev.Raw) > 0
}

func (w *walker) object(at *place) bool {
	var event []byte // the type of an event about a call
	own := at != nil && at.call
	// A block whose type says that it is not a call has no input. One that has is a call
	// to a client that goes by members.
	// What the provider runs is not judged: its body is searched, and it must not have
	// the name of a client's tool.
	speaks, body, hosted := false, "", false
	if at != nil {
		speaks, body = at.speaks, at.body
	}
	if at != nil && (at.typed || at.event) {
		kind := w.typeHere()
		if at.event && len(kind) == 0 {
			kind = jsonscan.View(w.chunk.Name)
		}
		called := at.isTypedCall(kind)
		own = at.typed && called
		speaks = at.typed && !at.event && !called && !isResult(kind)
		body = bodyOf(kind)
		hosted = isHosted(kind)
		if at.event && called {
			event = kind
		}
	}
	declares := at != nil && at.declares
	var named, typed bool
	bodies := 0
	w.Object()
	for key, ok := w.Key(); ok; key, ok = w.Key() {
		sub := at.member(key)
		key = jsonscan.Fold(w.key[:], key)
		switch kind := w.Kind(); {
		case isBody(key):
			if kind != jsonscan.Null && !(declares && string(key) == "parameters") {
				bodies++
				if event != nil && !((own || isDetail(event)) && holdsBody(event, key)) || own && body != "" && string(key) != body || hosted && !isHostedBody(key) {
					return true
				}
			}
			if own && !hosted || declares {
				w.Skip()
				continue
			}
		case event != nil && string(key) == "delta" && !bytes.HasSuffix(event, []byte(".delta")):
			if !isNothing(w.Raw()) {
				return true // a piece, where the whole belongs
			}
			continue
		case kind == jsonscan.String:
			switch string(key) {
			case "name", "tool", "tool_name":
				named = true
				if hosted {
					if name := inQuotes(w.Raw()); w.engine != nil && w.engine.declared(name) {
						return true
					}
					continue
				}
			case "type":
				kind := jsonscan.Fold(w.kind[:], inQuotes(w.Raw()))
				typed = typed || namesCall(kind) && (at == nil || !at.event || !isResponsesEvent(kind))
				continue
			}
			if sub == nil && isCallMember(key) {
				if !isNothing(w.Raw()) {
					return true
				}
				continue
			}
		case sub == nil && (kind == jsonscan.Object || kind == jsonscan.Array) && isCallMember(key):
			if !isNothing(bytes.TrimSpace(w.Raw())) {
				return true
			}
			continue
		}
		if w.value(sub) {
			return true
		}
	}
	if own {
		return bodies > 1 // two bodies are two calls to two readers
	}
	return typed || (named || speaks) && bodies > 0 && (at == nil || !at.labels)
}

// typeHere is the type of the object at the cursor.
func (w *walker) typeHere() []byte {
	kind, _, _ := jsonscan.Get(w.chunk.Raw[w.Pos():], "type")
	return inQuotes(kind)
}

// inQuotes is the value of a JSON string, empty for any other value. It usually aliases
// the literal.
func inQuotes(literal []byte) []byte {
	if len(literal) < 2 || literal[0] != '"' {
		return nil
	}
	if bytes.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1]
	}
	said, _ := jsonscan.Unquote(nil, literal)
	return said
}
