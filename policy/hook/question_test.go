package hook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/decisions"
)

func ask(t *testing.T, x *policy.Exchange, b llm.Block, before ...llm.Block) (*Question, decisions.Key) {
	t.Helper()
	h, err := New(Config{Name: "h", URL: "https://hook.test/"})
	if err != nil {
		t.Fatal(err)
	}
	q, key, err := h.questionOf(policy.NewSubject(x, b), before)
	if err != nil {
		t.Fatal(err)
	}
	return q, key
}

func requestOf(userText string, tools ...llm.Tool) *policy.Exchange {
	return &policy.Exchange{Request: &llm.Request{
		Messages: []llm.Message{{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: userText}}}}, Tools: tools,
	}}
}

func TestBlocksOfEveryKindAreSent(t *testing.T) {
	for _, c := range []struct {
		name  string
		block llm.Block
		want  string
	}{
		{"a call", llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{"a":1}`}, `"kind":"tool_call","tool":{"name":"f","declared":false},"arguments":"{\"a\":1}","parsed":{"a":1},`},
		{"a call without arguments", llm.Block{Kind: llm.ToolCall, Name: "f"}, `"tool":{"name":"f","declared":false},"parsed":{},`},
		{"a call that has two readings", llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{"a":1,"a":2}`}, `"arguments":"{\"a\":1,\"a\":2}","session"`},
		{"free text", llm.Block{Kind: llm.ToolCall, Name: "f", Type: "custom", Arguments: `{"a":1}`}, `"arguments":"{\"a\":1}","session"`},
		{"bytes that are not UTF-8", llm.Block{Kind: llm.ToolCall, Name: "f", Type: "custom", Arguments: "\xff"}, `"cut":["bytes"]`},
		{"content", llm.Block{Kind: llm.Content, Text: "hi"}, `"kind":"content","text":"hi",`},
		{"an unknown block", llm.Block{Kind: llm.Opaque, Type: "x", Raw: json.RawMessage(`{"a":1}`)}, `"kind":"opaque","text":"{\"a\":1}",`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, _ := ask(t, nil, c.block)
			if body, err := q.body(); err != nil || !strings.Contains(string(body), c.want) {
				t.Errorf("%s, %v", body, err)
			}
		})
	}
}

func TestLongContextIsCutAndTold(t *testing.T) {
	schema := func(n int) llm.Tool {
		return llm.Tool{Name: "f", Schema: json.RawMessage(`{"title":"` + strings.Repeat("s", n-len(`{"title":""}`)) + `"}`)}
	}
	text := func(n int) llm.Block { return llm.Block{Kind: llm.Content, Text: strings.Repeat("t", n)} }
	call := llm.Block{Kind: llm.ToolCall, Name: "f"}
	for _, c := range []struct {
		name   string
		x      *policy.Exchange
		before []llm.Block
		want   []string
	}{
		{"nothing", requestOf(strings.Repeat("u", maxUserText), schema(maxSchema)), slices.Repeat([]llm.Block{text(maxEarlier)}, maxBlocks), nil},
		{"the user's text", requestOf(strings.Repeat("u", maxUserText+1)), nil, []string{"user_text"}},
		{"the schema", requestOf("", schema(maxSchema+1)), nil, []string{"schema"}},
		{"a schema that is none", requestOf("", llm.Tool{Name: "f", Schema: json.RawMessage(`{`)}), nil, []string{"schema"}},
		{"a block before", nil, []llm.Block{text(maxEarlier + 1)}, []string{"before"}},
		{"blocks before", nil, slices.Repeat([]llm.Block{text(1)}, maxBlocks+1), []string{"before"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, _ := ask(t, c.x, call, c.before...)
			if !slices.Equal(q.Cut, c.want) || len(q.UserText) > maxUserText || len(q.Before) > maxBlocks || len(q.Tool.Schema) > maxSchema {
				t.Errorf("cut %q", q.Cut)
			}
			for _, e := range q.Before {
				if len(e.Text) > maxEarlier {
					t.Errorf("%d bytes of a block before", len(e.Text))
				}
			}
		})
	}
}

func TestNoCharacterIsCutInTwo(t *testing.T) {
	q, _ := ask(t, requestOf("x"+strings.Repeat("ä", maxUserText/2)), llm.Block{Kind: llm.Content, Text: "hi"})
	if len(q.UserText) != maxUserText-1 || !strings.HasSuffix(q.UserText, "ä") {
		t.Errorf("%d bytes", len(q.UserText))
	}
}

func TestAQuestionThatIsTooLongIsNotAsked(t *testing.T) {
	q, _ := ask(t, nil, llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: strings.Repeat("x", maxQuestion)})
	if _, err := q.body(); err == nil {
		t.Error("asked")
	}
}

