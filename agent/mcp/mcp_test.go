package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model/scripted"
)

// TestMain is the tests, or one of the servers that they start.
func TestMain(m *testing.M) {
	if mode := os.Getenv("MCP_TEST_SERVER"); mode != "" {
		serve(mode)
		return
	}
	goleak.VerifyTestMain(m)
}

// serve is a server as a program.
func serve(mode string) {
	switch mode {
	case "dies at once":
		fmt.Fprintln(os.Stderr, "cannot open the database")
		os.Exit(3)
	case "says nothing":
		signal.Ignore(syscall.SIGTERM)
		select {}
	}
	if mode == "stops reading" {
		stopReading()
	}
	s := echoServer()
	s.AddTool(&sdk.Tool{Name: "die", InputSchema: object}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for i := range 100 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		os.Exit(4)
		return said("never"), nil
	})
	s.AddTool(&sdk.Tool{Name: "variables", InputSchema: object}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return said(strings.Join(os.Environ(), "\n")), nil
	})
	_ = s.Run(context.Background(), &sdk.StdioTransport{})
	if mode == "stays" {
		signal.Ignore(syscall.SIGTERM)
		select {}
	}
}

// stopReading is a server that reads nothing any more once it was greeted.
func stopReading() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var message struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(in.Bytes(), &message)
		switch message.Method {
		case "initialize":
			_, _ = fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`+"\n", message.ID)
		case "notifications/initialized":
			signal.Ignore(syscall.SIGTERM)
			select {}
		default:
			_, _ = fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`+"\n", message.ID)
		}
	}
}

var object = json.RawMessage(`{"type":"object"}`)

func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// echoServer has one tool, which says what it was called with.
func echoServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{
		Name: "echo", Description: "Says it again.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer"}},"required":["text"]}`),
	}, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return said(string(req.Params.Arguments)), nil
	})
	return s
}

// inProcess connects to a server in this process.
func inProcess(t *testing.T, s *sdk.Server, server Server) *Session {
	t.Helper()
	theirs, ours := sdk.NewInMemoryTransports()
	running, err := s.Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	server.transport = ours
	if server.Name == "" {
		server.Name = "it"
	}
	session, err := Connect(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		_ = running.Wait()
	})
	return session
}

// program starts a server as a program.
func program(t *testing.T, mode string) *Session {
	t.Helper()
	session, err := Connect(t.Context(), Server{Name: "prog", Command: []string{os.Args[0]}, Env: []string{"MCP_TEST_SERVER=" + mode}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func toolsOf(t *testing.T, sessions ...*Session) map[string]*agent.Tool {
	t.Helper()
	list, err := Tools(t.Context(), sessions...)
	if err != nil {
		t.Fatal(err)
	}
	tools := make(map[string]*agent.Tool)
	for _, tool := range list {
		tools[tool.Name] = tool
	}
	return tools
}

func run(ctx context.Context, t *testing.T, tool *agent.Tool, arguments string) (agent.Output, error) {
	t.Helper()
	if tool == nil {
		t.Fatal("there is no such tool")
	}
	return tool.Run(ctx, agent.Call{Name: tool.Name, Arguments: json.RawMessage(arguments)})
}

func TestAnAgentCallsTheToolsOfAServer(t *testing.T) {
	session := inProcess(t, echoServer(), Server{Name: "one"})
	tools, err := session.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := scripted.New(
		scripted.Round{scripted.Call("one__echo", `{"text":"hi","n":12345678901234567890}`)},
		scripted.Round{scripted.Text("done")},
	)
	c, err := agent.New(agent.Config{Model: m, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), &agent.Request{Text: "?"}); err != nil {
		t.Fatal(err)
	}
	messages := m.Requests()[1].Messages
	if got := messages[len(messages)-1].Blocks[0]; got.Text != `{"text":"hi","n":12345678901234567890}` || got.Failed {
		t.Errorf("the result is %+v", got)
	}
}

func TestArgumentsAreComparedWithTheSchemaBeforeACall(t *testing.T) {
	s := echoServer()
	taken := func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said("taken"), nil }
	s.AddTool(&sdk.Tool{Name: "tree", InputSchema: json.RawMessage(`{"type":"object","properties":{"next":{"$ref":"#"}}}`)}, taken)
	s.AddTool(&sdk.Tool{Name: "other", InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"$ref":"https://example.org/n"}}}`)}, taken)
	tools := toolsOf(t, inProcess(t, s, Server{}))
	if _, err := run(t.Context(), t, tools["it__echo"], `{"text":5}`); err == nil || !strings.Contains(err.Error(), "text: want string, got integer 5") {
		t.Errorf("the model is told %v", err)
	}
	if out, err := run(t.Context(), t, tools["it__tree"], `{"next":{"next":{}}}`); err != nil || out.Text != "taken" {
		t.Error(out, err)
	}
	if _, err := run(t.Context(), t, tools["it__tree"], `{"next":{"next":7}}`); err == nil || !strings.Contains(err.Error(), "next.next: want object, got integer 7") {
		t.Errorf("the model is told %v", err)
	}
	// A schema that refers to another document is the server's to compare with.
	if out, err := run(t.Context(), t, tools["it__other"], `{"n":7}`); err != nil || out.Text != "taken" {
		t.Error(out, err)
	}
}

