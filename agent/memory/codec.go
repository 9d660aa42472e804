package memory

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
)

// codecVersion is the version of the format. A format with more content gets a
// new number, so that older programs reject it instead of losing what they do
// not know.
const codecVersion = 1

// storedList is what Marshal writes.
type storedList struct {
	Version  int             `json:"v"`
	Messages []storedMessage `json:"messages"`
}

// storedMessage is a message. It has a version if it is stored on its own.
type storedMessage struct {
	Version int           `json:"v,omitzero"`
	Role    string        `json:"role"`
	Blocks  []storedBlock `json:"blocks"`
	// Base64 lists the names of the texts that are written as base64, because
	// they are not valid UTF-8 and JSON cannot otherwise preserve their bytes.
	Base64 []string `json:"base64,omitempty"`
}

type storedBlock struct {
	Kind      llm.Kind   `json:"kind"`
	ID        string     `json:"id,omitempty"`
	Name      string     `json:"name,omitempty"`
	Text      string     `json:"text,omitempty"`
	Arguments string     `json:"arguments,omitempty"`
	Signature string     `json:"signature,omitempty"`
	ToolUseID string     `json:"tool_use_id,omitempty"`
	Type      string     `json:"type,omitempty"`
	Status    llm.Status `json:"status,omitzero"`
	Failed    bool       `json:"failed,omitempty"`
	Raw       string     `json:"raw,omitempty"`
	Base64    []string   `json:"base64,omitempty"`
}

// Marshal writes messages as JSON that Unmarshal reads back byte for byte:
//
//	{"v":1,"messages":[{"role":"user","blocks":[{"kind":"content","text":"hi","status":"complete"}]}]}
//
// The members of a block are kind, id, name, text, arguments, signature,
// tool_use_id, type, status, failed and raw; those that are empty, false or open
// are left out. Arguments and raw are strings, so that not even their white space
// changes. A text that is not valid UTF-8 is written as base64, and its name is
// listed in the member base64 of the block or message: "base64":["text"]. The
// citations of a block are in its raw, as {"sluice_citations":[...],"raw":"..."},
// with each of them and the block's own Raw as a string; programs older than
// citations can read that too.
//
// Spans are not written, because what they point into is not stored. A block
// whose kind or status has no name is a *MessageError.
func Marshal(messages []llm.Message) ([]byte, error) {
	list := storedList{Version: codecVersion, Messages: make([]storedMessage, len(messages))}
	if err := check(messages); err != nil {
		return nil, err
	}
	for i := range messages {
		list.Messages[i] = store(&messages[i])
	}
	return encode(&list)
}

// Unmarshal reads what Marshal wrote. For any input it returns either all
// messages or a *FormatError.
func Unmarshal(data []byte) ([]llm.Message, error) {
	var list storedList
	if err := decode(data, &list, &list.Version); err != nil {
		return nil, err
	}
	messages := make([]llm.Message, len(list.Messages))
	for i := range list.Messages {
		m := &list.Messages[i]
		if m.Version != 0 {
			return nil, &FormatError{fmt.Errorf("message %d has its own version", i)}
		}
		var err error
		if messages[i], err = m.message(); err != nil {
			return nil, &FormatError{fmt.Errorf("message %d: %w", i, err)}
		}
	}
	return messages, nil
}

// MarshalMessage writes one message, for repositories with a row for each. It
// is written as in Marshal, with the version in it:
//
//	{"v":1,"role":"user","blocks":[{"kind":"content","text":"hi"}]}
func MarshalMessage(message llm.Message) ([]byte, error) {
	if err := check([]llm.Message{message}); err != nil {
		return nil, err
	}
	m := store(&message)
	m.Version = codecVersion
	return encode(&m)
}

// UnmarshalMessage reads what MarshalMessage wrote, as strictly as Unmarshal.
func UnmarshalMessage(data []byte) (llm.Message, error) {
	var m storedMessage
	if err := decode(data, &m, &m.Version); err != nil {
		return llm.Message{}, err
	}
	message, err := m.message()
	if err != nil {
		return llm.Message{}, &FormatError{err}
	}
	return message, nil
}

// FormatError says that stored content cannot be read: it was written by a
// newer program, by another one, or it is damaged.
type FormatError struct{ Err error }

