package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

// said is one key with what each source says about it, and how the value is
// shown if that is not how it was said. An empty text is a source that cannot
// speak about it.
type said struct {
	path     string
	fallback string
	file     string // YAML of the whole file
	inFile   string // as it is shown
	variable string // NAME=VALUE
	inEnv    string
	flags    []string
	inFlags  string
}

// needed are variables and files that the values below refer to.
var needed = []string{home, "XDG_DATA_HOME=/nowhere/ada/.local/share", "A_KEY=provider-key", "B_KEY=provider-key", "A_TOKEN=0123456789abcdefghij", "B_TOKEN=0123456789abcdefghik"}

var sources = []said{
	{"listen", "127.0.0.1:8484", "listen: 127.0.0.2:1\n", "127.0.0.2:1", "SLUICE_LISTEN=localhost:2", "localhost:2", []string{"--listen", "[::1]:3"}, "[::1]:3"},
	{"policies.pinned", "false", "policies: {pinned: true}\n", "true", "SLUICE_POLICIES_PINNED=0", "false", nil, ""},
	{"insecure", "false", "insecure: true\n", "true", "SLUICE_INSECURE=0", "false", []string{"--insecure"}, "true"},
	{"upstreams.anthropic.url", "https://api.anthropic.com", "upstreams: {anthropic: 'https://a.example/v1'}\n", "https://a.example", "SLUICE_UPSTREAM_ANTHROPIC=https://b.example", "https://b.example", []string{"--upstream-anthropic", "https://c.example/"}, "https://c.example"},
	{"upstreams.openai.url", "https://api.openai.com", "upstreams: {openai: {url: 'https://a.example/v1/'}}\n", "https://a.example", "SLUICE_UPSTREAM_OPENAI=https://b.example", "https://b.example", []string{"--upstream-openai=https://c.example"}, "https://c.example"},
	{"upstreams.gemini.url", "https://generativelanguage.googleapis.com", "upstreams: {gemini: 'https://a.example/v1beta'}\n", "https://a.example", "SLUICE_UPSTREAM_GEMINI=https://b.example", "https://b.example", []string{"--upstream-gemini=https://c.example"}, "https://c.example"},
	{"upstreams.chatgpt.url", "https://chatgpt.com", "upstreams: {chatgpt: 'https://a.example/backend-api/codex'}\n", "https://a.example", "SLUICE_UPSTREAM_CHATGPT=https://b.example", "https://b.example", []string{"--upstream-chatgpt=https://c.example"}, "https://c.example"},
	{"upstreams.anthropic.key_env", "", "upstreams: {anthropic: {key_env: A_KEY}}\n", "A_KEY", "SLUICE_UPSTREAM_ANTHROPIC_KEY_ENV=B_KEY", "B_KEY", nil, ""},
	{"upstreams.openai.key_env", "", "upstreams: {openai: {key_env: A_KEY}}\n", "A_KEY", "SLUICE_UPSTREAM_OPENAI_KEY_ENV=B_KEY", "B_KEY", nil, ""},
	{"upstreams.gemini.key_env", "", "upstreams: {gemini: {key_env: A_KEY}}\n", "A_KEY", "SLUICE_UPSTREAM_GEMINI_KEY_ENV=B_KEY", "B_KEY", nil, ""},
	{"upstreams.chatgpt.key_env", "", "upstreams: {chatgpt: {key_env: A_KEY}}\n", "A_KEY", "SLUICE_UPSTREAM_CHATGPT_KEY_ENV=B_KEY", "B_KEY", nil, ""},
	{"policies", "preset:recommended", "policies: [doc.go, preset:paranoid]\n", "doc.go, preset:paranoid", "SLUICE_POLICIES=preset:shadow, load.go,", "preset:shadow, load.go", []string{"-p", "load.go", "--policies", "doc.go"}, "load.go, doc.go"},
	{"notice", "full", "notice: short\n", "short", "SLUICE_NOTICE=full", "full", nil, ""},
	{"data", "/nowhere/ada/.local/share/sluice", "data: /x/data\n", "/x/data", "SLUICE_DATA=~/data", "/nowhere/ada/data", []string{"--data", "here"}, "here"},
	{"audit_log", "", "audit_log: audit\n", "audit", "SLUICE_AUDIT_LOG=-", "-", []string{"--audit-log="}, ""},
	{"log.level", "info", "log: {level: warn}\n", "warn", "SLUICE_LOG_LEVEL=error", "error", []string{"--log-level", "debug"}, "debug"},
	{"log.format", "text", "log: {format: json}\n", "json", "SLUICE_LOG_FORMAT=text", "text", []string{"--log-format", "json"}, "json"},
	{"tls.cert", "", "tls: {cert: doc.go, key: doc.go}\n", "doc.go", "SLUICE_TLS_CERT=load.go", "load.go", []string{"--tls-cert", "file.go"}, "file.go"},
	{"tls.key", "", "tls: {cert: doc.go, key: doc.go}\n", "doc.go", "SLUICE_TLS_KEY=load.go", "load.go", []string{"--tls-key", "file.go"}, "file.go"},
	{"admin.token_env", "", "admin: {token_env: A_TOKEN}\n", "A_TOKEN", "SLUICE_ADMIN_TOKEN_ENV=B_TOKEN", "B_TOKEN", nil, ""},
	{"admin.token_file", "", "admin: {token_file: testdata/token}\n", "testdata/token", "SLUICE_ADMIN_TOKEN_FILE=./testdata/token", "./testdata/token", nil, ""},
	{"admin.hosts", "", "admin: {hosts: [A.example, 'b.example:1']}\n", "a.example, b.example:1", "SLUICE_ADMIN_HOSTS=c.example", "c.example", nil, ""},
	{"failure.judge", "policy", "failure: {judge: block}\n", "block", "SLUICE_FAILURE_JUDGE=allow", "allow", nil, ""},
	{"failure.storage", "continue", "failure: {storage: refuse}\n", "refuse", "SLUICE_FAILURE_STORAGE=continue", "continue", nil, ""},
	{"failure.upstream", "error", "failure: {upstream: retry}\n", "retry", "SLUICE_FAILURE_UPSTREAM=error", "error", nil, ""},
	{"limits.body", "32MiB", "limits: {body: 64 MiB}\n", "64MiB", "SLUICE_LIMITS_BODY=1000000", "1MB", nil, ""},
	{"limits.payload", "16MiB", "limits: {payload: 8mib}\n", "8MiB", "SLUICE_LIMITS_PAYLOAD=100KB", "100KB", nil, ""},
	{"limits.header", "1MiB", "limits: {header: 65536}\n", "64KiB", "SLUICE_LIMITS_HEADER=65537", "65537B", nil, ""},
	{"limits.first_byte", "10m", "limits: {first_byte: 90s}\n", "1m30s", "SLUICE_LIMITS_FIRST_BYTE=2h", "2h", nil, ""},
	{"limits.idle", "5m", "limits: {idle: 1m}\n", "1m", "SLUICE_LIMITS_IDLE=2m", "2m", nil, ""},
	{"limits.total", "1h", "limits: {total: 2h30m}\n", "2h30m", "SLUICE_LIMITS_TOTAL=10m", "10m", nil, ""},
	{"limits.write", "1m", "limits: {write: 10s}\n", "10s", "SLUICE_LIMITS_WRITE=20s", "20s", nil, ""},
	{"limits.first_event", "10s", "limits: {first_event: 1s}\n", "1s", "SLUICE_LIMITS_FIRST_EVENT=500ms", "500ms", nil, ""},
	{"limits.drain", "30s", "limits: {drain: 1s}\n", "1s", "SLUICE_LIMITS_DRAIN=2s", "2s", nil, ""},
	{"limits.messages", "10000", "limits: {messages: 100}\n", "100", "SLUICE_LIMITS_MESSAGES=200", "200", nil, ""},
	{"limits.parts", "20000", "limits: {parts: 100}\n", "100", "SLUICE_LIMITS_PARTS=200", "200", nil, ""},
	{"limits.tools", "5000", "limits: {tools: 100}\n", "100", "SLUICE_LIMITS_TOOLS=200", "200", nil, ""},
	{"limits.streams", "0", "limits: {streams: 100}\n", "100", "SLUICE_LIMITS_STREAMS=200", "200", nil, ""},
	{"keepalive", "10s", "keepalive: 15s\n", "15s", "SLUICE_KEEPALIVE=20s", "20s", nil, ""},
	{"forward", "", "forward: /v1/embeddings\n", "/v1/embeddings", "SLUICE_FORWARD=/v1/files/*,/v1/x", "/v1/files/*, /v1/x", nil, ""},
	{"session.cwd", "", "session: {cwd: /a}\n", "/a", "SLUICE_SESSION_CWD=/b", "/b", []string{"--session-cwd", `C:\c`}, `C:\c`},
	{"session.home", "", "session: {home: /a}\n", "/a", "SLUICE_SESSION_HOME=/b", "/b", []string{"--session-home", "/c"}, "/c"},
	{"session.labels", "", "session: {labels: [a, b]}\n", "a, b", "SLUICE_SESSION_LABELS=c,d", "c, d", []string{"--session-label", "e,f", "--session-label", "g"}, "e,f, g"},
}

func TestTheStrongestSourceWinsAndIsNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range sources {
		t.Run(tc.path, func(t *testing.T) {
			t.Parallel()
			// A certificate needs its key and the reverse, whichever source sets
			// them.
			environ := needed
			if tc.path == "tls.cert" {
				environ = append(slices.Clone(environ), "SLUICE_TLS_KEY=doc.go")
			}
			if tc.path == "tls.key" {
				environ = append(slices.Clone(environ), "SLUICE_TLS_CERT=doc.go")
			}
			withVariable := append(slices.Clone(environ), tc.variable)
			name, _, _ := strings.Cut(tc.variable, "=")
			empty := append(slices.Clone(environ), name+"=")
			flags := parsed(t, tc.flags...)

			check := func(when string, from settings.Sources, content, value, origin string) {
				t.Helper()
				got := entry(t, mustParse(t, from, content), tc.path)
				if got.Value != value || got.Origin != origin {
					t.Errorf("%s: %q from %q, want %q from %q", when, got.Value, got.Origin, value, origin)
				}
				if got.Variable != name || got.Doc == "" {
					t.Errorf("%s: it has the variable %q, want %q, and the explanation %q", when, got.Variable, name, got.Doc)
				}
			}
			if !strings.HasPrefix(tc.path, "tls.") {
				check("nobody says", settings.Sources{Environ: environ, Flags: parsed(t)}, "", tc.fallback, "default")
				check("the variable is empty", settings.Sources{Environ: empty}, "", tc.fallback, "default")
			}
			check("the file says", settings.Sources{Environ: empty, Flags: parsed(t)}, tc.file, tc.inFile, "f.yaml:1")
			check("variable over file", settings.Sources{Environ: withVariable, Flags: parsed(t)}, tc.file, tc.inEnv, name)
			if tc.flags != nil {
				flag := "flag --" + entry(t, mustParse(t, settings.Sources{Environ: environ}, tc.file), tc.path).Flag
				check("flag over all", settings.Sources{Environ: withVariable, Flags: flags}, tc.file, tc.inFlags, flag)
				check("flag over file", settings.Sources{Environ: environ, Flags: flags}, tc.file, tc.inFlags, flag)
			}
		})
	}
}

