package server

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// greet says what is on, where, and how a client is pointed at it.
func (s *Server) greet() {
	if s.options.Out == nil {
		return
	}
	set, up := s.policies.live.Load(), s.settings.Upstreams
	var b strings.Builder
	state := "version " + set.Version()
	if s.options.Shadow {
		state += ", only observed"
	}
	fmt.Fprintf(&b, "Sluice %s is on %s, policies: %s (%s, %s)\n", cmp.Or(s.options.Version, "gateway"), s.URL(),
		tidy(s.settings.Policies...), count(set.Len(), "policy", "policies"), state)
	line := func(name, text string) { fmt.Fprintf(&b, "  %-13s%s\n", name, text) }
	line("upstreams", fmt.Sprintf("anthropic %s, openai %s,", up.Anthropic.URL, up.OpenAI.URL))
	line("", fmt.Sprintf("gemini %s, chatgpt %s", up.Gemini.URL, up.ChatGPT.URL))
	line("keys", s.whoMayCome())
	line("audit log", cmp.Or(tidy(s.settings.AuditLog), "off"))
	if s.options.Recordings != "" {
		line("recordings", tidy(s.options.Recordings))
	}
	line("admin token", cmp.Or(tidy(s.token.where), "none, so the admin routes are off"))
	line("Claude Code", "ANTHROPIC_BASE_URL="+s.URL()+" claude")
	line("OpenAI SDKs", "OPENAI_BASE_URL="+s.URL()+"/v1")
	line("more", "sluice connect claude prints permanent settings, sluice doctor proves the path")
	if !set.Enforces() {
		b.WriteString("warning: nothing is blocked: all policies only observe\n")
	}
	for _, w := range s.settings.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	if len(s.settings.Forward) > 0 {
		fmt.Fprintf(&b, "warning: nobody judges what these paths answer: %s\n", strings.Join(s.settings.Forward, ", "))
	}
	_, _ = io.WriteString(s.options.Out, b.String()) // the server works without
}

func (s *Server) whoMayCome() string {
	host, _, err := net.SplitHostPort(s.Addr().String())
	ip := net.ParseIP(host)
	switch n := len(s.settings.Keys); {
	case n > 0:
		return count(n, "client", "clients") + ", each with a key of their own"
	case err == nil && ip != nil && ip.IsLoopback():
		return "none needed on loopback"
	default:
		return "none needed, by anybody who reaches " + s.Addr().String()
	}
}

// tidy writes paths as people do.
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