func TestTheKeyStandsForAllThatIsAsked(t *testing.T) {
	call := llm.Block{Kind: llm.ToolCall, Name: "f", Arguments: `{"a":1,"b":2}`}
	long := strings.Repeat("x", maxUserText)
	base := func(change func(x *policy.Exchange)) *policy.Exchange {
		x := requestOf("hi", llm.Tool{Name: "f"})
		x.Session.ID, x.Key.Name, x.Request.Model = "s", "k", "m"
		if change != nil {
			change(x)
		}
		return x
	}
	text := func(s string) llm.Block { return llm.Block{Kind: llm.Content, Text: s} }
	_, want := ask(t, base(nil), call)

	for name, b := range map[string]llm.Block{
		"other order of keys": {Kind: llm.ToolCall, Name: "f", Arguments: `{ "b":2, "a":1 }`},
		"another id":          {Kind: llm.ToolCall, Name: "f", Arguments: `{"a":1,"b":2}`, ID: "call_2"},
	} {
		if _, key := ask(t, base(nil), b); key != want {
			t.Errorf("%s makes another question", name)
		}
	}
	keys := map[string]string{fmt.Sprint(want): "the first"}
	differs := func(name string, key decisions.Key) {
		if other, known := keys[fmt.Sprint(key)]; known {
			t.Errorf("%s is the same question as %s", name, other)
		}
		keys[fmt.Sprint(key)] = name
	}
	for name, change := range map[string]func(x *policy.Exchange){
		"another session":      func(x *policy.Exchange) { x.Session.ID = "s2" },
		"another directory":    func(x *policy.Exchange) { x.Session.Cwd = "/" },
		"another key":          func(x *policy.Exchange) { x.Key.Name = "k2" },
		"another group":        func(x *policy.Exchange) { x.Key.Groups = []string{"g"} },
		"another model":        func(x *policy.Exchange) { x.Request.Model = "m2" },
		"another request":      func(x *policy.Exchange) { x.Request.Messages[0].Blocks[0].Text = "ho" },
		"a long request":       func(x *policy.Exchange) { x.Request.Messages[0].Blocks[0].Text = long + "1" },
		"another long request": func(x *policy.Exchange) { x.Request.Messages[0].Blocks[0].Text = long + "2" },
		"another schema":       func(x *policy.Exchange) { x.Request.Tools[0].Schema = json.RawMessage(`{}`) },
		"no declaration":       func(x *policy.Exchange) { x.Request.Tools = nil },
	} {
		_, key := ask(t, base(change), call)
		differs(name, key)
	}
	for name, before := range map[string][]llm.Block{
		"a block before":          {text("a")},
		"another before":          {text("b")},
		"two before":              {text("a"), text("b")},
		"a long one before":       {text(long + "1")},
		"another long one before": {text(long + "2")},
	} {
		_, key := ask(t, base(nil), call, before...)
		differs(name, key)
	}
	_, key := ask(t, base(nil), llm.Block{Kind: llm.ToolCall, Name: "f", Type: "custom", Arguments: `{"a":1,"b":2}`})
	differs("free text", key)
	_, key = ask(t, base(nil), llm.Block{Kind: llm.Content, Text: `{"a":1,"b":2}`})
	differs("content", key)
}

// The question carries what policies understand of a call: what it runs and what
// it would do.
func TestWhatIsUnderstoodOfACallIsSent(t *testing.T) {
	bash := func(command string) llm.Block {
		return llm.Block{Kind: llm.ToolCall, Name: "bash", Arguments: fmt.Sprintf(`{"command":%q}`, command)}
	}
	q, key := ask(t, &policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/home/u"}}, bash("sudo rm -rf ~/x $(cat y)"))
	body, err := q.body()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"understood":{"name":"Bash","kind":"shell","commands":[`,
		`"name":"rm"`, `"sudo":true`,
		`{"verb":"delete","object":"/home/u/x","how":"rm","wide":true,"sudo":true,"text":"delete /home/u/x, and everything in it, as another user"}`,
		`"unknown":["path","substitution"]`,
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("%s is missing in %s", want, body)
		}
	}
	if _, other := ask(t, &policy.Exchange{Session: policy.Session{Cwd: "/w", Home: "/home/v"}}, bash("sudo rm -rf ~/x $(cat y)")); other == key {
		t.Error("the answer about one home is remembered for another")
	}
	if q, _ := ask(t, nil, llm.Block{Kind: llm.Content, Text: "hi"}); q.Understood != nil {
		t.Errorf("something is understood of content: %v", q.Understood)
	}
	for n, cut := range map[int]bool{maxUnderstood: false, maxUnderstood + 1: true} {
		q, _ := ask(t, nil, bash(strings.Repeat("ls\n", n)))
		if got := slices.Contains(q.Cut, "understood"); got != cut || len(q.Understood.Commands) != maxUnderstood {
			t.Errorf("of %d commands %d are sent, cut: %v", n, len(q.Understood.Commands), q.Cut)
		}
	}
}
