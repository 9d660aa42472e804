package file

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// maxConversation is the size limit of a file with the conversation of an example, and
// maxMessages that of the list in its place.
const (
	maxConversation = 4 << 20
	maxMessages     = 1000
)

// request reads what the model was asked, and so what the conversation saw and did before.
func (e *example) request(r *reader, v member) {
	q := r.object(v.value, "request", "model", "user_text", "tools", "messages", "file")
	if v.value.Kind != yaml.MappingNode {
		return
	}
	asked := &llm.Request{}
	if file, ok := q["file"]; ok {
		for _, other := range []string{"model", "user_text", "tools", "messages"} {
			if m, both := q[other]; both {
				r.problemf(m.key, "leave one of them out", "request has file, which is a whole request, and %s", other)
			}
		}
		if read := r.conversation(file); read != nil {
			asked, e.talked = read, true
		}
	}
	if m, ok := q["model"]; ok {
		asked.Model = r.text(m)
	}
	for _, name := range r.textsOrNone(q["tools"]) {
		asked.Tools = append(asked.Tools, llm.Tool{Name: name})
	}
	if m, ok := q["messages"]; ok {
		if user, both := q["user_text"]; both {
			r.problemf(user.key, "write the last message with `role: user`", "request has messages, which say what the user asked for, and user_text")
		}
		asked.Messages, e.talked = r.messages(m), true
	} else if text := r.text(q["user_text"]); text != "" {
		asked.Messages = append(asked.Messages, said(llm.User, text))
	}
	if e.exchange.Request != nil { // the call whose result is tried
		asked.Messages = append(asked.Messages, e.exchange.Request.Messages...)
	}
	e.exchange.Request = asked
}

func said(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text, Status: llm.Complete}}}
}

// conversation reads the file with a request, in the form of any provider.
func (r *reader) conversation(m member) *llm.Request {
	name := r.text(m)
	switch {
	case name == "":
		if m.value.Kind == yaml.ScalarNode {
			r.problemf(m.value, "write the name of a file of sluice record, or another request in JSON", "file is empty")
		}
		return nil
	case r.dir == "":
		r.problemf(m.value, "write messages instead", "only policy files on disk can name a file, from the directory that they are in")
		return nil
	case filepath.IsAbs(name):
		r.problemf(m.value, "write the path from the directory of the policy file", "%s is not relative", quote(name))
		return nil
	}
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	info, err := os.Stat(path)
	switch {
	case err != nil:
		r.problemf(m.value, "it is looked for in "+r.dir, "the conversation %s cannot be read: %s", quote(name), reasonOf(err))
		return nil
	case !info.Mode().IsRegular():
		r.problemf(m.value, "", "%s is not a file", quote(name))
		return nil
	case info.Size() > maxConversation:
		r.problemf(m.value, "leave out what the example does not need", "%s has %d bytes, more than %d", quote(name), info.Size(), maxConversation)
		return nil
	}
	data, err := readAtMost(path, maxConversation+1)
	if err != nil {
		r.problemf(m.value, "", "the conversation %s cannot be read: %s", quote(name), reasonOf(err))
		return nil
	}
	r.beside = append(r.beside, path)
	format, ok := wire.DetectRequest(data)
	if !ok {
		r.problemf(m.value, "write the body of a request: one that sluice record kept, or a JSON object with messages", "%s is not a request", quote(name))
		return nil
	}
	asked, err := format.ReadRequest(data)
	if err != nil {
		r.problemf(m.value, "", "%s cannot be read: %s", quote(name), err)
		return nil
	}
	return asked
}

// messages reads a conversation: messages in the form of Chat Completions or of Anthropic's
// Messages, and calls with their results in a short form.
func (r *reader) messages(m member) []llm.Message {
	if m.value.Kind != yaml.SequenceNode {
		r.problemf(m.value, "write a list of messages, [] for none", "messages is %s, not a list", describe(m.value))
		return nil
	}
	if n := len(m.value.Content); n > maxMessages {
		r.problemf(m.value, "put them into a file and name it with `file:`", "there are %d messages, more than %d", n, maxMessages)
		return nil
	}
	list := []llm.Message{}
	for i, n := range m.value.Content {
		list = append(list, r.message(n, i)...)
	}
	return list
}

// message reads one of them: a call in the short form is two.
func (r *reader) message(n *yaml.Node, number int) []llm.Message {
	before := r.report.found
	m := r.object(n, "a message", "role", "content", "name", "tool_calls", "tool_call_id", "tool", "arguments", "result")
	if n.Kind != yaml.MappingNode || r.report.found != before {
		return nil
	}
	if tool, short := m["tool"]; short {
		for _, other := range []string{"role", "content", "name", "tool_calls", "tool_call_id"} {
			if of, both := m[other]; both {
				r.problemf(of.key, "write {tool: NAME, arguments: {...}, result: TEXT} for a call with its result", "a message has tool and %s", other)
			}
		}
		id := "earlier_" + strconv.Itoa(number)
		call := llm.Block{Kind: llm.ToolCall, Type: "function", ID: id, Name: r.text(tool), Arguments: "{}", Status: llm.Complete}
		if args, ok := m["arguments"]; ok {
			if call.Arguments = r.document(args); args.value.Kind == yaml.ScalarNode && !jsonscan.IsObject(call.Arguments) {
				call.Type = "custom_tool_call"
			}
		}
		result := llm.Block{Kind: llm.ToolResult, Type: "tool_result", ToolUseID: id, Text: r.text(m["result"]), Status: llm.Complete}
		return []llm.Message{{Role: llm.Assistant, Blocks: []llm.Block{call}}, {Role: llm.ToolRole, Blocks: []llm.Block{result}}}
	}
	if _, ok := m["role"]; !ok {
		r.problemf(n, "add `role: user`, assistant or tool, or write {tool: NAME, arguments: {...}, result: TEXT} for a call with its result", "the message has no role")
		return nil
	}
	for _, other := range []string{"arguments", "result"} {
		if of, ok := m[other]; ok {
			r.problemf(of.key, "write {tool: NAME, arguments: {...}, result: TEXT}", "%s belongs to a call, and the message has no tool", other)
		}
	}
	if content, ok := m["content"]; ok && content.value.Kind == yaml.MappingNode {
		r.problemf(content.value, "write a text, or a list of parts", "content is %s, not a text or a list", describe(content.value))
	}
	if r.report.found != before {
		return nil
	}
	body := `{"model":"m","max_tokens":1,"messages":[` + string(r.json(nil, n)) + "]}"
	format, _ := wire.DetectRequest([]byte(body))
	asked, err := format.ReadRequest([]byte(body))
	if err != nil {
		r.problemf(n, "write it as Chat Completions or Anthropic's Messages have it", "the message cannot be read: %s", strings.TrimPrefix(err.Error(), "read request: "))
		return nil
	}
	list := asked.Messages
	for i := range asked.System {
		list = append([]llm.Message{said(llm.System, asked.System[i].Text)}, list...)
	}
	return list
}

// toldRequest describes the request of an example for people. talked: it has a
// conversation.
func toldRequest(asked *llm.Request, talked bool, given func(name string, values ...string)) {
	given("request.model", asked.Model)
	for _, tool := range asked.Tools {
		given("request.tools", tool.Name)
	}
	given("request.user_text", asked.UserText())
	if talked {
		given("request.messages", strconv.Itoa(len(asked.Messages)))
	}
}
