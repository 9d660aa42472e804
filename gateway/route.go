package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/wire"
)

// action is what the gateway does with a request.
type action uint8

const (
	// refuse: the answer could carry a tool call in a form that is not judged,
	// or the route is unknown.
	refuse action = iota
	// judge: its answer goes through the engine.
	judge
	// forward: its answer cannot carry a tool call.
	forward
)

// route is where a request goes.
type route struct {
	action   action
	provider provider
	format   wire.Format
	// path is the upstream's.
	path string
	// streams: the path, not the body, says that the answer is a stream.
	streams bool
	// asks: the request is one of the format, so that it can carry results of
	// tools.
	asks bool
	// why a request is refused, and with which status; allow are the methods
	// that would be served, where it is the method.
	why    string
	status int
	allow  []string
}

// rule is a line of the table of routes. In its path * matches one segment, **
// at the end any number of them. What is forwarded is listed path by path: below
// a path that is harmless there can be one that answers with contents of files.
type rule struct {
	methods string // separated by spaces
	path    string
	action  action
	format  wire.Format
	why     string
}

const (
	whyBatch   = "batches answer later and in files, with tool calls that are not judged; send single requests"
	whyHistory = "this path returns stored conversations as they were, and with them tool calls that were blocked"
	whyAgents  = "this API returns tool calls in a form that is not judged; use /v1/messages, /v1/responses or /v1/chat/completions"
	whyDirect  = "this API lets the client bypass the gateway"
	whyText    = "the answers of this path are not judged; list it under forward: in the configuration if they may pass unjudged"
	whyUnknown = "this path is not known to Sluice, so its answer could carry a tool call that is not judged; list it under forward: in the configuration if it cannot"
)

// anthropicRoutes and the other tables list what the providers' APIs offer. The
// first line that matches path and method decides.
var anthropicRoutes = []rule{
	{"POST", "/v1/messages", judge, wire.Anthropic, ""},
	{"POST", "/v1/messages/count_tokens", forward, wire.Anthropic, ""},
	{"POST", "/v1/messages/cache_touch", forward, wire.Anthropic, ""},
	{"*", "/v1/messages/batches", refuse, "", whyBatch},
	{"*", "/v1/messages/batches/**", refuse, "", whyBatch},
	{"GET HEAD", "/v1/models", forward, "", ""},
	{"GET HEAD", "/v1/models/*", forward, "", ""},
	{"GET POST", "/v1/files", forward, "", ""},
	{"GET DELETE", "/v1/files/*", forward, "", ""},
	{"*", "/v1/files/*/content", refuse, "", whyBatch}, // another provider's, where one server has both
	{"GET POST", "/v1/skills", forward, "", ""},
	{"GET DELETE", "/v1/skills/*", forward, "", ""},
	{"GET POST", "/v1/skills/*/versions", forward, "", ""},
	{"GET DELETE", "/v1/skills/*/versions/*", forward, "", ""},
	{"POST", "/v1/complete", refuse, "", whyText},
	{"*", "/v1/agents", refuse, "", whyAgents},
	{"*", "/v1/agents/**", refuse, "", whyAgents},
	{"*", "/v1/sessions", refuse, "", whyAgents},
	{"*", "/v1/sessions/**", refuse, "", whyAgents},
	{"*", "/v1/environments", refuse, "", whyAgents},
	{"*", "/v1/environments/**", refuse, "", whyAgents},
}

