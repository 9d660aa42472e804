package settings_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/gateway/settings"
)

func TestAddressesOfProvidersAreBroughtIntoOneForm(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ provider, written, want string }{
		{"anthropic", "https://a.example", "https://a.example"},
		{"anthropic", "https://a.example/", "https://a.example"},
		{"anthropic", "https://a.example/v1", "https://a.example"},
		{"anthropic", "https://a.example/v1//", "https://a.example"},
		{"anthropic", "https://a.example/v1beta", "https://a.example/v1beta"},
		{"anthropic", "https://a.example/team/anthropic/v1", "https://a.example/team/anthropic"},
		{"anthropic", "https://a.example/v1/v1", "https://a.example/v1"},
		{"openai", "HTTPS://A.Example:443/V1", "https://a.example:443/V1"},
		{"openai", "https://a.example/notv1", "https://a.example/notv1"},
		{"openai", "http://127.0.0.1:9000/v1", "http://127.0.0.1:9000"},
		{"openai", "http://[::1]:9000/v1", "http://[::1]:9000"},
		{"gemini", "https://a.example/v1beta/", "https://a.example"},
		{"gemini", "https://a.example/v1", "https://a.example"},
		{"gemini", "https://a.example/gemini", "https://a.example/gemini"},
		{"chatgpt", "https://a.example/backend-api/codex/", "https://a.example"},
		{"chatgpt", "https://a.example/backend-api", "https://a.example"},
		{"chatgpt", "https://a.example/v1", "https://a.example/v1"},
	} {
		t.Run(tc.provider+" "+tc.written, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, settings.Sources{Flags: parsed(t, "--upstream-"+tc.provider, tc.written)}, "")
			if got := entry(t, s, "upstreams."+tc.provider+".url").Value; got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestValuesAreTyped(t *testing.T) {
	t.Parallel()
	s := mustParse(t, settings.Sources{Environ: append(slices.Clone(needed), "SLUICE_LOG_LEVEL=error")}, `
upstreams: {openai: {url: "https://a.example/x/v1", key_env: A_KEY}}
keys: [{name: ada, key: `+goodKey+`, user: ada@example.org, groups: [a, b]}]
admin: {token_env: A_TOKEN}
limits: {body: 1MB, idle: 90s, streams: 7}
`)
	if s.Log.Level != slog.LevelError || s.Limits.Body != 1_000_000 || s.Limits.Payload != 16<<20 || s.Limits.Idle != 90*time.Second || s.Limits.Streams != 7 {
		t.Errorf("limits are %+v, the log is %+v", s.Limits, s.Log)
	}
	u := s.Upstreams.OpenAI
	if u.URL.Host != "a.example" || u.URL.Path != "/x" || u.Key.Reveal() != "provider-key" || !s.Upstreams.Gemini.Key.Empty() {
		t.Errorf("upstreams are %+v", s.Upstreams)
	}
	if s.Admin.Token.Reveal() != "0123456789abcdefghij" {
		t.Error("the token is another")
	}
	k := s.Keys[0]
	if len(s.Keys) != 1 || k.Name != "ada" || k.User != "ada@example.org" || !slices.Equal(k.Groups, []string{"a", "b"}) || k.SHA256 != sha256.Sum256([]byte(goodKey)) {
		t.Errorf("keys are %+v", s.Keys)
	}
}

// The same key in every form in which it can be written.
func TestFormsOfAKey(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte(goodKey))
	for _, tc := range []struct {
		name, file string
		environ    []string
		origin     string
	}{
		{"itself", "keys:\n  - {name: ada, key: " + goodKey + "}\n", nil, "f.yaml:2"},
		{"its hash", "keys:\n  - {name: ada, sha256: " + hex.EncodeToString(sum[:]) + "}\n", nil, "f.yaml:2"},
		{"its hash in capitals", "keys:\n  - {name: ada, sha256: " + strings.ToUpper(hex.EncodeToString(sum[:])) + "}\n", nil, "f.yaml:2"},
		{"a variable named in the file", "keys:\n  - {name: ada, key_env: ADA}\n", []string{"ADA=" + goodKey + "\n"}, "f.yaml:2"},
		{"SLUICE_KEYS", "", []string{"SLUICE_KEYS=ada=" + goodKey}, "SLUICE_KEYS"},
		{"SLUICE_KEYS before the file", "keys: [{name: bob, key: " + otherKey + "}]\n", []string{"SLUICE_KEYS=ada=" + goodKey + ","}, "SLUICE_KEYS"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, settings.Sources{Environ: append(tc.environ, home)}, tc.file)
			if len(s.Keys) != 1 || s.Keys[0].SHA256 != sum {
				t.Fatalf("keys are %+v", s.Keys)
			}
			e := entry(t, s, "keys.ada")
			if want := "fingerprint " + hex.EncodeToString(sum[:])[:8]; e.Value != want || e.Origin != tc.origin {
				t.Errorf("it is shown as %q from %q, want %q from %q", e.Value, e.Origin, want, tc.origin)
			}
		})
	}
}