// Error says what is wrong with it.
func (e *FormatError) Error() string {
	return "memory: stored messages cannot be read: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decode reads one JSON value into v, whose version is at the given address.
func decode(data []byte, v any, version *int) error {
	// The JSON decoder silently replaces invalid bytes.
	if !utf8.Valid(data) {
		return &FormatError{errors.New("they are not valid UTF-8")}
	}
	if err := decodeStrictly(data, v); err != nil {
		// A newer format probably has members that are unknown here; its
		// version is the better error.
		var only struct {
			Version int `json:"v"`
		}
		if json.Unmarshal(data, &only) == nil && only.Version > codecVersion {
			return versionError(only.Version)
		}
		return &FormatError{err}
	}
	if *version != codecVersion {
		return versionError(*version)
	}
	return nil
}

// decodeStrictly reads one JSON value, rejecting members that v does not have.
func decodeStrictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, more := d.Token(); more != io.EOF {
		return errors.New("something follows them")
	}
	return nil
}

func versionError(found int) error {
	return &FormatError{fmt.Errorf("they are of version %d, and this program reads version %d", found, codecVersion)}
}

func store(m *llm.Message) storedMessage {
	stored := storedMessage{Role: string(m.Role), Blocks: make([]storedBlock, len(m.Blocks))}
	stored.Base64 = protect(field{"role", &stored.Role})
	for i := range m.Blocks {
		b := &m.Blocks[i]
		s := &stored.Blocks[i]
		*s = storedBlock{
			Kind: b.Kind, ID: b.ID, Name: b.Name, Text: b.Text, Arguments: b.Arguments, Signature: b.Signature,
			ToolUseID: b.ToolUseID, Type: b.Type, Status: b.Status, Failed: b.Failed, Raw: rawOf(b),
		}
		fields := s.fields()
		s.Base64 = protect(fields[:]...)
	}
	return stored
}

func (m *storedMessage) message() (llm.Message, error) {
	if err := expose(m.Base64, field{"role", &m.Role}); err != nil {
		return llm.Message{}, err
	}
	message := llm.Message{Role: llm.Role(m.Role), Blocks: make([]llm.Block, len(m.Blocks))}
	for i := range m.Blocks {
		s := &m.Blocks[i]
		if s.Kind == 0 {
			return llm.Message{}, fmt.Errorf("block %d has no kind", i)
		}
		fields := s.fields()
		if err := expose(s.Base64, fields[:]...); err != nil {
			return llm.Message{}, fmt.Errorf("block %d: %w", i, err)
		}
		message.Blocks[i] = llm.Block{
			Kind: s.Kind, ID: s.ID, Name: s.Name, Text: s.Text, Arguments: s.Arguments, Signature: s.Signature,
			ToolUseID: s.ToolUseID, Type: s.Type, Status: s.Status, Failed: s.Failed,
		}
		if err := setRaw(&message.Blocks[i], s.Raw); err != nil {
			return llm.Message{}, fmt.Errorf("block %d: %w", i, err)
		}
	}
	return message, nil
}

// field is a text and the name it is stored under.
type field struct {
	name string
	text *string
}

func (s *storedBlock) fields() [8]field {
	return [...]field{
		{"id", &s.ID}, {"name", &s.Name}, {"text", &s.Text}, {"arguments", &s.Arguments}, {"signature", &s.Signature},
		{"tool_use_id", &s.ToolUseID}, {"type", &s.Type}, {"raw", &s.Raw},
	}
}

// protect encodes the texts that JSON cannot preserve, and returns their names.
func protect(fields ...field) []string {
	var names []string
	for _, f := range fields {
		if !utf8.ValidString(*f.text) {
			*f.text = base64.StdEncoding.EncodeToString([]byte(*f.text))
			names = append(names, f.name)
		}
	}
	return names
}

// expose undoes protect.
func expose(names []string, fields ...field) error {
	for i, name := range names {
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if at < 0 || slices.Contains(names[:i], name) {
			return fmt.Errorf("base64 lists %.40q, which is not a text or is listed twice", name)
		}
		text, err := base64.StdEncoding.DecodeString(*fields[at].text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		*fields[at].text = string(text)
	}
	return nil
}