var openaiRoutes = []rule{
	{"POST", "/v1/chat/completions", judge, wire.OpenAIChat, ""},
	{"DELETE", "/v1/chat/completions/*", forward, "", ""},
	{"GET POST", "/v1/chat/completions", refuse, "", whyHistory},
	{"GET POST", "/v1/chat/completions/**", refuse, "", whyHistory},
	{"POST", "/v1/responses", judge, wire.OpenAIResponses, ""},
	{"POST", "/v1/responses/input_tokens", forward, wire.OpenAIResponses, ""},
	{"POST", "/v1/responses/compact", judge, wire.OpenAIResponses, ""},
	{"GET", "/v1/responses/*", judge, wire.OpenAIResponses, ""},
	{"DELETE", "/v1/responses/*", forward, "", ""},
	{"POST", "/v1/responses/*/cancel", judge, wire.OpenAIResponses, ""},
	{"*", "/v1/responses/*/input_items", refuse, "", whyHistory},
	{"GET HEAD", "/v1/models", forward, "", ""},
	{"GET HEAD DELETE", "/v1/models/*", forward, "", ""},
	{"POST", "/v1/embeddings", forward, "", ""},
	{"POST", "/v1/moderations", forward, "", ""},
	{"POST", "/v1/audio/*", forward, "", ""},
	{"POST", "/v1/images/*", forward, "", ""},
	{"POST", "/v1/alpha/search", forward, "", ""},
	{"POST", "/v1/memories/trace_summarize", forward, wire.OpenAIResponses, ""},
	{"GET POST", "/v1/files", forward, "", ""},
	{"GET DELETE", "/v1/files/*", forward, "", ""},
	{"*", "/v1/files/*/content", refuse, "", whyBatch},
	{"POST", "/v1/uploads", forward, "", ""},
	{"POST", "/v1/uploads/*/parts", forward, "", ""},
	{"POST", "/v1/uploads/*/complete", forward, "", ""},
	{"POST", "/v1/uploads/*/cancel", forward, "", ""},
	{"GET POST", "/v1/vector_stores", forward, "", ""},
	{"GET POST DELETE", "/v1/vector_stores/*", forward, "", ""},
	{"POST", "/v1/vector_stores/*/search", forward, "", ""},
	{"GET POST", "/v1/vector_stores/*/files", forward, "", ""},
	{"GET POST DELETE", "/v1/vector_stores/*/files/*", forward, "", ""},
	{"*", "/v1/vector_stores/*/files/*/content", refuse, "", whyBatch},
	{"*", "/v1/vector_stores/*/files/*/content/**", refuse, "", whyBatch},
	{"POST", "/v1/vector_stores/*/file_batches", forward, "", ""},
	{"GET", "/v1/vector_stores/*/file_batches/*", forward, "", ""},
	{"POST", "/v1/vector_stores/*/file_batches/*/cancel", forward, "", ""},
	{"GET", "/v1/vector_stores/*/file_batches/*/files", forward, "", ""},
	{"*", "/v1/batches", refuse, "", whyBatch},
	{"*", "/v1/batches/**", refuse, "", whyBatch},
	{"*", "/v1/conversations", refuse, "", whyHistory},
	{"*", "/v1/conversations/**", refuse, "", whyHistory},
	{"*", "/v1/assistants", refuse, "", whyAgents},
	{"*", "/v1/assistants/**", refuse, "", whyAgents},
	{"*", "/v1/threads", refuse, "", whyAgents},
	{"*", "/v1/threads/**", refuse, "", whyAgents},
	{"*", "/v1/agents", refuse, "", whyAgents},
	{"*", "/v1/agents/**", refuse, "", whyAgents},
	{"*", "/v1/realtime", refuse, "", whyDirect},
	{"*", "/v1/realtime/**", refuse, "", whyDirect},
	{"POST", "/v1/completions", refuse, "", whyText},
}

// chatgptRoutes are what Codex uses with a ChatGPT login.
var chatgptRoutes = []rule{
	{"POST", "/backend-api/codex/responses", judge, wire.OpenAIResponses, ""},
	{"POST", "/backend-api/codex/responses/compact", judge, wire.OpenAIResponses, ""},
	{"GET HEAD", "/backend-api/codex/models", forward, "", ""},
	{"POST", "/backend-api/codex/images/*", forward, "", ""},
	{"POST", "/backend-api/codex/alpha/search", forward, "", ""},
	{"POST", "/backend-api/codex/memories/trace_summarize", forward, wire.OpenAIResponses, ""},
	{"*", "/backend-api/codex/realtime/**", refuse, "", whyDirect},
	{"*", "/backend-api/codex/live", refuse, "", whyDirect},
}

