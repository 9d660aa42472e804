package openaichat

import (
	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// reading is the content of one choice of one payload, collected in a single pass over
// its bytes. Members can be in any order; they are interpreted when the whole choice is
// known. Its slices are reused.
type reading struct {
	scan jsonscan.Scanner
	raw  []byte
	// buf receives strings that had escapes; it is reused from payload to
	// payload.
	buf []byte
	// refused is the first reason why the payload cannot be trusted.
	refused string
	// skipped is true when a part of the payload was skipped that others may read; see
	// stream.Chunk.Known.
	skipped bool
	// odd is true when a member of the payload is not of its dialect's type: see strict.go.
	odd bool
	// stored counts the elements and members of this payload that must be stored.
	stored int

	index     int
	numbered  bool // the choice has an index
	whole     bool
	both      bool
	hasBody   bool
	finish    text
	reasoning text
	thought   text // the member reasoning_content
	content   text
	refusal   text
	audio     audio
	asList    bool
	parts     []part
	details   []detail
	calls     []entry
	oneCall   [1]entry // enough for nearly every payload
	function  entry
	hasLegacy bool
	unknown   []unknown
}

// text is an unescaped JSON string of the payload, with its position, quotes included.
type text struct {
	data []byte
	span llm.Span
}

// part is one element of a content list.
type part struct {
	kind      llm.Kind
	text      text
	signature text
	// typ and raw are set for parts without a common name.
	typ, raw []byte
}

// detail is one element of reasoning_details.
type detail struct {
	text, signature text
	index           int
	raw             []byte
	span            llm.Span
	opaque          bool
}

// audio is the audio member: the transcript is its text.
type audio struct {
	id, transcript text
	data           []byte
	span           llm.Span
}

// unknown is a member without a meaning here that may have one for a client.
type unknown struct {
	key  []byte
	raw  []byte
	span llm.Span
}

// form says which object of a tool_calls entry holds the call.
type form uint8

const (
	formNone form = iota
	formFunction
	formCustom
)

// entry is one element of tool_calls, or the legacy function_call.
type entry struct {
	span       llm.Span
	index      int // -1 if the entry has none
	form       form
	id, typ    []byte
	name, args []byte
	argsAt     llm.Span // the string with its quotes, if it is one
	signature  text
	asObject   bool // the arguments came as an object and were compacted
	behind     bool // it is not the first of its delta
	unknown    []byte
}

// empty reports whether the entry has no content: it starts and continues no call.
func (e *entry) empty() bool {
	return len(e.id) == 0 && len(e.name) == 0 && len(e.args) == 0
}

func (r *reading) reset() {
	r.index, r.numbered, r.whole, r.both, r.hasBody = 0, false, false, false, false
	r.finish = text{}
	r.clearBody()
}

func (r *reading) clearBody() {
	r.reasoning, r.thought, r.content, r.refusal = text{}, text{}, text{}, text{}
	r.audio = audio{}
	r.asList, r.hasLegacy = false, false
	r.parts, r.details = r.parts[:0], r.details[:0]
	r.calls, r.unknown = r.calls[:0], r.unknown[:0]
}

func (r *reading) refuse(reason string) {
	if r.refused == "" {
		r.refused = reason
	}
}

// once records that a member was read and refuses the payload if it was read before:
// two parsers could see two answers.
func (r *reading) once(seen *uint32, bit uint32, name string) {
	if *seen&bit != 0 {
		r.twice(name)
	}
	*seen |= bit
}

// twice is kept out of line: once is called for every member.
//
//go:noinline
func (r *reading) twice(name string) { r.refuse("an object has the member " + name + " twice") }

// maxElements bounds the elements and members of one payload that must be stored: without
// it a few hostile bytes would allocate much memory.
const maxElements = 1 << 16

// tooMany is the reason that becomes a LimitError.
const tooMany = "the payload has too many elements"

// count counts an element and reports whether it is within the limit.
func (r *reading) count() bool {
	if r.stored++; r.stored > maxElements {
		r.refuse(tooMany)
		return false
	}
	return true
}

// names are the significant members of an answer.
var names = []string{
	"choices", "index", "delta", "message", "finish_reason", "content", "refusal", "tool_calls", "function_call",
	"id", "type", "function", "custom", "name", "arguments", "input", "error",
}

// plain refuses a member whose name is a known one in different case: a client with a
// case-insensitive JSON parser would read something that was not judged.
func (r *reading) plain(key []byte) {
	if jsonscan.Disguised(key, names) {
		r.refuse("a member's name differs from a known one only in case")
	}
}

// skip skips a value that the dialect defines and nobody needs. It must not be a list
// or an object, in which others may find something.
func (r *reading) skip() {
	if kind := r.scan.Kind(); kind == jsonscan.Object || kind == jsonscan.Array {
		r.skipped = true
	}
	r.scan.Skip()
}

const hiddenCall = "a message next to a delta has a tool call"

// beside skips the message that some servers send next to a delta. Some clients prefer
// it, so it must not contain a call that the delta does not.
func (r *reading) beside() {
	r.skipped = true
	if r.scan.Kind() != jsonscan.Object {
		r.scan.Skip()
		return
	}
	r.scan.Object()
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		r.plain(key)
		called := string(key) == "tool_calls" || string(key) == "function_call"
		if says(r.scan.Raw()) && called {
			r.refuse(hiddenCall)
		}
	}
}

// str reads a string. Null counts as absent; anything else is refused, because it could
// hide from a policy what a client still reads.
func (r *reading) str(name string) text {
	start := r.scan.Pos()
	if data, ok := r.scan.Str(&r.buf); ok {
		return text{data, llm.Span{Start: start, End: r.scan.Pos()}}
	}
	if !r.scan.Null() {
		r.refuse(name + " is not a string")
		r.scan.Skip()
	}
	return text{}
}

