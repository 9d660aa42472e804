package server

import (
	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// config converts the settings to the gateway's configuration.
func (s *Server) config() gateway.Config {
	from := s.settings
	c := gateway.Config{
		Upstreams: gateway.Upstreams{
			Anthropic: upstream(from.Upstreams.Anthropic, from.Origin("upstreams.anthropic.url")),
			OpenAI:    upstream(from.Upstreams.OpenAI, from.Origin("upstreams.openai.url")),
			Gemini:    upstream(from.Upstreams.Gemini, from.Origin("upstreams.gemini.url")),
			ChatGPT:   upstream(from.Upstreams.ChatGPT, from.Origin("upstreams.chatgpt.url")),
		},
		Policies: s.policies.live,
		Admin:    s.token.text,
		Hosts:    from.Admin.Hosts,
		Forward:  from.Forward,
		Session:  policy.Session{Cwd: from.Session.Cwd, Home: from.Session.Home, Labels: from.Session.Labels},
		Failure: gateway.Failure{
			RefuseWithoutStorage: from.Failure.Storage == settings.StorageRefuse,
			RetryUpstream:        from.Failure.Upstream == settings.UpstreamRetry,
		},
		Limits: gateway.Limits{
			Body: from.Limits.Body, Payload: int(from.Limits.Payload),
			Request:   llm.RequestLimits{Messages: from.Limits.Messages, Parts: from.Limits.Parts, Tools: from.Limits.Tools},
			FirstByte: from.Limits.FirstByte, Idle: from.Limits.Idle, Total: from.Limits.Total,
			FirstEvent: from.Limits.FirstEvent, Keepalive: from.Keepalive, Write: from.Limits.Write,
			Exchanges: from.Limits.Streams,
		},
		Reload:    s.Reload,
		Transport: s.transport,
		Log:       s.log,
	}
	for _, k := range from.Keys {
		roles, err := gateway.ParseRoles(k.Roles...)
		if err != nil {
			continue // the settings were checked; without its roles a key may do nothing
		}
		c.Keys = append(c.Keys, gateway.Key{Hash: k.SHA256, Roles: roles, Key: policy.Key{Name: k.Name, User: k.User, Groups: k.Groups}})
	}
	if s.issued != nil {
		c.Issued = s.issued.Now
	}
	c.Observe = s.options.Observe
	if s.audit != nil {
		c.Observe, c.Storage = s.observe, s.audit.failure
	}
	return c
}

// observe passes an event to the audit log and then to the other observers.
func (s *Server) observe(e gateway.Event) {
	s.audit.observe(e)
	if s.options.Observe != nil {
		s.options.Observe(e)
	}
}

// upstream is the address of a provider, and where it was set.
func upstream(u settings.Upstream, origin string) gateway.Upstream {
	up := gateway.Upstream{Key: u.Key.Reveal()}
	if origin != "default" {
		up.From = origin
	}
	if u.URL != nil {
		up.URL = u.URL.String()
	}
	return up
}
