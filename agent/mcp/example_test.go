package mcp_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/agent/mcp"
	"github.com/sluice-project/sluice/model/scripted"
)

// A model calls a tool of a server that speaks streamable HTTP.
func Example() {
	// A server, as someone else wrote it.
	type question struct {
		City string `json:"city"`
	}
	their := sdk.NewServer(&sdk.Implementation{Name: "weather", Version: "1"}, nil)
	sdk.AddTool(their, &sdk.Tool{Name: "now", Description: "The weather in a city."},
		func(_ context.Context, _ *sdk.CallToolRequest, q question) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "sunny in " + q.City}}}, nil, nil
		})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return their }, nil))
	defer web.Close()

	ctx := context.Background()
	weather, err := mcp.Connect(ctx, mcp.Server{Name: "weather", URL: web.URL})
	if err != nil {
		slog.Error("connecting", "error", err)
		return
	}
	defer weather.Close()
	tools, err := mcp.Tools(ctx, weather)
	if err != nil {
		slog.Error("listing", "error", err)
		return
	}
	m := scripted.New(
		scripted.Round{scripted.Call("weather__now", `{"city":"Paris"}`)},
		scripted.Round{scripted.Text("It is sunny.")},
	)
	assistant, err := agent.New(agent.Config{Model: m, Tools: tools, Loop: agent.LoopConfig{Stream: agent.All}})
	if err != nil {
		slog.Error("making the agent", "error", err)
		return
	}
	for ev, err := range assistant.Run(ctx, &agent.Request{Text: "How is the weather in Paris?"}).Events() {
		switch {
		case err != nil:
			slog.Error("running", "error", err)
			return
		case ev.Type == agent.EventToolResult:
			fmt.Println(ev.Name, "said:", ev.Text)
		}
	}
	// Output: weather__now said: sunny in Paris
}
