package openaichat

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// toolCalls reads the tool_calls of a delta or message.
func (r *reading) toolCalls() {
	if !r.elements("tool_calls") {
		return
	}
	if r.calls == nil {
		r.calls = r.oneCall[:0]
	}
	for r.scan.Elem() {
		if !r.count() {
			return
		}
		start := r.scan.Pos()
		if !r.object("a tool call") {
			continue
		}
		e := entry{index: -1}
		r.toolCall(&e)
		e.span = llm.Span{Start: start, End: r.scan.Pos()}
		r.calls = append(r.calls, e)
	}
}

func (r *reading) toolCall(e *entry) {
	const (
		index = 1 << iota
		id
		typ
		function
		custom
		extra
	)
	var seen uint32
	var other []byte // the name beside the function
	typed := false
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "index":
			r.once(&seen, index, "index")
			e.index = r.number("a tool call's index")
		case "id":
			r.once(&seen, id, "id")
			e.id = r.str("a tool call's id").data
		case "type":
			r.once(&seen, typ, "type")
			said := r.str("a tool call's type")
			if e.typ = said.data; string(e.typ) != "function" && string(e.typ) != "custom" {
				r.skipped = true
			}
			typed = !said.span.IsZero()
		case "function":
			r.once(&seen, function, "function")
			r.call(e, formFunction)
		case "custom":
			r.once(&seen, custom, "custom")
			r.call(e, formCustom)
		case "extra_content":
			r.once(&seen, extra, "extra_content")
			r.skipped = true
			r.extraContent(e)
		default:
			r.plain(key)
			r.skipped = true
			body, name := isBody(key), isName(key)
			if raw := r.scan.Raw(); says(raw) {
				e.unknown = raw
				switch {
				case body:
					r.refuse(otherBody)
				case name:
					other = raw
				}
			}
		}
	}
	r.odd = r.odd || typed && e.form == formFunction && string(e.typ) != "function"
	if other != nil {
		if name, ok := jsonscan.Text(other); !ok || name != string(e.name) {
			r.refuse("a tool call has a name beside its function")
		}
	}
}

// isName reports whether lenient clients look for the name of a tool under this name.
func isName(key []byte) bool {
	switch string(key) {
	case "name", "tool", "tool_name":
		return true
	}
	return false
}

// call reads the object that names the tool and its arguments.
func (r *reading) call(e *entry, f form) {
	if !r.object("a tool call's function") {
		return
	}
	if e.form != formNone && e.form != f {
		r.refuse("a tool call is both a function and a custom call")
	}
	e.form = f
	const (
		name = 1 << iota
		args
		input
	)
	var seen uint32
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch k := string(key); {
		case k == "name":
			r.once(&seen, name, "name")
			e.name = r.str("a tool's name").data
		case k == "arguments" && f == formFunction:
			r.once(&seen, args, "arguments")
			r.arguments(e)
		case k == "input" && f == formCustom:
			r.once(&seen, input, "input")
			input := r.str("a custom call's input")
			e.args, e.argsAt = input.data, input.span
		default:
			r.plain(key)
			r.skipped = true
			body := isBody(key)
			if raw := r.scan.Raw(); says(raw) {
				e.unknown = raw
				if body {
					r.refuse(otherBody)
				}
			}
		}
	}
}

const otherBody = "a tool call has arguments under another name"

// isBody reports whether other dialects and lenient clients look for the arguments of a
// call under this name: they would be executed without having been judged.
func isBody(key []byte) bool {
	switch string(key) {
	case "arguments", "input", "parameters", "params", "args", "action", "command", "operation":
		return true
	}
	return false
}

// arguments reads the arguments of a function: a string, or an object, which some
// servers send instead and which is read as its compact JSON.
func (r *reading) arguments(e *entry) {
	if r.scan.Kind() != jsonscan.Object {
		args := r.str("a call's arguments")
		e.args, e.argsAt = args.data, args.span
		return
	}
	r.skipped = true
	raw := r.scan.Raw()
	n := len(r.buf)
	buf, err := jsonscan.Compact(r.buf, raw)
	if err != nil {
		return // the scanner has failed too
	}
	r.buf = buf
	e.args, e.asObject = buf[n:len(buf):len(buf)], true
}

// legacy reads the deprecated function_call.
func (r *reading) legacy() {
	start := r.scan.Pos()
	if r.scan.Kind() != jsonscan.Object {
		r.object("function_call")
		return
	}
	r.hasLegacy = true
	r.function = entry{index: -1}
	r.call(&r.function, formFunction)
	r.function.span = llm.Span{Start: start, End: r.scan.Pos()}
}

// extraContent looks for extra_content.google.thought_signature.
func (r *reading) extraContent(e *entry) {
	start := r.scan.Pos()
	raw := r.scan.Raw()
	r.odd = r.odd || !isExtra(raw)
	value, at, ok := jsonscan.Get(raw, "google", "thought_signature")
	if !ok {
		if says(raw) {
			e.unknown = raw
		}
		return
	}
	n := len(r.buf)
	buf, ok := jsonscan.Unquote(r.buf, value)
	if !ok {
		e.unknown = raw
		return
	}
	r.buf = buf
	e.signature = text{
		data: buf[n:len(buf):len(buf)],
		span: llm.Span{Start: start + at[0], End: start + at[1]},
	}
}
