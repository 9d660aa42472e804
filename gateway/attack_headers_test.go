package gateway_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// notPassedBack are headers that make a client, or a proxy in front of the gateway,
// do something to the gateway's origin, which the upstream is not.
var notPassedBack = headers(
	"Set-Cookie", "a=1; Secure", "Set-Cookie2", "b=2", "Clear-Site-Data", `"*"`, "Set-Login", "logged-in", "Login-Status", "logged-in", "Idp-Signin-Status", "action=signin",
	"Strict-Transport-Security", "max-age=31536000", "Public-Key-Pins", "pin-sha256=x", "Public-Key-Pins-Report-Only", "x", "Expect-Ct", "enforce",
	"Alt-Svc", `h2="evil.example:443"`, "Location", "http://evil.example/", "Content-Location", "http://evil.example/", "Refresh", "0; url=http://evil.example/",
	"Link", "<http://evil.example/x>; rel=preload", "Sourcemap", "x", "Speculation-Rules", "x", "Service-Worker-Allowed", "/",
	"Nel", `{"report_to":"x"}`, "Report-To", "{}", "Reporting-Endpoints", "x", "Content-Security-Policy", "report-uri http://evil.example/", "Content-Security-Policy-Report-Only", "x",
	"Www-Authenticate", "Negotiate", "Proxy-Authenticate", "NTLM", "Proxy-Authentication-Info", "x", "Proxy-Status", "x", "Authentication-Info", "x",
	"Access-Control-Allow-Origin", "*", "Access-Control-Allow-Credentials", "true", "Access-Control-Expose-Headers", "*", "Access-Control-Anything-New", "x",
	"Cross-Origin-Resource-Policy", "cross-origin", "Cross-Origin-Opener-Policy", "unsafe-none", "Timing-Allow-Origin", "*", "Permissions-Policy", "x", "Referrer-Policy", "unsafe-url",
	"Accept-Ch", "Sec-CH-UA", "Critical-Ch", "x", "Sec-Session-Registration", "x", "Attribution-Reporting-Register-Source", "x",
	"Permissions-Policy-Report-Only", "x", "Document-Policy-Report-Only", "x", "Document-Isolation-Policy", "x", "Require-Document-Policy", "x",
	"Integrity-Policy", "x", "Integrity-Policy-Report-Only", "x", "Shared-Storage-Write", "clear", "Secure-Session-Registration", `(ES256);path="/"`,
	"Secure-Session-Challenge", "x", "Ad-Auction-Allowed", "?1", "Ad-Auction-Signals", "x", "X-Dns-Prefetch-Control", "on", "Window-Target", "x",
	"Cdn-Cache-Control", "max-age=9", "Cloudflare-Cdn-Cache-Control", "max-age=9", "Edge-Control", "x", "Cache-Tag", "x", "Persistent-Auth", "true",
	"Origin-Trial", "x", "Use-As-Dictionary", `match="/*"`, "No-Vary-Search", "params", "Surrogate-Control", "max-age=9", "Surrogate-Key", "x",
	"X-Accel-Redirect", "/etc/passwd", "X-Accel-Limit-Rate", "1", "X-Sendfile", "/etc/passwd", "X-Litespeed-Location", "/etc/passwd", "X-Sluice-Verdict", "allow",
)

// An upstream's headers describe its answer, and say nothing about the gateway,
// on every path that an answer can take.
func TestAttackHeadersAboutTheOrigin(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, what string, got *answer) {
		t.Helper()
		for name := range notPassedBack {
			if len(got.header[name]) > 0 {
				t.Errorf("%s: %s is passed on: %q", what, name, got.header[name])
			}
		}
		for name, values := range passedBack {
			if !slices.Equal(got.header[name], values) {
				t.Errorf("%s: %s is %q, want %q", what, name, got.header[name], values)
			}
		}
	}
	with := func(r sluicetest.Reply) sluicetest.Reply {
		maps.Copy(r.Header, notPassedBack)
		maps.Copy(r.Header, passedBack)
		return r
	}
	each(t, func(t *testing.T, format wire.Format, stream bool) {
		check(t, "an answer", newBench(t, nil, with(reply(format, stream, said("ok", harmful)))).ask(format, stream))
		check(t, "an error", newBench(t, nil, with(sluicetest.JSON(http.StatusUnauthorized, `{"error":{}}`))).ask(format, stream))
	})
	forwarded := newBench(t, nil, with(sluicetest.JSON(http.StatusOK, `{}`)))
	check(t, "a forwarded answer", forwarded.do(http.MethodGet, "/v1/models", nil, nil))
}

// What was read as UTF-8 must not be read as something else by the client.
func TestAttackCharsets(t *testing.T) {
	t.Parallel()
	for _, charset := range []string{"utf-7", "UTF-16", "utf-16le", "iso-2022-jp", "ibm037", `"utf-7"`, "utf-8; charset=utf-7", "utf-8, text/html; charset=utf-7"} {
		for _, media := range []string{"text/event-stream", "application/json", "TEXT/Event-Stream", "text/html"} {
			kind := media + "; charset=" + charset
			each(t, func(t *testing.T, format wire.Format, stream bool) {
				answer := reply(format, stream, said("ok"))
				answer.Header["Content-Type"] = []string{kind}
				failure := sluicetest.JSON(http.StatusBadRequest, `{"error":{}}`)
				failure.Header["Content-Type"] = []string{kind, "text/html; charset=utf-7"}[:1+len(charset)%2]
				b := newBench(t, nil, answer, failure)
				want := map[bool]string{true: "text/event-stream; charset=utf-8", false: "application/json"}[stream]
				if got := b.ask(format, stream).header["Content-Type"]; !slices.Equal(got, []string{want}) && !slices.Equal(got, []string{want + "; charset=utf-8"}) {
					t.Errorf("%s: the answer has the type %q", kind, got)
				}
				if !strings.Contains(strings.ToLower(media), "html") { // a body that nobody has read may be in its own charset
					passed := newBench(t, nil, answer).do(http.MethodGet, "/v1/models", nil, nil)
					if got := passed.header["Content-Type"]; len(got) != 1 || strings.Contains(strings.ReplaceAll(got[0], "charset=utf-8", ""), "charset") {
						t.Errorf("%s: what is forwarded has the type %q", kind, got)
					}
				}
				failed := b.ask(format, stream)
				if got := failed.header["Content-Type"]; failed.status != http.StatusBadRequest || len(got) != 1 || strings.Contains(strings.ReplaceAll(got[0], "charset=utf-8", ""), "charset") {
					t.Errorf("%s: the error has the type %q", kind, got)
				}
			})
		}
	}
}
