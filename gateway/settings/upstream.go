package settings

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// provider is one upstream: its name in files, its default URL, and what
// people write at the end of the URL although the paths of requests begin
// with it.
type provider struct {
	name, title, url string
	suffixes         []string
	field            func(*Settings) *Upstream
}

var providers = []provider{
	{
		"anthropic", "Anthropic", "https://api.anthropic.com",
		[]string{"/v1"},
		func(s *Settings) *Upstream { return &s.Upstreams.Anthropic },
	},
	{
		"openai", "OpenAI", "https://api.openai.com",
		[]string{"/v1"},
		func(s *Settings) *Upstream { return &s.Upstreams.OpenAI },
	},
	{
		"gemini", "Gemini", "https://generativelanguage.googleapis.com",
		[]string{"/v1beta", "/v1"},
		func(s *Settings) *Upstream { return &s.Upstreams.Gemini },
	},
	{
		"chatgpt", "ChatGPT", "https://chatgpt.com",
		[]string{"/backend-api/codex", "/backend-api"},
		func(s *Settings) *Upstream { return &s.Upstreams.ChatGPT },
	},
}

// baseURL reads the URL of a provider. Its errors never repeat the text:
// people paste keys into URLs.
func (p provider) baseURL(v value) (*url.URL, *wrong) {
	u, err := url.Parse(v.text)
	switch {
	case err != nil:
		return nil, wrongf("write "+p.url, "is not a URL")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "", u.Opaque != "":
		return nil, wrongf("write http:// or https:// and a host, like "+p.url, "is not an http or https URL")
	case u.User != nil:
		return nil, wrongf("take it out of the URL; key_env names a variable with the provider's key",
			"has a user name or password in it")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(v.text, "#"):
		return nil, wrongf("write only scheme, host and path", "has a query or fragment, which no request would keep")
	case !hostName.MatchString(u.Hostname()) && !strings.Contains(u.Hostname(), ":"):
		return nil, wrongf("write http:// or https:// and a host, like "+p.url, "has a host that cannot be one")
	}
	prefix := strings.TrimRight(u.Path, "/")
	for _, suffix := range p.suffixes {
		if rest, ok := strings.CutSuffix(prefix, suffix); ok {
			prefix = strings.TrimRight(rest, "/")
			break
		}
	}
	if u.RawPath != "" || prefix != "" && path.Clean(prefix) != prefix || strings.ContainsFunc(prefix, unusual) {
		return nil, wrongf("write it as plain words between single slashes", "has a path that requests could be misled by")
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: prefix}, nil
}

// unusual matches what must not be in a path that requests are compared with.
func unusual(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune(`\?#%*;"<>^{}|`+"`", c)
}

// judgedPaths are the paths whose answers are judged; one with a trailing slash
// includes everything below it.
var judgedPaths = []string{
	"/v1/messages", "/v1/chat/completions", "/v1/responses", "/backend-api/codex/responses",
	"/v1beta/models/", "/v1/models/",
}

// forwardPath reads a path that is forwarded unjudged: an exact one, or a
// prefix that ends in /*.
func forwardPath(v value) (string, *wrong) {
	base, tree := strings.CutSuffix(v.text, "/*")
	switch {
	case base == "" && tree, base == "/":
		return "", wrongf("name the paths that are needed", "has %s, which would pass everything on unjudged", quote(v.text))
	case !strings.HasPrefix(base, "/"), path.Clean(base) != base, strings.ContainsFunc(base, unusual), len(base) > 200:
		return "", wrongf("write an exact path like /v1/embeddings, or one with /* at its end", "has %s, which is not a path", quote(v.text))
	}
	lower := strings.ToLower(base)
	judged := func(p string) bool {
		below, isTree := strings.CutSuffix(p, "/")
		return lower == below && (tree || !isTree) || isTree && strings.HasPrefix(lower, p) ||
			tree && strings.HasPrefix(p, lower+"/")
	}
	if i := slices.IndexFunc(judgedPaths, judged); i >= 0 {
		return "", wrongf("name only paths that carry no answers of models",
			"has %s, but the answers of %s are judged", quote(v.text), strings.TrimSuffix(judgedPaths[i], "/"))
	}
	return v.text, nil
}

// adminHost reads a name under which browsers reach the gateway. A pattern
// would admit any web page whose name resolves to this machine.
func adminHost(v value) (string, *wrong) {
	host, port, ok := splitAddress(v.text)
	if !ok {
		host, port = v.text, ""
	}
	if !hostName.MatchString(host) && !strings.Contains(host, ":") || strings.ContainsFunc(port, notDigit) {
		return "", wrongf("write a host name without scheme and path, like sluice.example.org", "has %s, which is not a host name", quote(v.text))
	}
	return strings.ToLower(v.text), nil
}

func notDigit(c rune) bool { return c < '0' || c > '9' }