func TestEveryKeyIsInTheTableAbove(t *testing.T) {
	t.Parallel()
	for _, e := range mustParse(t, settings.Sources{Environ: needed}, "").Entries() {
		i := slices.IndexFunc(sources, func(s said) bool { return s.path == e.Path })
		if i < 0 && e.Path != "keys" {
			t.Errorf("%s is not tested", e.Path)
		}
		if i >= 0 && (e.Flag != "") != (sources[i].flags != nil) {
			t.Errorf("%s: the flag --%s is not tested", e.Path, e.Flag)
		}
	}
}

func TestVariablesOfOthersMeanNothing(t *testing.T) {
	t.Parallel()
	s := mustParse(t, settings.Sources{Environ: []string{home, "PORT=80", "HOST=0.0.0.0", "SLUICE_PORT=80", "SLUICE_CORPUS=/x", "SLUICE_KEY=slk_x", "no pair",
		"SLUICE_SERVICE_HOST=10.0.0.1", "SLUICE_SERVICE_PORT=80", "SLUICE_PORT_8484_TCP_ADDR=10.0.0.1", "SLUICE_TOKEN=x", "SPLICE_X=1", "SLICE_KEYS_OF=1", "LISTEN=x"}}, "")
	if s.Listen != "127.0.0.1:8484" || len(s.Warnings) != 0 {
		t.Errorf("listen is %s, warnings are %v", s.Listen, s.Warnings)
	}
	s = mustParse(t, settings.Sources{Environ: []string{home, "SLUICE_LISTNE=x", "SLUICE_POLICY=x"}}, "")
	want := "SLUICE_LISTNE: the variable is not known: did you mean SLUICE_LISTEN?"
	if got := settings.Problems(s.Warnings).Error(); got != want {
		t.Errorf("warnings are\n%s\nwant\n%s", got, want)
	}
}

