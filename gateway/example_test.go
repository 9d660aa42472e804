package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/wire"
)

// A gateway is an http.Handler. Here it is in front of a scripted provider, and
// a policy in Go keeps a call from the client.
func Example() {
	model := scripted.New(scripted.Round{scripted.Text("I clean up."), scripted.Call("delete_branch", `{"name":"main"}`)})
	provider := httptest.NewServer(model.Handler(wire.OpenAIChat))
	defer provider.Close()

	set, err := policy.NewSet(policy.Func("keep-main", func(s *policy.Subject) policy.Verdict {
		if s.Block.Name == "delete_branch" {
			return policy.Verdict{Action: policy.Block, Reason: "branches are deleted by hand"}
		}
		return policy.Verdict{Action: policy.Allow}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := gateway.New(gateway.Config{
		Upstreams: gateway.Upstreams{OpenAI: gateway.Upstream{URL: provider.URL}},
		Policies:  policy.NewLive(set),
		Observe: func(e gateway.Event) {
			if e.Record != nil && !e.Record.Delivered {
				fmt.Println(e.Record.Name, "was blocked by", e.Record.Verdict.Policy)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer g.Close()
	server := httptest.NewServer(g)
	defer server.Close()

	// Any client of the provider, with another base URL.
	question := `{"model":"m","messages":[{"role":"user","content":"clean up"}]}`
	res, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(question))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	fmt.Println("the client gets the call:", strings.Contains(string(body), `"delete_branch"`))
	fmt.Println("the client is told why:", strings.Contains(string(body), "branches are deleted by hand"))
	http.DefaultClient.CloseIdleConnections()
	// Output:
	// delete_branch was blocked by keep-main
	// the client gets the call: false
	// the client is told why: true
}
