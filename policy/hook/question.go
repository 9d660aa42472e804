package hook

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// Version is the version of the question's format.
const Version = 1

// How much of the context is sent, in bytes, and the maximum size of a
// question; see the package comment.
const (
	maxUserText = 64 << 10
	maxSchema   = 64 << 10
	maxEarlier  = 16 << 10
	maxBlocks   = 32
	maxQuestion = 16 << 20
)

// Question is the body of a request. Receivers in Go can read it into this
// type.
type Question struct {
	// Version is the version of this format.
	Version int `json:"version"`
	// ID is random and the same for all attempts at one question.
	ID string `json:"id"`
	// Policy and PolicyVersion name the policy that asks.
	Policy        string `json:"policy"`
	PolicyVersion string `json:"policy_version,omitempty"`
	// Stage is where the block is: answer or request.
	Stage policy.Stage `json:"stage"`
	// Kind is what the block is: tool_call, content and so on.
	Kind string `json:"kind"`
	// Tool is the called tool, nil if the block is not a call.
	Tool *Tool `json:"tool,omitempty"`
	// Arguments are those of a call, exactly as the model wrote them; Parsed is
	// their unambiguous reading as a JSON object with sorted keys, if there is
	// one and it loses nothing.
	Arguments string          `json:"arguments,omitempty"`
	Parsed    json.RawMessage `json:"parsed,omitempty"`
	// Text is the text of any other block. Blocks without a text are sent as
	// their JSON.
	Text string `json:"text,omitempty"`
	// UserText is what the person asked for.
	UserText string `json:"user_text,omitempty"`
	// Before are the last preceding blocks of the same answer.
	Before  []Earlier `json:"before,omitempty"`
	Session Session   `json:"session"`
	Key     Key       `json:"key"`
	Request Request   `json:"request"`
	// Understood is the analysis of a call, nil if the block is not one.
	Understood *Understood `json:"understood,omitempty"`
	// Cut lists what is incomplete: user_text, schema, before, understood, or bytes if
	// the arguments or the text have some that are not UTF-8 and were replaced.
	Cut []string `json:"cut,omitempty"`
}

// Tool is a called tool.
type Tool struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	// Declared says whether the request declares a tool of that name.
	Declared bool            `json:"declared"`
	Schema   json.RawMessage `json:"schema,omitempty"`
}

// Earlier is a block that came before.
type Earlier struct {
	Kind      string `json:"kind"`
	Name      string `json:"name,omitempty"`
	Text      string `json:"text,omitempty"`
	Arguments string `json:"arguments,omitempty"`
}

// Session is the client's conversation, as far as it is known.
type Session struct {
	ID     string   `json:"id,omitempty"`
	Client string   `json:"client,omitempty"`
	Cwd    string   `json:"cwd,omitempty"`
	Home   string   `json:"home,omitempty"`
	Labels []string `json:"labels,omitempty"`
}

// Key is who asked the model. It has a name, never the key itself.
type Key struct {
	Name   string   `json:"name,omitempty"`
	User   string   `json:"user,omitempty"`
	Groups []string `json:"groups,omitempty"`
}

// Request is what the model was asked.
type Request struct {
	Model string `json:"model,omitempty"`
}

// questionOf returns the question about a subject, without an id, and the key
// of its answer.
func (h *Hook) questionOf(s *policy.Subject, before []llm.Block) (*Question, decisions.Key, error) {
	x := s.Exchange
	q := &Question{
		Version: Version, Policy: h.cfg.Name, PolicyVersion: h.cfg.Version, Stage: s.Stage, Kind: s.Block.Kind.String(),
		Session: Session{ID: x.Session.ID, Client: x.Session.Client, Cwd: x.Session.Cwd, Home: x.Session.Home, Labels: x.Session.Labels},
		Key:     Key{Name: x.Key.Name, User: x.Key.User, Groups: x.Key.Groups},
	}
	body := said(&s.Block)
	canonical, parsed := body, false
	if isCall(&s.Block) {
		q.Arguments = body
		q.understand(s)
		q.Tool = &Tool{Name: s.Block.Name, Type: s.Block.Type, Declared: s.Tool() != nil}
		if !s.Block.Freeform() {
			if text, ok := decisions.Canonical(body); ok {
				canonical, parsed = text, true
				q.Parsed = json.RawMessage(text)
			}
		}
	} else {
		q.Text = body
	}
	if !utf8.ValidString(body) {
		q.cut("bytes") // JSON cannot hold them
	}
	var userText, schema string
	if asked := x.Asked(); asked != nil {
		q.Request.Model = asked.Model
		userText = asked.UserText()
		q.UserText = q.beginning("user_text", userText, maxUserText)
	}
	if declared := s.Tool(); declared != nil && q.Tool != nil {
		schema = string(declared.Schema)
		q.schema(schema)
	}
	parts := []string{strconv.FormatBool(parsed), canonical, userText, schema}
	if drop := len(before) - maxBlocks; drop > 0 {
		q.cut("before")
	}
	for i := range before {
		b := &before[i]
		text := said(b)
		parts = append(parts, b.Kind.String(), b.Name, text)
		if i < len(before)-maxBlocks {
			continue
		}
		e := Earlier{Kind: b.Kind.String(), Name: b.Name}
		if isCall(b) {
			e.Arguments = q.beginning("before", text, maxEarlier)
		} else {
			e.Text = q.beginning("before", text, maxEarlier)
		}
		q.Before = append(q.Before, e)
	}
	key, err := q.key(parts)
	return q, key, err
}

// key identifies everything that the answer depends on: the question as it is
// sent, with the arguments in their canonical form and the context at full
// length.
func (q *Question) key(parts []string) (decisions.Key, error) {
	rest := *q
	rest.Arguments, rest.Text, rest.Parsed, rest.UserText, rest.Before = "", "", nil, "", nil
	body, err := encode(&rest)
	if err != nil {
		return decisions.Key{}, err
	}
	return decisions.KeyOf(append(parts, string(body))...), nil
}

// body returns the question with an id, as it is sent.
func (q *Question) body() ([]byte, error) {
	sent := *q
	sent.ID = rand.Text()
	body, err := encode(&sent)
	if err == nil && len(body) > maxQuestion {
		err = fmt.Errorf("the question has %d bytes, more than the %d that are sent", len(body), maxQuestion)
	}
	return body, err
}

func encode(q *Question) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(q); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// schema adds a schema if it can be sent whole: half of one is useless.
func (q *Question) schema(text string) {
	switch {
	case text == "":
	case len(text) > maxSchema || !utf8.ValidString(text) || jsonscan.Valid([]byte(text)) != nil:
		q.cut("schema")
	default:
		q.Tool.Schema = json.RawMessage(text)
	}
}

// beginning returns the part of a text that is sent.
func (q *Question) beginning(member, text string, most int) string {
	if len(text) <= most {
		return text
	}
	q.cut(member)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// cut records once that a member is incomplete.
func (q *Question) cut(member string) {
	if !slices.Contains(q.Cut, member) {
		q.Cut = append(q.Cut, member)
	}
}

// said is the text of a block, or all of its JSON if it has none.
func said(b *llm.Block) string {
	switch {
	case isCall(b):
		return b.Arguments
	case b.Text == "":
		return string(b.Raw)
	}
	return b.Text
}

func isCall(b *llm.Block) bool { return b.Kind == llm.ToolCall || b.Kind == llm.ServerTool }