// number reads an index. Null counts as absent: -1.
func (r *reading) number(name string) int {
	if n, ok := r.scan.Index(); ok {
		if n < 0 || n > maxPlace {
			r.refuse(name + " is not a place in a list")
			return -1
		}
		return int(n)
	}
	if !r.scan.Null() {
		r.refuse(name + " is not a whole number")
		r.scan.Skip()
	}
	return -1
}

// elements enters an array; null counts as an empty one.
func (r *reading) elements(name string) bool {
	if r.scan.Array() {
		return true
	}
	if !r.scan.Null() {
		r.refuse(name + " is not a list")
		r.scan.Skip()
	}
	return false
}

// object enters an object; null counts as absent.
func (r *reading) object(name string) bool {
	if r.scan.Object() {
		return true
	}
	if !r.scan.Null() {
		r.refuse(name + " is not an object")
		r.scan.Skip()
	}
	return false
}

// choice reads one element of choices. It returns false for null.
func (r *reading) choice() bool {
	r.reset()
	if !r.object("a choice") {
		return false
	}
	const (
		index = 1 << iota
		delta
		message
		finish
	)
	var seen uint32
	var logprobs llm.Span
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "index":
			r.once(&seen, index, "index")
			if r.scan.Kind() == jsonscan.Null {
				r.scan.Skip()
				break
			}
			r.numbered = true
			if r.index = r.number("a choice's index"); r.index < 0 {
				r.refuse("a choice has a negative index")
			}
		case "delta":
			r.once(&seen, delta, "delta")
			if r.scan.Null() {
				break
			}
			r.both, r.whole = r.hasBody, false
			if r.both && (len(r.calls) > 0 || r.hasLegacy) {
				r.refuse(hiddenCall)
			}
			r.clearBody()
			r.body()
		case "message":
			r.once(&seen, message, "message")
			if r.scan.Null() {
				break
			}
			if r.hasBody {
				r.both = true
				r.beside()
				break
			}
			r.whole = true
			r.body()
		case "finish_reason":
			r.once(&seen, finish, "finish_reason")
			r.finish = r.str("finish_reason")
		default:
			// Members beside the delta are metadata, not part of the answer: logprobs,
			// filter results, the native finish reason.
			r.plain(key)
			if string(key) == "logprobs" {
				at := r.scan.Pos()
				r.skip()
				logprobs = llm.Span{Start: at, End: r.scan.Pos()}
				break
			}
			r.skipped = true
			r.skip()
		}
	}
	r.odd = r.odd || r.hasCalls() && (!logprobs.IsZero() && !r.broken() && !isLogprobs(logprobs.In(r.raw)) || r.cites())
	return true
}

// body reads a delta, or the message of a non-streaming answer.
func (r *reading) body() {
	if !r.object("a delta") {
		return
	}
	r.hasBody = true
	const (
		content = 1 << iota
		thought
		reasoning
		refusal
		details
		calls
		function
		sound
	)
	var seen uint32
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "content":
			r.once(&seen, content, "content")
			if r.scan.Kind() == jsonscan.Array {
				r.skipped, r.odd = true, true
				r.list()
				break
			}
			r.content = r.str("content")
		case "reasoning_content":
			r.once(&seen, thought, "reasoning_content")
			r.thought = r.str("reasoning_content")
		case "reasoning":
			r.once(&seen, reasoning, "reasoning")
			r.reasoning = r.str("reasoning")
		case "reasoning_details":
			r.once(&seen, details, "reasoning_details")
			r.skipped = true
			r.reasoningDetails()
		case "refusal":
			r.once(&seen, refusal, "refusal")
			r.refusal = r.str("refusal")
		case "tool_calls":
			r.once(&seen, calls, "tool_calls")
			r.toolCalls()
		case "function_call":
			r.once(&seen, function, "function_call")
			r.legacy()
		case "audio":
			r.once(&seen, sound, "audio")
			r.skipped = true
			r.readAudio()
		case "role":
			r.role()
		case "index":
			r.skip()
		default:
			r.other(key)
		}
	}
}

// other records a member without a meaning here, unless it is empty.
func (r *reading) other(key []byte) {
	r.plain(key)
	r.skipped = true
	u := unknown{key: key, span: llm.Span{Start: r.scan.Pos()}}
	u.raw = r.scan.Raw()
	u.span.End = r.scan.Pos()
	if says(u.raw) {
		// The scanner's own buffer holds an escaped key only until the next one.
		n := len(r.buf)
		r.buf = append(r.buf, key...)
		u.key = r.buf[n:len(r.buf):len(r.buf)]
		if r.count() {
			r.unknown = append(r.unknown, u)
		}
	}
}

// says reports whether a JSON value is anything but null, "", [] or {}.
func says(raw []byte) bool {
	switch string(raw) {
	case "", "null", `""`, "[]", "{}":
		return false
	}
	return true
}

func (r *reading) readAudio() {
	start := r.scan.Pos()
	if !r.object("audio") {
		return
	}
	const (
		id = 1 << iota
		transcript
		data
	)
	var seen uint32
	for key, ok := r.scan.Key(); ok; key, ok = r.scan.Key() {
		switch string(key) {
		case "id":
			r.once(&seen, id, "id")
			r.audio.id = r.str("an audio's id")
		case "transcript":
			r.once(&seen, transcript, "transcript")
			r.audio.transcript = r.str("a transcript")
		case "data":
			r.once(&seen, data, "data")
			r.audio.data = r.scan.Raw()
		default:
			r.scan.Skip()
		}
	}
	r.audio.span = llm.Span{Start: start, End: r.scan.Pos()}
}
