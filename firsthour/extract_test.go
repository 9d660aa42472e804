package firsthour_test

import (
	"slices"
	"testing"
)

func TestWhatADocumentShows(t *testing.T) {
	t.Parallel()
	const text = "# Title\n\nText `sluice x`.\n\n    sluice demo      # see it\n    sluice run -- \\\n      claude\n\nMore:\n\n" +
		"```yaml\npolicies:\n  - preset: recommended\n```\n\n    x := 1\n\n    y := x\n\n- a point\n    that goes on\n\n    policies:\n      - name: x\n"
	type found struct{ where, lang, text string }
	want := []found{
		{"a.md:5", "sh", "sluice demo      # see it\nsluice run -- \\\n  claude"},
		{"a.md:12", "yaml", "policies:\n  - preset: recommended"},
		{"a.md:16", "go", "x := 1\n\ny := x"},
		{"a.md:23", "yaml", "policies:\n  - name: x"},
	}
	var got []found
	for _, s := range snippetsOf("a.md", text) {
		got = append(got, found{s.where, s.lang, s.text})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestWhatIsACommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"sluice demo   see it\n\nsluice run -- claude # an agent": {"sluice demo", "sluice run -- claude"},
		"sluice try --shell 'a  # b' --json":                      {"sluice try --shell 'a  # b' --json"},
		"echo x |\n  sluice inspect -":                            {"echo x |\n  sluice inspect -"},
		"sluice try 'a <<'\\''EOF'\\''\n  b  c\nEOF'\nsluice x":   {"sluice try 'a <<'\\''EOF'\\''\n  b  c\nEOF'", "sluice x"},
		"$ sluice x\n# a comment\n":                               {"sluice x"},
	} {
		if got := commandsOf(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTheExamplesOfAHelpText(t *testing.T) {
	t.Parallel()
	s := examplesOf("serve", "Serve runs.\n\nUsage:\n  sluice serve\n\nExamples:\n  sluice serve\n  sluice serve --x  with x\n\nFlags:\n  -h, --help\n")
	if s.where != "sluice serve --help" || s.text != "sluice serve\nsluice serve --x  with x" {
		t.Errorf("got %+v", s)
	}
}
