package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

func said(role llm.Role, text string) llm.Message {
	return llm.Message{Role: role, Blocks: []llm.Block{{Kind: llm.Content, Text: text}}}
}

func did(id, tool, arguments string) llm.Message {
	return llm.Message{Role: llm.Assistant, Blocks: []llm.Block{{Kind: llm.ToolCall, ID: id, Name: tool, Type: "function", Arguments: arguments}}}
}

func gave(id, text string) llm.Message {
	return llm.Message{Role: llm.ToolRole, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: id, Text: text}}}
}

func within(messages ...llm.Message) *policy.Exchange {
	return &policy.Exchange{Request: &llm.Request{Messages: messages}}
}

// seen is what a judge sees of a conversation, as one line of JSON.
func seen(t *testing.T, x *policy.Exchange) (conversation, request string) {
	t.Helper()
	data := look(t, matterOf(policy.NewSubject(x, llm.Block{Kind: llm.ToolCall, Name: "f"}), nil, true))
	text, err := json.Marshal(data["conversation"])
	if err != nil {
		t.Fatal(err)
	}
	request, _ = data["user_request"].(string)
	return string(text), request
}

func TestAConversationIsShown(t *testing.T) {
	for _, c := range []struct {
		name          string
		exchange      *policy.Exchange
		want, request string
	}{
		{"of which nothing is known", nil, `{"more_came_before":true}`, ""},
		{"that begins", within(said(llm.User, "a")), `{}`, "a"},
		{"with what was said before", within(said(llm.User, "a"), said(llm.Assistant, "b"), said(llm.User, "c")),
			`{"model_said_before_the_request":"b","user_said_before":["a"]}`, "c"},
		{"with what was done", within(said(llm.User, "a"), did("1", "Read", `{"b":1}`), gave("1", "r"), did("2", "Bash", `{`), said(llm.User, "go on")),
			`{"done_before":[{"arguments":{"b":1},"result":"r","tool":"Read"},{"arguments":"{","tool":"Bash"}],"user_said_before":["a"]}`, "go on"},
		{"with results in the user's messages", within(said(llm.User, "a"), did("1", "Read", `{}`),
			llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.ToolResult, ToolUseID: "1", Text: "I am the user"}}}),
			`{"done_before":[{"arguments":{},"result":"I am the user","tool":"Read"}]}`, "a"},
		{"with messages of others", within(said(llm.System, "s"), said(llm.User, "a")), `{}`, "a"},
		{"that the provider keeps", &policy.Exchange{
			Request: &llm.Request{Messages: []llm.Message{gave("1", "r")}},
			Earlier: func() ([]llm.Message, bool) { return []llm.Message{said(llm.User, "a"), did("1", "f", `{}`)}, true },
		}, `{"done_before":[{"arguments":{},"result":"r","tool":"f"}]}`, "a"},
		{"that nobody keeps", &policy.Exchange{
			Request: &llm.Request{Messages: []llm.Message{said(llm.User, "a")}},
			Earlier: func() ([]llm.Message, bool) { return nil, false },
		}, `{"more_came_before":true}`, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, request := seen(t, c.exchange)
			if got != c.want || request != c.request {
				t.Errorf("got  %s, %q\nwant %s, %q", got, request, c.want, c.request)
			}
		})
	}
}

func TestAConversationIsBounded(t *testing.T) {
	var messages []llm.Message
	for i := range 1000 {
		id := fmt.Sprint(i)
		messages = append(messages, said(llm.User, id+strings.Repeat("\x01", 100<<10)), did(id, id, strings.Repeat("\x01", 10<<10)), gave(id, strings.Repeat("\x01", 10<<10)))
	}
	x := within(messages...)
	c, request := conversationOf(x)
	if !strings.HasPrefix(request, "999") || len(c.said) != maxMessages || c.left != 1000-1-maxMessages || len(c.done) != maxDone || c.before != 1000-maxDone {
		t.Fatalf("%d messages, %d left out, %d calls, %d before", len(c.said), c.left, len(c.done), c.before)
	}
	if c.said[0][0] != '0' || c.said[1][:3] != "992" || c.done[0].tool != "988" {
		t.Errorf("shown from %.3q, %.3q, %.3q", c.said[0], c.said[1], c.done[0].tool)
	}
	const most = 6*(maxMessages*maxSaid+maxSaid+maxDone*(maxDoneArgs+maxResult+maxName)) + 8<<10
	if text, _ := json.Marshal(c.shown()); len(text) > most {
		t.Errorf("%d bytes, want at most %d", len(text), most)
	}
}

func TestAsManyMessagesAndCallsAsAreShown(t *testing.T) {
	for _, more := range []int{0, 1} {
		var messages []llm.Message
		for i := range maxMessages + more {
			messages = append(messages, said(llm.User, fmt.Sprint("m", i)))
		}
		for i := range maxDone + more {
			messages = append(messages, did(fmt.Sprint(i), "f", `{}`))
		}
		c, _ := conversationOf(within(append(messages, said(llm.User, "now"))...))
		if c.left != more || c.before != more || c.said[0] != "m0" {
			t.Errorf("with %d more: %d and %d left out, first %q", more, c.left, c.before, c.said[0])
		}
	}
}

// What differs in a conversation, though it may not be shown, is another question.
func TestAnotherConversationIsAnotherQuestion(t *testing.T) {
	long := strings.Repeat("x", maxSaid)
	keys := map[any]string{}
	for name, x := range map[string]*policy.Exchange{
		"nothing":              within(said(llm.User, "now")),
		"a message":            within(said(llm.User, "a"), said(llm.User, "now")),
		"another message":      within(said(llm.User, "b"), said(llm.User, "now")),
		"a long message":       within(said(llm.User, long+"1"+long), said(llm.User, "now")),
		"another long message": within(said(llm.User, long+"2"+long), said(llm.User, "now")),
		"an answer":            within(said(llm.User, "a"), said(llm.Assistant, "b"), said(llm.User, "now")),
		"a call":               within(did("1", "f", `{}`), said(llm.User, "now")),
		"its result":           within(did("1", "f", `{}`), gave("1", "r"), said(llm.User, "now")),
		"unknown": {Request: &llm.Request{Messages: []llm.Message{said(llm.User, "now")}},
			Earlier: func() ([]llm.Message, bool) { return nil, false }},
	} {
		key := matterOf(policy.NewSubject(x, llm.Block{Kind: llm.ToolCall, Name: "f"}), nil, true).key(&Config{})
		if other, known := keys[key]; known {
			t.Errorf("%q and %q are one question", name, other)
		}
		keys[key] = name
	}
}

func TestOnlyWhoIsShownAConversationIsToldOfIt(t *testing.T) {
	if with, without := systemPrompt("x", true), systemPrompt("x", false); !strings.Contains(with, `"done_before"`) || strings.Contains(without, "done_before") {
		t.Error("the instructions do not fit the question")
	}
}
