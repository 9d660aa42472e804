package model

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// dialect is the HTTP side of a wire format.
type dialect struct {
	// home is the API's default address, host its host.
	home, host string
	// version is the path segment that a base without one gets.
	version string
	// path is what follows the version. Gemini's has the model in it.
	path string
	// variables are the environment variables of the key.
	variables []string
}

func dialectOf(format wire.Format) (dialect, bool) {
	switch format {
	case wire.OpenAIChat:
		return dialect{
			home: "https://api.openai.com/v1", host: "api.openai.com",
			version: "v1", path: "/chat/completions", variables: []string{"OPENAI_API_KEY"},
		}, true
	case wire.OpenAIResponses:
		return dialect{
			home: "https://api.openai.com/v1", host: "api.openai.com",
			version: "v1", path: "/responses", variables: []string{"OPENAI_API_KEY"},
		}, true
	case wire.Anthropic:
		return dialect{
			home: "https://api.anthropic.com/v1", host: "api.anthropic.com",
			version: "v1", path: "/messages", variables: []string{"ANTHROPIC_API_KEY"},
		}, true
	case wire.Gemini:
		return dialect{
			home: "https://generativelanguage.googleapis.com/v1beta", host: "generativelanguage.googleapis.com",
			version: "v1beta", variables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
		}, true
	}
	return dialect{}, false
}

// owns reports whether a URL is at the dialect's own host, which keys from the
// environment are for.
func (d *dialect) owns(u *url.URL) bool {
	return strings.EqualFold(u.Hostname(), d.host) && (u.Port() == "" || u.Port() == "443")
}

// endpoint returns the URL that a request for a model goes to.
func (p *Provider) endpoint(model string) string {
	u := *p.base
	path := p.dialect.path
	if p.format == wire.Gemini {
		path = "/models/" + url.PathEscape(strings.TrimPrefix(model, "models/")) + ":streamGenerateContent"
		query := u.Query()
		query.Set("alt", "sse")
		u.RawQuery = query.Encode()
	}
	base := strings.TrimRight(u.EscapedPath(), "/")
	switch {
	case path != "" && strings.HasSuffix(base, path):
		path = base
	case hasVersion(base):
		path = base + path
	default:
		path = base + "/" + p.dialect.version + path
	}
	u.RawPath = path
	if plain, err := url.PathUnescape(path); err == nil {
		u.Path = plain
	} else {
		u.Path = path
	}
	return u.String()
}

// hasVersion reports whether a path has a segment like v1, v4 or v1beta.
func hasVersion(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if len(segment) >= 2 && segment[0] == 'v' && segment[1] >= '0' && segment[1] <= '9' {
			return true
		}
	}
	return false
}

// setHeaders sets the headers of the dialect, then the caller's own.
func (p *Provider) setHeaders(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "text/event-stream")
	h.Set("User-Agent", "sluice")
	switch p.format {
	case wire.Anthropic:
		h.Set("Anthropic-Version", "2023-06-01")
		if p.secrets.key != "" {
			h.Set("X-Api-Key", p.secrets.key)
		}
	case wire.Gemini:
		if p.secrets.key != "" {
			h.Set("X-Goog-Api-Key", p.secrets.key)
		}
	case wire.OpenAIChat, wire.OpenAIResponses:
		if p.secrets.key != "" {
			h.Set("Authorization", "Bearer "+p.secrets.key)
		}
	}
	maps.Copy(h, p.secrets.headers)
}

// body returns the request body for the endpoint, always as a stream.
func (p *Provider) body(req *llm.Request) ([]byte, error) {
	r := *req
	r.Stream = true
	if r.Model == "" {
		r.Model = p.model
	}
	if r.Model == "" {
		return nil, &llm.RequestError{Dialect: string(p.format), Reason: "the request names no model, and Config.Model is empty", Offset: -1}
	}
	if p.format == wire.OpenAIChat && r.MaxTokens > 0 && !knowsNewLimit(strings.ToLower(p.base.Hostname())) {
		extra := map[string]json.RawMessage{"max_tokens": strconv.AppendInt(nil, int64(r.MaxTokens), 10)}
		maps.Copy(extra, req.Extra)
		r.Extra = extra
	}
	return p.format.AppendRequest(nil, &r)
}

// knowsNewLimit reports whether a host accepts max_completion_tokens. Of the many
// servers that speak the dialect only its owner is known to refuse max_tokens, and
// several know nothing else.
func knowsNewLimit(host string) bool {
	return host == "api.openai.com" || strings.HasSuffix(host, ".azure.com")
}

// maxRedirects is the maximum number of redirects followed.
const maxRedirects = 5

// sameHostClient returns a copy of c that follows a redirect only where the key may go:
// to the same host, port and scheme, with the same method. Any other redirect is
// returned as a response.
func sameHostClient(c *http.Client) *http.Client {
	if c == nil {
		c = &http.Client{}
	}
	copied := *c
	asked := c.CheckRedirect
	copied.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		first := via[0]
		if req.URL.Host != first.URL.Host || req.Method != first.Method || req.URL.Scheme != first.URL.Scheme || len(via) > maxRedirects {
			return http.ErrUseLastResponse
		}
		if asked != nil {
			return asked(req, via)
		}
		return nil
	}
	return &copied
}