// geminiRoutes are Gemini's paths other than models' methods, after the version.
var geminiRoutes = []rule{
	{"GET HEAD", "/models", forward, "", ""},
	{"GET HEAD", "/models/*", forward, "", ""},
	{"GET HEAD", "/tunedModels", forward, "", ""},
	{"GET HEAD", "/tunedModels/*", forward, "", ""},
	{"GET POST", "/cachedContents", forward, wire.Gemini, ""},
	{"GET PATCH DELETE", "/cachedContents/*", forward, wire.Gemini, ""},
	{"GET POST", "/files", forward, "", ""},
	{"GET DELETE", "/files/*", forward, "", ""},
}

// geminiMethods are the methods of a model.
var geminiMethods = map[string]action{
	"generateContent": judge, "streamGenerateContent": judge,
	"countTokens": forward, "countTextTokens": forward, "computeTokens": forward,
	"embedContent": forward, "batchEmbedContents": forward, "asyncBatchEmbedContent": forward,
}

// find returns where a request goes. The path must be the one on the wire,
// because that is what the upstream interprets.
func (g *Gateway) find(method, path, query string, h http.Header) route {
	who, path := providerOf(path, query, h)
	r := route{provider: who, path: path, format: formatOf(who, path), why: whyUnknown, status: http.StatusNotFound}
	if !plain(path) {
		r.why, r.status = "the path has empty, relative or escaped segments; write it plainly", http.StatusBadRequest
		return r
	}
	switch who {
	case anthropic:
		r = r.look(anthropicRoutes, method, path)
	case openai:
		r = r.look(openaiRoutes, method, path)
	case chatgpt:
		r = r.look(chatgptRoutes, method, path)
	case gemini:
		r = r.gemini(method)
	}
	// Judged paths stay judged, and paths known to be unsafe are not opened.
	if r.action == refuse && (r.why == whyText || r.why == whyUnknown || r.status == http.StatusMethodNotAllowed) && g.forwards(path) {
		r.action = forward
	}
	if r.action == forward && !plainForm(query) {
		r.action, r.why, r.status = refuse, whyBatch, http.StatusForbidden
	}
	return r
}

// plainForm reports whether a query asks for metadata in JSON and not, as alt=media
// does in Google's APIs, for the contents of a file.
func plainForm(query string) bool {
	for name, value := range parameters(query) {
		if name == "alt" && !strings.EqualFold(value, "json") && !strings.EqualFold(value, "sse") {
			return false
		}
	}
	return true
}

// look finds the rule for a path.
func (r route) look(table []rule, method, path string) route {
	var allowed []string
	for i := range table {
		line := &table[i]
		if !matches(line.path, path) {
			continue
		}
		if line.methods == "*" || hasWord(line.methods, method) {
			r.action, r.why, r.status = line.action, line.why, http.StatusForbidden
			if line.format != "" {
				r.format, r.asks = line.format, true
			}
			return r
		}
		for method := range strings.SplitSeq(line.methods, " ") {
			if line.action != refuse && !slices.Contains(allowed, method) {
				allowed = append(allowed, method)
			}
		}
	}
	if len(allowed) > 0 {
		r = r.onlyFor(allowed...)
	}
	return r
}

// onlyFor refuses the method.
func (r route) onlyFor(methods ...string) route {
	r.why, r.status = "use "+strings.Join(methods, " or ")+" for "+r.path, http.StatusMethodNotAllowed
	r.allow = methods
	return r
}

// gemini finds the rule for a Gemini path, whose last segment names the method.
func (r route) gemini(method string) route {
	last := r.path[strings.LastIndexByte(r.path, '/')+1:]
	_, verb, isMethod := strings.Cut(last, ":")
	does, known := geminiMethods[verb]
	switch {
	case isMethod && known && method != http.MethodPost:
		r = r.onlyFor(http.MethodPost)
	case isMethod && known:
		r.action, r.streams, r.asks = does, verb == "streamGenerateContent", true
	case isMethod:
		r.why, r.status = "the method "+verb+" may answer with tool calls in a form that is not judged; use generateContent or streamGenerateContent", http.StatusForbidden
	default:
		_, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.path, "/upload"), "/"), "/")
		version := strings.TrimSuffix(r.path, "/"+rest)
		r = r.look(geminiRoutes, method, "/"+rest)
		if strings.HasPrefix(version, "/upload/") && rest != "files" || version == "" {
			r.action, r.why, r.status = refuse, whyUnknown, http.StatusNotFound
		}
	}
	return r
}

