package file

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"

	"go.yaml.in/yaml/v3"
)

// example is a test case of a policy.
type example struct {
	where place
	// shell is a command that is tried in every client's form; block is what is
	// tried otherwise.
	shell string
	block llm.Block
	// text: the block is a text, of every kind that the policy applies to.
	text     bool
	exchange *policy.Exchange
	talked   bool // its request has a conversation
	// placed is the same exchange with the directories that it leaves out, which most
	// clients report; nil if it leaves out none.
	placed *policy.Exchange
	want   string
	// gives is what the block becomes; givesJSON is compared ignoring layout.
	gives     *string
	givesJSON bool
}

// example reads an example.
func (r *reader) example(n *yaml.Node) (example, bool) {
	before := r.report.found
	m := r.object(n, "the example", keyNames(exampleKeys)...)
	if n.Kind != yaml.MappingNode {
		return example{}, false
	}
	e := example{where: at(n), exchange: &policy.Exchange{}}
	forms := 0
	if v, ok := m["shell"]; ok {
		forms++
		if e.shell = r.text(v); e.shell == "" && v.value.Kind == yaml.ScalarNode && v.value.ShortTag() == "!!str" {
			r.problemf(v.value, "write one", "the command of the example is empty")
		}
	}
	if v, ok := m["tool"]; ok {
		forms++
		e.block = llm.Block{Kind: llm.ToolCall, ID: "call_1", Name: r.text(v), Type: "function", Status: llm.Complete}
	}
	if v, ok := m["text"]; ok {
		forms++
		e.text = true
		e.block = llm.Block{Kind: llm.Content, Text: r.text(v), Status: llm.Complete}
	}
	if v, ok := m["result"]; ok {
		forms++
		e.result(r, v)
	}
	if forms != 1 {
		r.problemf(n, "write shell, tool with arguments, text or result", "the example has %d of shell, tool, text and result", forms)
	}
	if v, ok := m["arguments"]; ok {
		if _, tool := m["tool"]; !tool {
			r.problemf(v.key, "add `tool:`", "arguments belong to a tool")
		}
		e.block.Arguments = r.document(v)
		if v.value.Kind == yaml.ScalarNode && !jsonscan.IsObject(e.block.Arguments) {
			e.block.Type = "custom_tool_call" // a tool that takes text
		}
	}
	e.want = r.word(m["want"], append([]string{"judge", wantError}, actionWords...)...)
	if _, ok := m["want"]; !ok {
		r.problemf(n, "add `want: block`, or another of judge, error, "+words.OneOf(actionWords), "the example does not say what it wants")
	}
	if v, ok := m["gives"]; ok {
		text := r.document(v)
		e.gives, e.givesJSON = &text, v.value.Kind == yaml.MappingNode
	}
	e.surroundings(r, m)
	return e, r.report.found == before
}

// result reads the result of a tool, with the call that it answers.
func (e *example) result(r *reader, v member) {
	m := r.object(v.value, "result", "tool", "text")
	e.block = llm.Block{Kind: llm.ToolResult, ToolUseID: "call_1", Text: r.text(m["text"]), Status: llm.Complete}
	if tool := r.text(m["tool"]); tool != "" {
		e.block.Name = tool
		e.exchange.Request = &llm.Request{Messages: []llm.Message{{
			Role:   llm.Assistant,
			Blocks: []llm.Block{{Kind: llm.ToolCall, ID: "call_1", Name: tool, Status: llm.Complete}},
		}, {Role: llm.ToolRole, Blocks: []llm.Block{e.block}}}}
	}
}

// wantError is what an example wants whose condition cannot be evaluated.
const wantError = "error"