// Every limit is tried at the limit and one step beyond.
func TestRanges(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		key   string
		fits  []string
		wrong []string
	}{
		{"limits.body", []string{"1024", "1GiB"}, []string{"1023", "1073741825"}},
		{"limits.payload", []string{"65536", "256MiB"}, []string{"65535", "268435457"}},
		{"limits.header", []string{"4KiB", "16MiB"}, []string{"4095", "16777217"}},
		{"limits.first_byte", []string{"1s", "24h"}, []string{"999ms", "24h0m0.001s"}},
		{"limits.idle", []string{"1s", "24h"}, []string{"999ms", "24h0m0.001s"}},
		{"limits.total", []string{"1s", "168h"}, []string{"999ms", "168h0m1s"}},
		{"limits.write", []string{"1s", "1h"}, []string{"999ms", "1h0m1s"}},
		{"limits.first_event", []string{"100ms", "10m"}, []string{"99ms", "10m1s"}},
		{"limits.drain", []string{"100ms", "24h"}, []string{"99ms", "25h"}},
		{"limits.messages", []string{"1", "1000000"}, []string{"0", "-1", "1000001", "1e3", "many"}},
		{"limits.parts", []string{"1", "1000000"}, []string{"0", "1000001"}},
		{"limits.tools", []string{"1", "1000000"}, []string{"0", "1000001"}},
		{"limits.streams", []string{"0", "1000000"}, []string{"-1", "1000001", "1e3", "0.5"}},
		{"keepalive", []string{"1s", "5m"}, []string{"-10s", "999ms", "5m1s", "9999999999h"}},
		{"listen", []string{"127.0.0.1:0", "127.255.255.254:65535", "[::1]:1", "[::ffff:127.0.0.1]:1", "LOCALHOST:1"}, []string{"127.0.0.1:-1", "127.0.0.1:", "::1:1", "[127.0.0.1]:1", "a:b:1", "128.0.0.1:1", "0.0.0.0:1", "[::]:1", ":1", "localhost.example:1", "x.localhost:1", "127.1:1", "unix:/x"}},
		{"forward", []string{"/v1/embeddings", "/v1/messages/count_tokens", "/v1/models", "/v1/files/*"}, []string{"/v1/Messages", "/v1/messages/*", "/v1/responses/*", "/v1/models/*", "/v1/models/g:generateContent", "/v1beta/*", "/v1beta/models/*", "/backend-api/*", "/v1/", "/v1/../x", "//x", "/a?b", "/a%2f", "/a b", "/a*"}},
		{"insecure", []string{"true", "FALSE", "1", "0"}, []string{"yes", "2"}},
	} {
		variable := "SLUICE_" + strings.ToUpper(strings.ReplaceAll(tc.key, ".", "_"))
		for _, text := range tc.fits {
			if _, err := settings.Load(settings.Sources{Environ: []string{home, variable + "=" + text}}); err != nil {
				t.Errorf("%s %s is refused: %v", tc.key, text, err)
			}
		}
		for _, text := range tc.wrong {
			if _, err := settings.Load(settings.Sources{Environ: []string{home, variable + "=" + text}}); err == nil || !strings.HasPrefix(err.Error(), variable+": "+tc.key) {
				t.Errorf("%s %s: the error is %v", tc.key, text, err)
			}
		}
	}
}

// What a file can be at most.
func TestSizesOfFilesAndLists(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	list := func(n int) string {
		var b strings.Builder
		b.WriteString("session: {labels: [")
		for i := range n {
			fmt.Fprintf(&b, "l%d,", i)
		}
		return b.String() + "]}\n"
	}
	keys := func(n int) string {
		var b strings.Builder
		b.WriteString("keys:\n")
		for i := range n {
			fmt.Fprintf(&b, "- {name: k%d, sha256: %064x}\n", i, i)
		}
		return b.String()
	}
	for _, tc := range []struct{ name, file, want string }{
		{"a file at the limit", "#" + strings.Repeat("x", most-1), ""},
		{"a file over the limit", "#" + strings.Repeat("x", most), "f.yaml:1:1: the file has more than 1048576 bytes"},
		{"a list at the limit", list(1000), ""},
		{"a list over the limit", list(1001), "f.yaml:1:19: session.labels has more than 1000 values"},
		{"keys at the limit", keys(10_000), ""},
		{"keys over the limit", keys(10_001), "f.yaml:2:1: there are more than 10000 keys"},
		{"a file of unknown keys", strings.Repeat("a: b\nb: c\n", 1<<16), `unknown key "a"`},
		{"a file of brackets", "data: " + strings.Repeat("[", most/2), "cannot be read as YAML"},
		{"a file of aliases", "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n", `unknown key "a"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(tc.name, "keys") && len(tc.file) > most {
				t.Fatalf("the file has %d bytes", len(tc.file))
			}
			name := write(t, t.TempDir(), "f.yaml", tc.file)
			s, err := settings.Load(settings.Sources{File: name, Environ: []string{home}})
			got := problemsOf(t, s, err)
			if (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
				t.Errorf("problems are\n%.300s\nwant\n%s", got, tc.want)
			}
			if lines := strings.Count(got, "\n"); lines >= 200 {
				t.Errorf("there are %d lines of problems", lines)
			}
		})
	}
}
