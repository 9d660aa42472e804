package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	secrets "github.com/sluice-project/sluice/policy/secret"
)

// vendors are those whose secrets are known by a name, in variables and in the
// rules that find them, with parts of the hosts that they are for.
var vendors = map[string][]string{
	"github": {"github", "ghcr.io"}, "gh": {"github", "ghcr.io"}, "gitlab": {"gitlab"}, "glab": {"gitlab"}, "bitbucket": {"bitbucket"}, "atlassian": {"atlassian"}, "jira": {"jira", "atlassian"},
	"anthropic": {"anthropic", "claude"}, "claude": {"anthropic", "claude"}, "openai": {"openai", "azure.com"}, "openrouter": {"openrouter"}, "gemini": {"googleapis", "google.com"}, "google": {"google"},
	"gcp": {"google", "run.app", "gcr.io"}, "gcloud": {"google", "run.app"}, "aws": {"amazonaws", "aws"}, "amazon": {"amazon", "aws"}, "azure": {"azure", "windows.net", "microsoft", "visualstudio"},
	"do": {"digitalocean"}, "digitalocean": {"digitalocean"}, "cloudflare": {"cloudflare", "workers.dev"}, "cf": {"cloudflare", "workers.dev"}, "hcloud": {"hetzner"}, "hetzner": {"hetzner"}, "linode": {"linode"},
	"huggingface": {"huggingface", "hf.co"}, "hf": {"huggingface", "hf.co"}, "groq": {"groq"}, "mistral": {"mistral"}, "cohere": {"cohere"}, "xai": {"x.ai"}, "replicate": {"replicate"}, "perplexity": {"perplexity"}, "deepseek": {"deepseek"},
	"npm": {"npm", "github"}, "pypi": {"pypi"}, "docker": {"docker"}, "dockerhub": {"docker"}, "rubygems": {"rubygems"}, "crates": {"crates.io"}, "cargo": {"crates.io"},
	"slack": {"slack"}, "discord": {"discord"}, "telegram": {"telegram"}, "stripe": {"stripe"}, "twilio": {"twilio"}, "sendgrid": {"sendgrid"}, "mailgun": {"mailgun"}, "paypal": {"paypal"}, "square": {"square"}, "shopify": {"shopify"},
	"vercel": {"vercel"}, "netlify": {"netlify"}, "heroku": {"heroku"}, "fly": {"fly.io", "machines.dev"}, "render": {"render"}, "railway": {"railway"}, "supabase": {"supabase"}, "datadog": {"datadog"}, "dd": {"datadog"}, "sentry": {"sentry"},
	"notion": {"notion"}, "linear": {"linear"}, "figma": {"figma"}, "airtable": {"airtable"}, "circleci": {"circleci"}, "okta": {"okta"}, "auth0": {"auth0"}, "pinecone": {"pinecone"}, "tfe": {"terraform", "hashicorp"}, "terraform": {"terraform", "hashicorp"},
}

// ownerless are first words of rules that find secrets of nobody in particular:
// whom they are for only the user knows.
var ownerless = valued(`jwt jwk command xml url login netrc registry password secret api token bearer authorization credential credentials connection key basic
	http database session cookie client encryption signing access auth model generic smtp ldap redis`)

// isStrange reports whether a variable is by its name the secret of a vendor to
// which the host does not belong.
func isStrange(variable, host string) bool {
	known := false
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		if parts, ok := vendors[word]; ok {
			if known = true; hasAny(host, parts) {
				return false
			}
		}
	}
	return known && !unknown(host) && !isInside(host)
}

// isFor reports whether a variable with a secret may be told to a host.
func isFor(variable, host string) bool {
	for word := range strings.SplitSeq(strings.ToLower(variable), "_") {
		if parts, ok := vendors[word]; ok && hasAny(host, parts) {
			return true
		}
	}
	return belongs(variable, host)
}

func hasAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// isInside reports whether a host can only be one of this machine's own network.
func isInside(host string) bool {
	switch {
	case host == "", !strings.Contains(host, "."), strings.HasPrefix(host, "127."), strings.HasPrefix(host, "10."), strings.HasPrefix(host, "192.168."), host == "0.0.0.0":
		return true
	}
	for _, end := range []string{".local", ".internal", ".lan", ".svc", ".test", ".localhost", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}

// What is looked at for secrets: an address, and the headers of a request. Longer
// ones carry something by their length alone.
const (
	mostURL     = 1 << 10
	mostHeaders = 4 << 10
)

// leastSecret is the length from which on a text can have a secret.
const leastSecret = 20

// showsSecret reports whether an address tells its host a secret of a vendor to
// which the host does not belong.
func showsSecret(address, host string) bool {
	if len(address) > mostURL {
		return !isInside(host)
	}
	return isTold(ownersIn(address), host)
}

// ownersIn are the vendors whose secrets stand in a text.
func ownersIn(text string) []string {
	if len(text) < leastSecret {
		return nil
	}
	var owners []string
	for _, found := range secrets.Find(text) {
		if owner, _, _ := strings.Cut(found.Rule, "-"); !ownerless[owner] {
			owners = with(owners, owner)
		}
	}
	return owners
}

// isTold reports whether one of the vendors is somebody else than the host.
func isTold(owners []string, host string) bool {
	if isInside(host) {
		return false
	}
	for _, owner := range owners {
		if !strings.Contains(host, owner) && !hasAny(host, vendors[owner]) {
			return true
		}
	}
	return false
}

// headers is what a request says of who asks.
type headers struct {
	text   string
	owners []string
	long   bool
}

// headersOf looks at the headers once, for however many hosts there are.
func headersOf(lines []string) headers {
	text := strings.Join(lines, "\n")
	h := headers{text: text[:min(len(text), mostHeaders)], long: len(text) > mostHeaders}
	h.owners = ownersIn(h.text)
	return h
}

// tell reports whether a host is told a secret that is not for it.
func (h *headers) tell(host string) bool {
	return h.long && !isInside(host) || isTold(h.owners, host) || len(strangeVariables(h.text, host)) > 0
}

// strangeVariables are the secrets of vendors in a text that says who asks, where
// those who are asked are others.
func strangeVariables(text, host string) []string {
	var found []string
	for _, name := range variablesIn(text) {
		if isSecretOf(name) && isStrange(name, host) {
			found = with(found, "$"+name)
		}
	}
	return found
}

// isSecretOf is isSecretName, also for the keys of vendors: STRIPE_KEY.
func isSecretOf(name string) bool {
	if isSecretName(name) {
		return true
	}
	first, rest, ok := strings.Cut(strings.ToLower(name), "_")
	return ok && vendors[first] != nil && (strings.HasSuffix(rest, "key") || strings.HasSuffix(rest, "pat") || strings.HasSuffix(rest, "auth"))
}

// reachable is an address from which everybody reads the same host: what cannot
// be read before the host's last names is left out, and what cannot be read behind
// it.
func reachable(address string) string {
	scheme, rest := "", address
	if i := strings.Index(address, "://"); i >= 0 && isCluster(strings.ReplaceAll(address[:i], "+", "")) {
		scheme, rest = address[:i+3], address[i+3:]
	}
	odd := func(c byte) bool { return c <= ' ' || c == 0x7f || strings.IndexByte("\\\"'`%<>^{|}", c) >= 0 }
	end := 0 // of the host, brackets of substitutions counted
	for depth := 0; end < len(rest); end++ {
		switch rest[end] {
		case '(', '{':
			depth++
		case ')', '}':
			depth = max(depth-1, 0)
		}
		if depth == 0 && strings.IndexByte("/?#", rest[end]) >= 0 {
			break
		}
	}
	host, after := rest[:end], rest[end:]
	for i := range len(after) {
		if odd(after[i]) {
			after = ""
			break
		}
	}
	plain := host
	for i := len(host) - 1; i >= 0; i-- {
		if odd(host[i]) || strings.IndexByte("()$", host[i]) >= 0 && strings.ContainsAny(host, "(`{") {
			if plain = strings.TrimLeft(host[i+1:], "."); strings.ContainsAny(plain, "@") || !strings.Contains(plain, ".") {
				plain = "unreadable-address"
			}
			break
		}
	}
	return scheme + plain + after
}

// serves notes that a directory is shown to whoever connects. All addresses of this
// machine are none of its own.
func (a *act) serves(address, dir string) {
	if address = strings.TrimPrefix(strings.TrimPrefix(address, "tcp://"), "0.0.0.0"); address == "" {
		address = ":"
	}
	a.add(effect.Effect{Verb: effect.Listen, Object: address, From: a.path(dir), Wide: true})
}