// surroundings reads the context of the block.
func (e *example) surroundings(r *reader, m map[string]member) {
	if v, ok := m["now"]; ok {
		e.exchange.Now = r.time(v)
	}
	var s map[string]member
	if v, ok := m["session"]; ok {
		s = r.object(v.value, "session", "id", "client", "cwd", "home", "labels")
		e.exchange.Session = policy.Session{
			ID: r.text(s["id"]), Client: r.text(s["client"]), Cwd: r.text(s["cwd"]), Home: r.text(s["home"]),
			Labels: r.textsOrNone(s["labels"]),
		}
	}
	if v, ok := m["key"]; ok {
		k := r.object(v.value, "key", "name", "user", "groups")
		e.exchange.Key = policy.Key{Name: r.text(k["name"]), User: r.text(k["user"]), Groups: r.textsOrNone(k["groups"])}
	}
	if v, ok := m["request"]; ok {
		e.request(r, v)
	}
	e.place(s)
}

// workplace is where examples work that do not say where they do.
var workplace = effect.Place{Cwd: "/home/user/project", Home: "/home/user"}

// place adds the directories that the session of an example, with these members, leaves
// out. One that is given as empty is not to be known.
func (e *example) place(session map[string]member) {
	placed := policy.Exchange{Session: e.exchange.Session, Key: e.exchange.Key, Request: e.exchange.Request, Now: e.exchange.Now}
	for _, dir := range []struct {
		name, usual string
		of          *string
	}{{"cwd", workplace.Cwd, &placed.Session.Cwd}, {"home", workplace.Home, &placed.Session.Home}} {
		if _, given := session[dir.name]; !given {
			*dir.of, e.placed = dir.usual, &placed
		}
	}
}

// document returns a mapping as JSON, and a text as it is.
func (r *reader) document(m member) string {
	if m.value.Kind != yaml.MappingNode {
		return r.text(m)
	}
	return string(r.json(nil, m.value))
}

// json writes a value as JSON, members in their order.
func (r *reader) json(out []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode:
		out = append(out, '{')
		for i, m := range r.members(n, "arguments") {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(jsonscan.AppendString(out, m.name), ':')
			out = r.json(out, m.value)
		}
		return append(out, '}')
	case yaml.SequenceNode:
		out = append(out, '[')
		for i, item := range n.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = r.json(out, item)
		}
		return append(out, ']')
	default:
		return r.jsonScalar(out, n)
	}
}

func (r *reader) jsonScalar(out []byte, n *yaml.Node) []byte {
	switch n.ShortTag() {
	case "!!null":
		return append(out, "null"...)
	case "!!bool", "!!int", "!!float":
		var value any
		if err := n.Decode(&value); err == nil {
			if encoded, err := json.Marshal(value); err == nil {
				return append(out, encoded...)
			}
		}
		r.problemf(n, "put it in quotes", "%s cannot be written as JSON", describe(n))
		return append(out, "null"...)
	default:
		return jsonscan.AppendString(out, n.Value)
	}
}

// blocks returns the blocks that the example tries on a policy.
func (e *example) blocks(g *guard) []llm.Block {
	applies := g.applies
	switch {
	case e.shell != "" && g.asksWhose():
		return call.ClientShapes(e.shell)
	case e.shell != "":
		return call.Shapes(e.shell)
	}
	block := e.block
	if block.Kind == llm.ToolCall && !applies.Has(llm.ToolCall) && applies.Has(llm.ServerTool) {
		block.Kind = llm.ServerTool
	}
	if !e.text {
		return []llm.Block{block}
	}
	var blocks []llm.Block
	for _, kind := range []llm.Kind{llm.Content, llm.Refusal, llm.Thinking, policy.Prompt} {
		if block.Kind = kind; applies.Has(kind) {
			blocks = append(blocks, block)
		}
	}
	if len(blocks) == 0 {
		block.Kind = llm.Content
		blocks = append(blocks, block)
	}
	return blocks
}

// shown names a block in a message.
func shown(b *llm.Block) string {
	switch b.Kind {
	case llm.ToolCall, llm.ServerTool:
		return strings.TrimSpace(b.Name + " " + clip(b.Arguments))
	default:
		return fmt.Sprintf("%s %s", b.Kind, strconv.Quote(clip(b.Text)))
	}
}
