package judge

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

// How much of each text a judge is shown, in bytes; see the package comment.
const (
	maxBody        = 32 << 10
	maxSchema      = 8 << 10
	maxDescription = 2 << 10
	maxUserText    = 8 << 10
	maxEarlier     = 2 << 10
	maxBlocks      = 16
	maxName        = 256
)

// matter is what a judge is asked about.
type matter struct {
	block    llm.Block
	tool     *llm.Tool
	userText string
	before   []llm.Block
	// past is nil unless it is to be shown.
	past *conversation
	// body is the arguments or the text, canonical if isJSON is true.
	body   string
	isJSON bool
}

func matterOf(s *policy.Subject, before []llm.Block, conversation bool) *matter {
	m := &matter{block: s.Block, tool: s.Tool(), before: before}
	if conversation {
		m.past, m.userText = conversationOf(s.Exchange)
	} else if req := s.Exchange.Asked(); req != nil {
		m.userText = req.UserText()
	}
	m.body, m.isJSON = bodyOf(&s.Block)
	return m
}

// bodyOf returns the content of a block, canonical if its reader parses it as JSON.
func bodyOf(b *llm.Block) (body string, isJSON bool) {
	switch {
	case isCall(b) && b.Freeform():
		return b.Arguments, false
	case isCall(b):
		if canonical, ok := decisions.Canonical(b.Arguments); ok {
			return canonical, true
		}
		return b.Arguments, false
	case b.Text == "":
		return string(b.Raw), false // a block of unknown form is judged by all of its JSON
	}
	return b.Text, false
}

func isCall(b *llm.Block) bool { return b.Kind == llm.ToolCall || b.Kind == llm.ServerTool }

// key identifies everything that the answer depends on, at full length: parts
// that are cut from the question still make it a different one.
func (m *matter) key(cfg *Config) decisions.Key {
	parts := make([]string, 0, 16+4*len(m.before))
	parts = append(parts,
		cfg.Version, cfg.Name, cfg.Instructions,
		m.block.Kind.String(), m.block.Type, m.block.Name, strconv.FormatBool(m.isJSON), m.body, m.userText)
	if t := m.tool; t != nil {
		parts = append(parts, "declared", t.Type, t.Description, string(t.Schema))
	} else {
		parts = append(parts, "undeclared", "", "", "")
	}
	for i := range m.before {
		b := &m.before[i]
		body, _ := bodyOf(b)
		parts = append(parts, b.Kind.String(), b.Type, b.Name, body)
	}
	if m.past != nil {
		parts = append(parts, m.past.parts()...)
	}
	return decisions.KeyOf(parts...)
}

// document is the question as JSON.
type document struct {
	Kind      string   `json:"kind"`
	Tool      *tool    `json:"tool,omitempty"`
	Arguments any      `json:"arguments,omitempty"`
	Text      any      `json:"text,omitempty"`
	AsWritten bool     `json:"arguments_shown_as_written,omitempty"`
	UserText  any      `json:"user_request,omitempty"`
	Past      *history `json:"conversation,omitempty"`
	Earlier   []piece  `json:"earlier_in_this_answer,omitempty"`
	Omitted   int      `json:"earlier_blocks_left_out,omitempty"`
	NotShown  []string `json:"not_shown_in_full,omitempty"`
}

type tool struct {
	Name        any  `json:"name"`
	Type        any  `json:"type,omitempty"`
	Declared    bool `json:"declared_in_the_request"`
	Description any  `json:"description,omitempty"`
	Schema      any  `json:"schema,omitempty"`
}

type piece struct {
	Kind      string `json:"kind"`
	Tool      any    `json:"tool,omitempty"`
	Arguments any    `json:"arguments,omitempty"`
	Text      any    `json:"text,omitempty"`
}

// excerpt is a text that is too long to be shown in full. No text can imitate
// it, because texts are strings.
type excerpt struct {
	Beginning string `json:"beginning"`
	LeftOut   int    `json:"bytes_left_out"`
	End       string `json:"end"`
}

// shown returns a text as it is shown, nil for none.
func shown(text string, most int) any {
	switch {
	case text == "":
		return nil
	case len(text) <= most:
		return text
	}
	head, tail := most/2, len(text)-most/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return excerpt{Beginning: text[:head], LeftOut: tail - head, End: text[tail:]}
}

// shownJSON returns JSON as itself if it is short enough.
func shownJSON(text string, most int) any {
	if len(text) <= most && text != "" && jsonscan.Valid([]byte(text)) == nil {
		return json.RawMessage(text)
	}
	return shown(text, most)
}

// notShown names what is not shown in full.
func (m *matter) notShown() []string {
	var names []string
	add := func(name, text string, most int) {
		if len(text) > most {
			names = append(names, name)
		}
	}
	if isCall(&m.block) {
		add("name", m.block.Name, maxName)
		add("arguments", m.body, maxBody)
	} else {
		add("text", m.body, maxBody)
	}
	if m.tool != nil {
		add("description", m.tool.Description, maxDescription)
		add("schema", string(m.tool.Schema), maxSchema)
	}
	add("user_request", m.userText, maxUserText)
	return names
}

func (m *matter) document() document {
	d := document{Kind: m.block.Kind.String(), UserText: shown(m.userText, maxUserText), NotShown: m.notShown()}
	switch {
	case !isCall(&m.block):
		d.Text = shown(m.body, maxBody)
	case m.isJSON:
		d.Arguments = shownJSON(m.body, maxBody)
	default:
		d.Arguments, d.AsWritten = shown(m.body, maxBody), true
	}
	if isCall(&m.block) {
		d.Tool = &tool{Name: shown(m.block.Name, maxName), Type: shown(m.block.Type, maxName), Declared: m.tool != nil}
		if m.tool != nil {
			d.Tool.Description = shown(m.tool.Description, maxDescription)
			d.Tool.Schema = shownJSON(string(m.tool.Schema), maxSchema)
		}
	}
	if m.past != nil {
		d.Past = m.past.shown()
	}
	before := m.before
	if d.Omitted = max(0, len(before)-maxBlocks); d.Omitted > 0 {
		before = before[d.Omitted:]
	}
	for i := range before {
		b := &before[i]
		body, isJSON := bodyOf(b)
		p := piece{Kind: b.Kind.String()}
		switch {
		case isCall(b) && isJSON:
			p.Tool, p.Arguments = shown(b.Name, maxName), shownJSON(body, maxEarlier)
		case isCall(b):
			p.Tool, p.Arguments = shown(b.Name, maxName), shown(body, maxEarlier)
		default:
			p.Text = shown(body, maxEarlier)
		}
		d.Earlier = append(d.Earlier, p)
	}
	return d
}

// question returns the text of the question and its id, which is random and
// does not occur in what others wrote.
func (m *matter) question() (id, text string) {
	data := encode(m.document())
	for id == "" || strings.Contains(data, id) {
		id = rand.Text()
	}
	return id, userPrompt(id, data)
}

// encode returns one line of JSON in which everything is visible: characters
// that are invisible, or change what is shown, are escaped.
func encode(d document) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(d); err != nil {
		return "{}" // cannot happen: it is made of strings and of JSON that was checked
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	var out strings.Builder
	out.Grow(len(line))
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r < utf8.RuneSelf && r != 0x7f || unicode.IsPrint(r) && r != utf8.RuneError:
			out.Write(line[i : i+size])
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		i += size
	}
	return out.String()
}