// providerOf finds the provider of a path. Clients that were given a base URL
// without the version leave the version out.
func providerOf(path, query string, h http.Header) (provider, string) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "backend-api":
		return chatgpt, path
	case "upload":
		return gemini, path
	}
	isModels := rest == "models" || strings.HasPrefix(rest, "models/") // which all providers have
	if strings.HasPrefix(first, "v1") && first != "v1" || first == "v1" && (isGeminiMethod(rest) || isModels && (len(h["X-Goog-Api-Key"]) > 0 || len(parameter(query, "key")) > 0)) {
		return gemini, path
	}
	switch first {
	case "messages", "chat", "responses", "models", "embeddings":
		path = "/v1" + path
		first, rest, _ = strings.Cut(path[1:], "/")
	}
	if first == "v1" && h.Get("Chatgpt-Account-Id") != "" {
		return chatgpt, "/backend-api/codex/" + rest
	}
	switch {
	case rest == "messages" || strings.HasPrefix(rest, "messages/"):
		return anthropic, path
	case strings.HasPrefix(rest, "chat/") || strings.HasPrefix(rest, "responses"):
		return openai, path
	case h.Get("Anthropic-Version") != "" || isModels && len(h["X-Api-Key"]) > 0:
		return anthropic, path
	}
	return openai, path
}

func isGeminiMethod(path string) bool {
	_, verb, ok := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ":")
	_, known := geminiMethods[verb]
	return ok && known
}

// formatOf is the dialect in which a client of a path reads errors.
func formatOf(who provider, path string) wire.Format {
	switch who {
	case anthropic:
		return wire.Anthropic
	case gemini:
		return wire.Gemini
	case openai, chatgpt:
	}
	if strings.Contains(path, "/responses") {
		return wire.OpenAIResponses
	}
	return wire.OpenAIChat
}

// plain reports whether every server interprets a path in the same way.
func plain(path string) bool {
	if len(path) < 2 || path[0] != '/' {
		return false
	}
	if strings.ContainsAny(path, "\\;") {
		return false
	}
	for _, after := range strings.Split(path, "%")[1:] {
		if after == "" || after[0] < '8' { // an escaped letter, colon or slash: upstreams read it as a plain one
			return false
		}
	}
	for segment := range strings.SplitSeq(path[1:], "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return true
}

// matches compares a path with a pattern.
func matches(pattern, path string) bool {
	for {
		want, restWant, moreWant := strings.Cut(strings.TrimPrefix(pattern, "/"), "/")
		have, restHave, moreHave := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		switch {
		case want == "**":
			return true
		case want != have && (want != "*" || have == ""):
			return false
		case moreWant != moreHave:
			return false
		case !moreWant:
			return true
		}
		pattern, path = restWant, restHave
	}
}

func hasWord(words, word string) bool {
	for w := range strings.SplitSeq(words, " ") {
		if w == word {
			return true
		}
	}
	return false
}

// answers reports whether a path looks like one that asks a model, with any
// prefix: servers that speak several dialects have prefixes.
func answers(path string) bool {
	path = strings.ToLower(path)
	for _, end := range []string{"/messages", "/chat/completions", "/responses", "/completions", "generatecontent", "/input_items", "/messages/batches", "/batches"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return strings.Contains(path, "/responses/") || strings.Contains(path, "/threads/") || strings.Contains(path, "/conversations/")
}

// forwards reports whether the operator has listed a path. A listed prefix
// opens no path that asks a model.
func (g *Gateway) forwards(path string) bool {
	for _, listed := range g.config.Forward {
		if prefix, isPrefix := strings.CutSuffix(listed, "/*"); path == listed || isPrefix && strings.HasPrefix(path, prefix+"/") && !answers(path) {
			return true
		}
	}
	return false
}
