package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// A gateway in front of an upstream whose model wants to delete everything.
func Example() {
	call := []llm.Block{{Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: `{"command":"rm -rf /"}`}}
	answer := sluicetest.SSE(sluicetest.Anthropic, sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{call}, sluicetest.BuildOptions{}))
	up, err := sluicetest.StartUpstream(sluicetest.Events(answer))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer up.Close()

	s, err := settings.Load(settings.Sources{Environ: []string{"SLUICE_LISTEN=127.0.0.1:0", "SLUICE_UPSTREAM_ANTHROPIC=" + up.URL}})
	if err != nil {
		fmt.Println(err)
		return
	}
	srv, err := server.New(s, server.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()

	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	request := `{"model":"claude","max_tokens":100,"stream":true,"messages":[{"role":"user","content":"clean up"}]}`
	res, err := client.Post(srv.URL()+"/v1/messages", "application/json", strings.NewReader(request))
	if err != nil {
		fmt.Println(err)
		return
	}
	body, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	fmt.Println("the call reached the client:", strings.Contains(string(body), `"type":"tool_use"`))

	stop()
	fmt.Println("ended with:", <-ended)
	// Output:
	// the call reached the client: false
	// ended with: <nil>
}
