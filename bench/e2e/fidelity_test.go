package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// excluded are the headers that may differ by design: they belong to a connection, not to a request, and the
// gateway asks for encodings that it can read.
var excluded = []string{"Accept-Encoding", "Connection", "Content-Length", "Host"}

// normalised are the parts of requests that differ between two runs of one client, gateway or not. They become
// words before requests are compared; all other bytes must be equal.
var normalised = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`(?:/|-)[\w./-]*?TestE2EFidelity[\w-]*?(?:/|-)[0-9]{3}(?:/|-)home`), "HOME"},
	{regexp.MustCompile(`(device_id\\?":\\?")[0-9a-f]{64}`), "${1}DEVICE"},
	{regexp.MustCompile(`\b(msg|resp|req|call)_e2e_[\d_]+`), "${1}_ID"},
	{regexp.MustCompile(`\bcch=[0-9a-f]+`), "cch=HASH"},
	{regexp.MustCompile(`("(?:create_time|turn_started_at_unix_ms)":|\\"turn_started_at_unix_ms\\":)[0-9.]+`), "${1}TIME"},
	{regexp.MustCompile(`(Wall time:? )[0-9.]+`), "${1}TIME"},
	{regexp.MustCompile(`Chunk ID: [0-9a-f]+`), "Chunk ID"},
	{regexp.MustCompile(`\bBash=\d+`), "Bash=TIME"},
}

// unordered are objects whose members a client writes in another order on each run.
var unordered = []string{"client_metadata"}

// lost is what a client sends to its provider's own address only, which no setting can change: Claude Code
// offers this beta only if the base URL has the host api.anthropic.com. It was not in use in the requests.
var lost = regexp.MustCompile(`\bmid-conversation-system-clear-at-[0-9-]+,`)

// TestE2EFidelity: what arrives at the provider from a client that `sluice run` starts is what arrives from the
// client alone, tools and betas included. Both talk to the provider's own address, through a proxy that shows
// what they sent.
func TestE2EFidelity(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("on other systems than Linux, programs do not take the test's certificate authority from a variable")
	}
	tests := []struct {
		name      string
		env       []string
		arguments []string
	}{
		{
			"claude", append([]string{"ANTHROPIC_API_KEY=dummy"}, quiet...),
			claudeArguments(task(safeCommand)),
		},
		{"codex with a known model", []string{"CODEX_API_KEY=dummy"}, codexArguments("", "gpt-6-sol", task(safeCommand))},
		{"codex with an unknown model", []string{"CODEX_API_KEY=dummy"}, codexArguments("", "e2e-model", task(safeCommand))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			clients(t)
			direct := observed(t, test.env, test.arguments...)
			through := observed(t, test.env, append([]string{os.Getenv(programVariable), "run", "--"}, test.arguments...)...)
			if len(direct) < 2 || len(direct) != len(through) {
				t.Fatalf("%d requests arrived directly and %d through sluice, want the same and at least 2", len(direct), len(through))
			}
			for i := range direct {
				compare(t, fmt.Sprintf("request %d", i+1), normal(direct[i]), normal(through[i]))
			}
		})
	}
}

// observed runs a client that finds its provider behind a tunnel, and returns what it asked the model.
func observed(t *testing.T, env []string, arguments ...string) []seen {
	t.Helper()
	up := newUpstream(t)
	proxy := newTunnel(t, up, "api.anthropic.com", "api.openai.com")
	s := newSandbox(t, append([]string{
		"HTTPS_PROXY=" + proxy.URL, "NODE_EXTRA_CA_CERTS=" + proxy.Authority, "SSL_CERT_FILE=" + proxy.Authority,
	}, env...)...)
	stdout, stderr, err := s.Run(arguments[0], arguments[1:]...)
	if err != nil || !s.Exists(s.Project, "safe.txt") {
		t.Fatalf("%s: %v\narrived upstream:\n%srefused: %s\n%s\n%s", arguments[0], err, up.Log(), proxy.Refused(), stdout, stderr)
	}
	return up.Requests()
}

// normal returns a request as a text in which equal requests are equal.
func normal(r seen) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s%s?%s\n", r.method, r.host, r.path, r.query.Encode())
	header := maps.Clone(r.header)
	for _, name := range excluded {
		delete(header, http.CanonicalHeaderKey(name))
	}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			fmt.Fprintf(&out, "%s: %s\n", name, lost.ReplaceAllString(value, ""))
		}
	}
	out.Write(ordered(r.body))
	text := out.String()
	for _, n := range normalised {
		text = n.pattern.ReplaceAllString(text, n.word)
	}
	return text
}

// ordered sorts the members of the objects that are unordered. The rest of the body keeps its bytes.
func ordered(body []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return body
	}
	for _, name := range unordered {
		raw := members[name]
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || object == nil {
			continue
		}
		sorted, err := json.Marshal(object)
		if err != nil {
			continue
		}
		body = bytes.Replace(body, raw, sorted, 1)
	}
	return body
}

// compare shows the surroundings of the first difference.
func compare(t *testing.T, what, direct, through string) {
	t.Helper()
	if direct == through {
		return
	}
	at := 0
	for at < min(len(direct), len(through)) && direct[at] == through[at] {
		at++
	}
	around := func(text string) string { return text[max(0, min(at, len(text))-120):min(len(text), at+300)] }
	t.Errorf("%s differs at byte %d:\ndirectly:       …%s…\nthrough sluice: …%s…", what, at, around(direct), around(through))
}
