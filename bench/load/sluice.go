package main

import (
	"net/http"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// newSluice returns the gateway with its default settings: the recommended
// policies, and an observer.
func newSluice(to string) (http.Handler, error) {
	loaded, err := file.Load(file.Options{}, "preset:recommended")
	if err != nil {
		return nil, err
	}
	up := gateway.Upstream{URL: to}
	return gateway.New(gateway.Config{
		Upstreams: gateway.Upstreams{Anthropic: up, OpenAI: up, Gemini: up, ChatGPT: up},
		Policies:  policy.NewLive(loaded.Set),
		Observe:   func(gateway.Event) {},
	})
}
