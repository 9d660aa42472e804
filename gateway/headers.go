package gateway

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// isHopByHop reports whether a header is about one connection. Host, Content-Length
// and Accept-Encoding are the gateway's own affair as well: it asks for what it can
// read without decoding, and decodes what comes encoded all the same.
func isHopByHop(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length":
		return true
	}
	return strings.HasPrefix(name, "Proxy-")
}

// copyHeaders copies the headers that are about the message and that are for whoever
// gets it.
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

// isForUpstream reports whether a header of a client is for the upstream too: not
// what Sluice is told, nor that by which some servers serve another method or path
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

// requestHeaders are what the upstream gets of a client's headers.
func requestHeaders(from http.Header) http.Header {
	to := make(http.Header, len(from))
	copyHeaders(to, from, isForUpstream)
	to["Accept-Encoding"] = identity
	if _, said := to["User-Agent"]; !said {
		to["User-Agent"] = unnamed // or Go names itself
	}
	return to
}

// What most requests to an upstream have. It is shared, and nobody writes into it.
var (
	identity = []string{"identity"}
	unnamed  = []string{""}
	unsent   = []string{}
)

// isForClient reports whether a header of an upstream is for the client too.
//
// A client takes what it gets for the word of the gateway's origin, and so do the
// proxies on the way. What makes it keep something for that origin (cookies, HTTPS
// only, another place to connect to), act on it (load, report, log in, clear) or open
// it to others is not the upstream's to say. What is left tells about the answer.
//
// This is a list of what is dropped, not of what passes: SDKs read headers that
// providers invent as they like (limits, ids, advice to try again), while what makes
// a client act has names that are registered and few.
func isForClient(name string) bool {
	switch name {
	case "Set-Cookie", "Set-Cookie2", "Clear-Site-Data", "Set-Login", "Activate-Storage-Access",
		"Strict-Transport-Security", "Public-Key-Pins", "Public-Key-Pins-Report-Only", "Expect-Ct", "Expect-Staple",
		"Alt-Svc", "Alternates", "Location", "Content-Location", "Refresh", "Link", "Sourcemap", "X-Sourcemap", "Speculation-Rules",
		"Nel", "Report-To", "Reporting-Endpoints",
		"Www-Authenticate", "Authentication-Info", "Authentication-Control", "Optional-Www-Authenticate",
		"Accept-Ch", "Accept-Ch-Lifetime", "Critical-Ch", "Accept-Signature", "Service-Worker-Allowed", "Supports-Loading-Mode",
		"Timing-Allow-Origin", "Origin-Agent-Cluster", "Observe-Browsing-Topics",
		"Content-Security-Policy", "Content-Security-Policy-Report-Only", "X-Content-Security-Policy", "X-Webkit-Csp",
		"Permissions-Policy", "Feature-Policy", "Document-Policy", "Referrer-Policy", "X-Permitted-Cross-Domain-Policies",
		"X-Sendfile", "X-Lighttpd-Send-File", "X-Reproxy-Url":
		return false
	}
	for _, family := range [...]string{"Access-Control-", "Cross-Origin-", "Attribution-Reporting-", "Sec-", "X-Accel-", "X-Sluice-"} {
		if strings.HasPrefix(name, family) {
			return false
		}
	}
	return true
}

// clientHeaders gives a client what is for it of an upstream's headers.
func clientHeaders(h, from http.Header) {
	id := h["X-Sluice-Exchange"]
	copyHeaders(h, from, isForClient)
	h["X-Sluice-Exchange"] = id
}

// answerHeaders are what the client gets of an upstream's headers with an answer
// that is judged. It was read as UTF-8, and clients must read it so too.
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

// What every stream has; the last tells proxies to keep nothing back. It is shared,
// and nobody writes into it.
var (
	eventStream = []string{"text/event-stream; charset=utf-8"}
	uncached    = []string{"no-cache"}
	unbuffered  = []string{"no"}
)

// inUTF8 is the type of a body that was read as UTF-8: what the upstream said, but
// for another charset, by which a client would read something else in it.
func inUTF8(said []string) string {
	if len(said) != 1 { // clients choose among several
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
	return media == "application/json" || strings.HasSuffix(media, "+json")
}
