package server

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/wire"
)

// judge finds the model of a judge, which policies name as PROVIDER/MODEL. It is
// asked at the gateway's upstream for that provider.
func (s *Server) judge(name string) (model.Model, error) {
	provider, id, ok := strings.Cut(name, "/")
	if !ok || provider == "" || id == "" {
		return nil, errors.New("write PROVIDER/MODEL, like anthropic/claude-haiku-4-5")
	}
	var (
		up        settings.Upstream
		format    wire.Format
		home      string
		variables []string
	)
	switch provider {
	case "anthropic":
		up, format = s.settings.Upstreams.Anthropic, wire.Anthropic
		home, variables = "api.anthropic.com", []string{"ANTHROPIC_API_KEY"}
	case "openai":
		up, format = s.settings.Upstreams.OpenAI, wire.OpenAIChat
		home, variables = "api.openai.com", []string{"OPENAI_API_KEY"}
	case "gemini":
		up, format = s.settings.Upstreams.Gemini, wire.Gemini
		home, variables = "generativelanguage.googleapis.com", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}
	default:
		return nil, fmt.Errorf("there is no provider %q: use anthropic, openai or gemini before the slash", provider)
	}
	if up.URL == nil {
		return nil, fmt.Errorf("the upstream %s has no URL", provider)
	}
	if up.URL.Hostname() == home && up.Key.Empty() && !anySet(variables) {
		return nil, fmt.Errorf("it needs a key: set %s for the gateway, or upstreams.%s.key_env", strings.Join(variables, " or "), provider)
	}
	return model.New(model.Config{
		Format: format, BaseURL: up.URL.String(), APIKey: up.Key.Reveal(), Model: id,
		HTTPClient: &http.Client{Transport: s.transport},
	})
}

func anySet(variables []string) bool {
	for _, name := range variables {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}
