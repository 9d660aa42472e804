package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// task is the prompt that makes the agent run commands, all of them in one answer.
func task(commands ...string) string {
	return "Use your shell tool. RUN[" + strings.Join(commands, "]END RUN[") + "]END Then tell me what it printed."
}

var taskCommand = regexp.MustCompile(`RUN\[(.*?)\]END`)

// question is what the agent reads of a request.
type question struct {
	model    string
	stream   bool
	usage    bool
	commands []string // of the task; can be empty
	shell    *shell   // the client's own, nil if it declared none
	// answered is true if the model spoke since the task was given; results are what tools returned since.
	answered bool
	results  []string
}

// shell is how a client calls its shell tool, and how it wants to be called.
type shell struct {
	name      string
	namespace string
	custom    bool // takes free text instead of an object
	arguments func(command string) string
}

func object(name string, more ...string) func(string) string {
	return func(command string) string {
		arguments := map[string]any{name: command}
		for i := 0; i+1 < len(more); i += 2 {
			arguments[more[i]] = more[i+1]
		}
		text, err := json.Marshal(arguments)
		if err != nil {
			panic(err) // strings always encode
		}
		return string(text)
	}
}

// shells are the shell tools of the clients, by the name that they declare.
var shells = map[string]shell{
	"Bash":              {arguments: object("command", "description", "run a command")}, // Claude Code
	"bash":              {arguments: object("command", "description", "run a command")}, // opencode
	"exec_command":      {arguments: object("cmd")},                                     // Codex
	"run_shell_command": {arguments: object("command", "description", "run a command")}, // Gemini CLI, Qwen Code
	"run_command":       {arguments: object("command")},                                 // the SDK tests
	"exec": {custom: true, arguments: func(command string) string { // Codex with models it knows
		return "const result = await tools.exec_command(" + object("cmd")(command) + ");\ntext(result.output);\n"
	}},
}

// Answer returns what the agent says: a call of the shell tool for a fresh task, else a closing text. Requests
// on the side (titles, summaries, probes) declare no shell tool and get a text as well.
func (q *question) Answer(number int) []llm.Block {
	if len(q.commands) == 0 || q.shell == nil || q.answered {
		text := "All done."
		if len(q.results) > 0 {
			text = "The tool said: " + strings.Join(q.results, "\n")
		}
		return []llm.Block{{Kind: llm.Content, Text: text}}
	}
	blocks := []llm.Block{{Kind: llm.Content, Text: "I will run it."}}
	for i, command := range q.commands {
		call := llm.Block{Kind: llm.ToolCall, ID: fmt.Sprintf("call_e2e_%d_%d", number, i), Name: q.shell.name, Arguments: q.shell.arguments(command)}
		if q.shell.custom {
			call.Type = "custom_tool_call"
		}
		blocks = append(blocks, call)
	}
	return blocks
}

// read understands a request of a dialect.
func read(dialect, path string, body []byte) *question {
	root := gjson.ParseBytes(body)
	q := &question{model: root.Get("model").String(), stream: root.Get("stream").Bool(), usage: root.Get("stream_options.include_usage").Bool()}
	switch dialect {
	case sluicetest.Gemini:
		q.stream = strings.HasSuffix(path, ":streamGenerateContent")
		q.model = strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ":streamGenerateContent")
		q.declared(root.Get("tools.#.functionDeclarations|@flatten"), "")
		q.gemini(root.Get("contents"))
	case sluicetest.OpenAIResponses:
		q.declared(root.Get("tools"), "")
		q.declared(root.Get(`input.#(type=="additional_tools")#.tools|@flatten`), "")
		q.responses(root.Get("input"))
	default:
		q.declared(root.Get("tools"), "")
		q.messages(root.Get("messages"))
	}
	return q
}

// declared looks for the client's shell among the declared tools, groups included.
func (q *question) declared(tools gjson.Result, namespace string) {
	for _, tool := range tools.Array() {
		if tool.Get("type").String() == "namespace" {
			q.declared(tool.Get("tools"), tool.Get("name").String())
			continue
		}
		name := tool.Get("name").String() + tool.Get("function.name").String()
		if known, ok := shells[name]; ok && q.shell == nil && (!known.custom || tool.Get("type").String() == "custom") {
			known.name, known.namespace = name, namespace
			q.shell = &known
		}
	}
}

// user, model and result take notice of one part of the conversation, in order. A task begins a new one.
func (q *question) user(text string) {
	matches := taskCommand.FindAllStringSubmatch(text, -1)
	if matches == nil {
		return
	}
	q.commands, q.answered, q.results = nil, false, nil
	for _, match := range matches {
		q.commands = append(q.commands, match[1])
	}
}

func (q *question) spoke() { q.answered = true }

func (q *question) result(content gjson.Result) {
	q.answered = true
	q.results = append(q.results, strings.Join(texts(content), "\n"))
}

// messages reads the conversations of Anthropic and Chat Completions.
func (q *question) messages(messages gjson.Result) {
	for _, message := range messages.Array() {
		content := message.Get("content")
		switch message.Get("role").String() {
		case "user":
			for _, text := range texts(content) {
				q.user(text)
			}
			for _, part := range content.Array() {
				if part.Get("type").String() == "tool_result" {
					q.result(part.Get("content"))
				}
			}
		case "tool":
			q.result(content)
		case "assistant":
			q.spoke()
		}
	}
}

// responses reads the items of Responses.
func (q *question) responses(input gjson.Result) {
	if input.Type == gjson.String {
		q.user(input.String())
		return
	}
	for _, item := range input.Array() {
		kind := item.Get("type").String()
		switch {
		case strings.HasSuffix(kind, "_call_output"):
			q.result(item.Get("output"))
		case strings.HasSuffix(kind, "_call"), item.Get("role").String() == "assistant":
			q.spoke()
		case item.Get("role").String() == "user":
			for _, text := range texts(item.Get("content")) {
				q.user(text)
			}
		}
	}
}

// gemini reads the contents of Gemini.
func (q *question) gemini(contents gjson.Result) {
	for _, content := range contents.Array() {
		for _, part := range content.Get("parts").Array() {
			switch {
			case content.Get("role").String() == "model":
				q.spoke()
			case part.Get("functionResponse").Exists():
				q.result(part.Get("functionResponse.response|@values"))
			default:
				q.user(part.Get("text").String())
			}
		}
	}
}

// texts returns the texts of a content, which is a string or a list of strings and parts.
func texts(content gjson.Result) []string {
	if content.Type == gjson.String {
		return []string{content.String()}
	}
	var out []string
	for _, part := range content.Array() {
		switch {
		case part.Type == gjson.String:
			out = append(out, part.String())
		case part.Get("text").Exists():
			out = append(out, part.Get("text").String())
		}
	}
	return out
}
