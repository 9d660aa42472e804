package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
)

// received is a request as it arrived.
type received struct {
	// wire is the body as it arrived, plain the decoded body: the same, unless it
	// arrived encoded.
	wire, plain []byte
	encoding    string
	facts
}

// facts are what the gateway itself needs to know about a request.
type facts struct {
	model    string
	stream   bool
	previous string // the answer that this request continues from
	thread   bool   // ... in a thread that the provider stores
	threads  bool   // the answer is stored in a thread
	unstored bool   // the provider is told not to store the answer
	// background: the answer is made later, and fetched by another request.
	background bool
	// said are the messages of the request, as JSON.
	said []byte
	// conversation is one that the provider stores under an id.
	conversation string
	// values is how many JSON values there are in its members. It cannot have more
	// messages, parts or tools than that. widest is how many there are in one message
	// or tool, or in the instructions: no object in them can have more members.
	values, widest int

	session string // the client's own id of its conversation
	// prompts are the messages in which agents describe the form of calls, as JSON;
	// declares: the request has tools of the dialect.
	prompts  [1 + opening][]byte
	prompted int
	declares bool
	cwd      string // the client's working directory
}

// setBodyDeadline sets the deadline for the body of a request. It applies until the body was
// read to its end, even if it is not used: the server reads what is left before it
// sends a refusal.
func (g *Gateway) setBodyDeadline(control *http.ResponseController) {
	_ = control.SetReadDeadline(time.Now().Add(g.config.Limits.ReadBody))
}

// readRequest reads the body of the request within the limits.
func (x *exchange) readRequest() (*received, *refusal) {
	r, limit, tooLarge := x.r, x.g.config.Limits.Body, tooLarge
	if x.action == judge && x.isCanary() && limit > maxCanary {
		limit, tooLarge = maxCanary, canaryTooLarge
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	body, err := readAll(r.Body, limit, int(r.ContentLength))
	if err == nil {
		_ = r.Body.Close() // otherwise the server looks for more before it sends the status line
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge(limit)
	case isTimeout(err):
		return nil, &refusal{http.StatusRequestTimeout, "the request did not arrive in time", ClientSlow}
	case err != nil:
		return nil, &refusal{http.StatusBadRequest, "the request could not be read to its end", ClientGone}
	}
	_ = x.control.SetReadDeadline(time.Time{})
	beginWork(len(body))
	in := &x.mem.in
	*in = received{wire: body, plain: body, encoding: encodingOf(r.Header)}
	if in.encoding == "" {
		return in, nil
	}
	plain, err := decoded(bytes.NewReader(body), in.encoding)
	if err == nil {
		in.plain, err = readAll(plain, limit, len(body))
		_ = plain.Close()
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, tooLarge(limit)
	case errors.Is(err, errEncoding):
		return nil, &refusal{http.StatusUnsupportedMediaType, fmt.Sprintf("the request has a content encoding %q, which cannot be read; use gzip, zstd, br, deflate or none", in.encoding), Refused}
	case err != nil:
		return nil, &refusal{http.StatusBadRequest, fmt.Sprintf("the request is not what its content encoding %q says", in.encoding), Refused}
	}
	return in, nil
}

var errTooLarge = errors.New("too large")

func tooLarge(limit int64) *refusal {
	return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is larger than %d bytes; the limit is limits.body", limit), Refused}
}

// readAll reads up to a limit, and fails beyond it. hint is how much is expected,
// negative if unknown: if it is right, no more memory than that is kept.
func readAll(r io.Reader, limit int64, hint int) ([]byte, error) {
	if hint < 0 {
		hint = 4 << 10
	}
	buf := make([]byte, 0, min(hint, 256<<10)+1) // one more than expected, to see the end
	for {
		if n := len(buf); n == cap(buf) {
			more := n
			if hint > n {
				more = min(hint+1-n, 7*n) // the announced length is trusted once an eighth of it has arrived
			}
			buf = append(make([]byte, 0, n+more), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > limit:
			return nil, errTooLarge
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, err
		}
	}
}

// learn reads the facts from a body. It refuses what is not one JSON object: what
// cannot be read cannot be judged.
func (in *received) learn() *refusal {
	var s jsonscan.Scanner
	s.Reset(in.plain)
	if !s.Object() {
		return &refusal{http.StatusBadRequest, "the request is not a JSON object", Refused}
	}
	var buf []byte
	text := func(to *string) {
		value, ok := s.Str(&buf)
		if !ok {
			s.Skip()
			return
		}
		*to = string(value)
	}
	members := 0
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if members++; members > llm.MaxMembers {
			return tooMuch(&llm.RequestLimitError{What: "members", Limit: llm.MaxMembers})
		}
		switch string(key) {
		case "model":
			text(&in.model)
		case "stream":
			raw := s.Raw()
			in.stream = string(raw) == "true"
		case "previous_response_id":
			text(&in.previous)
		case "prompt_cache_key", "conversation_id", "session_id":
			if in.session == "" {
				text(&in.session)
			} else {
				s.Skip()
			}
		case "metadata":
			in.readMetadata(s.Raw())
		case "store":
			in.unstored = string(s.Raw()) == "false"
		case "background":
			in.background = string(s.Raw()) == "true"
		case "thread":
			in.readThread(s.Raw())
		case "conversation":
			in.readConversation(s.Raw())
		case "system", "instructions", "systemInstruction", "system_instruction":
			prompt := in.one(&s)
			in.addPrompt(prompt)
			if cwd := environment(prompt, false); cwd != "" {
				in.cwd = cwd
			}
		case "tools", "functions":
			if !s.Array() {
				in.one(&s)
				break
			}
			for s.Elem() {
				in.one(&s)
				in.declares = true
			}
		case "messages", "input", "contents":
			start := s.Pos()
			in.readOpening(&s)
			in.said = in.plain[start:s.Pos()]
		default:
			s.Skip()
		}
	}
	if err := s.End(); err != nil {
		if errors.Is(err, jsonscan.ErrDepth) {
			return &refusal{http.StatusBadRequest, fmt.Sprintf("the request nests deeper than %d objects and lists; make it flatter", jsonscan.MaxDepth), Refused}
		}
		return &refusal{http.StatusBadRequest, "the request is not valid JSON: " + strings.TrimPrefix(err.Error(), "jsonscan: "), Refused}
	}
	in.values += s.Passed()
	return nil
}

// one takes the value at the cursor, and counts the values in it.
func (in *received) one(s *jsonscan.Scanner) []byte {
	before := s.Passed()
	raw := s.Raw()
	n := s.Passed() - before
	if n == 0 { // only containers are counted by the scanner
		in.values++
	}
	in.widest = max(in.widest, n)
	return raw
}

// tooMuch says that a request exceeds a limit.
func tooMuch(over *llm.RequestLimitError) *refusal {
	message := over.Error()
	switch over.What {
	case "messages", "parts":
		message += "; shorten the conversation, or raise limits." + over.What
	case "tools":
		message += "; declare fewer, or raise limits.tools"
	}
	return &refusal{http.StatusBadRequest, message, Refused}
}

// bounded refuses a request that exceeds the limits on messages, parts and tools. Only
// a request that could exceed them is read for this; all others are read when a policy
// asks. One that could exceed them and cannot be read is refused as well: reading ends
// at the first fault, and what comes after it is not counted.
func (x *exchange) bounded() *refusal {
	limits := x.g.config.Limits.Request
	if x.in.values <= min(limits.Messages, limits.Parts, limits.Tools) && x.in.widest <= llm.MaxMembers {
		return nil
	}
	switch {
	case x.read() != nil:
		return nil
	case x.mem.over != nil:
		return tooMuch(x.mem.over)
	}
	return &refusal{http.StatusBadRequest, "the request is too large to be forwarded unread, and it cannot be read: " + x.mem.unread, Refused}
}

// opening is how many messages of a conversation are searched for what the client says
// about itself.
const opening = 4

// readOpening looks for what the client says about itself in the first messages. Tool
// results and the model's answers do not count.
func (in *received) readOpening(s *jsonscan.Scanner) {
	if !s.Array() {
		in.addPrompt(in.one(s))
		return
	}
	for i := 0; s.Elem(); i++ {
		raw := in.one(s)
		if i >= opening {
			continue
		}
		role, content := message(raw)
		if role != "system" && role != "developer" && role != "user" {
			continue
		}
		in.addPrompt(content)
		if in.cwd == "" {
			in.cwd = environment(content, role == "user")
		}
	}
}

func (in *received) addPrompt(raw []byte) {
	if in.prompted < len(in.prompts) {
		in.prompts[in.prompted] = raw
		in.prompted++
	}
}

// message returns the role and the contents of a message. The role is empty if it is
// something else or has no contents.
func message(raw []byte) (role string, content []byte) {
	var s jsonscan.Scanner
	s.Reset(raw)
	if !s.Object() {
		return "", nil
	}
	var kind, by []byte // of duplicate members the first counts
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch {
		case kind == nil && string(key) == "type":
			kind = s.Raw()
		case by == nil && string(key) == "role":
			by = s.Raw()
		case content == nil && (string(key) == "content" || string(key) == "parts"):
			content = s.Raw()
		default:
			s.Skip()
		}
	}
	if kind := unquoted(kind); content == nil || kind != "" && kind != "message" {
		return "", nil
	}
	return unquoted(by), content
}