// Every variable that is mistyped by one letter, or has a mistyped prefix, is warned about with
// the one that was meant, or one that is as near.
func TestMistypedVariablesAreWarnedAbout(t *testing.T) {
	t.Parallel()
	for _, e := range mustParse(t, settings.Sources{Environ: needed}, "").Entries() {
		name := e.Variable
		if name == "" || len(name) < len("SLUICE_LISTEN") {
			continue
		}
		for _, wrong := range []string{name[:len(name)-2] + name[len(name)-1:], name + "X", name[:8] + name[9:], strings.Replace(name, "SLUICE", "SLUCE", 1), strings.ToLower(name)} {
			s := mustParse(t, settings.Sources{Environ: append(slices.Clone(needed), wrong+"=x")}, "")
			found := false
			for _, w := range s.Warnings {
				found = found || strings.HasPrefix(w.String(), wrong+": the variable is not known: did you mean SLUICE_")
			}
			if !found {
				t.Errorf("%s: %v", wrong, s.Warnings)
			}
		}
	}
}

func TestTheOriginIsTheLineOfTheValue(t *testing.T) {
	t.Parallel()
	s := mustParse(t, settings.Sources{Environ: needed}, "# mine\nlog:\n  format: json\nlimits:\n  body: 1MiB\n\n  idle: 1m\n")
	for path, want := range map[string]string{"log.format": "f.yaml:3", "limits.body": "f.yaml:5", "limits.idle": "f.yaml:7", "limits.total": "default", "nothing": "default"} {
		if got := s.Origin(path); got != want {
			t.Errorf("%s is from %s, want %s", path, got, want)
		}
	}
}

