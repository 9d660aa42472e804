package gateway

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// isHopByHop reports whether a header concerns a single connection. The gateway also
// sets Host, Content-Length and Accept-Encoding itself: it asks for what it can read
// without decoding, and still decodes what arrives encoded.
func isHopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length":
		return true
	}
	return strings.HasPrefix(name, "Proxy-")
}

// copyHeaders copies the end-to-end headers that isFor accepts.
func copyHeaders(to, from http.Header, isFor func(name string) bool) {
	for name, values := range from {
		if !isHopByHop(name) && isFor(name) {
			to[name] = slices.Clip(values) // nobody writes into them
		}
	}
	for _, value := range from["Connection"] {
		for name := range strings.SplitSeq(value, ",") {
			to.Del(strings.TrimSpace(name))
		}
	}
}

// isForUpstream reports whether a client's header is passed on to the upstream: not
// those for Sluice, nor those that make some servers serve a method or path other
// than the one that was judged.
func isForUpstream(name string) bool {
	switch name {
	case "Expect",
		"X-Http-Method-Override", "X-Http-Method", "X-Method-Override",
		"X-Original-Url", "X-Rewrite-Url", "X-Original-Uri", "X-Forwarded-Uri", "X-Forwarded-Path", "X-Forwarded-Prefix":
		return false
	}
	return !strings.HasPrefix(name, "X-Sluice-")
}

// requestHeaders returns the headers for the upstream.
func requestHeaders(from http.Header) http.Header {
	to := make(http.Header, len(from))
	copyHeaders(to, from, isForUpstream)
	to["Accept-Encoding"] = identity
	if _, said := to["User-Agent"]; !said {
		to["User-Agent"] = unnamed // otherwise Go sends its own name
	}
	return to
}

// Values that most requests to an upstream have. They are shared and never modified.
var (
	identity = []string{"identity"}
	unnamed  = []string{""}
	unsent   = []string{}
)

// isForClient reports whether an upstream's header is passed on to the client.
//
// Clients and proxies attribute headers to the gateway's origin. Headers that make
// them store something for that origin (cookies, HTTPS only, another address), act on
// it (load, report, log in, clear) or open it to others are not the upstream's to
// send. The rest describes the answer.
//
// This is a denylist: SDKs read headers that providers invent at will (limits, ids,
// retry advice), while the headers that make clients act are registered and few.
func isForClient(name string) bool {
	switch name {
	case "Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "Set-Login", "Login-Status", "Idp-Signin-Status", "Activate-Storage-Access",
		"Strict-Transport-Security", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct", "Expect-Staple",
		"Alt-Svc", "Alternates", "Location", "Content-Location", "Refresh", "Link", "Sourcemap", "X-Sourcemap", "Speculation-Rules",
		"Nel", "Report-To", "Reporting-Endpoints",
		"Www-Authenticate", "Authentication-Info", "Authentication-Control", "Optional-Www-Authenticate",
		"Accept-Ch", "Accept-Ch-Lifetime", "Critical-Ch", "Accept-Signature", "Service-Worker-Allowed", "Supports-Loading-Mode",
		"Timing-Allow-Origin", "Origin-Agent-Cluster", "Origin-Trial", "Observe-Browsing-Topics", "Use-As-Dictionary", "No-Vary-Search",
		"Content-Security-Policy", "Content-Security-Policy-Report-Only", "X-Content-Security-Policy", "X-Webkit-Csp",
		"Feature-Policy", "Require-Document-Policy", "Referrer-Policy", "X-Permitted-Cross-Domain-Policies",
		"Shared-Storage-Write", "Persistent-Auth", "X-Dns-Prefetch-Control", "Window-Target", "Edge-Control", "Cache-Tag", "Edge-Cache-Tag",
		"X-Sendfile", "X-Lighttpd-Send-File", "X-Reproxy-Url":
		return false
	}
	for _, family := range [...]string{"Access-Control-", "Cross-Origin-", "Attribution-Reporting-", "Ad-Auction-", "Secure-Session-",
		"Document-Policy", "Document-Isolation-Policy", "Integrity-Policy", "Permissions-Policy", "Sec-", "X-Accel-", "X-Litespeed-", "Surrogate-", "X-Sluice-"} {
		if strings.HasPrefix(name, family) {
			return false
		}
	}
	return !strings.HasSuffix(name, "-Cache-Control") // for one kind of cache on the way
}

// clientHeaders copies the headers of an upstream that are for the client.
func clientHeaders(h, from http.Header) {
	id := h["X-Sluice-Exchange"]
	copyHeaders(h, from, isForClient)
	h["X-Sluice-Exchange"] = id
}

// answerHeaders sets the client's headers for a judged answer. The answer was read
// as UTF-8, and clients must read it as UTF-8, too.
func answerHeaders(h, from http.Header, whole bool) {
	clientHeaders(h, from)
	delete(h, "Content-Encoding")
	if whole {
		if kind := inUTF8(h["Content-Type"]); isJSON(kind) {
			h["Content-Type"] = []string{kind}
		} else {
			h["Content-Type"] = []string{"application/json"}
		}
		return
	}
	h["Content-Type"] = eventStream
	if h.Get("Cache-Control") == "" {
		h["Cache-Control"] = uncached
	}
	h["X-Accel-Buffering"] = unbuffered
}

func streamHeaders(h http.Header) {
	h["Content-Type"] = eventStream
	h["Cache-Control"] = uncached
	h["X-Accel-Buffering"] = unbuffered
}

// Values that every stream has; the last tells proxies not to buffer. They are
// shared and never modified.
var (
	eventStream = []string{"text/event-stream; charset=utf-8"}
	uncached    = []string{"no-cache"}
	unbuffered  = []string{"no"}
)

// inUTF8 returns the content type of a body that was read as UTF-8: the upstream's,
// without any other charset, which would make a client read something else.
func inUTF8(said []string) string {
	if len(said) != 1 { // clients differ in which of several they use
		return "text/plain; charset=utf-8"
	}
	media, params, err := mime.ParseMediaType(said[0])
	charset, named := params["charset"]
	switch {
	case err != nil:
		return "text/plain; charset=utf-8"
	case len(params) == 0 || len(params) == 1 && strings.EqualFold(charset, "utf-8"):
		return said[0]
	case named:
		return media + "; charset=utf-8"
	}
	return media
}

// isJSON reports whether a type is one of JSON.
func isJSON(kind string) bool {
	media, _, _ := strings.Cut(kind, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// isUTF8 reports whether a body of this type is UTF-8 whatever its charset says.
func isUTF8(kind string) bool {
	media, _, _ := strings.Cut(kind, ";")
	return isJSON(kind) || strings.EqualFold(strings.TrimSpace(media), "text/event-stream")
}