// unquoted returns the text of a JSON string, empty for anything else.
func unquoted(raw []byte) string {
	text, _ := jsonscan.Text(raw)
	return text
}

// textIn returns a member of an object that is a string, empty if there is none.
func textIn(raw []byte, name string) string {
	value, _, _ := jsonscan.Get(raw, name)
	return unquoted(value)
}

// readMetadata finds the session in Claude Code's user id, which is JSON in a
// string.
func (in *received) readMetadata(raw []byte) {
	id, _, ok := jsonscan.Get(raw, "user_id")
	if !ok {
		return
	}
	inner, ok := jsonscan.Unquote(nil, id)
	if !ok {
		return
	}
	if session, _, ok := jsonscan.Get(inner, "session_id"); ok {
		if text, ok := jsonscan.Unquote(nil, session); ok {
			in.session = string(text)
		}
	}
}

// readConversation finds the conversation's id, which is a string or in an object.
func (in *received) readConversation(raw []byte) {
	if id, _, ok := jsonscan.Get(raw, "id"); ok {
		raw = id
	}
	if text, ok := jsonscan.Unquote(nil, raw); ok {
		in.conversation = label(string(text))
	}
}

// readThread finds the message that a thread continues from.
func (in *received) readThread(raw []byte) {
	in.threads = len(raw) > 0 && raw[0] == '{'
	if id, _, ok := jsonscan.Get(raw, "previous_message_id"); ok {
		if text, ok := jsonscan.Unquote(nil, id); ok {
			in.previous, in.thread = string(text), true
		}
	}
}