// Which file is read, if any.
func TestWhichFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	own := write(t, dir, "config/sluice/config.yaml", "listen: 127.0.0.1:1\n")
	inHome := write(t, dir, "home/.config/sluice/config.yaml", "listen: 127.0.0.1:2\n")
	other := write(t, dir, "other.yaml", "listen: 127.0.0.1:3\n")
	for _, name := range []string{"sluice.yaml", "config.yaml", "sluice/config.yaml", ".config/sluice/config.yaml", ".sluice.yaml"} {
		write(t, dir, name, "policies: [preset:shadow]\n")
	}
	xdg, atHome := "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "HOME="+filepath.Join(dir, "home")

	for _, tc := range []struct {
		name    string
		from    settings.Sources
		file    string
		refused string
	}{
		{"nowhere", settings.Sources{}, "", ""},
		{"never in the working directory", settings.Sources{Environ: []string{home}}, "", ""},
		{"never in a relative directory", settings.Sources{Environ: []string{"XDG_CONFIG_HOME=.", "HOME=."}}, "", ""},
		{"in the configuration directory", settings.Sources{Environ: []string{xdg, atHome}}, own, ""},
		{"in the home directory", settings.Sources{Environ: []string{atHome}}, inHome, ""},
		{"by the variable", settings.Sources{Environ: []string{xdg, "SLUICE_CONFIG=other.yaml"}}, "other.yaml", ""},
		{"by the variable, from home", settings.Sources{Environ: []string{atHome, "SLUICE_CONFIG=~/.config/sluice/config.yaml"}}, inHome, ""},
		{"by the flag", settings.Sources{Environ: []string{xdg, "SLUICE_CONFIG=none"}, Flags: parsed(t, "--config", other)}, other, ""},
		{"by the program", settings.Sources{Environ: []string{xdg}, File: other}, other, ""},
		{"a variable that is wrong", settings.Sources{Environ: []string{xdg, "SLUICE_CONFIG=none"}}, "", `SLUICE_CONFIG: the configuration file cannot be read: "none": no such file or directory`},
		{"a flag that is wrong", settings.Sources{Flags: parsed(t, "--config", "home")}, "", `flag --config: the configuration file cannot be read: "home": is a directory`},
		{"a flag that is empty", settings.Sources{Flags: parsed(t, "--config=")}, "", "flag --config: no file is named: name a file, or leave the flag out"},
		{"a home that is not there", settings.Sources{Flags: parsed(t, "--config=~/x")}, "", "flag --config: the name of the file begins with ~, and there is no home directory: write the whole path"},
		{"a program that is wrong", settings.Sources{File: "none"}, "", `none: the configuration file cannot be read: "none": no such file or directory`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := settings.Load(tc.from)
			if got := problemsOf(t, s, err); got != tc.refused {
				t.Fatalf("problems are\n%s\nwant\n%s", got, tc.refused)
			}
			if err == nil && (s.File != tc.file || s.Policies[0] != "preset:recommended") {
				t.Errorf("the file is %q, want %q; policies are %v", s.File, tc.file, s.Policies)
			}
		})
	}

	t.Run("of one's own that cannot be read", func(t *testing.T) {
		if err := os.Remove(own); err != nil {
			t.Fatal(err)
		}
		write(t, own, "file", "")
		s, err := settings.Load(settings.Sources{Environ: []string{xdg}})
		if got := problemsOf(t, s, err); !strings.Contains(got, "is a directory") {
			t.Errorf("problems are %q", got)
		}
	})
}

func TestPathsInTheFileAreRelativeToIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "conf/mine.yaml", "")
	name := write(t, dir, "conf/sluice.yaml", "policies: [mine.yaml, preset:recommended]\ndata: ../data\naudit_log: audit\n")
	s, err := settings.Load(settings.Sources{File: name, Environ: []string{home}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ got, want string }{
		{s.Policies[0], filepath.Join(dir, "conf", "mine.yaml")},
		{s.Policies[1], "preset:recommended"},
		{s.Data, filepath.Join(dir, "data")},
		{s.AuditLog, filepath.Join(dir, "conf", "audit")},
	} {
		if tc.got != tc.want {
			t.Errorf("got %s, want %s", tc.got, tc.want)
		}
	}
}

func TestWhereThingsAreKept(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"in the data directory", []string{"XDG_DATA_HOME=/d", home}, "/d/sluice"},
		{"in the home directory", []string{home}, "/nowhere/ada/.local/share/sluice"},
		{"a relative one is none", []string{"XDG_DATA_HOME=d", home}, "/nowhere/ada/.local/share/sluice"},
		{"nowhere", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS != "linux" && strings.Contains(tc.want, "/.local/") {
				t.Skip("other systems have other directories")
			}
			s := mustParse(t, settings.Sources{Environ: tc.environ}, "")
			if s.Data != tc.want || (s.Data == "") != (len(s.Warnings) == 1) {
				t.Errorf("data is %q, want %q; warnings are %v", s.Data, tc.want, s.Warnings)
			}
		})
	}
}
