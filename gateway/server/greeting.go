package server

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// greet prints what is in force, where the server listens, and how to point a
// client at it.
func (s *Server) greet() {
	switch {
	case s.options.Out == nil:
		return
	case s.settings.Log.Format == "json":
		s.greetInJSON()
		return
	}
	set, up := s.policies.live.Load(), s.settings.Upstreams
	var b strings.Builder
	state := "version " + set.Version()
	if s.options.Shadow {
		state += ", only observed"
	}
	fmt.Fprintf(&b, "Sluice %s is on %s, policies: %s (%s, %s)\n", cmp.Or(s.options.Version, "gateway"), s.URL(),
		cmp.Or(tidy(s.policies.sources...), "none"), count(set.Len(), "policy", "policies"), state)
	line := func(name, text string) { fmt.Fprintf(&b, "  %-13s%s\n", name, text) }
	line("upstreams", fmt.Sprintf("anthropic %s, openai %s,", up.Anthropic.URL, up.OpenAI.URL))
	line("", fmt.Sprintf("gemini %s, chatgpt %s", up.Gemini.URL, up.ChatGPT.URL))
	line("keys", s.whoMayCome())
	line("audit log", cmp.Or(tidy(s.settings.AuditLog), "off"))
	if s.options.Recordings != "" {
		line("recordings", tidy(s.options.Recordings))
	}
	line("admin token", cmp.Or(tidy(s.token.where), "none, so the admin routes are off"))
	line("Claude Code", claudeVariables(s.URL(), up.Anthropic.URL)+" claude")
	line("OpenAI SDKs", "OPENAI_BASE_URL="+s.URL()+"/v1")
	line("more", "sluice connect claude prints permanent settings, sluice doctor proves the path")
	for _, w := range s.warnings() {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	_, _ = io.WriteString(s.options.Out, b.String()) // the server works without
}

// claudeVariables are those with which Claude Code goes through a gateway. In
// front of Anthropic's own API the second one keeps the features that Claude Code
// turns off for third-party base URLs.
func claudeVariables(gateway string, upstream *url.URL) string {
	variables := "ANTHROPIC_BASE_URL=" + gateway
	if strings.EqualFold(upstream.Host, "api.anthropic.com") {
		variables += " _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1"
	}
	return variables
}

// greetInJSON says the same for programs that read logs, whatever their level.
func (s *Server) greetInJSON() {
	log := slog.New(slog.NewJSONHandler(s.options.Out, nil))
	set, up := s.policies.live.Load(), s.settings.Upstreams
	log.Info("sluice is on", slog.String("version", s.options.Version), slog.String("url", s.URL()),
		slog.Any("policies", s.policies.sources), slog.Int("policy_count", set.Len()), slog.String("policies_version", set.Version()),
		slog.Bool("enforces", set.Enforces()),
		slog.Group("upstreams", slog.String("anthropic", up.Anthropic.URL.String()), slog.String("openai", up.OpenAI.URL.String()),
			slog.String("gemini", up.Gemini.URL.String()), slog.String("chatgpt", up.ChatGPT.URL.String())),
		slog.Int("keys", s.gateway.Status().Keys), slog.String("audit_log", s.settings.AuditLog),
		slog.String("recordings", s.options.Recordings), slog.String("admin_token", s.token.where))
	for _, w := range s.warnings() {
		log.Warn(w)
	}
}

// warnings lists what is allowed but may be a mistake.
func (s *Server) warnings() []string {
	var list []string
	set := s.policies.live.Load()
	if set.Len() > 0 && !set.Enforces() {
		list = append(list, "nothing is blocked: all policies only observe")
	}
	if note := set.Note(); note != "" {
		list = append(list, note)
	}
	for _, w := range s.settings.Warnings {
		list = append(list, w.String())
	}
	if len(s.settings.Forward) > 0 {
		list = append(list, "the answers of these paths are not judged: "+strings.Join(s.settings.Forward, ", "))
	}
	return list
}

func (s *Server) whoMayCome() string {
	host, _, err := net.SplitHostPort(s.Addr().String())
	ip := net.ParseIP(host)
	switch n := s.gateway.Status().Keys; {
	case n == 0 && s.settings.NeedsKeys():
		return "all are revoked, so every request is refused: issue one with `sluice keys new NAME`"
	case n > 0:
		return count(n, "client", "clients") + ", each with a key of their own"
	case err == nil && ip != nil && ip.IsLoopback():
		return "none needed on loopback"
	default:
		return "none needed: open to anybody who reaches " + s.Addr().String()
	}
}

// tidy shortens paths for people.
func tidy(paths ...string) string {
	home, err := os.UserHomeDir()
	short := make([]string, 0, len(paths))
	for _, p := range paths {
		if err == nil && filepath.IsAbs(p) {
			if below, relErr := filepath.Rel(home, p); relErr == nil && filepath.IsLocal(below) && below != "." {
				p = filepath.Join("~", below)
			}
		}
		short = append(short, p)
	}
	return strings.Join(short, ", ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
