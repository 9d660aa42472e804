package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

type city struct {
	City string `json:"city"`
}

// A tool made from a function is declared, called with the decoded arguments, and its result ends the run at once if it is
// a direct one.
func TestBehaviour120OneToolIsRunAndMayReturnDirectly(t *testing.T) {
	for _, direct := range []bool{false, true} {
		m := scripted.New(
			scripted.Round{scripted.Call("weather", `{"city":"Paris"}`)},
			scripted.Round{scripted.Text("It is sunny.")},
		)
		var asked string
		weather := agent.NewTool("weather", "The weather.", func(_ context.Context, in city) (string, error) {
			asked = in.City
			return "sunny", nil
		})
		weather.ReturnDirect = direct
		c, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{weather}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Call(t.Context(), &agent.Request{Text: "?"})
		if err != nil {
			t.Fatal(err)
		}
		want, rounds := "It is sunny.", 2
		if direct {
			want, rounds = "sunny", 1
		}
		if r.Text() != want || asked != "Paris" || len(m.Requests()) != rounds {
			t.Errorf("direct %v: answered %q after %d rounds, asked for %q", direct, r.Text(), len(m.Requests()), asked)
		}
	}
}

// Tools made of typed functions and tools that read the raw call, or the values of the run, work side by side.
func TestBehaviour125TypedAndPlainToolsWorkTogether(t *testing.T) {
	m := scripted.New(
		scripted.Round{scripted.Call("typed", `{"city":"Paris"}`), scripted.Call("plain", `{"city":"Rome"}`)},
		scripted.Round{scripted.Text("done")},
	)
	typed := agent.NewTool("typed", "", func(_ context.Context, in city) (string, error) { return in.City, nil })
	plain := &agent.Tool{Name: "plain", Run: func(_ context.Context, c agent.Call) (agent.Output, error) {
		return agent.Output{Text: string(c.Arguments)}, nil
	}}
	c, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{typed, plain}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), &agent.Request{Text: "?"}); err != nil {
		t.Fatal(err)
	}
	messages := m.Requests()[1].Messages
	results := messages[len(messages)-1].Blocks
	if len(results) != 2 || results[0].Text != "Paris" || results[1].Text != `{"city":"Rome"}` {
		t.Errorf("the results are %+v", results)
	}
}

// Empty arguments mean an empty object, and nested ones arrive whole.
func TestBehaviour127EmptyArgumentsAreAnEmptyObject(t *testing.T) {
	type nested struct {
		Deep map[string][]city `json:"deep,omitempty"`
	}
	tool := agent.NewTool("x", "", func(_ context.Context, in nested) (int, error) { return len(in.Deep["a"]), nil })
	for arguments, want := range map[string]string{
		"": "0", "{}": "0", "\n{}\n": "0", `{"deep":{"a":[{"city":"Rome"},{"city":"Oslo"}]}}`: "2",
	} {
		out, err := call(t, tool, arguments)
		if err != nil || out.Text != want || out.Failed {
			t.Errorf("%q: %+v %v, want %s", arguments, out, err, want)
		}
	}
}

