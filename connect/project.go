package connect

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A repository's files are read by the clients too, and anyone may have written
// them. They may say how to work; they may not say where requests and
// credentials go, nor send the gateway headers in the user's name.

// refuseProject is the refusal of something that a repository's file decides.
func (p *preparation) refuseProject(file, what string) error {
	return p.refuse("remove it there; if you do want it, set it in your own environment or settings",
		"the project's file %s sets %s, and a repository does not decide where your credentials go", file, what)
}

// programs tells the user which programs a repository's settings start by
// themselves. No model asks for those, so no policy judges them.
func (p *preparation) programs(file string, settings object, keys ...string) {
	for _, key := range keys {
		if value := settings[key]; value != nil {
			p.notef("The project's file %s starts programs of its own (%s). Sluice judges what the model asks for, not those.", file, key)
		}
	}
}

// proxies are the variables that send requests through a proxy, or exempt them
// from it.
var proxies = []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY"}

// isProxy: clients read these names in upper and in lower case.
func isProxy(name string) bool { return slices.Contains(proxies, strings.ToUpper(name)) }

// trusts are the variables that say whose certificates are trusted.
var trusts = []string{"NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// ownParts are parts of the names of Claude Code's own variables that say where
// it sends something, or from where it takes its credentials. There are dozens,
// and new ones in each version.
var ownParts = []string{
	"URL", "HOST", "SOCK", "PROXY", "CERT", "CLIENT_KEY", "OAUTH", "DESCRIPTOR", "CREDS", "CONFIG_DIR", "REMOTE", "BRIDGE", "OVERRIDES",
}

// decides reports whether a variable decides where Claude Code's requests or
// credentials go.
func (p *preparation) decides(name string) bool {
	name = strings.ToUpper(name)
	if isProxy(name) {
		return true
	}
	if slices.Contains(trusts, name) {
		return strings.HasPrefix(p.base, "https:") // otherwise there is no certificate
	}
	own := slices.ContainsFunc([]string{"ANTHROPIC_", "CLAUDE_", "CLAUDEAI_", "_CLAUDE_", "CCR_", "SLUICE_"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	return own && slices.ContainsFunc(ownParts, func(part string) bool { return strings.Contains(name, part) })
}

// speaksToUs reports whether headers, or one name of a header, are Sluice's own.
// With them a request says in which directory and for whom the agent works, and
// policies trust it.
func speaksToUs(headers string) bool { return strings.Contains(strings.ToLower(headers), "x-sluice") }

// variables are the members of an env block as a client puts them into its
// environment: as texts, whatever they are.
func variables(block object) object {
	texts := make(object, len(block))
	for name, value := range block {
		texts[name] = asText(value)
	}
	return texts
}

// asText writes a value of JSON as JavaScript does where it needs a text: true
// is a text then, and so is a list of one URL.
func asText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case bool:
		return strconv.FormatBool(value)
	case json.Number:
		if f, err := value.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return value.String()
	case []any:
		texts := make([]string, len(value))
		for i, element := range value {
			if element != nil {
				texts[i] = asText(element)
			}
		}
		return strings.Join(texts, ",")
	case nil:
		return "null"
	}
	return "[object Object]"
}

// addressKeys are the names, in lower case, under which a provider of opencode
// has an address, or the program that speaks to it.
var addressKeys = []string{"baseurl", "api", "apiurl", "url", "endpoint", "host", "npm", "proxy"}

// address finds, at any depth, what decides where a provider of opencode sends
// its requests. The gateway's own address does not count.
func (p *preparation) address(o object) (key string, found bool) {
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if speaksToUs(key) || strings.Contains(key, "{") { // opencode fills {file:...} in, in keys too
			return key, true
		}
		if deeper := o.object(key); deeper != nil {
			if key, found := p.address(deeper); found {
				return key, true
			}
		} else if at := asText(o[key]); slices.Contains(addressKeys, strings.ToLower(key)) && at != "" && !p.isGateway(at) {
			return key + " to " + at, true
		}
	}
	return "", false
}
