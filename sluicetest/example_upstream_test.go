package sluicetest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
)

// The upstream dies in the middle of a tool call. A proxy that takes the end of
// the bytes for the end of the answer makes a good end of it; one that passes
// the failure on does not.
func ExampleUpstream() {
	blocks := []llm.Block{{Kind: llm.ToolCall, ID: "toolu_1", Name: "Bash", Arguments: `{"command":"rm -r build"}`}}
	payloads := sluicetest.Build(sluicetest.Anthropic, [][]llm.Block{blocks}, sluicetest.BuildOptions{MaxPiece: 8})
	reply := sluicetest.Events(sluicetest.SSE(sluicetest.Anthropic, payloads))
	reply.Cut = &sluicetest.Cut{At: reply.Event(4)}

	up, err := sluicetest.StartUpstream(reply) // in a test: NewUpstream(t, reply)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer up.Close()

	proxy := func(passFailuresOn bool) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			resp, err := up.Client().Post(up.URL+r.URL.Path, "application/json", r.Body)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer resp.Body.Close()
			if _, err := io.Copy(w, resp.Body); err != nil && passFailuresOn {
				panic(http.ErrAbortHandler) // the client's connection breaks as ours did
			}
		}))
	}
	for _, passFailuresOn := range []bool{false, true} {
		server := proxy(passFailuresOn)
		resp, err := server.Client().Post(server.URL+"/v1/messages", "application/json", http.NoBody)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		server.Close()
		fmt.Println("the client sees a failure:", err != nil)
	}
	fmt.Println("the upstream was asked for", up.Requests()[0].Path)

	// Output:
	// the client sees a failure: false
	// the client sees a failure: true
	// the upstream was asked for /v1/messages
}
