package settings_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

// wholeFile returns the configuration file of the package comment.
func wholeFile(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(source), "// # A whole file\n")
	text, _, ends := strings.Cut(text, "// # What is refused\n")
	if !found || !ends {
		t.Fatal("doc.go has no whole file")
	}
	var file strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "//\t"); ok {
			file.WriteString(rest)
		} else {
			file.WriteString("\n")
		}
	}
	return file.String()
}

// The file of the documentation says something about every key, and what it
// says can be loaded.
func TestTheFileOfTheDocumentationLoads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"policies.yaml", "cert.pem", "key.pem"} {
		write(t, dir, name, "")
	}
	name := write(t, dir, "sluice.yaml", wholeFile(t))
	environ := []string{home, "ANTHROPIC_API_KEY=a", "OPENAI_API_KEY=b", "GEMINI_API_KEY=c", "CI_SLUICE_KEY=" + goodKey, "METRICS_KEY=" + goodKey + "2", "SLUICE_TOKEN=0123456789abcdefghij"}
	s, err := settings.Load(settings.Sources{File: name, Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Warnings) > 0 {
		t.Errorf("warnings are %v", s.Warnings)
	}
	defaults := mustParse(t, settings.Sources{Environ: []string{home}}, "")
	// Sample values, and the data directory, of which each system has its own.
	samples := "data policies audit_log tls.cert tls.key admin.token_env admin.hosts forward session.cwd session.home session.labels " +
		"upstreams.anthropic.key_env upstreams.openai.key_env upstreams.gemini.key_env keys.ada keys.ci keys.prometheus"
	// Keys of which there can be only one, or that need none.
	left := "admin.token_file upstreams.chatgpt.key_env"
	for _, e := range s.Entries() {
		if e.Origin == "default" && !strings.Contains(left, e.Path) {
			t.Errorf("the file does not say %s", e.Path)
		}
		if strings.Contains(" "+samples+" ", " "+e.Path+" ") {
			continue
		}
		if want := entry(t, defaults, e.Path).Value; e.Value != want {
			t.Errorf("the file says %s: %s, and the default is %s", e.Path, e.Value, want)
		}
	}
}