// Malformed arguments never reach a typed function: the model is told what is wrong and can call again, where Spring AI
// passes them to the tool.
func TestDifferent127MalformedArgumentsDoNotReachTheFunction(t *testing.T) {
	called := false
	tool := agent.NewTool("x", "", func(context.Context, city) (string, error) { called = true; return "", nil })
	for _, arguments := range []string{`{"city":`, `"city"`, `{"city":"a"}}`, `null`, `{"city":"a","city":"b"}`} {
		if _, err := call(t, tool, arguments); err == nil || !strings.HasPrefix(err.Error(), "not run: ") {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	if called {
		t.Error("the function was called")
	}
}

// What a function returns is sent to the model as text if it is text and otherwise as JSON, without unnecessary escapes.
func TestBehaviour130ResultsAreToldAsTextOrJSON(t *testing.T) {
	type in = struct{}
	type out struct {
		A string `json:"a"`
	}
	for name, tc := range map[string]struct {
		tool *agent.Tool
		want string
	}{
		"nothing":             {agent.NewTool("x", "", func(context.Context, in) (struct{}, error) { return struct{}{}, nil }), "done"},
		"a nil pointer":       {agent.NewTool("x", "", func(context.Context, in) (*out, error) { var none *out; return none, nil }), "done"},
		"a nil any":           {agent.NewTool("x", "", func(context.Context, in) (any, error) { var none any; return none, nil }), "done"},
		"a string":            {agent.NewTool("x", "", func(context.Context, in) (string, error) { return `say "hi"`, nil }), `say "hi"`},
		"a string in an any":  {agent.NewTool("x", "", func(context.Context, in) (any, error) { return "hi", nil }), "hi"},
		"a string of JSON":    {agent.NewTool("x", "", func(context.Context, in) (string, error) { return `{"a": 1}`, nil }), `{"a": 1}`},
		"an empty string":     {agent.NewTool("x", "", func(context.Context, in) (string, error) { return "", nil }), ""},
		"text in bytes":       {agent.NewTool("x", "", func(context.Context, in) ([]byte, error) { return []byte("héllo"), nil }), "héllo"},
		"raw JSON":            {agent.NewTool("x", "", func(context.Context, in) (json.RawMessage, error) { return json.RawMessage(`{"a": 1}`), nil }), `{"a": 1}`},
		"no raw JSON":         {agent.NewTool("x", "", func(context.Context, in) (json.RawMessage, error) { return nil, nil }), "done"},
		"an object":           {agent.NewTool("x", "", func(context.Context, in) (out, error) { return out{"<b>&\u2028"}, nil }), `{"a":"<b>&\u2028"}`},
		"a pointer":           {agent.NewTool("x", "", func(context.Context, in) (*out, error) { return &out{"1"}, nil }), `{"a":"1"}`},
		"a list":              {agent.NewTool("x", "", func(context.Context, in) ([]int, error) { return []int{1, 2}, nil }), `[1,2]`},
		"an empty list":       {agent.NewTool("x", "", func(context.Context, in) ([]int, error) { return []int{}, nil }), `[]`},
		"a nil list":          {agent.NewTool("x", "", func(context.Context, in) ([]int, error) { return nil, nil }), `[]`},
		"a map":               {agent.NewTool("x", "", func(context.Context, in) (map[string]int, error) { return map[string]int{"b": 2, "a": 1}, nil }), `{"a":1,"b":2}`},
		"a nil map":           {agent.NewTool("x", "", func(context.Context, in) (map[string]int, error) { var none map[string]int; return none, nil }), `{}`},
		"a number":            {agent.NewTool("x", "", func(context.Context, in) (float64, error) { return 1.5, nil }), `1.5`},
		"false":               {agent.NewTool("x", "", func(context.Context, in) (bool, error) { return false, nil }), `false`},
		"an output of itself": {agent.NewTool("x", "", func(context.Context, in) (agent.Output, error) { return agent.Output{Text: "t"}, nil }), "t"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := call(t, tc.tool, "{}")
			if err != nil || got.Failed || got.Text != tc.want {
				t.Errorf("told %+v %v, want %q", got, err, tc.want)
			}
		})
	}
}

// A function that returns nothing gives done and a string is sent as it is, where Spring AI sends null and quotes strings:
// a model reads text better than quoted text.
func TestDifferent130NothingIsDoneAndTextIsNotQuoted(t *testing.T) {
	nothing := agent.NewTool("x", "", func(context.Context, struct{}) (*city, error) { var none *city; return none, nil })
	if out, err := call(t, nothing, ""); err != nil || out.Text != "done" {
		t.Error(out, err)
	}
	text := agent.NewTool("x", "", func(context.Context, struct{}) (string, error) { return "plain words", nil })
	if out, err := call(t, text, ""); err != nil || out.Text != "plain words" {
		t.Error(out, err)
	}
}

// A function's error is the error of the call, even if it is what the function returns, and a result that JSON cannot
// express is a failed result.
func TestBehaviour131ErrorsOfFunctionsAreToldAsTheyAre(t *testing.T) {
	broken := errors.New("the station is closed")
	for name, tool := range map[string]*agent.Tool{
		"an error":         agent.NewTool("x", "", func(context.Context, struct{}) (string, error) { return "", broken }),
		"an error as Out":  agent.NewTool("x", "", func(context.Context, struct{}) (error, error) { return broken, nil }),
		"an error in any":  agent.NewTool("x", "", func(context.Context, struct{}) (any, error) { return broken, nil }),
		"a map as In":      agent.NewTool("x", "", func(context.Context, map[string]any) (any, error) { return nil, broken }),
		"a fatal error":    agent.NewTool("x", "", func(context.Context, struct{}) (any, error) { return nil, agent.Fatal(broken) }),
		"an error and Out": agent.NewTool("x", "", func(context.Context, struct{}) (string, error) { return "half", broken }),
	} {
		if out, err := call(t, tool, ""); !errors.Is(err, broken) || out != (agent.Output{}) {
			t.Errorf("%s: %+v %v", name, out, err)
		}
	}
	for name, tool := range map[string]*agent.Tool{
		"a channel":         agent.NewTool("x", "", func(context.Context, struct{}) (chan int, error) { return make(chan int), nil }),
		"bytes, not text":   agent.NewTool("x", "", func(context.Context, struct{}) ([]byte, error) { return []byte{0xff, 0xfe}, nil }),
		"invalid raw parts": agent.NewTool("x", "", func(context.Context, struct{}) (any, error) { return []json.RawMessage{[]byte("{")}, nil }),
	} {
		if out, err := call(t, tool, ""); err != nil || !out.Failed || !strings.HasPrefix(out.Text, "failed: ") {
			t.Errorf("%s: %+v %v", name, out, err)
		}
	}
}

// Two tools of the same name are refused when the agent is created.
func TestBehaviour132DuplicateToolNamesAreRefused(t *testing.T) {
	tool := func() *agent.Tool {
		return agent.NewTool("same", "", func(context.Context, struct{}) (string, error) { return "", nil })
	}
	_, err := agent.New(agent.Config{Model: scripted.New(), Tools: []*agent.Tool{tool(), tool()}})
	if err == nil || !strings.Contains(err.Error(), `"same"`) {
		t.Errorf("New says %v", err)
	}
}