func TestResultsAreToldAsText(t *testing.T) {
	size := int64(9)
	for name, tc := range map[string]struct {
		result *sdk.CallToolResult
		want   string
		failed bool
	}{
		"texts":                          {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "a"}, &sdk.TextContent{Text: "b"}}}, "a\nb", false},
		"structured content":             {&sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"b": "<x>", "a": 1}}, `{"a":1,"b":"<x>"}`, false},
		"text beside structured content": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "t"}}, StructuredContent: map[string]any{"a": 1}}, "t", false},
		"an image":                       {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: []byte("1234"), MIMEType: "image/png"}}}, "[image image/png, 4 bytes]", false},
		"a sound":                        {&sdk.CallToolResult{Content: []sdk.Content{&sdk.AudioContent{Data: []byte("12"), MIMEType: "audio/wav"}}}, "[audio audio/wav, 2 bytes]", false},
		"a link":                         {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ResourceLink{URI: "file:///a\nb", Name: "a", MIMEType: "text/plain", Size: &size}}}, "[link file:///a b text/plain, 9 bytes]", false},
		"a text in it":                   {&sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Text: "abc"}}}}, "[resource file:///a text/plain, 3 bytes]\nabc", false},
		"a file in it":                   {&sdk.CallToolResult{Content: []sdk.Content{&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", Blob: []byte("abc")}}}}, "[resource file:///a, 3 bytes]", false},
		"nothing":                        {&sdk.CallToolResult{Content: []sdk.Content{}}, "done", false},
		"an error":                       {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "no such file"}}, IsError: true}, "no such file", true},
		"a silent error":                 {&sdk.CallToolResult{Content: []sdk.Content{}, IsError: true}, "failed: the tool did not say why", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := sdk.NewServer(&sdk.Implementation{Name: "x", Version: "1"}, nil)
			s.AddTool(&sdk.Tool{Name: "x", InputSchema: object}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return tc.result, nil })
			out, err := run(t.Context(), t, toolsOf(t, inProcess(t, s, Server{}))["it__x"], "")
			if err != nil || out.Text != tc.want || out.Failed != tc.failed {
				t.Errorf("told %+v %v, want %q", out, err, tc.want)
			}
		})
	}
}

func TestWhatGoesWrongIsAFailedResult(t *testing.T) {
	s := echoServer()
	s.AddTool(&sdk.Tool{Name: "refuse", InputSchema: object}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, errors.New("not today")
	})
	session := inProcess(t, s, Server{})
	tools := toolsOf(t, session)
	if out, err := run(t.Context(), t, tools["it__refuse"], ""); err != nil || !out.Failed || !strings.Contains(out.Text, "not today") {
		t.Error(out, err)
	}
	s.RemoveTools("echo")
	if out, err := run(t.Context(), t, tools["it__echo"], `{"text":"a"}`); err != nil || !out.Failed || !strings.Contains(out.Text, "echo") {
		t.Error(out, err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t.Context(), t, tools["it__refuse"], ""); err != nil || !out.Failed || !strings.Contains(out.Text, "closed") {
		t.Error(out, err)
	}
	if _, err := session.Tools(t.Context()); err == nil {
		t.Error("a closed session lists tools")
	}
}

func TestCancellingACallTellsTheServer(t *testing.T) {
	for _, how := range []string{"the run", "the session"} {
		t.Run(how, func(t *testing.T) {
			began, ended := make(chan struct{}), make(chan struct{})
			s := sdk.NewServer(&sdk.Implementation{Name: "x", Version: "1"}, nil)
			s.AddTool(&sdk.Tool{Name: "slow", InputSchema: object}, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				close(began)
				<-ctx.Done()
				close(ended)
				return nil, ctx.Err()
			})
			session := inProcess(t, s, Server{})
			tool := toolsOf(t, session)["it__slow"]
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				<-began
				if how == "the run" {
					cancel()
				} else {
					_ = session.Close()
				}
			}()
			out, err := run(ctx, t, tool, "")
			if how == "the run" && !errors.Is(err, context.Canceled) || how == "the session" && (err != nil || !out.Failed) {
				t.Error(out, err)
			}
			<-ended
		})
	}
}

func TestToolsAreListedAnewEachTime(t *testing.T) {
	s := echoServer()
	session := inProcess(t, s, Server{Only: func(name string) bool { return name != "hidden" }})
	if tools := toolsOf(t, session); len(tools) != 1 {
		t.Fatal(tools)
	}
	for _, name := range []string{"more", "hidden"} {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: object}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said("more"), nil })
	}
	if tools := toolsOf(t, session); len(tools) != 2 || tools["it__more"] == nil {
		t.Error(tools)
	}
}

func TestProgramsAreServers(t *testing.T) {
	t.Setenv("SECRET_KEY", "do not tell")
	session := program(t, "echo")
	tools := toolsOf(t, session)
	if out, err := run(t.Context(), t, tools["prog__echo"], `{"text":"hi"}`); err != nil || out.Text != `{"text":"hi"}` {
		t.Error(out, err)
	}
	out, err := run(t.Context(), t, tools["prog__variables"], "")
	if err != nil || !strings.Contains(out.Text, "PATH=") || strings.Contains(out.Text, "SECRET_KEY") {
		t.Error("the variables are", out.Text, err)
	}
	// A server that ends is told with its last words, and then stays gone.
	out, err = run(t.Context(), t, tools["prog__die"], "")
	if err != nil || !out.Failed || !strings.Contains(out.Text, "line 99") || strings.Contains(out.Text, "line 79\n") {
		t.Error(out.Text, err)
	}
	if out, err := run(t.Context(), t, tools["prog__echo"], `{"text":"hi"}`); err != nil || !out.Failed || !strings.Contains(out.Text, "line 99") {
		t.Error(out.Text, err)
	}
	for range 2 {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
	if session.process.ProcessState == nil {
		t.Error("the program was not waited for")
	}
}

func TestProgramsThatDoNotEndAreKilled(t *testing.T) {
	t.Parallel() // it waits for seconds
	session := program(t, "stays")
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if session.process.ProcessState == nil {
		t.Error("the program was not waited for")
	}
}

func TestAProgramThatDoesNotReadHoldsNobodyUp(t *testing.T) {
	t.Parallel() // it waits for seconds
	session := program(t, "stops reading")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := session.call(ctx, "x", json.RawMessage(`{"text":"`+strings.Repeat("x", 1<<20)+`"}`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if session.process.ProcessState == nil {
		t.Error("the program was not waited for")
	}
}

func TestConnectSaysWhyAProgramIsNoServer(t *testing.T) {
	t.Parallel() // it waits for seconds
	_, err := Connect(t.Context(), Server{Name: "x", Command: []string{os.Args[0]}, Env: []string{"MCP_TEST_SERVER=dies at once"}})
	if err == nil || !strings.Contains(err.Error(), "cannot open the database") {
		t.Error(err)
	}
	_, err = Connect(t.Context(), Server{Name: "x", Command: []string{"/no/such/program"}})
	if err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = Connect(ctx, Server{Name: "x", Command: []string{os.Args[0]}, Env: []string{"MCP_TEST_SERVER=says nothing"}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestConnectRefusesServersThatCannotBe(t *testing.T) {
	for name, server := range map[string]Server{
		"no name":           {Command: []string{"x"}},
		"a bad name":        {Name: "a b", Command: []string{"x"}},
		"a long name":       {Name: strings.Repeat("x", 33), Command: []string{"x"}},
		"neither":           {Name: "x"},
		"both":              {Name: "x", Command: []string{"x"}, URL: "http://127.0.0.1"},
		"a file":            {Name: "x", URL: "file:///etc/passwd"},
		"no host":           {Name: "x", URL: "http:///x"},
		"headers of a file": {Name: "x", Command: []string{"x"}, Headers: map[string][]string{"A": {"b"}}},
		"a directory":       {Name: "x", URL: "http://127.0.0.1", Dir: "/"},
	} {
		if _, err := Connect(t.Context(), server); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
